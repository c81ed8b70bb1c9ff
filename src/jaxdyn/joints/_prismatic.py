"""The slider."""

from typing import ClassVar

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float

from ..spatial import Transform
from ._abstract import AbstractVectorSpaceJoint
from ._axis import check_axis, orthonormal_complement, to_axis, unit_axis


class Prismatic(AbstractVectorSpaceJoint):
    """Translation by the distance `q` [m] along an axis; `v` is the distance's rate."""

    axis: Float[Array, "3"] = eqx.field(converter=to_axis)

    num_positions: ClassVar[int] = 1
    num_velocities: ClassVar[int] = 1

    def __check_init__(self):
        check_axis(self.axis, "Prismatic")

    def joint_transform(self, q: Float[Array, "1"]) -> Transform:
        return Transform(jnp.eye(3, dtype=q.dtype), unit_axis(self.axis) * q)

    def motion_subspace(self, q: Float[Array, "1"]) -> Float[Array, "6 1"]:
        return jnp.concatenate([jnp.zeros(3, dtype=self.axis.dtype), unit_axis(self.axis)])[:, None]

    def bias_acceleration(self, q: Float[Array, "1"], v: Float[Array, "1"]) -> Float[Array, "6"]:
        return jnp.zeros(6, dtype=q.dtype)

    def constraint_wrench_subspace(self, q: Float[Array, "1"]) -> Float[Array, "6 5"]:
        across = orthonormal_complement(self.axis)
        moments = jnp.concatenate([jnp.eye(3, dtype=across.dtype), jnp.zeros((3, 2), dtype=across.dtype)], axis=1)
        forces = jnp.concatenate([jnp.zeros((3, 3), dtype=across.dtype), across], axis=1)
        return jnp.concatenate([moments, forces])
