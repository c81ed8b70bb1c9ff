"""Derivatives of forward dynamics in closed form, with respect to small motions of the joints."""

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float

from .._shapes import ConfigurationLike, GeneralizedForceLike, VelocityLike
from ..mechanism import Mechanism
from ._forward_dynamics import forward_dynamics
from ._inverse_dynamics_derivatives import inverse_dynamics_derivatives
from ._mass_matrix_solve import product, solved_by_matrix
from ._tree_wrenches import WrenchesLike


class ForwardDynamicsDerivatives(eqx.Module):
    """How the acceleration of `forward_dynamics` changes; row i is that of entry i.

    Attributes:
        q: With a small motion of each joint, q ⊕ δ, in the directions of v.
        v: With the velocity.
        tau: With the generalized forces: the inverse of the mass matrix.
    """

    q: Float[Array, "num_velocities num_velocities"]
    v: Float[Array, "num_velocities num_velocities"]
    tau: Float[Array, "num_velocities num_velocities"]


def forward_dynamics_derivatives(
    mechanism: Mechanism,
    q: ConfigurationLike,
    v: VelocityLike,
    tau: GeneralizedForceLike,
    external_wrenches: WrenchesLike | None = None,
    *,
    wrench_frame: str = "body_origin",
) -> ForwardDynamicsDerivatives:
    """Derivatives of `forward_dynamics` in closed form, from those of `inverse_dynamics` at its acceleration.

    Args:
        mechanism: Any mechanism without loops, each joint of which moves some inertia.
        q: Configuration [rad or m].
        v: Velocity [rad/s or m/s].
        tau: Generalized forces [N m or N].
        external_wrenches: As for `forward_dynamics`.
        wrench_frame: As for `forward_dynamics`.

    Returns:
        The derivatives with respect to q (along the manifold), v and tau.

    Raises:
        ShapeError: An argument has the wrong shape or another dtype.
        InvalidValueError: `wrench_frame` is unknown.
        MechanismError: A joint closes a loop, or nothing is traced and a degree of freedom moves no inertia.

    Differentiability: smooth in all arguments and every leaf where the mass matrix is regular.
    Reference: Carpentier and Mansard (2018), Analytical derivatives of rigid body dynamics algorithms.
    """
    v_dot = forward_dynamics(mechanism, q, v, tau, external_wrenches, wrench_frame=wrench_frame)
    inverse = inverse_dynamics_derivatives(mechanism, q, v, v_dot, external_wrenches, wrench_frame=wrench_frame)
    M_inverse = solved_by_matrix(mechanism, inverse.v_dot, jnp.eye(mechanism.num_velocities, dtype=v_dot.dtype))
    M_inverse = (M_inverse + M_inverse.T) / 2
    return ForwardDynamicsDerivatives(-product(M_inverse, inverse.q), -product(M_inverse, inverse.v), M_inverse)
