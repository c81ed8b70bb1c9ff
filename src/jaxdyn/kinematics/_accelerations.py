"""Accelerations of bodies and frames.

The spatial acceleration of a frame is the time derivative of its twist in coordinates of that frame. Given in other
coordinates it is moved like a `Motion`, not differentiated again.
"""

import jax.numpy as jnp
import numpy as np

from .._shapes import Configuration, ConfigurationLike, Velocity, VelocityLike
from .._stacked import StackedVector, bodies_first, bodies_last, cross, rotate_back
from ..mechanism import Mechanism, as_configuration, as_velocity
from ..spatial import Motion, Transform
from ._carried_motions import PointMotions, arms_to, body_arms, chosen, motion_of_point, origin_motions
from ._jacobians import expressed
from ._poses import all_body_poses, frame_pose
from ._tree_frames import TreeFrames, tree_frames


def body_accelerations(
    mechanism: Mechanism,
    q: ConfigurationLike,
    v: VelocityLike,
    v_dot: VelocityLike,
    *,
    relative_to: str | int = "world",
    expressed_in: str | int = "world_aligned",
    classical: bool = False,
) -> Motion:
    """Accelerations of all bodies, without gravity.

    A spatial acceleration is the time derivative of the body's twist, both in coordinates of the body. It is then
    given in other coordinates like any `Motion`: for "world_aligned" it is only rotated.

    Args:
        mechanism: Any mechanism.
        q: Configuration [rad or m].
        v: Velocity [rad/s or m/s].
        v_dot: Derivative of the velocity [rad/s² or m/s²].
        relative_to: The frame with respect to which the bodies move: what an observer sees who rides on it.
        expressed_in: "world_aligned": world axes, at each body's origin; "world": world axes, at the world's origin;
            "body": each in its own frame; or the name of one frame for all.
        classical: Whether to add ω × v of the twist with the same keywords to the linear part. At a body's own origin
            that is the acceleration of the origin, the second derivative of its position.

    Returns:
        One acceleration per body, in body order [rad/s², m/s²].

    Raises:
        UnknownNameError: There is no such frame.
        ShapeError: `q`, `v` or `v_dot` has the wrong length or another dtype.

    Differentiability: smooth in `q`, `v`, `v_dot` and every leaf.
    Reference: Featherstone (2008), sections 2.10 and 2.11.
    """
    q, v, v_dot = as_configuration(mechanism, q), as_velocity(mechanism, v), as_velocity(mechanism, v_dot, "v_dot")
    return _body_accelerations(mechanism, q, v, v_dot, relative_to, expressed_in, classical)


def bias_accelerations(
    mechanism: Mechanism,
    q: ConfigurationLike,
    v: VelocityLike,
    *,
    relative_to: str | int = "world",
    expressed_in: str | int = "world_aligned",
    classical: bool = False,
) -> Motion:
    """Accelerations of all bodies at `v_dot = 0`: what `body_accelerations` adds to the part linear in `v_dot`.

    Args:
        mechanism: Any mechanism.
        q: Configuration [rad or m].
        v: Velocity [rad/s or m/s].
        relative_to: As for `body_accelerations`.
        expressed_in: As for `body_accelerations`.
        classical: As for `body_accelerations`.

    Returns:
        One acceleration per body, in body order [rad/s², m/s²].

    Raises:
        UnknownNameError: There is no such frame.
        ShapeError: `q` or `v` has the wrong length or another dtype.

    Differentiability: smooth in `q`, `v` and every leaf.
    """
    q, v = as_configuration(mechanism, q), as_velocity(mechanism, v)
    return _body_accelerations(mechanism, q, v, jnp.zeros_like(v), relative_to, expressed_in, classical)


def frame_acceleration(
    mechanism: Mechanism,
    q: ConfigurationLike,
    v: VelocityLike,
    v_dot: VelocityLike,
    frame: str | int,
    *,
    relative_to: str | int = "world",
    expressed_in: str | int = "world_aligned",
    classical: bool = False,
) -> Motion:
    """Acceleration of one frame relative to another, without gravity.

    Args:
        mechanism: Any mechanism.
        q: Configuration [rad or m].
        v: Velocity [rad/s or m/s].
        v_dot: Derivative of the velocity [rad/s² or m/s²].
        frame: Name of a body or frame, or index of a body: the frame that moves.
        relative_to: As for `body_accelerations`.
        expressed_in: As for `body_accelerations`; "body" is the moving frame.
        classical: As for `body_accelerations`.

    Returns:
        The acceleration [rad/s², m/s²].

    Raises:
        UnknownNameError: There is no such frame.
        ShapeError: `q`, `v` or `v_dot` has the wrong length or another dtype.

    Differentiability: smooth in `q`, `v`, `v_dot` and every leaf.
    """
    q, v, v_dot = as_configuration(mechanism, q), as_velocity(mechanism, v), as_velocity(mechanism, v_dot, "v_dot")
    frames = tree_frames(mechanism, q)
    poses = frame_pose(mechanism, frames, frame)[None]
    motions = origin_motions(mechanism, frames, q, v, v_dot)
    of_frame = motion_of_point(mechanism, frames, motions, frame, bodies_last(poses.translation))
    options = (relative_to, expressed_in, classical)
    return _accelerations(mechanism, frames, poses, motions, of_frame, *options)[0]


def _body_accelerations(
    mechanism: Mechanism,
    q: Configuration,
    v: Velocity,
    v_dot: Velocity,
    relative_to: str | int,
    expressed_in: str | int,
    classical: bool,
) -> Motion:
    frames = tree_frames(mechanism, q)
    motions = origin_motions(mechanism, frames, q, v, v_dot)
    of_bodies = chosen(motions, mechanism.topology.carriers).at(body_arms(mechanism, frames))
    options = (relative_to, expressed_in, classical)
    return _accelerations(mechanism, frames, all_body_poses(mechanism, frames), motions, of_bodies, *options)


def _accelerations(
    mechanism: Mechanism,
    frames: TreeFrames,
    poses: Transform,
    of_carriers: PointMotions,
    of_origins: PointMotions,
    relative_to: str | int,
    expressed_in: str | int,
    classical: bool,
) -> Motion:
    """Accelerations of the frames with these poses, from the motions of their origins."""
    points, R_WB = bodies_last(poses.translation), bodies_last(poses.rotation)
    observer = mechanism.topology.carrier_of(mechanism.frame_index(relative_to)[0])
    if observer >= 0:
        carriers = np.full(points.shape[-1], observer)
        of_origins = of_origins.seen_from(chosen(of_carriers, carriers).at(arms_to(frames, observer, points)))

    def as_asked(angular: StackedVector, linear: StackedVector) -> tuple[StackedVector, StackedVector]:
        if expressed_in == "body":
            return rotate_back(R_WB, angular), rotate_back(R_WB, linear)
        return expressed(mechanism, frames, points, expressed_in, angular, linear)

    omega, velocity = of_origins.angular, of_origins.linear
    angular, linear = as_asked(of_origins.angular_rate, of_origins.linear_rate - cross(omega, velocity))
    if classical:
        linear = linear + cross(*as_asked(omega, velocity))
    return Motion(bodies_first(angular), bodies_first(linear))
