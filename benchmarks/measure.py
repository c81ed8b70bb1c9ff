"""Time programs against each other: their repeats alternate, so that a busy machine slows all of them alike."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any

import jax

SHORTEST_REPEAT = 0.03  # s: faster programs are called several times
MOST_CALLS = 1000


@dataclass(frozen=True)
class Program:
    """Something to time.

    Attributes:
        call: Computes everything and waits for it.
        states: Number of states that one call computes.
        lowering: Time to trace and lower [s]; None where nothing is compiled.
        compiling: Time of XLA's compiler [s].
    """

    call: Callable[[], Any]
    states: int
    lowering: float | None = None
    compiling: float | None = None


@dataclass(frozen=True)
class Timing:
    """Times per state [µs] and what compiling took [s]."""

    median: float
    lowest: float
    highest: float
    lowering: float | None
    compiling: float | None


def compiled(function: Any, arguments: tuple, states: int) -> Program:
    """A jitted function with its arguments on the device.

    The times to lower and to compile come from a compiled object, but the jitted function itself is called: calls of
    compiled objects are slower. It takes the program that was compiled from JAX's cache.
    """
    arguments = jax.device_put(arguments)
    start = time.perf_counter()
    lowered = function.lower(*arguments)
    middle = time.perf_counter()
    lowered.compile()
    end = time.perf_counter()
    return Program(lambda: jax.block_until_ready(function(*arguments)), states, middle - start, end - middle)


def race(programs: Mapping[str, Program], repeats: int) -> dict[str, Timing]:
    """Median, lowest and highest time per state of alternating repeats."""
    calls = {name: _number_of_calls(program) for name, program in programs.items()}
    times: dict[str, list[float]] = {name: [] for name in programs}
    for _ in range(repeats):
        for name, program in programs.items():
            start = time.perf_counter()
            for _ in range(calls[name]):
                program.call()
            elapsed = time.perf_counter() - start
            times[name].append(1e6 * elapsed / calls[name] / program.states)
    return {
        name: Timing(median(times[name]), min(times[name]), max(times[name]), program.lowering, program.compiling)
        for name, program in programs.items()
    }


def _number_of_calls(program: Program) -> int:
    program.call()  # the first call of a program is slower
    start = time.perf_counter()
    program.call()
    return max(1, min(MOST_CALLS, round(SHORTEST_REPEAT / (time.perf_counter() - start))))
