"""Controls that move a robot noticeably and tamely, whatever its size."""

from functools import partial

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from .._shapes import Configuration
from ..dynamics import mass_matrix
from ..mechanism import Mechanism, random_configuration

ACCELERATION = 50.0
"""Typical acceleration of a joint under a random control [rad/s² or m/s²]."""


def control_scale(mechanism: Mechanism, q: Configuration) -> Float[Array, " num_actuated"]:
    """Force that gives each actuated degree of freedom, alone, one unit of acceleration [kg or kg m²]."""
    return jnp.diagonal(mass_matrix(mechanism, q))[mechanism.topology.actuated_velocities]


@partial(jax.jit, static_argnums=(2, 3))
def random_inputs(
    mechanism: Mechanism, key: PRNGKeyArray, batch: int, steps: int
) -> tuple[
    Float[Array, "batch num_positions"], Float[Array, "batch num_velocities"], Float[Array, "batch steps num_actuated"]
]:
    """Random configurations inside the limits, small velocities, and normal controls that move every joint alike."""
    key_q, key_v, key_controls = jax.random.split(key, 3)
    q = jax.vmap(lambda key: random_configuration(mechanism, key))(jax.random.split(key_q, batch))
    v = 0.1 * jax.random.normal(key_v, (batch, mechanism.num_velocities), dtype=mechanism.dtype)
    noise = jax.random.normal(key_controls, (batch, steps, mechanism.num_actuated), dtype=mechanism.dtype)
    scale = ACCELERATION * control_scale(mechanism, q[0])
    return q, v, noise * jnp.broadcast_to(scale, noise.shape)
