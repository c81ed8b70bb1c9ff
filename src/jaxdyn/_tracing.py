"""Whether a value is known now, or only when a compiled program runs."""

from collections.abc import Callable
from typing import Any, TypeVar

import jax
from jax.core import Tracer

Result = TypeVar("Result")


def is_traced(value: Any) -> bool:
    """Whether anything in a value is traced by a JAX transformation, so that it cannot be looked at."""
    return any(isinstance(leaf, Tracer) for leaf in jax.tree.leaves(value))


def computed_early(function: Callable[..., Result], *arguments: Any) -> Result:
    """`function(*arguments)`, evaluated while the program around it is traced, if the arguments are known by then.

    XLA does not fold gathers and products of constants: without this, a program into which a mechanism is compiled
    would compute on each call what depends on the mechanism alone.
    """
    if is_traced(arguments):
        return function(*arguments)
    with jax.ensure_compile_time_eval():
        return jax.jit(function)(*arguments)
