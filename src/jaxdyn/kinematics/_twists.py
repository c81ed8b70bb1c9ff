"""Twists of bodies and frames."""

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from .._shapes import ConfigurationLike, Velocity, VelocityLike
from .._stacked import StackedVector, bodies_first, bodies_last, cross, rotate_back
from ..mechanism import Mechanism, as_configuration, as_velocity
from ..spatial import Motion
from ._jacobians import expressed
from ._poses import all_body_poses, frame_pose
from ._tree_frames import TreeFrames, origins, tree_frames
from ._tree_motions import origin_velocities, tree_velocities


def body_twists(
    mechanism: Mechanism,
    q: ConfigurationLike,
    v: VelocityLike,
    *,
    relative_to: str | int = "world",
    expressed_in: str | int = "world_aligned",
) -> Motion:
    """Twists of all bodies.

    Args:
        mechanism: Any mechanism.
        q: Configuration [rad or m].
        v: Velocity [rad/s or m/s].
        relative_to: The frame with respect to which the bodies move.
        expressed_in: "world_aligned": world axes, the linear part is the velocity of each body's origin; "world":
            about the world's origin; "body": each in its own frame; or the name of one frame for all.

    Returns:
        One twist per body, in body order [rad/s, m/s].

    Raises:
        UnknownNameError: There is no such frame.
        ShapeError: `q` or `v` has the wrong length or another dtype.

    Differentiability: smooth in `q`, `v` and every leaf.
    """
    q, v = as_configuration(mechanism, q), as_velocity(mechanism, v)
    frames = tree_frames(mechanism, q)
    poses = all_body_poses(mechanism, frames)
    p = bodies_last(poses.translation)
    angular, linear = _twists_about_own_origins(mechanism, frames, v, p)
    start, _ = mechanism.frame_index(relative_to)
    if start >= 0:
        omega = jnp.broadcast_to(angular[:, start, None], p.shape)
        linear = linear - linear[:, start, None] - cross(omega, p - p[:, start, None])
        angular = angular - omega
    if expressed_in == "body":
        R_WB = bodies_last(poses.rotation)
        angular, linear = rotate_back(R_WB, angular), rotate_back(R_WB, linear)
    else:
        angular, linear = expressed(mechanism, frames, p, expressed_in, angular, linear)
    return Motion(bodies_first(angular), bodies_first(linear))


def relative_twist(
    mechanism: Mechanism,
    q: ConfigurationLike,
    v: VelocityLike,
    frame: str | int,
    *,
    relative_to: str | int = "world",
    expressed_in: str | int = "world_aligned",
) -> Motion:
    """Twist of one frame relative to another: `geometric_jacobian` with the same keywords, times `v`.

    Args:
        mechanism: Any mechanism.
        q: Configuration [rad or m].
        v: Velocity [rad/s or m/s].
        frame: Name of a body or frame, or index of a body: the frame that moves.
        relative_to: The frame with respect to which it moves.
        expressed_in: As for `geometric_jacobian`.

    Returns:
        The twist [rad/s, m/s].

    Raises:
        UnknownNameError: There is no such frame.
        ShapeError: `q` or `v` has the wrong length or another dtype.

    Differentiability: smooth in `q`, `v` and every leaf.
    """
    q, v = as_configuration(mechanism, q), as_velocity(mechanism, v)
    frames = tree_frames(mechanism, q)
    poses = all_body_poses(mechanism, frames)
    angular, linear = _twists_about_own_origins(mechanism, frames, v, bodies_last(poses.translation))
    X_WB = frame_pose(mechanism, frames, frame)
    point = X_WB.translation[:, None]
    expressed_in = frame if expressed_in == "body" else expressed_in

    def at_the_frame(body: int) -> tuple[StackedVector, StackedVector]:
        if body < 0:
            return jnp.zeros_like(point), jnp.zeros_like(point)
        omega = angular[:, body, None]
        return omega, linear[:, body, None] + cross(omega, point - poses.translation[body][:, None])

    end, start = (at_the_frame(mechanism.frame_index(name)[0]) for name in (frame, relative_to))
    parts = expressed(mechanism, frames, point, expressed_in, end[0] - start[0], end[1] - start[1])
    return Motion(*(part[:, 0] for part in parts))


def _twists_about_own_origins(
    mechanism: Mechanism, frames: TreeFrames, v: Velocity, p: Float[Array, "3 num_bodies"]
) -> tuple[Float[Array, "3 num_bodies"], Float[Array, "3 num_bodies"]]:
    """Angular velocity and velocity of the origin of every body, in world axes."""
    velocities = tree_velocities(mechanism, frames, v)
    angular, linear = velocities.angular, origin_velocities(frames, velocities)
    carriers = mechanism.topology.carriers
    if np.array_equal(carriers, np.arange(mechanism.num_bodies)):
        return angular, linear
    zero = jnp.zeros((3, 1), dtype=p.dtype)  # the carrier -1, the world, is the last column
    angular, linear, p_WC = (
        jnp.concatenate([x, zero], axis=-1)[:, carriers] for x in (angular, linear, origins(frames))
    )
    return angular, linear + cross(angular, p - p_WC)
