"""Every cell of the tables in docs/conventions.md has a test, and every test has a cell.

A table is a file here, a row a class, a column a method: the row "floating, v" is `TestFloatingV`, what it says of
MuJoCo is `test_mujoco`. What is in parentheses does not count for a name. The last table, of singular points, has its
tests where the functions have theirs: `SINGULAR_POINTS` names them.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from source_code import REPOSITORY

HERE = "conventions/test_singular_points.py"
FILES = {
    ("Numbers and their order", "jaxdyn"): "test_numbers.py",
    ("Joints", "jaxdyn"): "test_joints.py",
    ("Joints", "Drake"): "test_joints_of_drake_and_idyntree.py",
    ("Results", "jaxdyn"): "test_results.py",
}
"""The file of a table, which has a heading and a first column after that of the subjects."""

SINGULAR = ("Where derivatives and values may fail", "what happens")
SINGULAR_POINTS = {
    "rotation by exactly π in a logarithm": "spatial/test_rotation.py::test_log_of_half_turns",
    "a mass matrix that is not positive definite": "dynamics/test_single_models.py::test_numbers_that_no_mechanism_has",
    "`RPYSpherical` at a pitch of ±π/2": f"{HERE}::test_roll_and_yaw_turn_about_one_axis",
    "`SPQuatFloating` beyond a turn of π without `normalize_configuration`": (
        f"{HERE}::test_a_modified_rodrigues_vector_grows_beyond_half_a_turn"
    ),
    "`difference` of two `Planar` configurations a whole turn apart at two places": (
        f"{HERE}::test_no_twist_leads_a_whole_turn_to_another_place"
    ),
    "a task whose Jacobian loses rank": "laws/test_dynamics_laws.py::what_a_task_feels_and_what_it_leaves_free",
    "`average_velocity` of mass that lies on one line": f"{HERE}::test_mass_on_one_line_does_not_turn_about_it",
    "the zero quaternion, and": "spatial/test_rotation.py::test_zero_quaternion_is_the_identity",
    "a degree of freedom that moves no inertia": "dynamics/test_single_models.py::test_a_singular_mass_matrix",
}
"""The test of each row, which is named by its subject up to the first parenthesis."""

GREEK = {"v̇": "VDot", "τ": "Tau"}


def tables() -> dict[tuple[str, str], list[dict[str, str]]]:
    """The rows of each table, as columns and cells."""
    found: dict[tuple[str, str], list[dict[str, str]]] = {}
    heading, header = "", None
    for line in (REPOSITORY / "docs" / "conventions.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            heading = line.lstrip("# ")
        if not line.startswith("|"):
            header = None
            continue
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if header is None:
            header = cells
            assert (heading, header[1]) not in found, f"two tables under {heading!r} begin with {header[1]!r}"
            found[heading, header[1]] = []
        elif set(line) - set("|-"):
            assert len(cells) == len(header), f"{line!r} does not have a cell for each column"
            found[heading, header[1]].append(dict(zip(header, cells, strict=True)))
    return found


def class_of(subject: str) -> str:
    """The class of a row: its subject without what is in parentheses, every word with a capital."""
    for letter, name in GREEK.items():
        subject = subject.replace(letter, name)
    words = re.findall(r"\w+", re.sub(r"\(.*?\)", "", subject))
    return "Test" + "".join(word[:1].upper() + word[1:] for word in words)


def wanted(rows: list[dict[str, str]]) -> Iterator[str]:
    """The tests of a table: a method for each cell that is not empty, named after the first word of its column."""
    for row in rows:
        subject, *others = row
        for column in others:
            if row[column]:
                program = re.findall(r"\w+", column)[0].lower()
                yield f"{class_of(row[subject])}.test_{program}"


def written(path: Path) -> list[str]:
    """The tests of a file: methods of classes; what a method's name has after its column tells several apart."""
    return [
        f"{node.name}.{method.name}"
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef)
        for method in node.body
        if isinstance(method, ast.FunctionDef) and method.name.startswith("test_")
    ]


def test_every_table_is_known():
    assert set(tables()) == {*FILES, SINGULAR}, "Name a table's file in `FILES`."


def test_every_cell_has_a_test_and_every_test_a_cell():
    wrong = []
    for table, name in FILES.items():
        cells, tests = list(wanted(tables()[table])), written(Path(__file__).with_name(name))
        wrong += [f"{name} has no {cell}" for cell in cells if cell not in tests]
        wrong += [f"{name} has {test}, docs/conventions.md no such cell" for test in tests if test not in cells]
        wrong += [f"{name} has {test} twice" for test in set(tests) if tests.count(test) > 1]
    assert not wrong, "\n".join(wrong)


def functions(path: Path) -> set[str]:
    """The functions at the top of a file."""
    return {node.name for node in ast.parse(path.read_text(encoding="utf-8")).body if isinstance(node, ast.FunctionDef)}


def test_every_singular_point_has_a_test():
    subjects = [row["where"].split("(")[0].strip() for row in tables()[SINGULAR]]
    assert sorted(subjects) == sorted(SINGULAR_POINTS)
    named = [name.split("::") for name in SINGULAR_POINTS.values()]
    missing = [name for file, name in named if name not in functions(Path(__file__).parents[1] / file)]
    assert not missing, missing
    assert functions(Path(__file__).parents[1] / HERE) == {name for file, name in named if file == HERE}


def test_no_test_stands_outside_of_a_row():
    files = {path.name for path in Path(__file__).parent.glob("test_*.py")} - {Path(__file__).name}
    assert files == {*FILES.values(), Path(HERE).name}
    for name in FILES.values():
        loose = [function for function in functions(Path(__file__).with_name(name)) if function.startswith("test")]
        assert not loose, f"{name}: {loose}"
