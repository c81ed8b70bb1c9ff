"""The joint that does not move."""

from typing import ClassVar

import jax.numpy as jnp
from jaxtyping import Array, Float

from ..spatial import Transform
from ._abstract import AbstractVectorSpaceJoint


class Fixed(AbstractVectorSpaceJoint):
    """No motion: `q` and `v` are empty. Bodies behind it cost nothing in the recursions over the tree."""

    num_positions: ClassVar[int] = 0
    num_velocities: ClassVar[int] = 0

    def joint_transform(self, q: Float[Array, "0"]) -> Transform:
        return Transform(jnp.eye(3, dtype=q.dtype), jnp.zeros(3, dtype=q.dtype))

    def motion_subspace(self, q: Float[Array, "0"]) -> Float[Array, "6 0"]:
        return jnp.zeros((6, 0), dtype=q.dtype)

    def bias_acceleration(self, q: Float[Array, "0"], v: Float[Array, "0"]) -> Float[Array, "6"]:
        return jnp.zeros(6, dtype=q.dtype)

    def constraint_wrench_subspace(self, q: Float[Array, "0"]) -> Float[Array, "6 6"]:
        return jnp.eye(6, dtype=q.dtype)
