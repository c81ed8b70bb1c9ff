"""The hinge."""

from typing import ClassVar

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float

from ..spatial import Transform, axis_angle_to_matrix
from ._abstract import AbstractVectorSpaceJoint
from ._axis import check_axis, orthonormal_complement, to_axis, unit_axis


class Revolute(AbstractVectorSpaceJoint):
    """Rotation by the angle `q` [rad] about an axis fixed in the frames before and after; `v` is the angle's rate."""

    axis: Float[Array, "3"] = eqx.field(converter=to_axis)

    num_positions: ClassVar[int] = 1
    num_velocities: ClassVar[int] = 1

    def __check_init__(self):
        check_axis(self.axis, "Revolute")

    def joint_transform(self, q: Float[Array, "1"]) -> Transform:
        return Transform(axis_angle_to_matrix(unit_axis(self.axis), q[0]), jnp.zeros(3, dtype=q.dtype))

    def motion_subspace(self, q: Float[Array, "1"]) -> Float[Array, "6 1"]:
        return jnp.concatenate([unit_axis(self.axis), jnp.zeros(3, dtype=self.axis.dtype)])[:, None]

    def bias_acceleration(self, q: Float[Array, "1"], v: Float[Array, "1"]) -> Float[Array, "6"]:
        return jnp.zeros(6, dtype=q.dtype)

    def constraint_wrench_subspace(self, q: Float[Array, "1"]) -> Float[Array, "6 5"]:
        across = orthonormal_complement(self.axis)
        moments = jnp.concatenate([across, jnp.zeros((3, 3), dtype=across.dtype)], axis=1)
        forces = jnp.concatenate([jnp.zeros((3, 2), dtype=across.dtype), jnp.eye(3, dtype=across.dtype)], axis=1)
        return jnp.concatenate([moments, forces])
