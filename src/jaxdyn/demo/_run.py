"""The tour: choose the parts, run them with progress shown, draw them, print the table."""

import time
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Protocol, runtime_checkable

import jax
import jax.numpy as jnp

from .._errors import MechanismError, MissingDependencyError
from ..description import load_example
from ..mechanism import Mechanism
from ._gradient import check_gradient
from ._identification import identify_masses
from ._pictures import draw_identification, draw_rollouts, draw_swing_up
from ._progress import Progress
from ._rollouts import time_rollouts
from ._swing_up import swing_up

PARTS = ("rollouts", "gradient", "swing-up", "identification")
"""Names of the parts, in the order in which they run."""

_PACKAGES = ("lxml", "matplotlib", "tqdm")


@runtime_checkable
class _Result(Protocol):
    @property
    def reached(self) -> bool: ...

    def rows(self) -> list[tuple[str, str]]: ...


def run_demo(
    parts: Sequence[str] = PARTS,
    *,
    robot: tuple[str, Mechanism] | None = None,
    float64: bool = False,
    out: Path = Path("jaxdyn-demo"),
    seed: int = 0,
) -> bool:
    """Run parts of the tour, write their pictures and print a table of their numbers.

    JAX must have 64-bit types enabled: the gradient and the identification always use them.

    Args:
        parts: Names among `PARTS`.
        robot: Name and mechanism to use instead of the examples; the swing-up, made for one robot, is then left out.
        float64: Whether rollouts and swing-up also run in 64 bits, instead of 32.
        out: Folder for the pictures; made where it does not exist.
        seed: Seed of all random numbers.

    Returns:
        Whether every part reached its aim.

    Raises:
        MissingDependencyError: A package for files, pictures or progress is not installed.
        MechanismError: The robot has no degree of freedom, or 64-bit types are not enabled.
    """
    _require_packages()
    _require_usable(robot)
    start = time.perf_counter()
    dtype = jnp.float64 if float64 else jnp.float32
    tables, all_reached, pictures = [], True, []
    for part in parts:
        if robot is not None and part == "swing-up":
            tables.append(f"{part}: left out, it is made for the example `double_pendulum` and not for {robot[0]}")
            continue
        name, mechanism = robot or _example(part)
        picture = out / f"{part}.png"
        result = _run_part(part, mechanism, dtype, jax.random.key(seed), picture)
        tables.append(_table(f"{part} ({name})", result))
        pictures += [str(picture)] if picture.exists() else []
        all_reached &= result.reached
    print("\n\n".join(tables))
    print(f"\n{time.perf_counter() - start:.0f} s in all. Pictures: {', '.join(pictures) or 'none'}")
    if not all_reached:
        print("A part missed its aim, see NO above.")
    return all_reached


def _run_part(part: str, mechanism: Mechanism, dtype, key: jax.Array, picture: Path) -> _Result:
    progress = _progress()
    if part == "gradient":
        return check_gradient(mechanism, key, progress=progress)
    picture.parent.mkdir(parents=True, exist_ok=True)
    if part == "identification":
        found = identify_masses(mechanism, key, progress=progress)
        draw_identification(found, picture)
        return found
    mechanism = mechanism.astype(dtype)
    if part == "rollouts":
        rollouts = time_rollouts(mechanism, key, progress=progress)
        draw_rollouts(rollouts, mechanism, picture)
        return rollouts
    motion = swing_up(mechanism, key, progress=progress)
    draw_swing_up(motion, picture)
    return motion


def _example(part: str) -> tuple[str, Mechanism]:
    name = {"rollouts": "quadruped", "swing-up": "double_pendulum"}.get(part, "arm")
    return name, load_example(name)


def _progress() -> Progress:
    from tqdm import tqdm

    return lambda steps, text: tqdm(steps, desc=text, leave=False)


def _require_packages() -> None:
    for package in _PACKAGES:
        try:
            import_module(package)
        except ImportError as error:
            raise MissingDependencyError(
                f'The demo needs the package {package}. Install it with `pip install "jaxdyn[demo]"`.'
            ) from error


def _require_usable(robot: tuple[str, Mechanism] | None) -> None:
    if not jax.config.read("jax_enable_x64"):
        raise MechanismError(
            "The demo needs 64-bit numbers, but JAX has them disabled. "
            'Call `jax.config.update("jax_enable_x64", True)` first.'
        )
    if robot is not None and robot[1].num_velocities == 0:
        raise MechanismError(
            f"{robot[0]} has no degree of freedom, so nothing moves. Choose a robot with a movable joint."
        )


def _table(title: str, result: _Result) -> str:
    rows = result.rows()
    width = max(len(label) for label, _ in rows)
    lines = [f"  {label:<{width}}  {value}".rstrip() for label, value in rows]
    return "\n".join([title, *lines])
