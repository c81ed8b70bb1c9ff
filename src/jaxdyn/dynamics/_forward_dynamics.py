"""Forward dynamics: the inverse dynamics solved for the acceleration."""

from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jaxtyping import Array, Bool, Float

from .._errors import InvalidValueError, MechanismError
from .._shapes import ConfigurationLike, GeneralizedForce, GeneralizedForceLike, Velocity, VelocityLike
from .._tracing import is_traced
from ..kinematics import TreeFrames, tree_frames
from ..mechanism import Mechanism, as_configuration, as_velocity, require_tree
from ._articulated_bodies import factorize, solve
from ._dense_factors import factorize_dense, solve_dense
from ._inverse_dynamics import inertial_forces, inverse_dynamics_of
from ._mass_matrix import mass_matrix_of
from ._mass_matrix_factors import factorize_either, solve_either
from ._tree_inertias import TreeInertias, body_inertias
from ._tree_wrenches import WrenchesLike, wrenches_on_moving_bodies

METHODS = ("articulated_body", "mass_matrix")

# Up to here the dense mass matrix is the faster method on a CPU: measured in docs/decisions/0003-forward-dynamics.md.
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
    through the factorisation: with v_dot = M⁻¹ (τ - bias), ∂v_dot = M⁻¹ (∂τ - ∂bias - ∂M v_dot).
    Reference: articulated bodies, Featherstone (2008), chapter 7; composite rigid bodies, chapter 6.
    """
    require_tree(mechanism, "forward_dynamics")
    q, v, tau = as_configuration(mechanism, q), as_velocity(mechanism, v), as_velocity(mechanism, tau, "tau")
    frames = tree_frames(mechanism, q)
    bodies = body_inertias(mechanism, frames)
    external = None
    if external_wrenches is not None:
        external = wrenches_on_moving_bodies(mechanism, frames, external_wrenches, wrench_frame)
    bias = inverse_dynamics_of(mechanism, frames, bodies, q, v, jnp.zeros_like(v), external)
    return _solve_for_acceleration(mechanism, frames, bodies, tau - bias, method)


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


def solved_by_matrix(
    mechanism: Mechanism,
    M: Float[Array, "num_velocities num_velocities"],
    forces: Float[Array, "num_velocities columns"],
) -> Float[Array, "num_velocities columns"]:
    """M⁻¹ times a matrix. Derivatives do not pass through the factorisation."""
    if mechanism.num_velocities == 0:
        return forces
    factors = factorize_dense(lax.stop_gradient(M))
    refuse_singular(mechanism, factors.singular)
    return lax.custom_linear_solve(
        lambda x: product(M, x),
        forces,
        lambda _, forces: jax.vmap(lambda force: solve_dense(factors, force), 1, 1)(forces),
        symmetric=True,
    )


def product(a: Float[Array, "rows inner"], b: Float[Array, "inner columns"]) -> Float[Array, "rows columns"]:
    """Matrix product in full precision, on accelerators too."""
    return jnp.matmul(a, b, precision=lax.Precision.HIGHEST)


def refuse_singular(mechanism: Mechanism, is_singular: Bool[Array, " num_velocities"]) -> None:
    """Name the joints that move no inertia, unless anything is traced."""
    if is_traced(is_singular):
        return
    singular = np.flatnonzero(np.asarray(is_singular))
    if singular.size == 0:
        return
    topology = mechanism.topology
    dof = int(np.flatnonzero(topology.velocity_of_dof == singular[0])[0])
    body = topology.leaders[topology.moving_bodies[topology.dof_bodies[dof]]]
    subtree = [body, *np.flatnonzero(topology.body_forest.is_strict_ancestor[body])]
    moved = ", ".join(f"`{topology.body_names[i]}`" for i in subtree)
    raise MechanismError(
        f"Accelerations need every joint to move some inertia, but joint `{topology.joint_names[body]}` moves none "
        f"(bodies {moved}). Give one of these bodies a mass, give the joint an armature, or make the joint fixed."
    )
