"""The comparison itself, for one robot or for a scene of many."""

from collections.abc import Callable

import jax.numpy as jnp
import numpy as np
import pytest

import jaxdyn
from parity.comparison import (
    METHODS,
    Arrays,
    errors_of,
    is_singular,
    part,
    quantities,
    random_states,
    wanted_jacobians,
)
from parity.error_table import require
from parity.following_oracle import FollowingOracle, nothing_follows
from parity.other_parity import check_other_programs
from parity.pinocchio_oracle import PinocchioOracle
from parity.robot_files import BROKEN_MIMICS, RobotFile, load, scene_text, with_inertia_tags, without_mimic

_BOTH_METHODS = ("franka_panda/panda", "upkie/upkie", "jvrc/jvrc1")


def check_robot(file: RobotFile, *, is_floating: bool, record_row: Callable) -> None:
    """Compare one robot with Pinocchio, in a program of its own."""
    base = "floating" if is_floating else "fixed"
    remark = _remark(file, is_floating=is_floating)
    if remark.endswith("not compared"):
        record_row(file.name, base, None, {}, remark, "all programs")
        return
    text, _ = without_mimic(file.text)
    mechanism = load(text, is_floating=is_floating)
    oracle = PinocchioOracle(with_inertia_tags(text), mechanism, is_floating=is_floating)
    methods = METHODS if file.name in _BOTH_METHODS else ("mass_matrix",)  # the scenes take articulated bodies
    ours, theirs = both_sides(mechanism, oracle, file.name, methods)
    errors = errors_of(ours, theirs, methods)
    record_row(file.name, base, mechanism.num_velocities, errors, _with_singular(remark, ours))
    require(errors, f"{file.name} ({base} base) differs from Pinocchio")
    all_of_it = {file.name: (np.arange(mechanism.num_bodies), np.arange(mechanism.num_velocities))}
    check_other_programs(
        nothing_follows(mechanism), all_of_it, ours, random_states(mechanism, file.name), methods, base, record_row
    )


def check_scene(files: list[RobotFile], *, is_floating: bool, record_row: Callable) -> None:
    """Compare many robots with Pinocchio in one program: they stand in one world and are one mechanism."""
    base = "floating" if is_floating else "fixed"
    remarks = {file.name: _remark(file, is_floating=is_floating) for file in files}
    for name, remark in remarks.items():
        if remark.endswith("not compared"):
            record_row(name, base, None, {}, remark, "all programs")
    files = [file for file in files if not remarks[file.name].endswith("not compared")]
    text = scene_text(files, is_floating=is_floating)
    mechanism = load(text, is_floating=False)
    follows = bool(mechanism.topology.mimics)
    oracle = FollowingOracle(text, mechanism) if follows else PinocchioOracle(text, mechanism, is_floating=False)
    methods = METHODS[1:] if follows else METHODS[:1]
    ours, theirs = both_sides(mechanism, oracle, files[0].name, methods)
    wrong: list[str] = []
    parts = {file.name: _entries(mechanism, file.name) for file in files}
    rows = {name: (part(ours, *entries), part(theirs, *entries)) for name, entries in parts.items()}
    rows[f"the scene of {files[0].name}"] = (ours, theirs)
    for name, pair in rows.items():
        errors = errors_of(*pair, methods)
        record_row(name, base, pair[0]["bias"].shape[1], errors, _with_singular(remarks.get(name, ""), pair[0]))
        try:
            require(errors, name)
        except AssertionError as error:
            wrong.append(str(error))
    assert not wrong, f"{base} base, different from Pinocchio: {wrong}"
    following = oracle.following if isinstance(oracle, FollowingOracle) else nothing_follows(mechanism)
    check_other_programs(following, parts, ours, random_states(mechanism, files[0].name), methods, base, record_row)


def _entries(mechanism: jaxdyn.Mechanism, robot: str) -> tuple[np.ndarray, np.ndarray]:
    """Bodies and degrees of freedom of one robot of a scene."""
    bodies = [i for i, name in enumerate(mechanism.body_names) if name.startswith(f"{robot}/")]
    return np.array(bodies), np.unique(np.concatenate([mechanism.v_index(body) for body in bodies]))


def _remark(file: RobotFile, *, is_floating: bool) -> str:
    """Why a file is not compared, where the loader must refuse it, that it does; or what is special about it."""
    text, num_mimic = without_mimic(file.text)
    if "<link" not in text:
        with pytest.raises(jaxdyn.ModelDescriptionError, match="has no `<link>`"):
            jaxdyn.load_urdf(file.path)
        return "refused, an empty stub: not compared"
    if is_floating and jaxdyn.description.read_urdf(text).root_is_world:
        return "the root link is the world, nothing to float: not compared"
    if file.name in BROKEN_MIMICS:
        with pytest.raises(jaxdyn.ModelDescriptionError, match=r"it mimics joint `.*`, which is not declared"):
            jaxdyn.load_urdf(file.path)
        return f"refused for {num_mimic} broken mimic tags, compared without them"
    return f"{num_mimic} joints follow others" if num_mimic else ""


def _with_singular(remark: str, ours: Arrays) -> str:
    singular = any(is_singular(M) for M in ours["mass matrix"])
    return "; ".join(filter(None, [remark, "singular mass matrix: no forward dynamics" if singular else ""]))


def both_sides(
    mechanism: jaxdyn.Mechanism, oracle: PinocchioOracle | FollowingOracle, name: str, methods: tuple[str, ...]
) -> tuple[Arrays, Arrays]:
    """All quantities at a few random states, ours and Pinocchio's; Jacobians of three frames."""
    jacobians = wanted_jacobians(mechanism)
    states = random_states(mechanism, name)
    rows = [oracle.answers({k: x[i] for k, x in states.items()}, jacobians) for i in range(len(states["q"]))]
    theirs = {k: np.stack([row[k] for row in rows]) for k in rows[0]}
    inputs = {k: jnp.asarray(x) for k, x in {**states, "plausible tau": theirs["with wrenches"]}.items()}
    computed = quantities(mechanism, inputs, jacobians=jacobians, methods=methods)
    return {k: np.asarray(x) for k, x in computed.items()}, theirs
