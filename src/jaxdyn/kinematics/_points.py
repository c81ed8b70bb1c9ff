"""Points that are fixed to a body: their velocity, Jacobian and acceleration."""

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Real

from .._errors import ShapeError
from .._shapes import Configuration, ConfigurationLike, Velocity, VelocityLike
from ..mechanism import Mechanism, as_array, as_configuration, as_velocity, on_independent
from ._carried_motions import PointMotions, motion_of_point, origin_motions
from ._jacobians import columns_about
from ._poses import frame_pose
from ._tree_frames import TreeFrames, tree_frames

PointLike = Real[Array | np.ndarray, "3"] | Sequence[Any]


def point_velocity(
    mechanism: Mechanism, q: ConfigurationLike, v: VelocityLike, frame: str | int, point: PointLike
) -> Float[Array, "3"]:
    """Velocity of a point that is fixed to a body, in world axes.

    Args:
        mechanism: Any mechanism.
        q: Configuration [rad or m].
        v: Velocity [rad/s or m/s].
        frame: Name of a body or frame, or index of a body.
        point: The point in coordinates of that frame [m].

    Returns:
        The velocity [m/s].

    Raises:
        UnknownNameError: There is no such frame.
        ShapeError: An argument has the wrong shape or another dtype.

    Differentiability: smooth in `q`, `v`, `point` and every leaf.
    """
    q, v = as_configuration(mechanism, q), as_velocity(mechanism, v)
    return _motion_of_point(mechanism, q, v, jnp.zeros_like(v), frame, point).linear[:, 0]


def point_acceleration(
    mechanism: Mechanism,
    q: ConfigurationLike,
    v: VelocityLike,
    v_dot: VelocityLike,
    frame: str | int,
    point: PointLike,
) -> Float[Array, "3"]:
    """Acceleration of a point that is fixed to a body, the second derivative of its position, in world axes.

    Args:
        mechanism: Any mechanism.
        q: Configuration [rad or m].
        v: Velocity [rad/s or m/s].
        v_dot: Derivative of the velocity [rad/s² or m/s²].
        frame: Name of a body or frame, or index of a body.
        point: The point in coordinates of that frame [m].

    Returns:
        The acceleration, without gravity [m/s²].

    Raises:
        UnknownNameError: There is no such frame.
        ShapeError: An argument has the wrong shape or another dtype.

    Differentiability: smooth in `q`, `v`, `v_dot`, `point` and every leaf.
    """
    q, v, v_dot = as_configuration(mechanism, q), as_velocity(mechanism, v), as_velocity(mechanism, v_dot, "v_dot")
    return _motion_of_point(mechanism, q, v, v_dot, frame, point).linear_rate[:, 0]


def point_jacobian(
    mechanism: Mechanism, q: ConfigurationLike, frame: str | int, point: PointLike
) -> Float[Array, "3 num_velocities"]:
    """Matrix J with J v = `point_velocity`; Jᵀ f are the generalized forces of a force f that acts at the point.

    Args:
        mechanism: Any mechanism.
        q: Configuration [rad or m].
        frame: Name of a body or frame, or index of a body.
        point: The point in coordinates of that frame [m].

    Returns:
        One column per degree of freedom, in world axes.

    Raises:
        UnknownNameError: There is no such frame.
        ShapeError: An argument has the wrong shape or another dtype.

    Differentiability: smooth in `q`, `point` and every leaf.
    """
    frames = tree_frames(mechanism, as_configuration(mechanism, q))
    linear = columns_about(mechanism, frames, frame, "world", _in_world(mechanism, frames, frame, point))[1]
    return on_independent(mechanism, linear)


def _motion_of_point(
    mechanism: Mechanism, q: Configuration, v: Velocity, v_dot: Velocity, frame: str | int, point: PointLike
) -> PointMotions:
    frames = tree_frames(mechanism, q)
    motions = origin_motions(mechanism, frames, q, v, v_dot)
    return motion_of_point(mechanism, frames, motions, frame, _in_world(mechanism, frames, frame, point))


def _in_world(mechanism: Mechanism, frames: TreeFrames, frame: str | int, point: PointLike) -> Float[Array, "3 1"]:
    """World coordinates of a point [m]."""
    point = as_array(mechanism, point, "point")
    if point.shape != (3,):
        raise ShapeError(
            f"`point` must be three numbers, but has shape {point.shape}. Map over many points with `jax.vmap`."
        )
    return frame_pose(mechanism, frames, frame).apply_point(point)[:, None]
