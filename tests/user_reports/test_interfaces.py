"""Conventions that users of other libraries had to guess, and the table of all reports."""

import ast
import inspect
import re

import jax.numpy as jnp
import numpy as np
import pytest

import jaxdyn
from jaxdyn import Body, Mechanism, ShapeError, attach
from jaxdyn.joints import QuaternionFloating
from jaxdyn.spatial import SpatialInertia
from models import ALL_MODELS
from source_code import REPOSITORY

TABLE = (REPOSITORY / "docs" / "user-reports.md").read_text(encoding="utf-8")
ROWS = [line for line in TABLE.splitlines() if re.match(r"\| [A-E]\d", line)]
TESTS = sorted(set(re.findall(r"`([\w/]+\.py)::(\w+)`", TABLE)))


def test_forward_speed_of_a_turned_body():
    """MuJoCo 691: yawed by a quarter turn, 1 m/s along x of the body is 1 m/s along y of the world."""
    body = attach(Mechanism.empty(), "world", QuaternionFloating(), Body("cart", SpatialInertia.solid_sphere(1.0, 0.1)))
    q = np.array([np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5), 1.0, 2.0, 3.0])
    v = np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0])
    position = [1.0, 2.0, 3.0]
    for program, their_q, their_v in (
        ("mujoco", [*position, *q[:4]], [0.0, 1.0, 0.0, 0.0, 0.0, 0.0]),
        ("drake", [*q[:4], *position], [0.0, 0.0, 0.0, 0.0, 1.0, 0.0]),
        ("pinocchio", [*position, *q[1:4], q[0]], [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
    ):
        theirs = getattr(jaxdyn.interop, f"to_{program}")(body, ["cart"], q, v)
        np.testing.assert_allclose(theirs.q, their_q)
        np.testing.assert_allclose(theirs.v, their_v, atol=1e-15)
        back = getattr(jaxdyn.interop, f"from_{program}")(body, ["cart"], theirs.q, theirs.v)
        np.testing.assert_allclose(back.v, v, atol=1e-15)


def functions_of_a_state() -> list[str]:
    """Public functions whose first arguments are a mechanism, q, and perhaps v."""
    names = []
    for name in jaxdyn.__all__:
        function = getattr(jaxdyn, name)
        if inspect.isfunction(function) and list(inspect.signature(function).parameters)[:2] == ["mechanism", "q"]:
            names.append(name)
    return names


@pytest.mark.parametrize("name", functions_of_a_state())
def test_velocities_are_not_taken_for_configurations(name: str):
    """Crocoddyl 669: where there are more positions than velocities, one is refused in the place of the other."""
    mechanism = ALL_MODELS["floating_tree"]
    v = jnp.zeros(mechanism.num_velocities)
    values = {
        "q": v,
        "v": v,
        "frame": "eye",
        "point": jnp.zeros(3),
        "jacobian": jnp.zeros((6, len(v))),
        "wrenches": {},
        "integrator": None,
    }
    function = getattr(jaxdyn, name)
    needed = [p.name for p in inspect.signature(function).parameters.values() if p.default is p.empty]
    arguments = {name: values.get(name, v) for name in needed if name != "mechanism"}
    with pytest.raises(ShapeError, match=r"num_positions"):
        function(mechanism, **arguments)


def test_tests_of_the_table_exist():
    functions = {}
    for file in {file for file, _ in TESTS}:
        tree = ast.parse((REPOSITORY / "tests" / file).read_text(encoding="utf-8"))
        functions[file] = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    assert len(TESTS) > 50
    missing = [f"{file}::{name}" for file, name in TESTS if name not in functions[file]]
    assert not missing, f"docs/user-reports.md names tests that do not exist: {', '.join(missing)}"


def test_every_report_has_a_test_or_a_reason():
    """Rows are numbered without gaps in each group, and the last column is never empty."""
    groups = {"A": 32, "B": 38, "D": 20, "E": 12}
    numbers = [row.split("|")[1].strip() for row in ROWS]
    assert numbers == [f"{group}{i + 1}" for group, count in groups.items() for i in range(count)]
    for row in ROWS:
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        assert len(cells) == 4, row
        assert all(cells), row
        assert re.search(r"`[\w/]+\.py::\w+`", cells[3]) or cells[3].startswith("none: "), row
