"""The free joint of a floating base."""

from typing import ClassVar

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from ..spatial import (
    Transform,
    left_jacobian,
    left_jacobian_inverse,
    normalize_quaternion,
    quaternion_conjugate,
    quaternion_exp,
    quaternion_log,
    quaternion_multiply,
    quaternion_to_matrix,
    rotation_exp,
    transform_right_jacobian_inverse,
)
from ._abstract import AbstractJoint
from ._quaternion_rates import angular_velocity, quaternion_rate


class QuaternionFloating(AbstractJoint):
    """All six directions free.

    `q` = (w, x, y, z, p): the quaternion that rotates from the frame after to the frame before, and the origin of
    the frame after in the frame before [m]. `v` = (ω, v): the twist of the frame after with respect to the frame
    before, in the frame after [rad/s, m/s].
    """

    num_positions: ClassVar[int] = 7
    num_velocities: ClassVar[int] = 6

    def joint_transform(self, q: Float[Array, "7"]) -> Transform:
        return Transform(quaternion_to_matrix(q[:4]), q[4:])

    def motion_subspace(self, q: Float[Array, "7"]) -> Float[Array, "6 6"]:
        return jnp.eye(6, dtype=q.dtype)

    def bias_acceleration(self, q: Float[Array, "7"], v: Float[Array, "6"]) -> Float[Array, "6"]:
        return jnp.zeros(6, dtype=q.dtype)

    def constraint_wrench_subspace(self, q: Float[Array, "7"]) -> Float[Array, "6 0"]:
        return jnp.zeros((6, 0), dtype=q.dtype)

    def velocity_to_configuration_derivative(self, q: Float[Array, "7"], v: Float[Array, "6"]) -> Float[Array, "7"]:
        return jnp.concatenate([quaternion_rate(q[:4], v[:3]), quaternion_to_matrix(q[:4]) @ v[3:]])

    def configuration_derivative_to_velocity(self, q: Float[Array, "7"], q_dot: Float[Array, "7"]) -> Float[Array, "6"]:
        return jnp.concatenate([angular_velocity(q[:4], q_dot[:4]), quaternion_to_matrix(q[:4]).T @ q_dot[4:]])

    def zero_configuration(self) -> Float[Array, "7"]:
        return jnp.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])

    def random_configuration(self, key: PRNGKeyArray) -> Float[Array, "7"]:
        rotation_key, position_key = jax.random.split(key)
        quaternion = normalize_quaternion(jax.random.normal(rotation_key, (4,)))  # uniform over rotations
        return jnp.concatenate([quaternion, jax.random.uniform(position_key, (3,), minval=-0.5, maxval=0.5)])

    def normalize_configuration(self, q: Float[Array, "7"]) -> Float[Array, "7"]:
        return jnp.concatenate([normalize_quaternion(q[:4]), q[4:]])

    def integrate(self, q: Float[Array, "7"], v: Float[Array, "6"]) -> Float[Array, "7"]:
        quaternion = normalize_quaternion(q[:4])
        rotated = normalize_quaternion(quaternion_multiply(quaternion, quaternion_exp(v[:3])))
        return jnp.concatenate([rotated, q[4:] + quaternion_to_matrix(quaternion) @ (left_jacobian(v[:3]) @ v[3:])])

    def difference(self, q0: Float[Array, "7"], q1: Float[Array, "7"]) -> Float[Array, "6"]:
        conjugate = quaternion_conjugate(normalize_quaternion(q0[:4]))
        rotation_vector = quaternion_log(quaternion_multiply(conjugate, normalize_quaternion(q1[:4])))
        translation = quaternion_to_matrix(conjugate) @ (q1[4:] - q0[4:])
        return jnp.concatenate([rotation_vector, left_jacobian_inverse(rotation_vector) @ translation])

    def spring_gradient(
        self, q: Float[Array, "7"], rest: Float[Array, "7"], stiffness: Float[Array, "6"]
    ) -> Float[Array, "6"]:
        coordinates = self.difference(rest, q)
        return transform_right_jacobian_inverse(coordinates).T @ (stiffness * coordinates)

    def semi_implicit_step(
        self, q: Float[Array, "7"], v: Float[Array, "6"], v_dot: Float[Array, "6"], dt: Float[Array, ""]
    ) -> tuple[Float[Array, "7"], Float[Array, "6"]]:
        # The linear velocity keeps the axes of the frame before during the step. Adding dt v_dot to components in the
        # turning frame would feed energy: at 10 rad/s and 10 ms a free body's speed grows 2.7-fold in 2 s.
        angular_next = v[:3] + dt * v_dot[:3]
        turn = dt * angular_next
        classical_acceleration = v_dot[3:] + jnp.cross(v[:3], v[3:])
        linear_next = rotation_exp(turn).T @ (v[3:] + dt * classical_acceleration)
        quaternion = normalize_quaternion(q[:4])
        quaternion_next = normalize_quaternion(quaternion_multiply(quaternion, quaternion_exp(turn)))
        position_next = q[4:] + dt * (quaternion_to_matrix(quaternion_next) @ linear_next)
        return jnp.concatenate([quaternion_next, position_next]), jnp.concatenate([angular_next, linear_next])
