"""The screw."""

from typing import ClassVar

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from .._errors import InvalidValueError
from .._shapes import Numbers
from .._tracing import is_traced
from ..spatial import Transform, as_floats, axis_angle_to_matrix
from ._abstract import AbstractVectorSpaceJoint
from ._axis import check_axis, orthonormal_complement, unit_axis


class Helical(AbstractVectorSpaceJoint):
    """Rotation by the angle `q` [rad] about an axis, and translation by pitch times `q` along it.

    Attributes:
        axis: The axis, of any length, fixed in the frames before and after.
        pitch: Translation per angle [m/rad]: the lead of a thread divided by 2π; a negative one is a left-hand thread.
    """

    axis: Float[Array, "3"]
    pitch: Float[Array, ""]

    num_positions: ClassVar[int] = 1
    num_velocities: ClassVar[int] = 1

    def __init__(self, axis: Numbers, pitch: Numbers):
        """From an axis and a pitch; lists and Python numbers take the dtype of the other one."""
        self.axis, self.pitch = as_floats(axis, pitch)

    def __check_init__(self):
        check_axis(self.axis, "Helical")
        if self.pitch.shape != () or not (is_traced(self.pitch) or np.isfinite(self.pitch)):
            raise InvalidValueError(
                f"The pitch of a Helical joint must be one finite number [m/rad], but is {self.pitch}. "
                "Divide the thread's lead by 2π."
            )

    def joint_transform(self, q: Float[Array, "1"]) -> Transform:
        axis = unit_axis(self.axis)
        return Transform(axis_angle_to_matrix(axis, q[0]), self.pitch * q[0] * axis)

    def motion_subspace(self, q: Float[Array, "1"]) -> Float[Array, "6 1"]:
        axis = unit_axis(self.axis)
        return jnp.concatenate([axis, self.pitch * axis])[:, None]

    def bias_acceleration(self, q: Float[Array, "1"], v: Float[Array, "1"]) -> Float[Array, "6"]:
        return jnp.zeros(6, dtype=q.dtype)

    def constraint_wrench_subspace(self, q: Float[Array, "1"]) -> Float[Array, "6 5"]:
        axis, across = unit_axis(self.axis), orthonormal_complement(self.axis)
        nothing = jnp.zeros_like(across)
        along = jnp.concatenate([-self.pitch * axis, axis])[:, None]  # a force along the axis turns the nut, too
        moments, forces = jnp.concatenate([across, nothing]), jnp.concatenate([nothing, across])
        return jnp.concatenate([moments, forces, along], axis=1)
