"""The robots that results are compared on: every URDF of the packages that carry some, found through pip's records."""

import importlib.metadata
from dataclasses import dataclass
from pathlib import Path

import pytest
from lxml import etree

LIGHT_PACKAGES = ("frax", "jvrc-description", "upkie-description", "airo-models")
EXAMPLE_PACKAGE = "example-robot-data"


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


def parameters(*packages: str) -> list:
    """Test parameters: the robots of each package, or one skipped entry that names the missing package."""
    listed = []
    for package in packages:
        files = robot_files(package)
        listed += [pytest.param(file, id=file.name) for file in files]
        if not files:
            skip = pytest.mark.skip(reason=f"`{package}` is not installed")
            listed.append(pytest.param(None, id=package, marks=skip))
    return listed


def without_mimic(text: str) -> tuple[str, int]:
    """The text with all `<mimic>` tags of moving joints removed, so that followers move freely, and their number."""
    root = etree.fromstring(text.encode(), etree.XMLParser(recover=True))  # shipped files use undeclared prefixes
    tags = [tag for tag in root.iter("mimic") if tag.getparent().get("type") != "fixed"]
    for tag in tags:
        tag.getparent().remove(tag)
    return etree.tostring(root, encoding="unicode") if tags else text, len(tags)
