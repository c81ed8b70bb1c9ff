"""Small array helpers of the spatial package: conversion, products, identities.

Products ask for the full precision of their dtype: without that, accelerators round float32 factors to ten or fewer
bits of mantissa. (Written as multiply and sum they would be safe too, but a batch of 1024 then takes twice the time.)
"""

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
from jax.typing import ArrayLike
from jaxtyping import Array, Float, Shaped

FloatsLike = ArrayLike | Sequence[Any]


def as_floats(*values: FloatsLike) -> list[Array]:
    """Arrays of one floating dtype: Python numbers and lists adapt to the arrays among the values."""
    dtype = jnp.result_type(float, *(value for value in values if hasattr(value, "dtype")))
    return [jnp.asarray(value, dtype) for value in values]


def identity_like(matrix: Float[Array, "*batch n n"]) -> Float[Array, "*batch n n"]:
    """Identity matrices with the shape and dtype of `matrix`."""
    return jnp.broadcast_to(jnp.eye(matrix.shape[-1], dtype=matrix.dtype), matrix.shape)


def dot(left: Float[Array, "*batch n"], right: Float[Array, "*batch n"]) -> Float[Array, "*batch"]:
    """Inner product over the last axis."""
    return jnp.sum(left * right, axis=-1)


def outer(left: Float[Array, "*batch m"], right: Float[Array, "*batch n"]) -> Float[Array, "*batch m n"]:
    """Outer product of the last axes."""
    return left[..., :, None] * right[..., None, :]


def matvec(matrix: Float[Array, "*batch m n"], vector: Float[Array, "*batch n"]) -> Float[Array, "*batch m"]:
    """Matrix times vector."""
    return jnp.matmul(matrix, vector[..., None], precision="highest")[..., 0]


def matmul(left: Float[Array, "*batch m k"], right: Float[Array, "*batch k n"]) -> Float[Array, "*batch m n"]:
    """Matrix times matrix."""
    return jnp.matmul(left, right, precision="highest")


def transpose(matrix: Float[Array, "*batch m n"]) -> Float[Array, "*batch n m"]:
    """Transpose of the last two axes."""
    return jnp.swapaxes(matrix, -1, -2)


def block_matrix(rows: Sequence[Sequence[Float[Array, "*batch _ _"]]]) -> Float[Array, "*batch _ _"]:
    """Matrix made of blocks, given row by row."""
    return jnp.concatenate([jnp.concatenate(row, axis=-1) for row in rows], axis=-2)


def take(array: Shaped[Array, "..."], index: Any, num_own_axes: int) -> Array:
    """Index the leading axes only: an index that reaches one of the last `num_own_axes` axes is an `IndexError`."""
    leading = index if isinstance(index, tuple) else (index,)
    return array[(*leading, *(slice(None),) * num_own_axes)]
