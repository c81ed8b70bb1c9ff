"""Derivatives of inverse dynamics in closed form, with respect to small motions of the joints."""

from collections.abc import Callable

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from .._shapes import Configuration, ConfigurationLike, GeneralizedForce, Velocity, VelocityLike
from ..mechanism import (
    Mechanism,
    as_configuration,
    as_velocity,
    require_tree,
    total_armature,
    total_damping,
    velocity_to_configuration_derivative,
)
from ._inverse_dynamics import generalized_forces
from ._passive_forces import passive_forces
from ._tree_derivatives import tree_derivatives
from ._tree_wrenches import WrenchesLike


class InverseDynamicsDerivatives(eqx.Module):
    """How the generalized forces of `inverse_dynamics` change; row i is that of force i.

    Attributes:
        q: With a small motion of each joint, q ⊕ δ, in the directions of v.
        v: With the velocity.
        v_dot: With the acceleration: the mass matrix.
    """

    q: Float[Array, "num_velocities num_velocities"]
    v: Float[Array, "num_velocities num_velocities"]
    v_dot: Float[Array, "num_velocities num_velocities"]


def inverse_dynamics_derivatives(
    mechanism: Mechanism,
    q: ConfigurationLike,
    v: VelocityLike,
    v_dot: VelocityLike,
    external_wrenches: WrenchesLike | None = None,
    *,
    wrench_frame: str = "body_origin",
) -> InverseDynamicsDerivatives:
    """Derivatives of `inverse_dynamics` in closed form: all of them for the cost of a few evaluations.

    The derivative with respect to q is along the manifold: column j is the rate of the forces while degree of freedom
    j alone moves with unit velocity, the numbers v, v_dot and external_wrenches being kept.

    Args:
        mechanism: Any mechanism without loops; massless bodies are welcome.
        q: Configuration [rad or m].
        v: Velocity [rad/s or m/s].
        v_dot: Derivative of the velocity [rad/s² or m/s²].
        external_wrenches: As for `inverse_dynamics`.
        wrench_frame: As for `inverse_dynamics`.

    Returns:
        The derivatives with respect to q, v and v_dot.

    Raises:
        ShapeError: An argument has the wrong shape or another dtype.
        InvalidValueError: `wrench_frame` is unknown.
        MechanismError: A joint closes a loop.

    Differentiability: smooth in all arguments and every leaf.
    Reference: Singh, Russo and Wensing (2022), Efficient analytical derivatives of rigid-body dynamics using spatial
    vector algebra; here by integrals over the mass elements, in world axes about each body's own origin, and with
    motion subspaces that may change.
    """
    require_tree(mechanism, "inverse_dynamics_derivatives")
    q, v, v_dot = as_configuration(mechanism, q), as_velocity(mechanism, v), as_velocity(mechanism, v_dot, "v_dot")
    by_q, by_v, M = tree_derivatives(mechanism, q, v, v_dot)
    by_q = by_q - _along_manifold(mechanism, lambda q: passive_forces(mechanism, q, v), q)
    if external_wrenches is not None:

        def external(q: Configuration) -> GeneralizedForce:
            return generalized_forces(mechanism, q, external_wrenches, wrench_frame=wrench_frame)

        by_q = by_q - _along_manifold(mechanism, external, q)
    diagonal = jnp.eye(mechanism.num_velocities, dtype=q.dtype)
    by_v = by_v + diagonal * total_damping(mechanism)[None]
    return InverseDynamicsDerivatives(by_q, by_v, M + diagonal * total_armature(mechanism)[None])


def _along_manifold(
    mechanism: Mechanism, function: Callable[[Configuration], GeneralizedForce], q: Configuration
) -> Float[Array, "num_velocities num_velocities"]:
    """Rates of forces while one degree of freedom after the other moves with unit velocity."""

    def rate(v: Velocity) -> GeneralizedForce:
        return jax.jvp(function, (q,), (velocity_to_configuration_derivative(mechanism, q, v),))[1]

    return jax.vmap(rate, out_axes=-1)(jnp.eye(mechanism.num_velocities, dtype=q.dtype))
