"""Translation in all directions."""

from typing import ClassVar

import jax.numpy as jnp
from jaxtyping import Array, Float

from ..spatial import Transform
from ._abstract import AbstractVectorSpaceJoint


class Translation(AbstractVectorSpaceJoint):
    """Translation by `q` [m], the origin of the frame after in the frame before; `v` is its rate."""

    num_positions: ClassVar[int] = 3
    num_velocities: ClassVar[int] = 3

    def joint_transform(self, q: Float[Array, "3"]) -> Transform:
        return Transform(jnp.eye(3, dtype=q.dtype), q)

    def motion_subspace(self, q: Float[Array, "3"]) -> Float[Array, "6 3"]:
        return jnp.eye(6, 3, k=-3, dtype=q.dtype)

    def bias_acceleration(self, q: Float[Array, "3"], v: Float[Array, "3"]) -> Float[Array, "6"]:
        return jnp.zeros(6, dtype=q.dtype)

    def constraint_wrench_subspace(self, q: Float[Array, "3"]) -> Float[Array, "6 3"]:
        return jnp.eye(6, 3, dtype=q.dtype)
