"""Geometric Jacobians: the twist of one frame relative to another, per unit of each velocity."""

import jax.numpy as jnp
from jaxtyping import Array, Float

from .._errors import UnknownNameError
from .._shapes import ConfigurationLike
from .._stacked import bodies_last, cross, rotate_back
from ..mechanism import Mechanism, as_configuration, on_independent
from ._poses import frame_pose
from ._tree_frames import TreeFrames, origins, tree_frames


def geometric_jacobian(
    mechanism: Mechanism,
    q: ConfigurationLike,
    frame: str | int,
    *,
    relative_to: str | int = "world",
    expressed_in: str | int = "world_aligned",
) -> Float[Array, "6 num_velocities"]:
    """Matrix J with J v = twist of `frame` relative to `relative_to`; angular rows first.

    Args:
        mechanism: Any mechanism.
        q: Configuration [rad or m].
        frame: Name of a body or frame, or index of a body: the frame that moves.
        relative_to: The frame with respect to which it moves.
        expressed_in: "world_aligned": world axes, linear rows are the velocity of the frame's origin; "world": about
            the world's origin; "body": in the moving frame; or the name of a frame.

    Returns:
        The Jacobian; columns of joints that are not between the two frames are zero.

    Raises:
        UnknownNameError: There is no such frame.
        ShapeError: `q` does not have `num_positions` entries or has another dtype.

    Differentiability: smooth in `q` and in every leaf.
    Reference: Featherstone (2008), section 4.2; the frames are those of docs/conventions.md.
    """
    frames = tree_frames(mechanism, as_configuration(mechanism, q))
    return jacobian_of(mechanism, frames, frame, relative_to, expressed_in)


def jacobian_of(
    mechanism: Mechanism,
    frames: TreeFrames,
    frame: str | int,
    relative_to: str | int = "world",
    expressed_in: str | int = "world_aligned",
) -> Float[Array, "6 num_velocities"]:
    """The geometric Jacobian from the frames of the moving bodies."""
    point = frame_pose(mechanism, frames, frame).translation[:, None]
    angular, linear = columns_about(mechanism, frames, frame, relative_to, point)
    expressed_in = frame if expressed_in == "body" else expressed_in
    J = jnp.concatenate(expressed(mechanism, frames, point, expressed_in, angular, linear))
    return on_independent(mechanism, J)


def columns_about(
    mechanism: Mechanism, frames: TreeFrames, frame: str | int, relative_to: str | int, point: Float[Array, "3 1"]
) -> tuple[Float[Array, "3 num_velocities"], Float[Array, "3 num_velocities"]]:
    """Twist of one frame relative to another per unit of each velocity, in world axes about one point."""
    on_path = path_signs(mechanism, frame, relative_to)
    to_point = point - origins(frames)[:, mechanism.topology.dof_bodies]
    angular = on_path * frames.subspace_angular
    return angular, on_path * frames.subspace_linear + cross(angular, to_point)


def path_signs(mechanism: Mechanism, frame: str | int, relative_to: str | int) -> Float[Array, "1 num_velocities"]:
    """How each degree of freedom moves one frame with respect to another: 1, 0 or -1."""
    start, end = mechanism.frame_index(relative_to)[0], mechanism.frame_index(frame)[0]
    return jnp.asarray(mechanism.topology.path_signs(start, end), dtype=mechanism.dtype)[None]


def expressed(
    mechanism: Mechanism,
    frames: TreeFrames,
    points: Float[Array, "3 #motions"],
    expressed_in: str | int,
    angular: Float[Array, "3 motions"],
    linear: Float[Array, "3 motions"],
) -> tuple[Float[Array, "3 motions"], Float[Array, "3 motions"]]:
    """Motions given in world axes about points of their own, in the axes and about the point that a keyword names.

    Args:
        mechanism: The mechanism whose frames may be named.
        frames: Frames of the moving bodies.
        points: The points, in world coordinates [m].
        expressed_in: "world_aligned" (nothing changes), "world", or a frame.
        angular: Angular parts.
        linear: Linear parts about the points.

    Returns:
        Angular and linear parts as the keyword wants them.

    Raises:
        UnknownNameError: The keyword is neither of the two and no frame's name.
    """
    if expressed_in == "world_aligned":
        return angular, linear
    X_WE = frame_pose(mechanism, frames, known_frame(mechanism, expressed_in))
    R_WE = bodies_last(X_WE.rotation[None])
    to_E = jnp.broadcast_to(X_WE.translation[:, None] - points, angular.shape)
    return rotate_back(R_WE, angular), rotate_back(R_WE, linear + cross(angular, to_E))


def known_frame(mechanism: Mechanism, expressed_in: str | int) -> str | int:
    """A frame that the keyword `expressed_in` names."""
    try:
        mechanism.frame_index(expressed_in)
    except UnknownNameError as error:
        raise UnknownNameError(
            f'`expressed_in` must be "world_aligned", "world", "body" or a frame, but is `{expressed_in}`. {error}'
        ) from error
    return expressed_in
