"""The comparison itself, for every robot file and both bases."""

import warnings
from collections.abc import Callable

import jax.numpy as jnp
import numpy as np
import pytest
from parity.comparison import (
    METHODS,
    VALUE_BOUND,
    forward_dynamics_errors,
    is_singular,
    quantities,
    random_states,
    relative_error,
)
from parity.pinocchio_oracle import PinocchioOracle
from parity.robot_files import RobotFile, without_mimic

import jaxdyn
from jaxdyn.joints import QuaternionFloating

_BOTH_METHODS = (
    "franka_panda/panda",
    "unitree_g1/g1_29dof_rev_1_0",
    "upkie/upkie",
    "tiago/tiago",
    "human/human",
)


def check_robot(file: RobotFile, *, is_floating: bool, record_row: Callable) -> None:
    """Compare one robot with Pinocchio, or check that the loader refuses what it cannot represent."""
    base = "floating" if is_floating else "fixed"
    text, num_mimic = without_mimic(file.text)
    name = file.name
    if "<link" not in text:
        with pytest.raises(jaxdyn.ModelDescriptionError, match="has no `<link>`"):
            jaxdyn.load_urdf(file.path)
        record_row(name, base, None, {}, "refused: an empty stub")
        return
    if num_mimic:
        with pytest.raises(jaxdyn.ModelDescriptionError, match="`<mimic>` is not supported yet"):
            jaxdyn.load_urdf(file.path)
        record_row(name, base, None, {}, f"refused: {num_mimic} mimic joints; compared without these tags")
    source = text if num_mimic else file.path
    if is_floating and jaxdyn.description.read_urdf(source).root_is_world:
        record_row(name, base, None, {}, "the root link is the world: nothing to float")
        return
    mechanism = load(source, is_floating=is_floating)
    oracle = PinocchioOracle(text if num_mimic else file.text, mechanism, is_floating=is_floating)
    errors, remark = compare(mechanism, oracle, name, both_methods=name in _BOTH_METHODS)
    record_row(name, base, mechanism.num_velocities, {k: error for k, (error, _) in errors.items()}, remark)
    require(name, base, errors)


def load(source, *, is_floating: bool) -> jaxdyn.Mechanism:
    """A mechanism; what the loader warns about concerns its own tests."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", jaxdyn.LoaderWarning)
        return jaxdyn.load_urdf(source, root_joint=QuaternionFloating() if is_floating else None)


def compare(
    mechanism: jaxdyn.Mechanism, oracle: PinocchioOracle, name: str, *, both_methods: bool
) -> tuple[dict[str, tuple[float, float]], str]:
    """(error, bound) of each quantity, and a remark on what was left out."""
    names = (*mechanism.body_names, *mechanism.frame_names)
    jacobians = ((names[-1], "world_aligned"), (names[len(names) // 2], "body"), (names[len(names) // 3], "world"))
    states = random_states(mechanism, name)
    methods = METHODS if both_methods else METHODS[:1]
    computed = quantities(
        mechanism, {k: jnp.asarray(x) for k, x in states.items()}, jacobians=jacobians, methods=methods
    )
    ours = {k: np.asarray(x) for k, x in computed.items()}
    rows = [oracle.answers({k: x[i] for k, x in states.items()}, jacobians) for i in range(len(states["q"]))]
    theirs = {k: np.stack([row[k] for row in rows]) for k in rows[0]}
    errors = {k: (relative_error(ours[k], theirs[k]), VALUE_BOUND) for k in theirs if k != "forward dynamics"}
    for method in methods:
        errors |= forward_dynamics_errors(ours, theirs["forward dynamics"], states, method)
    singular = any(is_singular(M) for M in ours["mass matrix"])
    return errors, "singular mass matrix: no forward dynamics" if singular else ""


def require(name: str, base: str, errors: dict[str, tuple[float, float]]) -> None:
    """Every error below its bound, else the robot and its quantities by name."""
    wrong = {k: f"{error:.1e} > {bound:.0e}" for k, (error, bound) in errors.items() if not error <= bound}
    assert not wrong, f"{name} ({base} base) differs from Pinocchio: {wrong}"
