"""How close two computations of one number must be, as a function of the precision they were made in."""

import jax.numpy as jnp
from jax.typing import DTypeLike


def tolerance(dtype: DTypeLike, operations: int = 1000) -> float:
    """Bound on |a - b| / max(1, |b|) for two ways to compute the same number.

    Rounding errors of `operations` steps, each with the unit roundoff of `dtype`, added up: 2e-13 for float64 and 1e-4
    for float32 by default. Pass a larger count for longer computations, with the reason; do not write a bound by hand.
    """
    return operations * float(jnp.finfo(dtype).eps)
