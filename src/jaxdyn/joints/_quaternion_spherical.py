"""The ball joint."""

from typing import ClassVar

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from ..spatial import (
    Transform,
    normalize_quaternion,
    quaternion_conjugate,
    quaternion_exp,
    quaternion_log,
    quaternion_multiply,
    quaternion_to_matrix,
    right_jacobian_inverse,
)
from ._abstract import AbstractJoint
from ._quaternion_rates import angular_velocity, quaternion_rate


class QuaternionSpherical(AbstractJoint):
    """Free rotation about a point.

    `q` is the quaternion (w, x, y, z) that rotates from the frame after to the frame before; `v` is the angular
    velocity of the frame after with respect to the frame before, in the frame after [rad/s].
    """

    num_positions: ClassVar[int] = 4
    num_velocities: ClassVar[int] = 3

    def joint_transform(self, q: Float[Array, "4"]) -> Transform:
        return Transform(quaternion_to_matrix(q), jnp.zeros(3, dtype=q.dtype))

    def motion_subspace(self, q: Float[Array, "4"]) -> Float[Array, "6 3"]:
        return jnp.eye(6, 3, dtype=q.dtype)

    def bias_acceleration(self, q: Float[Array, "4"], v: Float[Array, "3"]) -> Float[Array, "6"]:
        return jnp.zeros(6, dtype=q.dtype)

    def constraint_wrench_subspace(self, q: Float[Array, "4"]) -> Float[Array, "6 3"]:
        return jnp.eye(6, 3, k=-3, dtype=q.dtype)

    def velocity_to_configuration_derivative(self, q: Float[Array, "4"], v: Float[Array, "3"]) -> Float[Array, "4"]:
        return quaternion_rate(q, v)

    def configuration_derivative_to_velocity(self, q: Float[Array, "4"], q_dot: Float[Array, "4"]) -> Float[Array, "3"]:
        return angular_velocity(q, q_dot)

    def zero_configuration(self) -> Float[Array, "4"]:
        return jnp.array([1.0, 0.0, 0.0, 0.0])

    def random_configuration(self, key: PRNGKeyArray) -> Float[Array, "4"]:
        return normalize_quaternion(jax.random.normal(key, (4,)))  # a direction of R⁴: uniform over rotations

    def normalize_configuration(self, q: Float[Array, "4"]) -> Float[Array, "4"]:
        return normalize_quaternion(q)

    def integrate(self, q: Float[Array, "4"], v: Float[Array, "3"]) -> Float[Array, "4"]:
        return normalize_quaternion(quaternion_multiply(normalize_quaternion(q), quaternion_exp(v)))

    def difference(self, q0: Float[Array, "4"], q1: Float[Array, "4"]) -> Float[Array, "3"]:
        relative = quaternion_multiply(quaternion_conjugate(normalize_quaternion(q0)), normalize_quaternion(q1))
        return quaternion_log(relative)

    def spring_gradient(
        self, q: Float[Array, "4"], rest: Float[Array, "4"], stiffness: Float[Array, "3"]
    ) -> Float[Array, "3"]:
        coordinates = self.difference(rest, q)
        return right_jacobian_inverse(coordinates).T @ (stiffness * coordinates)
