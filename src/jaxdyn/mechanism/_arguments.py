"""What every public function does with its arrays first: take array-likes, refuse a wrong shape or dtype."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array

from .._errors import ShapeError
from .._shapes import Configuration, Numbers, Velocity
from ._mechanism import Mechanism


def as_array(mechanism: Mechanism, value: Numbers, name: str) -> Array:
    """An array-like in the mechanism's dtype; numbers, lists and integers are converted, other floats refused.

    Args:
        mechanism: The mechanism whose dtype holds.
        value: An array, a number or a nested list of numbers.
        name: Name of the argument, for the message.

    Returns:
        The array.

    Raises:
        ShapeError: An array of another floating type came.
    """
    dtype = getattr(value, "dtype", None)
    if dtype is not None and jnp.issubdtype(dtype, jnp.floating):
        dtype = jax.dtypes.canonicalize_dtype(dtype)
        if dtype != mechanism.dtype:
            raise ShapeError(
                f"`{name}` must have the mechanism's dtype {mechanism.dtype}, but has {dtype}. "
                f"Convert one of them: `mechanism.astype(jnp.{dtype})` or `{name}.astype(jnp.{mechanism.dtype})`."
            )
    return jnp.asarray(value, dtype=mechanism.dtype)


def as_configuration(mechanism: Mechanism, q: Any, name: str = "q") -> Configuration:
    """A configuration vector of the mechanism.

    Args:
        mechanism: The mechanism whose sizes and dtype hold.
        q: An array-like.
        name: Name of the argument, for the message.

    Returns:
        The array.

    Raises:
        ShapeError: It does not have `num_positions` entries, or has another floating type.
    """
    return _vector(mechanism, q, name, "num_positions", mechanism.num_positions)


def as_velocity(mechanism: Mechanism, v: Any, name: str = "v") -> Velocity:
    """A vector with one entry per degree of freedom.

    Args:
        mechanism: The mechanism whose sizes and dtype hold.
        v: An array-like.
        name: Name of the argument, for the message.

    Returns:
        The array.

    Raises:
        ShapeError: It does not have `num_velocities` entries, or has another floating type.
    """
    return _vector(mechanism, v, name, "num_velocities", mechanism.num_velocities)


def _vector(mechanism: Mechanism, value: Any, name: str, length_name: str, length: int) -> Array:
    array = as_array(mechanism, value, name)
    if array.shape != (length,):
        raise ShapeError(
            f"`{name}` must have shape ({length_name},) = ({length},), but has shape {np.shape(array)}. "
            f"The mechanism's `{length_name}` is {length}; map over a batch with `jax.vmap`."
        )
    return array
