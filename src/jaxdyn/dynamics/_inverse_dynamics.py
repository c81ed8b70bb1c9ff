"""Inverse dynamics: recursive Newton-Euler, written as sums along the tree."""

import jax.numpy as jnp

from .._shapes import Configuration, ConfigurationLike, GeneralizedForce, Velocity, VelocityLike
from .._stacked import StackedVector
from ..kinematics import TreeFrames, accelerations, linear_accelerations, tree_frames, tree_velocities
from ..mechanism import Mechanism, as_configuration, as_velocity, require_tree, total_armature
from ._passive_forces import passive_forces
from ._tree_inertias import TreeInertias, body_inertias, newton_euler
from ._tree_wrenches import WrenchesLike, balanced_joint_forces, wrenches_on_moving_bodies


def inverse_dynamics(
    mechanism: Mechanism,
    q: ConfigurationLike,
    v: VelocityLike,
    v_dot: VelocityLike,
    external_wrenches: WrenchesLike | None = None,
    *,
    wrench_frame: str = "body_origin",
) -> GeneralizedForce:
    """Generalized forces τ that produce the acceleration `v_dot`.

    τ = M v_dot + C v + g - passive forces - Σ Jᵀ F.

    Args:
        mechanism: Any mechanism without loops; massless bodies are welcome.
        q: Configuration [rad or m].
        v: Velocity [rad/s or m/s].
        v_dot: Derivative of the velocity [rad/s² or m/s²].
        external_wrenches: Wrench on each body, a `Force` or an array of shape (num_bodies, 6); None for none.
        wrench_frame: "body_origin": world axes, about each body's origin; "world": about the world's origin; "body":
            in each body's frame.

    Returns:
        One generalized force per degree of freedom [N m or N].

    Raises:
        ShapeError: An argument has the wrong shape or another dtype.
        InvalidValueError: `wrench_frame` is unknown.
        MechanismError: A joint closes a loop, so that many forces produce the acceleration.

    Differentiability: smooth in all arguments and every leaf.
    Reference: recursive Newton-Euler, Featherstone (2008), chapter 5.
    """
    require_tree(mechanism, "inverse_dynamics")
    return _of_tree(mechanism, q, v, v_dot, external_wrenches, wrench_frame)


def _of_tree(
    mechanism: Mechanism,
    q: ConfigurationLike,
    v: VelocityLike,
    v_dot: VelocityLike,
    external_wrenches: WrenchesLike | None,
    wrench_frame: str,
) -> GeneralizedForce:
    q, v, v_dot = as_configuration(mechanism, q), as_velocity(mechanism, v), as_velocity(mechanism, v_dot, "v_dot")
    frames = tree_frames(mechanism, q)
    external = None
    if external_wrenches is not None:
        external = wrenches_on_moving_bodies(mechanism, frames, external_wrenches, wrench_frame)
    return inverse_dynamics_of(mechanism, frames, body_inertias(mechanism, frames), q, v, v_dot, external)


def inverse_dynamics_of(
    mechanism: Mechanism,
    frames: TreeFrames,
    bodies: TreeInertias,
    q: Configuration,
    v: Velocity,
    v_dot: Velocity,
    external: tuple[StackedVector, StackedVector] | None = None,
) -> GeneralizedForce:
    """Inverse dynamics from frames, inertias and external wrenches of the moving bodies."""
    velocities = tree_velocities(mechanism, frames, v)
    angular, linear = accelerations(mechanism, frames, velocities, q, v, v_dot)
    felt = linear - mechanism.gravity[:, None]
    moment, force = newton_euler(bodies, velocities.angular, angular, felt)
    if external is not None:
        moment, force = moment - external[0], force - external[1]
    forces = balanced_joint_forces(mechanism, frames, moment, force)
    return forces + total_armature(mechanism) * v_dot - passive_forces(mechanism, q, v)


def dynamics_bias(
    mechanism: Mechanism,
    q: ConfigurationLike,
    v: VelocityLike,
    external_wrenches: WrenchesLike | None = None,
    *,
    wrench_frame: str = "body_origin",
) -> GeneralizedForce:
    """Generalized forces that keep `v_dot` at zero: `inverse_dynamics` without acceleration.

    Args:
        mechanism: Any mechanism; of one with loops, the tree alone.
        q: Configuration [rad or m].
        v: Velocity [rad/s or m/s].
        external_wrenches: As for `inverse_dynamics`.
        wrench_frame: As for `inverse_dynamics`.

    Returns:
        C v + g - passive forces - Σ Jᵀ F [N m or N].

    Raises:
        ShapeError: An argument has the wrong shape or another dtype.
        InvalidValueError: `wrench_frame` is unknown.

    Differentiability: smooth in all arguments and every leaf.
    """
    return _of_tree(mechanism, q, v, jnp.zeros_like(mechanism.damping), external_wrenches, wrench_frame)


def gravity_forces(mechanism: Mechanism, q: ConfigurationLike) -> GeneralizedForce:
    """Generalized forces that hold the mechanism against gravity: the tangent gradient of the potential energy.

    Args:
        mechanism: Any tree mechanism.
        q: Configuration [rad or m].

    Returns:
        g of the equation of motion, on its left-hand side: +m g l sin θ for a pendulum [N m or N].

    Raises:
        ShapeError: `q` has the wrong length or another dtype.

    Differentiability: smooth in `q` and every leaf.
    """
    frames = tree_frames(mechanism, as_configuration(mechanism, q))
    bodies = body_inertias(mechanism, frames)
    upwards = jnp.broadcast_to(-mechanism.gravity[:, None], bodies.first_moment.shape)
    return balanced_joint_forces(mechanism, frames, *bodies.apply(jnp.zeros_like(upwards), upwards))


def generalized_forces(
    mechanism: Mechanism, q: ConfigurationLike, external_wrenches: WrenchesLike, *, wrench_frame: str = "body_origin"
) -> GeneralizedForce:
    """Generalized forces that do the same work as external wrenches: Σ Jᵀ F.

    Args:
        mechanism: Any tree mechanism.
        q: Configuration [rad or m].
        external_wrenches: Wrench on each body, as for `inverse_dynamics`.
        wrench_frame: As for `inverse_dynamics`.

    Returns:
        Forces on the right-hand side of the equation of motion [N m or N].

    Raises:
        ShapeError: An argument has the wrong shape or another dtype.
        InvalidValueError: `wrench_frame` is unknown.

    Differentiability: smooth in all arguments and every leaf.
    """
    frames = tree_frames(mechanism, as_configuration(mechanism, q))
    external = wrenches_on_moving_bodies(mechanism, frames, external_wrenches, wrench_frame)
    return balanced_joint_forces(mechanism, frames, *external)


def inertial_forces(
    mechanism: Mechanism, frames: TreeFrames, bodies: TreeInertias, v_dot: Velocity
) -> GeneralizedForce:
    """The part of inverse dynamics that is linear in the acceleration: M v_dot, without forming M."""
    motion = linear_accelerations(mechanism, frames, v_dot)
    forces = balanced_joint_forces(mechanism, frames, *bodies.apply(*motion))
    return forces + total_armature(mechanism) * v_dot
