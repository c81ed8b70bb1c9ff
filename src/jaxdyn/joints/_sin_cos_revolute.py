"""The hinge without an angle: its configuration is a point of the circle."""

from typing import ClassVar

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from ..spatial import Transform, axis_sine_cosine_to_matrix, safe_normalize
from ._abstract import AbstractJoint
from ._axis import check_axis, orthonormal_complement, to_axis, unit_axis


class SinCosRevolute(AbstractJoint):
    """Rotation about an axis, without a beginning and an end.

    `q` = (sin θ, cos θ), of any norm: it is divided by it where it is used, and (0, 0) counts as the angle 0. `v` is
    the angle's rate [rad/s].
    """

    axis: Float[Array, "3"] = eqx.field(converter=to_axis)

    num_positions: ClassVar[int] = 2
    num_velocities: ClassVar[int] = 1

    def __check_init__(self):
        check_axis(self.axis, "SinCosRevolute")

    def joint_transform(self, q: Float[Array, "2"]) -> Transform:
        rotation = axis_sine_cosine_to_matrix(unit_axis(self.axis), *self.normalize_configuration(q))
        return Transform(rotation, jnp.zeros(3, dtype=q.dtype))

    def motion_subspace(self, q: Float[Array, "2"]) -> Float[Array, "6 1"]:
        return jnp.concatenate([unit_axis(self.axis), jnp.zeros(3, dtype=self.axis.dtype)])[:, None]

    def bias_acceleration(self, q: Float[Array, "2"], v: Float[Array, "1"]) -> Float[Array, "6"]:
        return jnp.zeros(6, dtype=q.dtype)

    def constraint_wrench_subspace(self, q: Float[Array, "2"]) -> Float[Array, "6 5"]:
        across = orthonormal_complement(self.axis)
        moments = jnp.concatenate([across, jnp.zeros((3, 2), dtype=across.dtype)])
        return jnp.concatenate([moments, jnp.eye(6, 3, k=-3, dtype=across.dtype)], axis=1)

    def velocity_to_configuration_derivative(self, q: Float[Array, "2"], v: Float[Array, "1"]) -> Float[Array, "2"]:
        sine, cosine = q
        return v * jnp.stack([cosine, -sine])

    def configuration_derivative_to_velocity(self, q: Float[Array, "2"], q_dot: Float[Array, "2"]) -> Float[Array, "1"]:
        squared_norm = jnp.sum(q * q)
        safe = jnp.where(squared_norm > 0, squared_norm, 1)
        return ((q[1] * q_dot[0] - q[0] * q_dot[1]) / safe)[None]

    def zero_configuration(self) -> Float[Array, "2"]:
        return jnp.array([0.0, 1.0])

    def random_configuration(self, key: PRNGKeyArray) -> Float[Array, "2"]:
        return self.normalize_configuration(jax.random.normal(key, (2,)))  # uniform over angles

    def normalize_configuration(self, q: Float[Array, "2"]) -> Float[Array, "2"]:
        is_zero = jnp.all(q == 0)
        return jnp.where(is_zero, jnp.array([0.0, 1.0], dtype=q.dtype), safe_normalize(q))

    def integrate(self, q: Float[Array, "2"], v: Float[Array, "1"]) -> Float[Array, "2"]:
        sine, cosine = self.normalize_configuration(q)
        turn_sine, turn_cosine = jnp.sin(v[0]), jnp.cos(v[0])
        return self.normalize_configuration(
            jnp.stack([sine * turn_cosine + cosine * turn_sine, cosine * turn_cosine - sine * turn_sine])
        )

    def difference(self, q0: Float[Array, "2"], q1: Float[Array, "2"]) -> Float[Array, "1"]:
        (sine_0, cosine_0), (sine_1, cosine_1) = (self.normalize_configuration(q) for q in (q0, q1))
        return jnp.arctan2(sine_1 * cosine_0 - cosine_1 * sine_0, cosine_1 * cosine_0 + sine_1 * sine_0)[None]

    def spring_gradient(
        self, q: Float[Array, "2"], rest: Float[Array, "2"], stiffness: Float[Array, "1"]
    ) -> Float[Array, "1"]:
        return stiffness * self.difference(rest, q)
