"""Poses of bodies and frames."""

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from .._shapes import ConfigurationLike
from .._stacked import StackedMatrix, StackedVector, bodies_first, compose, rotate
from ..mechanism import Mechanism, Placement, as_configuration
from ..spatial import Transform
from ._tree_frames import TreeFrames, origins, tree_frames


def body_transforms(mechanism: Mechanism, q: ConfigurationLike) -> Transform:
    """Poses of all bodies in the world.

    Args:
        mechanism: Any mechanism.
        q: Configuration [rad or m].

    Returns:
        One transform per body, in body order: X_WB takes coordinates in the body's frame to world coordinates [m].

    Raises:
        ShapeError: `q` does not have `num_positions` entries or has another dtype.

    Differentiability: smooth in `q` and in every leaf. A quaternion is normalised where it is used, so the result does
    not depend on its norm.
    """
    return all_body_poses(mechanism, tree_frames(mechanism, as_configuration(mechanism, q)))


def frame_transforms(mechanism: Mechanism, q: ConfigurationLike) -> Transform:
    """Poses of all additional frames in the world.

    Args:
        mechanism: Any mechanism.
        q: Configuration [rad or m].

    Returns:
        One transform per entry of `frame_names`: coordinates in the frame to world coordinates [m].

    Raises:
        ShapeError: `q` does not have `num_positions` entries or has another dtype.

    Differentiability: as `body_transforms`.
    """
    bodies = np.array(mechanism.topology.frame_bodies, dtype=int)
    return _with_world(body_transforms(mechanism, q))[bodies] @ mechanism.frame_placements.transform()


def relative_transform(
    mechanism: Mechanism, q: ConfigurationLike, frame: str | int, relative_to: str | int = "world"
) -> Transform:
    """Pose of one frame in another.

    Args:
        mechanism: Any mechanism.
        q: Configuration [rad or m].
        frame: Name of a body or frame, or index of a body.
        relative_to: The frame in which the pose is given.

    Returns:
        The transform that takes coordinates in `frame` to coordinates in `relative_to` [m].

    Raises:
        UnknownNameError: There is no such frame.
        ShapeError: `q` does not have `num_positions` entries or has another dtype.

    Differentiability: as `body_transforms`.
    """
    frames = tree_frames(mechanism, as_configuration(mechanism, q))
    return frame_pose(mechanism, frames, relative_to).inverse() @ frame_pose(mechanism, frames, frame)


def all_body_poses(mechanism: Mechanism, frames: TreeFrames) -> Transform:
    """Poses of all bodies: the moving ones, and one product for each that is attached to one of them."""
    topology = mechanism.topology
    R, p = frames.R_WB, origins(frames)
    attached = topology.attached_bodies
    if attached.size:
        R_WC, p_WC = _on_carriers(R, p, topology.carriers[attached])
        R_CB, p_CB = frames.carried.R_CB[..., attached], frames.carried.p_CB[..., attached]
        order = np.argsort(np.concatenate([topology.moving_bodies, attached]))
        R = jnp.concatenate([R, compose(R_WC, R_CB)], axis=-1)[..., order]
        p = jnp.concatenate([p, p_WC + rotate(R_WC, p_CB)], axis=-1)[..., order]
    return Transform(bodies_first(R), bodies_first(p))


def frame_pose(mechanism: Mechanism, frames: TreeFrames, frame: str | int) -> Transform:
    """Pose of one frame in the world, from the frames of the moving bodies.

    Args:
        mechanism: Any mechanism.
        frames: Its frames.
        frame: Name of a body or frame, or index of a body.

    Returns:
        The pose X_WB.

    Raises:
        UnknownNameError: There is no such frame.
    """
    body, position = mechanism.frame_index(frame)
    carrier = mechanism.topology.carrier_of(body)
    identity = Transform.identity(dtype=mechanism.dtype)
    pose = Transform(frames.R_WB[..., carrier], origins(frames)[..., carrier]) if carrier >= 0 else identity
    if body in mechanism.topology.attached_bodies:
        pose = pose @ Transform(frames.carried.R_CB[..., body], frames.carried.p_CB[..., body])
    if position is None:
        return pose
    placements = mechanism.frame_placements
    return pose @ Placement(placements.quaternion[position], placements.translation[position]).transform()


def _on_carriers(
    R: StackedMatrix, p: StackedVector, carriers: np.ndarray
) -> tuple[Float[Array, "3 3 chosen"], Float[Array, "3 chosen"]]:
    """Poses of carriers, of which the world is -1."""
    identity = jnp.eye(3, dtype=R.dtype)[:, :, None]
    R_with_world = jnp.concatenate([R, identity], axis=-1)
    p_with_world = jnp.concatenate([p, jnp.zeros_like(identity[0])], axis=-1)
    return R_with_world[..., carriers], p_with_world[..., carriers]


def _with_world(body_poses: Transform) -> Transform:
    """Poses of all bodies, and the identity last: index -1 is the world."""
    identity = Transform.identity(dtype=body_poses.translation.dtype)
    return Transform(
        jnp.concatenate([body_poses.rotation, identity.rotation[None]]),
        jnp.concatenate([body_poses.translation, identity.translation[None]]),
    )
