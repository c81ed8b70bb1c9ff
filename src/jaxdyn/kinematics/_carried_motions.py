"""Velocities and accelerations of points that ride on the moving bodies or on the world, and of what carries them."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from .._shapes import Configuration, Velocity
from .._stacked import StackedVector, columns, cross, rotate
from ..mechanism import Mechanism
from ._tree_frames import TreeFrames, origins
from ._tree_motions import accelerations, origin_velocities, tree_velocities


class PointMotions(eqx.Module):
    """Motions of points that are fixed to bodies, and of these bodies, in world axes.

    Attributes:
        angular: Angular velocity of the body [rad/s].
        linear: Velocity of the point [m/s].
        angular_rate: Angular acceleration of the body [rad/s²].
        linear_rate: Classical acceleration of the point, without gravity [m/s²].
    """

    angular: StackedVector
    linear: StackedVector
    angular_rate: StackedVector
    linear_rate: StackedVector

    def at(self, arms: StackedVector) -> "PointMotions":
        """Motions of other points of the same bodies, at these arms from the present ones."""
        turning = cross(self.angular, arms)
        return PointMotions(
            self.angular,
            self.linear + turning,
            self.angular_rate,
            self.linear_rate + cross(self.angular_rate, arms) + cross(self.angular, turning),
        )

    def seen_from(self, other: "PointMotions") -> "PointMotions":
        """What an observer who rides on other bodies sees; the others' motions are given at the same points."""
        angular, linear = self.angular - other.angular, self.linear - other.linear
        return PointMotions(
            angular,
            linear,
            self.angular_rate - other.angular_rate - cross(other.angular, angular),
            self.linear_rate - other.linear_rate - 2 * cross(other.angular, linear),
        )


def origin_motions(
    mechanism: Mechanism, frames: TreeFrames, q: Configuration, v: Velocity, v_dot: Velocity
) -> PointMotions:
    """Motions of the origins of the moving bodies; the last column is the world, so that -1 means it."""
    velocities = tree_velocities(mechanism, frames, v)
    rates = accelerations(mechanism, frames, velocities, q, v, v_dot)
    moving = (velocities.angular, origin_velocities(frames, velocities), *rates)
    at_rest = jnp.zeros((3, 1), dtype=mechanism.dtype)
    return PointMotions(*(jnp.concatenate([x, at_rest], axis=-1) for x in moving))


def chosen(motions: PointMotions, carriers: np.ndarray) -> PointMotions:
    """The motions of some of the moving bodies, -1 for the world."""
    world = motions.angular.shape[-1] - 1
    return jax.tree.map(lambda x: columns(x, np.where(carriers < 0, world, carriers)), motions)


def body_arms(mechanism: Mechanism, frames: TreeFrames) -> Float[Array, "3 num_bodies"]:
    """Origin of every body from that of its carrier, in world axes [m]: zero for a moving body."""
    identity = jnp.eye(3, dtype=mechanism.dtype)[:, :, None]
    R_WC = jnp.concatenate([frames.R_WB, identity], axis=-1)[..., mechanism.topology.carriers]
    return rotate(R_WC, frames.carried.p_CB)


def arms_to(frames: TreeFrames, carrier: int, points: StackedVector) -> StackedVector:
    """Points in world coordinates, from the origin of one moving body or (-1) of the world, in world axes [m]."""
    return points - origins(frames)[:, carrier, None] if carrier >= 0 else points


def motion_of_point(
    mechanism: Mechanism, frames: TreeFrames, motions: PointMotions, frame: str | int, point: Float[Array, "3 1"]
) -> PointMotions:
    """Motion of a point of one frame, given in world coordinates, from the motions of all origins."""
    carrier = mechanism.topology.carrier_of(mechanism.frame_index(frame)[0])
    return chosen(motions, np.array([carrier])).at(arms_to(frames, carrier, point))


def motions_of_bodies(
    mechanism: Mechanism, frames: TreeFrames, q: Configuration, v: Velocity, v_dot: Velocity
) -> PointMotions:
    """Motions of the origins of all bodies."""
    motions = origin_motions(mechanism, frames, q, v, v_dot)
    return chosen(motions, mechanism.topology.carriers).at(body_arms(mechanism, frames))
