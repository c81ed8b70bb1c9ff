"""How mass and momentum are spread about the centre of mass, and how momentum changes at constant velocity."""

import jax.numpy as jnp

from .._shapes import ConfigurationLike, VelocityLike
from .._small_matrices import pseudoinverse
from ..kinematics import TreeFrames, all_body_poses, frame_pose, motion_of_point, origin_motions, tree_frames
from ..mechanism import Mechanism, as_configuration, as_velocity
from ..spatial import Force, Motion, SpatialInertia, Transform
from ._momentum import momentum_in, wrenches_in
from ._tree_inertias import body_inertias, newton_euler


def centroidal_inertia(mechanism: Mechanism, q: ConfigurationLike) -> SpatialInertia:
    """Inertia of all bodies frozen together, about their centre of mass and in world axes.

    Args:
        mechanism: Any mechanism.
        q: Configuration [rad or m].

    Returns:
        The inertia, whose first moment is zero; bodies that are fixed to the world count.

    Raises:
        ShapeError: `q` has the wrong length or another dtype.

    Differentiability: smooth in `q` and every leaf.
    Reference: Orin, Goswami and Lee (2013), Centroidal dynamics of a humanoid robot.
    """
    return _inertia_about_center(mechanism, tree_frames(mechanism, as_configuration(mechanism, q)))[1]


def average_velocity(mechanism: Mechanism, q: ConfigurationLike, v: VelocityLike) -> Motion:
    """Twist at which all bodies frozen together would have the momentum that they have, in world axes.

    It is `centroidal_momentum` divided by `centroidal_inertia`; its linear part is the velocity of the centre of mass.

    Args:
        mechanism: Any mechanism.
        q: Configuration [rad or m].
        v: Velocity [rad/s or m/s].

    Returns:
        The twist at the centre of mass [rad/s, m/s]; zero along what has no inertia.

    Raises:
        ShapeError: `q` or `v` has the wrong length or another dtype.

    Differentiability: smooth in `q`, `v` and every leaf, except where all mass comes to lie on one line.
    Reference: Orin, Goswami and Lee (2013), section 5.
    """
    q, v = as_configuration(mechanism, q), as_velocity(mechanism, v)
    frames = tree_frames(mechanism, q)
    center, inertia = _inertia_about_center(mechanism, frames)
    momentum = momentum_in(mechanism, frames, v, center)
    angular = pseudoinverse(inertia.moment_matrix) @ momentum.angular
    return Motion(angular, momentum.linear / jnp.where(inertia.mass > 0, inertia.mass, 1))


def momentum_rate_bias(
    mechanism: Mechanism, q: ConfigurationLike, v: VelocityLike, *, expressed_in: str | int = "world"
) -> Force:
    """Rate of `momentum` at `v_dot = 0`: d/dt momentum = `momentum_matrix` v_dot + `momentum_rate_bias`.

    Args:
        mechanism: Any mechanism.
        q: Configuration [rad or m].
        v: Velocity [rad/s or m/s].
        expressed_in: As for `momentum`. The axes and the origin of a frame move with it, and the result is the rate of
            the numbers that `momentum` returns.

    Returns:
        The rate [N m, N].

    Raises:
        ShapeError: `q` or `v` has the wrong length or another dtype.
        UnknownNameError: There is no such frame.

    Differentiability: smooth in `q`, `v` and every leaf.
    """
    q, v = as_configuration(mechanism, q), as_velocity(mechanism, v)
    frames = tree_frames(mechanism, q)
    X_WE = frame_pose(mechanism, frames, expressed_in)
    motions = origin_motions(mechanism, frames, q, v, jnp.zeros_like(v))
    rates = (motions.angular[:, :-1], motions.angular_rate[:, :-1], motions.linear_rate[:, :-1])  # without the world
    moment, force = newton_euler(body_inertias(mechanism, frames), *rates)
    rate = wrenches_in(frames, X_WE, moment, force)
    of_frame = motion_of_point(mechanism, frames, motions, expressed_in, X_WE.translation[:, None])
    axes = X_WE.inverse()
    V_WE_E = Motion(axes.apply_vector(of_frame.angular[:, 0]), axes.apply_vector(of_frame.linear[:, 0]))
    return rate - V_WE_E.cross_force(momentum_in(mechanism, frames, v, X_WE))


def _inertia_about_center(mechanism: Mechanism, frames: TreeFrames) -> tuple[Transform, SpatialInertia]:
    """Pose of world axes at the centre of mass, and the inertia of all bodies there."""
    poses, inertias = all_body_poses(mechanism, frames), mechanism.spatial_inertias
    mass = jnp.sum(inertias.mass)
    first_moment = jnp.sum(poses.apply_inertia(inertias).first_moment, axis=0)
    center = first_moment / jnp.where(mass > 0, mass, 1)
    about_center = Transform(poses.rotation, poses.translation - center[None]).apply_inertia(inertias)
    inertia = SpatialInertia(mass, jnp.zeros_like(center), jnp.sum(about_center.moment, axis=0))
    return Transform(jnp.eye(3, dtype=mechanism.dtype), center), inertia
