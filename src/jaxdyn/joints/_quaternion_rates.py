"""The linear maps between the rate of a quaternion and the angular velocity in the frame after the joint."""

import jax.numpy as jnp
from jaxtyping import Array, Float

from ..spatial import quaternion_conjugate, quaternion_multiply


def quaternion_rate(quaternion: Float[Array, "4"], angular: Float[Array, "3"]) -> Float[Array, "4"]:
    """Rate ½ q ⊗ (0, ω) of a quaternion (w, x, y, z) of any norm, which it keeps."""
    return 0.5 * quaternion_multiply(quaternion, jnp.concatenate([jnp.zeros(1, dtype=angular.dtype), angular]))


def angular_velocity(quaternion: Float[Array, "4"], rate: Float[Array, "4"]) -> Float[Array, "3"]:
    """Angular velocity 2 q⁻¹ ⊗ q_dot of a quaternion of any norm; a change of the norm does not count."""
    squared_norm = jnp.sum(quaternion * quaternion)
    safe = jnp.where(squared_norm > 0, squared_norm, 1)
    return 2.0 * quaternion_multiply(quaternion_conjugate(quaternion), rate)[1:] / safe
