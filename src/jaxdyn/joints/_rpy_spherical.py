"""The ball joint in roll, pitch and yaw."""

from typing import ClassVar

import jax.numpy as jnp
from jaxtyping import Array, Float

from ..spatial import Transform, rpy_to_matrix
from ._abstract import AbstractVectorSpaceJoint


class RPYSpherical(AbstractVectorSpaceJoint):
    """Free rotation about a point, `q` = (roll, pitch, yaw) [rad], R = Rz(yaw) Ry(pitch) Rx(roll); `v` is its rate.

    At a pitch of ±π/2 the axes of roll and yaw coincide, and one direction of rotation is lost: `QuaternionSpherical`
    has no such configuration.

    Reference: Diebel (2006), Representing attitude: the Euler angles of sequence (1, 2, 3).
    """

    num_positions: ClassVar[int] = 3
    num_velocities: ClassVar[int] = 3

    def joint_transform(self, q: Float[Array, "3"]) -> Transform:
        return Transform(rpy_to_matrix(q), jnp.zeros(3, dtype=q.dtype))

    def motion_subspace(self, q: Float[Array, "3"]) -> Float[Array, "6 3"]:
        (sin_roll, sin_pitch, _), (cos_roll, cos_pitch, _) = jnp.sin(q), jnp.cos(q)
        zero, one = jnp.zeros_like(sin_roll), jnp.ones_like(sin_roll)
        roll = jnp.stack([one, zero, zero])
        pitch = jnp.stack([zero, cos_roll, -sin_roll])
        yaw = jnp.stack([-sin_pitch, cos_pitch * sin_roll, cos_pitch * cos_roll])
        axes = jnp.stack([roll, pitch, yaw], axis=1)
        return jnp.concatenate([axes, jnp.zeros_like(axes)])

    def bias_acceleration(self, q: Float[Array, "3"], v: Float[Array, "3"]) -> Float[Array, "6"]:
        # Seen from the frame after, an axis turns against the velocities of the rotations that come after it.
        roll, pitch, yaw = (self.motion_subspace(q)[:3] * v[None]).T
        angular = jnp.cross(pitch, roll) + jnp.cross(yaw, pitch + roll)
        return jnp.concatenate([angular, jnp.zeros_like(angular)])

    def constraint_wrench_subspace(self, q: Float[Array, "3"]) -> Float[Array, "6 3"]:
        return jnp.eye(6, 3, k=-3, dtype=q.dtype)
