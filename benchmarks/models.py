"""The robots that are measured: one URDF text that every program reads, without damping, meshes and shapes."""

import importlib.metadata
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from jaxtyping import Float

import jaxdyn
from jaxdyn.joints import QuaternionFloating
from jaxdyn.spatial import Transform

TOOL = "benchmark_tool"
"""The frame whose Jacobian is computed."""

_KEPT_TAGS = {"link": ("inertial",), "joint": ("origin", "parent", "child", "axis", "limit")}


@dataclass(frozen=True)
class Model:
    """One robot.

    Attributes:
        name: As the command line calls it.
        text: The URDF.
        mechanism: The robot in jaxdyn, with the frame `TOOL`.
        is_floating: Whether the root link floats.
        tool_body: Body that carries the tool.
        tool_placement: Pose of the tool in that body.
        frax_loader: Name of frax's function that loads the same robot; None where frax reads `text`.
        frax_jacobian: Name of frax's method for the Jacobian of the tool.
    """

    name: str
    text: str
    mechanism: jaxdyn.Mechanism
    is_floating: bool
    tool_body: str
    tool_placement: Float[np.ndarray, "4 4"]
    frax_loader: str | None
    frax_jacobian: str


def _panda() -> Model:
    c = np.sqrt(0.5)
    placement = np.array([[c, c, 0, 0], [-c, c, 0, 0], [0, 0, 1, 0.212], [0, 0, 0, 1]])
    return _shipped("panda", "franka_panda/panda.urdf", False, "panda_link7", placement, "load_panda", "ee_jacobian")


def _quadruped() -> Model:
    placement = _shift(0, 0, -0.275)
    method = "front_left_foot_jacobian"
    return _shipped("quadruped", "unitree_a2/a2.urdf", True, "FL_calf", placement, "load_a2", method)


def _g1() -> Model:
    file = "unitree_g1/g1_29dof_rev_1_0.urdf"
    method = "right_hand_jacobian"
    return _shipped("g1", file, True, "right_wrist_yaw_link", _shift(0.1, 0, 0), "load_g1", method)


def chain(name: str, num_bodies: int) -> Model:
    """A serial chain of hinges about x, y, z in turn; every body has a skew inertia and a centre off its origin."""
    return _model(name, _chain_text(num_bodies), False, f"link_{num_bodies}", np.eye(4), None, "ee_jacobian")


MODELS: dict[str, Callable[[], Model]] = {
    "panda": _panda,
    "quadruped": _quadruped,
    "g1": _g1,
    "chain64": lambda: chain("chain64", 64),
    "chain8": lambda: chain("chain8", 8),
}
"""A maker per model; it raises `MissingRobotError` where the package that carries the robot is not installed."""

DEFAULT_MODELS = ("panda", "quadruped", "g1", "chain64")


class MissingRobotError(Exception):
    """The package that carries a robot's URDF is not installed."""


def _shipped(name: str, file: str, is_floating: bool, body: str, placement: np.ndarray, *frax_names: str) -> Model:
    """A robot whose URDF comes with frax, found through pip's records, without importing frax."""
    try:
        text = Path(str(importlib.metadata.distribution("frax").locate_file(f"frax/assets/{file}"))).read_text("utf-8")
    except importlib.metadata.PackageNotFoundError:
        raise MissingRobotError(f"the URDF of `{name}` comes with frax: run `pip install frax`") from None
    loader, jacobian = frax_names
    return _model(name, _inertial_part(text), is_floating, body, placement, loader, jacobian)


def _model(
    name: str, text: str, is_floating: bool, body: str, placement: np.ndarray, loader: str | None, jacobian: str
) -> Model:
    mechanism = jaxdyn.load_urdf(text, root_joint=QuaternionFloating() if is_floating else None)
    mechanism = jaxdyn.add_frame(mechanism, TOOL, body, Transform(placement[:3, :3], placement[:3, 3]))
    return Model(name, text, mechanism, is_floating, body, placement, loader, jacobian)


def _inertial_part(text: str) -> str:
    """What inertial dynamics depends on: Pinocchio and frax ignore damping, and MuJoCo would look for the meshes."""
    source = ET.fromstring(text)
    robot = ET.Element("robot", name=source.get("name", "robot"))
    for element in source:
        if element.tag in _KEPT_TAGS:
            copy = ET.SubElement(robot, element.tag, element.attrib)
            copy.extend(child for child in element if child.tag in _KEPT_TAGS[element.tag])
    return ET.tostring(robot, encoding="unicode")


def _chain_text(num_bodies: int) -> str:
    axes = ("1 0 0", "0 1 0", "0 0 1")
    parts = [
        '<robot name="chain"><link name="link_0"><inertial><mass value="1"/>'
        '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>'
    ]
    for i in range(1, num_bodies + 1):
        parts.append(
            f'<link name="link_{i}"><inertial><origin xyz="0.02 0.01 0.05"/><mass value="{0.5 + 0.1 * (i % 5)}"/>'
            '<inertia ixx="2e-3" ixy="1e-4" ixz="-2e-4" iyy="3e-3" iyz="3e-4" izz="2.5e-3"/></inertial></link>'
            f'<joint name="joint_{i}" type="revolute"><parent link="link_{i - 1}"/><child link="link_{i}"/>'
            f'<origin xyz="0.01 0 0.1" rpy="0.1 0.2 -0.1"/><axis xyz="{axes[i % 3]}"/>'
            '<limit lower="-1" upper="1" effort="100" velocity="10"/></joint>'
        )
    return "".join([*parts, "</robot>"])


def _shift(x: float, y: float, z: float) -> Float[np.ndarray, "4 4"]:
    placement = np.eye(4)
    placement[:3, 3] = x, y, z
    return placement
