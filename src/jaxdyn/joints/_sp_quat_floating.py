"""The free joint of a floating base, with as many positions as velocities."""

from typing import ClassVar

import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from ..spatial import Transform, quaternion_to_matrix, skew
from ._abstract import AbstractJoint
from ._quaternion_floating import QuaternionFloating


class SPQuatFloating(AbstractJoint):
    """All six directions free, with three numbers for the orientation: a stereographic projection of the quaternion.

    `q` = (σ, p): the modified Rodrigues vector σ = axis · tan(angle / 4) [1], and the origin of the frame after in the
    frame before [m]. Two vectors stand for each orientation; `normalize_configuration` takes the one of norm at most
    1. At a turn of 2π the vector is infinite, so normalise long motions. `v` is that of `QuaternionFloating`.

    Reference: Terzakis, Lourakis and Ait-Boudaoud (2018), Modified Rodrigues parameters.
    """

    num_positions: ClassVar[int] = 6
    num_velocities: ClassVar[int] = 6

    def joint_transform(self, q: Float[Array, "6"]) -> Transform:
        return Transform(quaternion_to_matrix(_quaternion(q[:3])), q[3:])

    def motion_subspace(self, q: Float[Array, "6"]) -> Float[Array, "6 6"]:
        return jnp.eye(6, dtype=q.dtype)

    def bias_acceleration(self, q: Float[Array, "6"], v: Float[Array, "6"]) -> Float[Array, "6"]:
        return jnp.zeros(6, dtype=q.dtype)

    def constraint_wrench_subspace(self, q: Float[Array, "6"]) -> Float[Array, "6 0"]:
        return jnp.zeros((6, 0), dtype=q.dtype)

    def velocity_to_configuration_derivative(self, q: Float[Array, "6"], v: Float[Array, "6"]) -> Float[Array, "6"]:
        return jnp.concatenate([_rate_matrix(q[:3]) @ v[:3] / 4, quaternion_to_matrix(_quaternion(q[:3])) @ v[3:]])

    def configuration_derivative_to_velocity(self, q: Float[Array, "6"], q_dot: Float[Array, "6"]) -> Float[Array, "6"]:
        # The matrix of the rates is a rotation times 1 + |σ|².
        scale = 4 / (1 + jnp.sum(q[:3] * q[:3])) ** 2
        angular = scale * (_rate_matrix(q[:3]).T @ q_dot[:3])
        return jnp.concatenate([angular, quaternion_to_matrix(_quaternion(q[:3])).T @ q_dot[3:]])

    def zero_configuration(self) -> Float[Array, "6"]:
        return jnp.zeros(6)

    def random_configuration(self, key: PRNGKeyArray) -> Float[Array, "6"]:
        return _from_quaternion(QuaternionFloating().random_configuration(key))

    def normalize_configuration(self, q: Float[Array, "6"]) -> Float[Array, "6"]:
        squared_norm = jnp.sum(q[:3] * q[:3])
        is_long = squared_norm > 1
        shadow = -q[:3] / jnp.where(is_long, squared_norm, 1)
        return jnp.concatenate([jnp.where(is_long, shadow, q[:3]), q[3:]])

    def integrate(self, q: Float[Array, "6"], v: Float[Array, "6"]) -> Float[Array, "6"]:
        return _from_quaternion(QuaternionFloating().integrate(_with_quaternion(q), v))

    def difference(self, q0: Float[Array, "6"], q1: Float[Array, "6"]) -> Float[Array, "6"]:
        return QuaternionFloating().difference(_with_quaternion(q0), _with_quaternion(q1))

    def spring_gradient(
        self, q: Float[Array, "6"], rest: Float[Array, "6"], stiffness: Float[Array, "6"]
    ) -> Float[Array, "6"]:
        return QuaternionFloating().spring_gradient(_with_quaternion(q), _with_quaternion(rest), stiffness)

    def semi_implicit_step(
        self, q: Float[Array, "6"], v: Float[Array, "6"], v_dot: Float[Array, "6"], dt: Float[Array, ""]
    ) -> tuple[Float[Array, "6"], Float[Array, "6"]]:
        q_next, v_next = QuaternionFloating().semi_implicit_step(_with_quaternion(q), v, v_dot, dt)
        return _from_quaternion(q_next), v_next


def _quaternion(vector: Float[Array, "3"]) -> Float[Array, "4"]:
    """The unit quaternion (1 - |σ|², 2σ) / (1 + |σ|²)."""
    squared_norm = jnp.sum(vector * vector)
    return jnp.concatenate([(1 - squared_norm)[None], 2 * vector]) / (1 + squared_norm)


def _with_quaternion(q: Float[Array, "6"]) -> Float[Array, "7"]:
    """The configuration of `QuaternionFloating` of the same pose."""
    return jnp.concatenate([_quaternion(q[:3]), q[3:]])


def _from_quaternion(q: Float[Array, "7"]) -> Float[Array, "6"]:
    """The configuration of norm at most 1, from one with a unit quaternion: σ = (x, y, z) / (1 + w), w not negative."""
    sign = jnp.where(q[0] < 0, -1, 1).astype(q.dtype)
    return jnp.concatenate([sign * q[1:4] / (1 + sign * q[0]), q[4:]])


def _rate_matrix(vector: Float[Array, "3"]) -> Float[Array, "3 3"]:
    """The matrix (1 - |σ|²) 1 + 2 σ× + 2 σ σᵀ: four times the rate of σ per angular velocity in the frame after."""
    squared_norm = jnp.sum(vector * vector)
    outer = vector[:, None] * vector[None]
    return (1 - squared_norm) * jnp.eye(3, dtype=vector.dtype) + 2 * skew(vector) + 2 * outer
