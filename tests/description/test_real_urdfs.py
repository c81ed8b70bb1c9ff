"""Every URDF in the robot packages that are installed is read as yourdfpy reads it, or refused for a stated reason."""

import importlib.util
import io
import sysconfig
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from jaxdyn._errors import ModelDescriptionError
from jaxdyn.description import ModelDescription, read_urdf
from tolerances import tolerance

pytest.importorskip("lxml")

NO_LEADER = "Correct the name; the nearest are"
NO_LINK = "if the file is xacro, expand it first"
REFUSED = {
    "airo_models": {},
    "example-robot-data": {
        "alex_psyonic_hands.urdf": NO_LEADER,
        "ur3.urdf": NO_LINK,
    },
    "frax": {},
    "jvrc_description": {},
    "upkie_description": {},
}


def folder(package: str) -> Path | None:
    """Where a package keeps its files, or None where it is not installed."""
    if package == "example-robot-data":  # files only, nothing to import
        path = Path(sysconfig.get_path("purelib"), "cmeel.prefix", "share", "example-robot-data", "robots")
        return path if path.is_dir() else None
    spec = importlib.util.find_spec(package)
    return Path(spec.origin).parent if spec and spec.origin else None


def files(package: str) -> list[Path]:
    root = folder(package)
    return sorted(root.rglob("*.urdf")) if root else []


READ = [path for package, refused in REFUSED.items() for path in files(package) if path.name not in refused]


@pytest.mark.parametrize("package", REFUSED)
def test_exactly_these_files_are_refused(package: str):
    if folder(package) is None:
        pytest.skip(f"{package} is not installed")
    remedies = {}
    for path in files(package):
        try:
            read_urdf(path)
        except ModelDescriptionError as error:
            remedies[path.name] = str(error)
    assert remedies.keys() == REFUSED[package].keys()
    for name, remedy in REFUSED[package].items():
        assert remedy in remedies[name]


def expected_transform(matrix: np.ndarray | None) -> np.ndarray:
    return np.eye(4) if matrix is None else matrix


def rotation_matrix(quaternion: np.ndarray) -> np.ndarray:
    w, x, y, z = quaternion
    half = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + 2 * w * half + 2 * half @ half


def check_links(description: ModelDescription, robot) -> None:
    expected = {link.name: link for link in robot.links}
    assert [link.name for link in description.links] == [name for name in expected if name != "world"]
    for link in description.links:
        inertial = expected[link.name].inertial
        assert link.has_inertial == (inertial is not None)
        if inertial is None:
            assert link.is_massless
            continue
        X = expected_transform(inertial.origin)
        moment = np.zeros((3, 3)) if inertial.inertia is None else X[:3, :3] @ inertial.inertia @ X[:3, :3].T
        scale = max(float(np.max(np.abs(moment))), 1e-300)
        assert link.mass == inertial.mass
        assert_allclose(link.center_of_mass, X[:3, 3], rtol=0, atol=0)
        assert_allclose(link.moment_about_center_of_mass / scale, moment / scale, atol=tolerance(np.float64))


def check_joints(description: ModelDescription, robot) -> None:
    assert [joint.name for joint in description.joints] == [joint.name for joint in robot.robot.joints]
    for joint, expected in zip(description.joints, robot.robot.joints, strict=True):
        assert (joint.kind, joint.parent, joint.child) == (expected.type, expected.parent, expected.child)
        X = expected_transform(expected.origin)
        assert_allclose(joint.translation, X[:3, 3], rtol=0, atol=0)
        assert_allclose(rotation_matrix(joint.quaternion), X[:3, :3], atol=tolerance(np.float64))
        if joint.kind in ("fixed", "floating"):
            continue
        assert_allclose(joint.axis, expected.axis, rtol=0, atol=0)
        damping = None if expected.dynamics is None else expected.dynamics.damping
        assert joint.damping == float(damping or 0)
        limit = expected.limit if joint.kind != "continuous" else None
        lower, upper = (None, None) if limit is None else (limit.lower, limit.upper)
        assert (joint.lower, joint.upper) == (
            -np.inf if lower is None else float(lower),
            np.inf if upper is None else float(upper),
        )


@pytest.mark.parametrize("path", READ, ids=lambda path: f"{path.parent.parent.name}/{path.name}")
def test_numbers_agree_with_yourdfpy(path: Path):
    yourdfpy = pytest.importorskip("yourdfpy")
    # yourdfpy refuses files that use the prefix `drake:` without a declaration.
    text = path.read_bytes().replace(b"<robot ", b'<robot xmlns:drake="drake" ', 1)
    oracle = yourdfpy.URDF.load(io.BytesIO(text), load_meshes=False, build_scene_graph=False)
    description = read_urdf(path)
    assert description.name == oracle.robot.name
    check_links(description, oracle.robot)
    check_joints(description, oracle)
    total = sum(link.inertial.mass for link in oracle.robot.links if link.inertial is not None)
    assert_allclose(sum(link.mass for link in description.links), total, rtol=tolerance(np.float64))


def test_inertias_that_are_known_to_be_impossible():
    paths = [path for path in READ if path.name == "allegro_left_hand.urdf"]
    if not paths:
        pytest.skip("example-robot-data is not installed")
    suspicious = [entry for entry in read_urdf(paths[0]).report if "triangle inequality" in entry.message]
    assert [entry.owner for entry in suspicious] == [
        f"link `link_{number}`" for number in ("11.0", "7.0", "3.0", "15.0")
    ]


def test_there_is_something_to_read():
    assert len(READ) > 0, "Install the robot packages with: pip install -e '.[test,oracles]'"
