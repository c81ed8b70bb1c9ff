"""The comparison with MuJoCo, Drake and iDynTree: of what was computed for that with Pinocchio, robot by robot."""

from collections.abc import Callable, Collection, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from itertools import product
from typing import Any

import jax
import numpy as np

from engines.parts import parts_of, selected
from parity.comparison import (
    FORCES,
    SUMS,
    VALUE_BOUND,
    Arrays,
    errors_of_program,
    part,
    regular_states,
    relative_error,
    wanted_jacobians,
)
from parity.error_table import Errors, require
from parity.following_oracle import Following
from parity.other_program import gap

PROGRAMS = {
    "MuJoCo": ("mujoco", "parity.mujoco_robot", "MuJoCoRobot"),
    "Drake": ("pydrake", "parity.drake_robot", "DrakeRobot"),
    "iDynTree": ("idyntree", "parity.idyntree_robot", "IDynTreeRobot"),
}
"""What each program needs to be installed, and the class that asks it."""

GAPS: Mapping[str, Mapping[str, str]] = {
    "MuJoCo": {},
    "Drake": dict.fromkeys(
        ("franka_panda/panda", "bubblify/panda_spherized", "bolt/bolt"),
        "a body has a moment of inertia but no mass; Drake stores moments per mass",
    ),
    "iDynTree": {},
}
"""The robots that a program cannot hold, with the reason; any other is compared."""


QUANTITIES = (
    "rotations",
    "translations",
    "twists, world_aligned",
    "mass matrix",
    "bias",
    "inverse dynamics",
    "with wrenches",
    "gravity",
    "generalized forces",
)
"""What is compared of each robot with each program, besides forward dynamics and Jacobians."""


def check_other_programs(
    following: Following,
    robots: Mapping[str, tuple[np.ndarray, np.ndarray]],
    ours: Arrays,
    states: Arrays,
    methods: tuple[str, ...],
    base: str,
    record_row: Callable,
) -> None:
    """Compare each robot with each program, and the sums over all robots where the program has all of them.

    Args:
        following: The robots as they are built in the programs, and how they move.
        robots: Bodies and degrees of freedom of each robot.
        ours: What jaxdyn says.
        states: What it was asked of.
        methods: Those of forward dynamics.
        base: "fixed" or "floating".
        record_row: Takes a row of the table.
    """
    mechanism = jax.device_get(following.free)
    all_parts = parts_of(mechanism)
    wrong: list[str] = []
    for name in PROGRAMS:
        program = _installed(name)
        if program is None:
            record_row(scene_name(robots), base, None, {}, f"`{PROGRAMS[name][0]}` is not installed", name)
            continue
        answers: list[Arrays] = []
        for robot, (bodies, dofs) in robots.items():
            parts = selected(all_parts, bodies)
            reason = gap(name, parts)
            assert reason == GAPS[name].get(robot, ""), f"{name} and {robot}: {reason!r}"
            if reason:
                record_row(robot, base, None, {}, reason, name)
                continue
            model = program(mechanism, parts, following.G[:, dofs])
            own = _own_jacobians(mechanism.body_names, wanted_jacobians(following.free), bodies)
            rates = {"v_dot": states["v_dot"]} | {n: ours[n] for n in _solutions(methods)}
            rows = [
                model.answers(
                    following.q_from @ states["q"][i] + following.q_offset,
                    states["v"][i][dofs],
                    {name: x[i][dofs] for name, x in rates.items()},
                    states["wrenches"][i][bodies],
                    own,
                )
                for i in range(len(states["q"]))
            ]
            answers.append({name: np.stack([row[name] for row in rows]) for name in rows[0]})
            mine = part(ours, bodies, dofs) | {name: ours[name][:, :, dofs] for name, _, _ in own}
            errors = errors_of_program(mine, answers[-1], methods)
            residuals = [f"residual, {m}, {kind} τ" for m, kind in product(methods, FORCES) if regular_states(mine)]
            assert set(errors) == {*QUANTITIES, *residuals, *(name for name, _, _ in own)}
            record_row(robot, base, len(dofs), errors, "", name)
            wrong += _complaint(errors, f"{name}, {robot}")
        if len(answers) == len(robots):
            sums = _sums(answers)
            assert set(sums) == set(SUMS) - set(program.lacks)
            errors = {name: (relative_error(ours[name], x), VALUE_BOUND) for name, x in sums.items()}
            record_row(scene_name(robots), base, ours["bias"].shape[1], errors, "", name)
            wrong += _complaint(errors, f"{name}, sums over {list(robots)}")
    assert not wrong, f"{base} base: {wrong}"


def _installed(name: str) -> Any:
    """The subclass of `Robot` that asks a program; None where it is not installed."""
    package, module, robot = PROGRAMS[name]
    return getattr(import_module(module), robot) if find_spec(package) else None


def scene_name(robots: Collection[str]) -> str:
    """Name of the row of all robots together."""
    first, *others = robots
    return f"the scene of {first}" if others else first


def _solutions(methods: tuple[str, ...]) -> list[str]:
    return [f"v_dot, {method}, {kind}" for method, kind in product(methods, FORCES)]


def _own_jacobians(names: Sequence[str], wanted: Sequence[tuple[str, str]], bodies: np.ndarray) -> tuple:
    """Of the Jacobians that are compared those of a robot's bodies: name, place among the bodies, axes."""
    places = {names[body]: i for i, body in enumerate(bodies)}
    return tuple((f"jacobian {i}", places[body], axes) for i, (body, axes) in enumerate(wanted) if body in places)


def _sums(answers: Sequence[Arrays]) -> Arrays:
    """Energies, centre of mass and momentum of all robots together."""
    sums = {name: np.sum([robot[name] for robot in answers], axis=0) for name in SUMS if name in answers[0]}
    masses = np.array([robot["mass"] for robot in answers])
    moments = np.sum([mass[:, None] * robot["center of mass"] for mass, robot in zip(masses, answers, strict=True)], 0)
    total = masses.sum(axis=0)[:, None]
    return sums | {"center of mass": np.divide(moments, total, out=np.zeros_like(moments), where=total > 0)}


def _complaint(errors: Errors, subject: str) -> list[str]:
    try:
        require(errors, subject)
    except AssertionError as error:
        return [str(error)]
    return []
