"""The robots that results are compared on: every URDF of the packages that carry some, found through pip's records."""

import importlib.metadata
import warnings
from copy import deepcopy
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import jaxdyn
from jaxdyn.joints import QuaternionFloating

etree: Any = import_module("lxml.etree")

LIGHT_PACKAGES = ("frax", "jvrc-description", "upkie-description", "airo-models")
EXAMPLE_PACKAGE = "example-robot-data"

BROKEN_MIMICS = ("alex/alex_psyonic_hands",)
"""Robots whose `<mimic>` tags name joints that do not exist."""


@dataclass(frozen=True)
class RobotFile:
    """One URDF.

    Attributes:
        name: Directory and file name, unique among all robots.
        path: Where it is installed.
    """

    name: str
    path: Path

    @property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")


def robot_files(package: str) -> list[RobotFile]:
    """All URDFs of an installed package, in alphabetical order; none where the package is missing."""
    try:
        files = importlib.metadata.files(package) or []
    except importlib.metadata.PackageNotFoundError:
        return []
    paths = sorted(file for file in files if file.suffix == ".urdf")
    robots = []
    for path in paths:
        parts = [part for part in path.parts[:-1] if part not in ("urdf", "robots")]
        directory = parts[-1].removesuffix("_description")
        robots.append(RobotFile(f"{directory}/{path.stem}", Path(str(path.locate()))))
    assert len({robot.name for robot in robots}) == len(robots)
    return robots


def robot(name: str, *packages: str) -> RobotFile:
    """One robot by name; the test is skipped where its package is missing."""
    for package in packages:
        for file in robot_files(package):
            if file.name == name:
                return file
    pytest.skip(f"`{name}` is missing: install {' or '.join(packages)}")


def scene_text(files: list[RobotFile], *, is_floating: bool) -> str:
    """All robots in one world as one URDF, so that one compiled program computes them all.

    Names get the robot's name and a slash in front. Each root link hangs from the world on a joint `ROBOT/root_joint`.
    Broken `<mimic>` tags are removed; meshes and the like are left out.
    """
    scene = etree.fromstring(b'<robot name="scene"><link name="world"/></robot>')
    for file in files:
        robot = _parsed(with_inertia_tags(file.text if follows(file) else without_mimic(file.text)[0]))
        links = [_copy(link, file.name, ("inertial",)) for link in robot.findall("link")]
        joints = [_copy(joint, file.name, _JOINT_TAGS) for joint in robot.findall("joint")]
        children = {joint.find("child").get("link") for joint in joints}
        (root,) = {link.get("name") for link in links} - children
        kind = "floating" if is_floating else "fixed"
        scene.extend([*links, *joints])
        root_joint = etree.SubElement(scene, "joint", name=f"{file.name}/root_joint", type=kind)
        etree.SubElement(root_joint, "parent", link="world")
        etree.SubElement(root_joint, "child", link=root)
    return etree.tostring(scene, encoding="unicode")


_JOINT_TAGS = ("origin", "parent", "child", "axis", "limit", "dynamics", "mimic")


def _copy(element, prefix: str, tags: tuple[str, ...]):
    """A link or joint with some of its tags, and names with a prefix."""
    copy = etree.Element(element.tag, {k: element.get(k) for k in ("name", "type") if element.get(k)})
    copy.set("name", f"{prefix}/{element.get('name')}")
    for tag in element:
        if tag.tag in tags:
            copy.append(deepcopy(tag))
            for reference in ("link", "joint"):
                if tag.get(reference):
                    copy[-1].set(reference, f"{prefix}/{tag.get(reference)}")
    return copy


def load(text: str, *, is_floating: bool) -> jaxdyn.Mechanism:
    """A mechanism; what the loader warns about concerns its own tests."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", jaxdyn.LoaderWarning)
        return jaxdyn.load_urdf(text, root_joint=QuaternionFloating() if is_floating else None)


def follows(file: RobotFile) -> bool:
    """Whether joints of a robot follow others."""
    return file.name not in BROKEN_MIMICS and bool(mimic_tags(file.text))


def mimic_tags(text: str) -> list[tuple[str, str, float, float]]:
    """Follower, leader, multiplier and offset of each `<mimic>` tag of a moving joint."""
    return [
        (tag.getparent().get("name"), tag.get("joint"), float(tag.get("multiplier", 1)), float(tag.get("offset", 0)))
        for tag in _moving_mimics(_parsed(text))
    ]


def without_mimic(text: str) -> tuple[str, int]:
    """The text with all `<mimic>` tags of moving joints removed, so that followers move freely, and their number."""
    root = _parsed(text)
    tags = _moving_mimics(root)
    for tag in tags:
        tag.getparent().remove(tag)
    return etree.tostring(root, encoding="unicode") if tags else text, len(tags)


def _moving_mimics(root) -> list:
    return [tag for tag in root.iter("mimic") if tag.getparent().get("type") != "fixed"]


def with_inertia_tags(text: str) -> str:
    """The text with a zero `<inertia>` where an `<inertial>` has none: jaxdyn reads a point mass, Pinocchio no mass."""
    root = _parsed(text)
    incomplete = [tag for tag in root.iter("inertial") if tag.find("inertia") is None]
    for tag in incomplete:
        etree.SubElement(tag, "inertia", {name: "0" for name in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")})
    return etree.tostring(root, encoding="unicode") if incomplete else text


def _parsed(text: str):
    return etree.fromstring(text.encode(), etree.XMLParser(recover=True))  # shipped files use undeclared prefixes
