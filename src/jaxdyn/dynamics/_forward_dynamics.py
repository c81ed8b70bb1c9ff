"""Forward dynamics: the inverse dynamics solved for the acceleration."""

from collections.abc import Callable
from functools import partial
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
from jax import lax
from jax.custom_derivatives import SymbolicZero
from jaxtyping import Array

from .._errors import InvalidValueError, MechanismError
from .._shapes import (
    Configuration,
    ConfigurationLike,
    GeneralizedForce,
    GeneralizedForceLike,
    Velocity,
    VelocityLike,
)
from .._tracing import is_traced
from ..kinematics import TreeFrames, tree_frames
from ..mechanism import (
    Mechanism,
    as_configuration,
    as_velocity,
    configuration_derivative_to_velocity,
    require_tree,
)
from ._articulated_bodies import factorize, solve
from ._dense_factors import factorize_dense, solve_dense
from ._inverse_dynamics import inertial_forces, inverse_dynamics, inverse_dynamics_of
from ._inverse_dynamics_derivatives import inverse_dynamics_derivatives
from ._mass_matrix import mass_matrix_of
from ._mass_matrix_factors import factorize_either, solve_either
from ._mass_matrix_solve import product, refuse_singular
from ._tree_inertias import TreeInertias, body_inertias
from ._tree_wrenches import WrenchesLike, wrenches_on_moving_bodies

METHODS = ("articulated_body", "mass_matrix")

# Up to here the dense mass matrix is the faster method on a CPU: docs/decisions/0003-one-call-at-a-time.md.
_MOST_DENSE_VELOCITIES = 40


def forward_dynamics(
    mechanism: Mechanism,
    q: ConfigurationLike,
    v: VelocityLike,
    tau: GeneralizedForceLike,
    external_wrenches: WrenchesLike | None = None,
    *,
    wrench_frame: str = "body_origin",
    method: str | None = None,
) -> Velocity:
    """Acceleration `v_dot` that generalized forces τ produce: the inverse of `inverse_dynamics`.

    A degree of freedom that moves no inertia has no acceleration: called with nothing traced, this function refuses
    such a mechanism; traced, that degree of freedom does not accelerate, and value and gradient stay finite.

    Args:
        mechanism: Any tree mechanism.
        q: Configuration [rad or m].
        v: Velocity [rad/s or m/s].
        tau: Generalized forces, one per degree of freedom [N m or N].
        external_wrenches: Wrench on each body, a `Force` or an array of shape (num_bodies, 6); None for none.
        wrench_frame: "body_origin": world axes, about each body's origin; "world": about the world's origin; "body":
            in each body's frame.
        method: "articulated_body": cost grows with the number of bodies, not for mimic joints; "mass_matrix": with its
            cube. None takes the faster one: the mass matrix for one state of up to 40 degrees of freedom, articulated
            bodies under `jax.vmap`.

    Returns:
        Derivative of the velocity [rad/s² or m/s²].

    Raises:
        ShapeError: An argument has the wrong shape or another dtype.
        InvalidValueError: `wrench_frame` or `method` is unknown.
        MechanismError: Nothing is traced and a degree of freedom moves no inertia, articulated bodies are asked for
            where a joint follows another one, or a joint closes a loop.

    Differentiability: smooth in all arguments and every leaf where the mass matrix is regular. Derivatives never pass
    through the factorisation: ∂v_dot = M⁻¹ (∂τ - ∂ID), where ∂ID is the change of inverse dynamics at constant v_dot,
    in closed form if only q and v change.
    Reference: articulated bodies, Featherstone (2008), chapter 7; composite rigid bodies, chapter 6.
    """
    require_tree(mechanism, "forward_dynamics")
    q, v, tau = as_configuration(mechanism, q), as_velocity(mechanism, v), as_velocity(mechanism, tau, "tau")
    known, traced = eqx.partition(mechanism, lambda leaf: not is_traced(leaf))
    return _acceleration(known, wrench_frame, method, traced, q, v, tau, external_wrenches)


@partial(jax.custom_jvp, nondiff_argnums=(0, 1, 2))
def _acceleration(
    known: Mechanism,
    wrench_frame: str,
    method: str | None,
    traced: Mechanism,
    q: Configuration,
    v: Velocity,
    tau: GeneralizedForce,
    external_wrenches: WrenchesLike | None,
) -> Velocity:
    # An argument of a function with a rule is traced under `jax.jit`. The numbers that are known stay outside of it, so
    # that what depends on them alone is computed early.
    mechanism = eqx.combine(known, traced)
    frames = tree_frames(mechanism, q)
    bodies = body_inertias(mechanism, frames)
    external = None
    if external_wrenches is not None:
        external = wrenches_on_moving_bodies(mechanism, frames, external_wrenches, wrench_frame)
    bias = inverse_dynamics_of(mechanism, frames, bodies, q, v, jnp.zeros_like(v), external)
    return _solve_for_acceleration(mechanism, frames, bodies, tau - bias, method)


