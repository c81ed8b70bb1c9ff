"""The universal joint."""

from typing import ClassVar

import jax.numpy as jnp
from jaxtyping import Array, Float

from .._shapes import Numbers
from ..spatial import Transform, as_floats, axis_angle_to_matrix, safe_normalize
from ._abstract import AbstractVectorSpaceJoint
from ._axis import check_axis, check_not_parallel, unit_axis


class Universal(AbstractVectorSpaceJoint):
    """Rotation by `q[0]` [rad] about a first axis, then by `q[1]` about a second one; `v` is the rate of `q`.

    Attributes:
        axis_1: First axis, fixed in the frame before, of any length.
        axis_2: Second axis, fixed in the frame after; not parallel to the first, not necessarily orthogonal to it.
    """

    axis_1: Float[Array, "3"]
    axis_2: Float[Array, "3"]

    num_positions: ClassVar[int] = 2
    num_velocities: ClassVar[int] = 2

    def __init__(self, axis_1: Numbers, axis_2: Numbers):
        """From two axes; lists take the dtype of the other one."""
        self.axis_1, self.axis_2 = as_floats(axis_1, axis_2)

    def __check_init__(self):
        check_axis(self.axis_1, "Universal")
        check_axis(self.axis_2, "Universal")
        check_not_parallel(self.axis_1, self.axis_2, "Universal")

    def joint_transform(self, q: Float[Array, "2"]) -> Transform:
        first = axis_angle_to_matrix(unit_axis(self.axis_1), q[0])
        second = axis_angle_to_matrix(unit_axis(self.axis_2), q[1])
        return Transform(first @ second, jnp.zeros(3, dtype=q.dtype))

    def motion_subspace(self, q: Float[Array, "2"]) -> Float[Array, "6 2"]:
        axes = jnp.stack([self._first_axis_in_frame_after(q), unit_axis(self.axis_2)], axis=1)
        return jnp.concatenate([axes, jnp.zeros_like(axes)])

    def bias_acceleration(self, q: Float[Array, "2"], v: Float[Array, "2"]) -> Float[Array, "6"]:
        # Seen from the frame after, the first axis turns against the second joint's velocity.
        angular = v[0] * v[1] * jnp.cross(self._first_axis_in_frame_after(q), unit_axis(self.axis_2))
        return jnp.concatenate([angular, jnp.zeros_like(angular)])

    def constraint_wrench_subspace(self, q: Float[Array, "2"]) -> Float[Array, "6 4"]:
        across = safe_normalize(jnp.cross(self._first_axis_in_frame_after(q), unit_axis(self.axis_2)))
        moment = jnp.concatenate([across, jnp.zeros_like(across)])[:, None]
        return jnp.concatenate([moment, jnp.eye(6, 3, k=-3, dtype=q.dtype)], axis=1)

    def _first_axis_in_frame_after(self, q: Float[Array, "2"]) -> Float[Array, "3"]:
        return axis_angle_to_matrix(unit_axis(self.axis_2), -q[1]) @ unit_axis(self.axis_1)
