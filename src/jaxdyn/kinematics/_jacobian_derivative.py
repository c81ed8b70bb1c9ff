"""How a geometric Jacobian changes while the mechanism moves."""

import jax.numpy as jnp
from jaxtyping import Array, Float

from .._shapes import ConfigurationLike, VelocityLike
from .._stacked import StackedVector, bodies_last, columns, cross, rotate_back
from ..mechanism import Mechanism, as_configuration, as_velocity, on_independent
from ._carried_motions import arms_to
from ._jacobians import columns_about, known_frame, path_signs
from ._poses import frame_pose
from ._subspace_rates import subspace_rates
from ._tree_frames import TreeFrames, origins, tree_frames
from ._tree_motions import origin_velocities, tree_velocities


def jacobian_derivative(
    mechanism: Mechanism,
    q: ConfigurationLike,
    v: VelocityLike,
    frame: str | int,
    *,
    relative_to: str | int = "world",
    expressed_in: str | int = "world_aligned",
) -> Float[Array, "6 num_velocities"]:
    """Time derivative of `geometric_jacobian` with the same keywords, entry by entry; angular rows first.

    J v_dot + J_dot v is then the time derivative of `relative_twist`. For "body" that is the spatial acceleration of
    `frame_acceleration`; for "world_aligned" relative to the world the classical one.

    Args:
        mechanism: Any mechanism.
        q: Configuration [rad or m].
        v: Velocity [rad/s or m/s].
        frame: Name of a body or frame, or index of a body: the frame that moves.
        relative_to: As for `geometric_jacobian`.
        expressed_in: As for `geometric_jacobian`. The axes and the origin of a frame move with it.

    Returns:
        The derivative of the Jacobian [rad/s or m/s, per unit of each velocity].

    Raises:
        UnknownNameError: There is no such frame.
        ShapeError: `q` or `v` has the wrong length or another dtype.

    Differentiability: smooth in `q`, `v` and every leaf.
    """
    q, v = as_configuration(mechanism, q), as_velocity(mechanism, v)
    frames = tree_frames(mechanism, q)
    velocities = tree_velocities(mechanism, frames, v)
    about = frame if expressed_in in ("body", "world_aligned") else known_frame(mechanism, expressed_in)
    X_WE = frame_pose(mechanism, frames, about)
    point = X_WE.translation[:, None]
    of_origins = origin_velocities(frames, velocities)
    omega, point_rate = _motion_of_frame(mechanism, frames, velocities.angular, of_origins, about, point)
    bodies = mechanism.topology.dof_bodies
    to_point = point - columns(origins(frames), bodies)
    to_point_rate = point_rate - columns(of_origins, bodies)
    on_path = path_signs(mechanism, frame, relative_to)
    angular_rate, linear_rate = (on_path * x for x in subspace_rates(mechanism, frames, velocities, q, v))
    angular, linear = columns_about(mechanism, frames, frame, relative_to, point)
    linear_rate = linear_rate + cross(angular_rate, to_point) + cross(angular, to_point_rate)
    if expressed_in == "world_aligned":
        return on_independent(mechanism, jnp.concatenate([angular_rate, linear_rate]))
    # In axes that turn, a vector that stands still turns back.
    omega = jnp.broadcast_to(omega, angular.shape)
    R_WE = bodies_last(X_WE.rotation[None])
    pairs = ((angular, angular_rate), (linear, linear_rate))
    in_axes = [rotate_back(R_WE, x_dot - cross(omega, x)) for x, x_dot in pairs]
    return on_independent(mechanism, jnp.concatenate(in_axes))


def _motion_of_frame(
    mechanism: Mechanism,
    frames: TreeFrames,
    angular: StackedVector,
    linear: StackedVector,
    frame: str | int,
    origin: Float[Array, "3 1"],
) -> tuple[Float[Array, "3 1"], Float[Array, "3 1"]]:
    """Angular velocity of a frame, and velocity of its origin, from those of the moving bodies."""
    carrier = mechanism.topology.carrier_of(mechanism.frame_index(frame)[0])
    if carrier < 0:
        return jnp.zeros_like(origin), jnp.zeros_like(origin)
    omega = angular[:, carrier, None]
    return omega, linear[:, carrier, None] + cross(omega, arms_to(frames, carrier, origin))