def _acceleration_rule(
    known: Mechanism, wrench_frame: str, method: str | None, primals: tuple, tangents: tuple
) -> tuple[Velocity, Velocity]:
    """∂v_dot = M⁻¹ (∂τ - ∂ID), with ∂ID at constant v_dot."""
    traced, q, v, _, external_wrenches = primals
    by_traced, by_q, by_v, by_tau, by_wrenches = tangents
    v_dot = _acceleration(known, wrench_frame, method, *primals)
    arguments, directions = (traced, q, v, external_wrenches), (by_traced, by_q, by_v, by_wrenches)
    change = -_inverse_dynamics_change(known, wrench_frame, arguments, directions, v_dot)
    change = change if _is_zero(by_tau) else change + by_tau
    mechanism = eqx.combine(known, traced)
    frames = tree_frames(mechanism, q)
    return v_dot, _solve_for_acceleration(mechanism, frames, body_inertias(mechanism, frames), change, method)


_acceleration.defjvp(_acceleration_rule, symbolic_zeros=True)


def _inverse_dynamics_change(
    known: Mechanism, wrench_frame: str, arguments: tuple, directions: tuple, v_dot: Velocity
) -> GeneralizedForce:
    """Change of the forces that are needed for an acceleration.

    In closed form where only q and v change: a Jacobian then costs little more than one direction. The numbers of the
    mechanism have no closed form, and where they change all is differentiated in one go.
    """
    traced, q, v, external_wrenches = arguments
    by_traced, by_q, by_v, by_wrenches = directions
    if _all_zero(directions):
        return jnp.zeros_like(v_dot)
    if _all_zero((by_traced, by_wrenches)):
        mechanism = eqx.combine(known, traced)
        closed = inverse_dynamics_derivatives(mechanism, q, v, v_dot, external_wrenches, wrench_frame=wrench_frame)
        motion = configuration_derivative_to_velocity(mechanism, q, _materialized(by_q))
        by_motion, by_velocity = product(closed.q, motion[:, None]), product(closed.v, _materialized(by_v)[:, None])
        return (by_motion + by_velocity)[:, 0]

    def forces(traced: Mechanism, q: Configuration, v: Velocity, wrenches: WrenchesLike | None) -> GeneralizedForce:
        mechanism = eqx.combine(known, traced)
        return inverse_dynamics(mechanism, q, v, v_dot, wrenches, wrench_frame=wrench_frame)

    return jax.jvp(forces, arguments, jax.tree.map(_materialized, directions, is_leaf=_is_zero))[1]


def _is_zero(direction: Any) -> bool:
    return isinstance(direction, SymbolicZero)


def _all_zero(directions: Any) -> bool:
    return all(map(_is_zero, jax.tree.leaves(directions, is_leaf=_is_zero)))


def _materialized(direction: Any) -> Array:
    return jnp.zeros(direction.shape, direction.dtype) if _is_zero(direction) else direction


def _solve_for_acceleration(
    mechanism: Mechanism, frames: TreeFrames, bodies: TreeInertias, forces: GeneralizedForce, method: str | None
) -> Velocity:
    if mechanism.num_velocities == 0:
        return forces
    solver = _solver(*lax.stop_gradient((mechanism, frames, bodies)), method)
    return lax.custom_linear_solve(
        lambda v_dot: inertial_forces(mechanism, frames, bodies, v_dot),
        forces,
        lambda _, forces: solver(forces),
        symmetric=True,
    )


def _solver(
    mechanism: Mechanism, frames: TreeFrames, bodies: TreeInertias, method: str | None
) -> Callable[[GeneralizedForce], Velocity]:
    """A function that solves M x = b, after the factorisation of its choice."""
    follows = mechanism.mimics is not None
    if method is None and not follows and mechanism.num_velocities <= _MOST_DENSE_VELOCITIES:
        factors = factorize_either(mechanism, frames, bodies)
        refuse_singular(mechanism, factors.dense.singular)
        return lambda forces: solve_either(factors, forces)
    if method is None:
        method = "mass_matrix" if follows else "articulated_body"
    if method == "articulated_body":
        if follows:
            raise MechanismError(
                "Articulated bodies need joints that move on their own, but a joint of this mechanism follows another "
                'one. Leave out `method`, or use "mass_matrix".'
            )
        factors = factorize(mechanism, frames, bodies)
        refuse_singular(mechanism, factors.singular)
        return lambda forces: solve(factors, forces)
    if method == "mass_matrix":
        factors = factorize_dense(mass_matrix_of(mechanism, frames, bodies))
        refuse_singular(mechanism, factors.singular)
        return lambda forces: solve_dense(factors, forces)
    raise InvalidValueError(
        f"`method` must be one of {', '.join(METHODS)}, but is `{method}`. Leave it out for the faster one."
    )
