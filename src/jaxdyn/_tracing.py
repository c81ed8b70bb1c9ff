"""Whether a value is known now, or only when a compiled program runs."""

from typing import Any

from jax.core import Tracer


def is_traced(value: Any) -> bool:
    """Whether a value is traced by a JAX transformation, so that it cannot be looked at."""
    return isinstance(value, Tracer)
