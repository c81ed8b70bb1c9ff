"""Lengths and directions whose derivatives are finite at the zero vector."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float

from ._arrays import dot


def safe_norm(vector: Float[Array, "*batch n"]) -> Float[Array, "*batch"]:
    """Euclidean length of the last axis.

    Args:
        vector: Components in any one unit. Neither tiny nor huge ones under- or overflow when squared.

    Returns:
        Length in the unit of the vector.

    Differentiability: smooth but at the zero vector, where all derivatives are 0 by convention.
    """
    scaled, scale, is_zero = _rescale(vector)
    return jnp.where(is_zero, 0, scale * jnp.sqrt(dot(scaled, scaled)))


def safe_normalize(vector: Float[Array, "*batch n"]) -> Float[Array, "*batch n"]:
    """Direction of a vector: the vector divided by its length; the zero vector stays zero.

    Args:
        vector: Components in any one unit.

    Returns:
        Unit vector, or zero [1].

    Differentiability: smooth but at the zero vector, where all derivatives are 0 by convention.
    """
    scaled, _, is_zero = _rescale(vector)
    return jnp.where(is_zero[..., None], 0, scaled / jnp.sqrt(dot(scaled, scaled))[..., None])


def _rescale(
    vector: Float[Array, "*batch n"],
) -> tuple[Float[Array, "*batch n"], Float[Array, "*batch"], Bool[Array, "*batch"]]:
    """The vector divided by its largest component, that component, and whether it is 0 (then ones and 1 come back).

    The scale is a constant to differentiation: what is built from it here does not depend on its value.
    """
    scale = jax.lax.stop_gradient(jnp.max(jnp.abs(vector), axis=-1, initial=0))
    is_zero = scale == 0
    safe_scale = jnp.where(is_zero, 1, scale)
    return jnp.where(is_zero[..., None], 1, vector) / safe_scale[..., None], safe_scale, is_zero
