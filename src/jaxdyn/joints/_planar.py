"""Motion in a plane."""

from typing import ClassVar

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from .._shapes import Numbers
from ..spatial import Transform, as_floats, axis_angle_to_matrix, stumpff
from ._abstract import AbstractJoint
from ._axis import check_axis, check_not_parallel, orthonormal_complement, unit_axis


class Planar(AbstractJoint):
    """Translation in a plane and rotation about its normal.

    `q` = (x, y, θ): the origin of the frame after along two axes of the frame before [m], and the angle about the
    normal [rad]. `v`: the velocity of that origin along the two axes of the frame *after* [m/s], and the angle's rate
    [rad/s].

    Attributes:
        x_axis: First axis of the plane, of any length.
        y_axis: A second direction of the plane, not parallel to the first; what is orthogonal to that counts.
    """

    x_axis: Float[Array, "3"]
    y_axis: Float[Array, "3"]

    num_positions: ClassVar[int] = 3
    num_velocities: ClassVar[int] = 3

    def __init__(self, x_axis: Numbers, y_axis: Numbers):
        """From two directions; lists take the dtype of the other one."""
        self.x_axis, self.y_axis = as_floats(x_axis, y_axis)

    def __check_init__(self):
        check_axis(self.x_axis, "Planar")
        check_axis(self.y_axis, "Planar")
        check_not_parallel(self.x_axis, self.y_axis, "Planar")

    @classmethod
    def normal_to(cls, axis: Numbers) -> "Planar":
        """The joint in the plane normal to an axis, as a URDF file gives it; its x and y are some two in the plane.

        Args:
            axis: Normal, of any length; for (0, 0, 1) the axes are x and y.

        Returns:
            The joint.

        Raises:
            InvalidValueError: The axis is not three finite numbers, or is zero.
        """
        (normal,) = as_floats(axis)
        check_axis(normal, "Planar")
        return cls(*orthonormal_complement(normal).T)

    def joint_transform(self, q: Float[Array, "3"]) -> Transform:
        x_axis, y_axis, normal = self._axes()
        return Transform(axis_angle_to_matrix(normal, q[2]), q[0] * x_axis + q[1] * y_axis)

    def motion_subspace(self, q: Float[Array, "3"]) -> Float[Array, "6 3"]:
        x_axis, y_axis, normal = self._axes()
        nothing = jnp.zeros_like(normal)
        return jnp.concatenate(
            [jnp.stack([nothing, nothing, normal], axis=1), jnp.stack([x_axis, y_axis, nothing], axis=1)]
        )

    def bias_acceleration(self, q: Float[Array, "3"], v: Float[Array, "3"]) -> Float[Array, "6"]:
        return jnp.zeros(6, dtype=q.dtype)

    def constraint_wrench_subspace(self, q: Float[Array, "3"]) -> Float[Array, "6 3"]:
        x_axis, y_axis, normal = self._axes()
        nothing = jnp.zeros_like(normal)
        return jnp.concatenate(
            [jnp.stack([x_axis, y_axis, nothing], axis=1), jnp.stack([nothing, nothing, normal], axis=1)]
        )

    def velocity_to_configuration_derivative(self, q: Float[Array, "3"], v: Float[Array, "3"]) -> Float[Array, "3"]:
        return jnp.concatenate([_turned(q[2], v[:2]), v[2:]])

    def configuration_derivative_to_velocity(self, q: Float[Array, "3"], q_dot: Float[Array, "3"]) -> Float[Array, "3"]:
        return jnp.concatenate([_turned(-q[2], q_dot[:2]), q_dot[2:]])

    def zero_configuration(self) -> Float[Array, "3"]:
        return jnp.zeros(3)

    def random_configuration(self, key: PRNGKeyArray) -> Float[Array, "3"]:
        return jax.random.uniform(key, (3,), minval=-1.0, maxval=1.0) * jnp.array([0.5, 0.5, jnp.pi])

    def normalize_configuration(self, q: Float[Array, "3"]) -> Float[Array, "3"]:
        return q

    def integrate(self, q: Float[Array, "3"], v: Float[Array, "3"]) -> Float[Array, "3"]:
        # The exponential of SE(2): the mean of the turned velocity over the step.
        along, across = stumpff(1, v[2] ** 2), v[2] * stumpff(2, v[2] ** 2)
        mean = jnp.stack([along * v[0] - across * v[1], across * v[0] + along * v[1]])
        return jnp.concatenate([q[:2] + _turned(q[2], mean), q[2:] + v[2:]])

    def difference(self, q0: Float[Array, "3"], q1: Float[Array, "3"]) -> Float[Array, "3"]:
        # The inverse of that mean has the matrix [[a, θ/2], [-θ/2, a]], a = θ/2 cot θ/2; singular at a whole turn.
        angle = q1[2] - q0[2]
        half, x, y = angle / 2, *_turned(-q0[2], q1[:2] - q0[:2])
        a = jnp.cos(half) / stumpff(1, half**2)
        return jnp.stack([a * x + half * y, a * y - half * x, angle])

    def semi_implicit_step(
        self, q: Float[Array, "3"], v: Float[Array, "3"], v_dot: Float[Array, "3"], dt: Float[Array, ""]
    ) -> tuple[Float[Array, "3"], Float[Array, "3"]]:
        # As `QuaternionFloating`: the linear velocity keeps the axes of the frame before during the step.
        rate = v[2] + dt * v_dot[2]
        classical_acceleration = v_dot[:2] + v[2] * jnp.stack([-v[1], v[0]])
        linear = _turned(-dt * rate, v[:2] + dt * classical_acceleration)
        angle = q[2] + dt * rate
        position = q[:2] + dt * _turned(angle, linear)
        return jnp.concatenate([position, angle[None]]), jnp.concatenate([linear, rate[None]])

    def _axes(self) -> tuple[Float[Array, "3"], Float[Array, "3"], Float[Array, "3"]]:
        """The two axes, orthonormal by Gram-Schmidt, and the normal."""
        x_axis = unit_axis(self.x_axis)
        y_axis = unit_axis(self.y_axis)
        y_axis = unit_axis(y_axis - jnp.sum(x_axis * y_axis) * x_axis)
        return x_axis, y_axis, jnp.cross(x_axis, y_axis)


def _turned(angle: Float[Array, ""], vector: Float[Array, "2"]) -> Float[Array, "2"]:
    """A vector of the plane, turned by an angle."""
    sine, cosine = jnp.sin(angle), jnp.cos(angle)
    return jnp.stack([cosine * vector[0] - sine * vector[1], sine * vector[0] + cosine * vector[1]])
