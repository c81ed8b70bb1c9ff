"""The gradient of a whole rollout, with respect to everything, against finite differences."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, PRNGKeyArray

from ..mechanism import Mechanism
from ..simulation import rollout
from ._excitation import random_inputs
from ._progress import Progress, silent

AIM = 1e-6
STEP = 1e-3  # of the finite difference, in units of the size of what is varied


@dataclass(frozen=True)
class GradientResult:
    """Directional derivatives of a rollout by reverse mode, and their errors.

    Attributes:
        steps: Number of steps of the rollout.
        num_numbers: Count of the numbers with respect to which the gradient is taken.
        derivatives: What is varied, with its derivative along a random direction.
        errors: What is varied, with the relative difference from finite differences.
        rollout_seconds: Time of one rollout.
        gradient_seconds: Time of one rollout with the gradient with respect to everything.
    """

    steps: int
    num_numbers: int
    derivatives: dict[str, float]
    errors: dict[str, float]
    rollout_seconds: float
    gradient_seconds: float

    @property
    def reached(self) -> bool:
        """Whether every error is below the aim."""
        return all(error <= AIM for error in self.errors.values())

    def rows(self) -> list[tuple[str, str]]:
        """What to print: label and value."""
        ratio = self.gradient_seconds / self.rollout_seconds
        return [
            ("numbers varied", f"{self.num_numbers}, through {self.steps} steps, float64"),
            *(
                (f"error, {name}", f"{error:.1e} relative (derivative {self.derivatives[name]:.4g})")
                for name, error in self.errors.items()
            ),
            ("time", f"{1e3 * self.gradient_seconds:.1f} ms, {ratio:.1f} times the rollout alone"),
            (f"all errors below {AIM:g}", "yes" if self.reached else "NO"),
        ]


def check_gradient(
    mechanism: Mechanism, key: PRNGKeyArray, *, steps: int = 50, dt: float = 0.005, progress: Progress = silent
) -> GradientResult:
    """Compare reverse-mode derivatives of a rollout with finite differences along random directions.

    The objective is the mean square of all positions and velocities on the way. It is varied in the controls, in the
    initial state, and in all leaves of the mechanism together: inertias, placements, axes, damping, gravity and so on.

    Args:
        mechanism: Any mechanism with a regular mass matrix, in float64: finite differences need the digits.
        key: Random key.
        steps: Number of steps of the rollout.
        dt: Length of a step [s].
        progress: Called with an iterable and a text; passes the iterable through.

    Returns:
        Derivatives, errors and times.
    """
    key_inputs, key_direction = jax.random.split(key)
    q, v, controls = (rows[0] for rows in random_inputs(mechanism, key_inputs, 1, steps))
    point = {"controls": controls, "initial state": (q, v), "model leaves": mechanism}
    direction = _random_direction(point, key_direction)

    @jax.jit
    def value(amounts):
        return _objective(_moved(point, direction, amounts), dt)

    @jax.jit
    def gradient_along(point):
        gradient = jax.grad(lambda point: _objective(point, dt))(point)
        return {name: _inner_product(gradient[name], direction[name]) for name in point}

    exact = {name: float(derivative) for name, derivative in gradient_along(point).items()}
    errors = {}
    for name in progress(list(point), "gradient"):
        by_differences = _difference(
            lambda amount, name=name: float(value({**dict.fromkeys(point, 0.0), name: amount}))
        )
        errors[name] = abs(exact[name] - by_differences) / max(abs(by_differences), np.finfo(float).tiny)
    at_point = dict.fromkeys(point, 0.0)
    return GradientResult(
        steps=steps,
        num_numbers=sum(leaf.size for leaf in jax.tree.leaves(point)),
        derivatives=exact,
        errors=errors,
        rollout_seconds=_fastest(value, at_point),
        gradient_seconds=_fastest(gradient_along, point),
    )


def _objective(point: dict[str, Any], dt: float) -> Float[Array, ""]:
    q, v = point["initial state"]
    trajectory = rollout(point["model leaves"], q, v, point["controls"], dt=dt)
    return jnp.mean(trajectory.q**2) + jnp.mean(trajectory.v**2)


@jax.jit
def _random_direction(tree: dict[str, Any], key: PRNGKeyArray) -> dict[str, Any]:
    """Changes by about the size of each number; limits that are infinite stay."""
    leaves, structure = jax.tree.flatten(tree)
    keys = jax.random.split(key, len(leaves))

    def of_leaf(leaf, key):
        size = jnp.where(jnp.isfinite(leaf), jnp.abs(leaf) + 1e-3, 0.0)  # zeros, such as springs, are varied a little
        return size * jax.random.normal(key, leaf.shape, dtype=leaf.dtype)

    return jax.tree.unflatten(structure, [of_leaf(leaf, key) for leaf, key in zip(leaves, keys, strict=True)])


def _moved(point: dict[str, Any], direction: dict[str, Any], amounts: dict[str, Any]) -> dict[str, Any]:
    return {
        name: jax.tree.map(lambda x, d, amount=amounts[name]: x + amount * d, point[name], direction[name])
        for name in point
    }


def _inner_product(a: Any, b: Any) -> Float[Array, ""]:
    products = jax.tree.map(lambda x, y: jnp.sum(x * y), a, b)
    return jnp.sum(jnp.stack(jax.tree.leaves(products)))


def _difference(value: Callable[[float], float]) -> float:
    """Derivative at zero by the central difference of fourth order."""
    return (8 * (value(STEP) - value(-STEP)) - (value(2 * STEP) - value(-2 * STEP))) / (12 * STEP)


def _fastest(program: Callable[[Any], Any], argument: Any) -> float:
    seconds = []
    for _ in range(3):
        start = time.perf_counter()
        jax.block_until_ready(program(argument))
        seconds.append(time.perf_counter() - start)
    return min(seconds)
