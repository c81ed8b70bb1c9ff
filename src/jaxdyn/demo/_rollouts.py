"""Many rollouts at once, and how many steps a second that makes."""

import time
from dataclasses import dataclass

import jax
import numpy as np
from jaxtyping import Float, PRNGKeyArray

from ..mechanism import Mechanism
from ..simulation import rollout
from ._excitation import random_inputs
from ._progress import Progress, silent

REPETITIONS = 2


@dataclass(frozen=True, eq=False)
class RolloutsResult:
    """Batched rollouts under random controls.

    Attributes:
        dtype: Type of the numbers.
        times: Times of the rows [s].
        q: Configurations, one rollout per row of the first axis.
        v: Velocities.
        compile_seconds: Time to trace and compile the program, apart from the rest.
        run_seconds: Time of the fastest run.
    """

    dtype: str
    times: Float[np.ndarray, " rows"]
    q: Float[np.ndarray, "batch rows num_positions"]
    v: Float[np.ndarray, "batch rows num_velocities"]
    compile_seconds: float
    run_seconds: float

    @property
    def steps_per_second(self) -> float:
        """Steps of single robots, of all rollouts together, per second."""
        batch, rows = self.q.shape[:2]
        return batch * (rows - 1) / self.run_seconds

    @property
    def reached(self) -> bool:
        """Whether every state of every rollout is finite."""
        return bool(np.all(np.isfinite(self.q)) and np.all(np.isfinite(self.v)))

    def rows(self) -> list[tuple[str, str]]:
        """What to print: label and value."""
        batch, rows = self.q.shape[:2]
        return [
            ("rollouts", f"{batch} x {rows - 1} steps of {1e3 * float(self.times[1]):g} ms, {self.dtype}"),
            ("compile time", f"{self.compile_seconds:.1f} s"),
            ("run time", f"{self.run_seconds:.2f} s (fastest of {REPETITIONS})"),
            ("speed", f"{self.steps_per_second:,.0f} steps/s"),
            ("all states finite", "yes" if self.reached else "NO"),
        ]


def time_rollouts(
    mechanism: Mechanism,
    key: PRNGKeyArray,
    *,
    batch: int = 1024,
    steps: int = 100,
    dt: float = 0.005,
    progress: Progress = silent,
) -> RolloutsResult:
    """Simulate a batch of robots from random configurations under random controls, and take the time.

    Args:
        mechanism: Any mechanism with a regular mass matrix; its dtype is that of the simulation.
        key: Random key.
        batch: Number of rollouts.
        steps: Number of steps of each.
        dt: Length of a step [s].
        progress: Called with an iterable and a text; passes the iterable through.

    Returns:
        The trajectories and the times.
    """
    q, v, controls = random_inputs(mechanism, key, batch, steps)

    def simulate(mechanism, q, v, controls):
        return rollout(mechanism, q, v, controls, dt=dt)

    start = time.perf_counter()
    program = jax.jit(simulate).lower(mechanism, q, v, controls).compile()
    compile_seconds = time.perf_counter() - start
    run_seconds, trajectory = [], None
    for _ in progress(range(REPETITIONS), f"{batch} rollouts"):
        start = time.perf_counter()
        trajectory = jax.block_until_ready(program(mechanism, q, v, controls))
        run_seconds.append(time.perf_counter() - start)
    assert trajectory is not None, "repeated at least once"
    times, q, v = (np.asarray(x) for x in (trajectory.times, trajectory.q, trajectory.v))
    return RolloutsResult(str(q.dtype), times, q, v, compile_seconds, min(run_seconds))
