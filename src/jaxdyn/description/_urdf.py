"""URDF to `ModelDescription`: a table says what is read and what is not, a few functions read it. No JAX.

Refusals name file, line and owner and say what to do. What the table does not know is listed in the report.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, cast, get_args

import numpy as np
from jaxtyping import Float

from ._checks import check_tree, implausible
from ._model import (
    LEADING_KINDS,
    WORLD,
    JointDescription,
    JointKind,
    LinkDescription,
    MimicDescription,
    ModelDescription,
    ModelReport,
    ReportEntry,
    Severity,
    description_error,
)
from ._urdf_xml import TEXT_SOURCE, Tag, parse_xml


class _Use(NamedTuple):
    """What the reader does with a tag or an attribute."""

    is_read: bool = False
    harmless: bool = False
    note: str = ""


_READ = _Use(is_read=True)
_HARMLESS = _Use(harmless=True)  # appearance, contact, sensors, and numbers that only a controller obeys
_IGNORED = _Use()  # may carry rotor inertias, springs and the like for another program
_NOT_YET = _Use(harmless=True, note=", not modelled yet")  # bounds of what a controller asks for

# For every tag that is read: its children, and its attributes after an `@`.
_TABLE: dict[str, dict[str, _Use]] = {
    "robot": {
        "@name": _READ,
        "@version": _HARMLESS,
        "link": _READ,
        "joint": _READ,
        "material": _HARMLESS,
        "sensor": _HARMLESS,
        "ros2_control": _HARMLESS,
        "transmission": _IGNORED,
        "gazebo": _IGNORED,
        "mujoco": _IGNORED,
    },
    "link": {
        "@name": _READ,
        "@type": _HARMLESS,
        "inertial": _READ,
        "visual": _HARMLESS,
        "collision": _HARMLESS,
        "collision_checking": _HARMLESS,
        "self_filter": _HARMLESS,
        "contact": _HARMLESS,
        "surface": _HARMLESS,
        "sensor": _HARMLESS,
    },
    "inertial": {"origin": _READ, "mass": _READ, "inertia": _READ},
    "mass": {"@value": _READ},
    "inertia": {f"@{name}": _READ for name in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")},
    "origin": {"@xyz": _READ, "@rpy": _READ},
    "joint": {
        "@name": _READ,
        "@type": _READ,
        "@dont_collapse": _HARMLESS,
        "parent": _READ,
        "child": _READ,
        "origin": _READ,
        "axis": _READ,
        "limit": _READ,
        "dynamics": _READ,
        "mimic": _READ,
        "calibration": _HARMLESS,
        "safety_controller": _HARMLESS,
    },
    "parent": {"@link": _READ},
    "child": {"@link": _READ},
    "axis": {"@xyz": _READ},
    "limit": {"@lower": _READ, "@upper": _READ, "@effort": _NOT_YET, "@velocity": _NOT_YET},
    "dynamics": {"@damping": _READ, "@friction": _READ},
    "mimic": {"@joint": _READ, "@multiplier": _READ, "@offset": _READ},
}


def read_urdf(path_or_text: str | os.PathLike[str]) -> ModelDescription:
    """Read a URDF into a description: names and numbers as authored, and a report of everything else.

    Meshes are never looked at. A link without `<inertial>` has exactly zero mass. Missing position limits are infinite.

    Args:
        path_or_text: Path of a file, or XML text: a string whose first visible character is `<`.

    Returns:
        The description; lengths in m, angles in rad, masses in kg.

    Raises:
        MissingDependencyError: lxml is not installed.
        ModelDescriptionError: The file cannot be read, is not a URDF, or says something wrong or not supported.
    """
    robot = parse_xml(path_or_text)
    _refuse_other_languages(robot)
    source = robot.source
    entries = list(_unread(robot))
    links = [_read_link(tag, entries) for tag in robot.children("link")]
    joints = [_read_joint(tag, entries) for tag in robot.children("joint")]
    if not links:
        raise robot.error("the robot has no `<link>`", "Declare at least one; if the file is xacro, expand it first")
    root = check_tree(source, links, joints)
    root_is_world = root == WORLD and all(link.is_massless for link in links if link.name == WORLD)
    for link in links:
        if link.name == WORLD and not root_is_world:
            problem = "the name is kept for the world, which has no mass and no parent"
            raise description_error(source, link.line, f"link `{WORLD}`", problem, "Rename the link")
    links = [link for link in links if link.name != WORLD]
    if not links:
        raise robot.error("the only link is the world", "Declare a link with a name other than `world`")
    entries += implausible(source, links, joints, root)
    name = _robot_name(robot, entries)
    report = ModelReport(source, tuple(sorted(entries, key=lambda entry: entry.line or 0)))
    return ModelDescription(name, source, tuple(links), tuple(joints), root, root_is_world, report)


def _refuse_other_languages(robot: Tag) -> None:
    for tag in robot.descendants():
        values = [*tag.attributes.values(), tag.element.text or ""]
        if tag.name.startswith("xacro:") or any("${" in value for value in values):
            problem = f"this is xacro, not URDF, as `<{tag.name}>` shows; expand it first"
            raise tag.error(problem, "Run `xacro in.xacro > out.urdf` and read the result")
    if robot.name != "robot":
        raise robot.error(
            f"expected a URDF, whose root tag is `<robot>`, got `<{robot.name}>`", "Convert the file to URDF"
        )


def _robot_name(robot: Tag, entries: list[ReportEntry]) -> str:
    name = robot.element.get("name")
    if name:
        return name
    name = "robot" if robot.source == TEXT_SOURCE else Path(robot.source).stem
    entries.append(_entry(robot, "repaired", f"the robot has no name; it is called `{name}`"))
    return name


def _read_link(tag: Tag, entries: list[ReportEntry]) -> LinkDescription:
    name = tag.text("name")
    tag = tag.owned_by(f"link `{name}`")
    inertial = tag.child("inertial")
    if inertial is None:
        return LinkDescription(name, tag.line, 0.0, np.zeros(3), np.zeros((3, 3)), has_inertial=False)
    center_of_mass, rpy = _read_origin(inertial)
    mass_tag = inertial.required_child("mass")
    mass = mass_tag.number("value")
    if mass < 0:
        raise mass_tag.error(f"expected a mass of at least 0, got {mass:g}", "Give the mass in kg")
    inertia = inertial.child("inertia")
    if inertia is None and mass:
        entries.append(_entry(inertial, "suspicious", "has a mass but no `<inertia>`; read as a point mass"))
    moment = np.zeros((3, 3))
    if inertia is not None:
        xx, xy, xz, yy, yz, zz = (inertia.number(name) for name in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"))
        rotation = _matrix_from_rpy(rpy)
        moment = rotation @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ rotation.T
    return LinkDescription(name, tag.line, mass, center_of_mass, moment, has_inertial=True)


def _read_joint(tag: Tag, entries: list[ReportEntry]) -> JointDescription:
    name = tag.text("name")
    tag = tag.owned_by(f"joint `{name}`")
    kind = _read_kind(tag)
    translation, rpy = _read_origin(tag)
    axis_tag = tag.child("axis")
    axis = np.array([1.0, 0.0, 0.0]) if axis_tag is None else axis_tag.numbers("xyz", 3)
    if axis_tag is not None and kind not in ("fixed", "floating") and np.linalg.norm(axis) == 0:
        raise axis_tag.error("expected an axis with a direction, got a zero axis", "Give a direction such as `0 0 1`")
    lower, upper = _read_limits(tag, kind, entries)
    return JointDescription(
        name=name,
        line=tag.line,
        kind=kind,
        parent=tag.required_child("parent").text("link"),
        child=tag.required_child("child").text("link"),
        translation=translation,
        rpy=rpy,
        quaternion=_quaternion_from_rpy(rpy),
        axis=axis,
        lower=lower,
        upper=upper,
        damping=_read_damping(tag, kind, entries),
        mimic=_read_mimic(tag, kind, entries),
    )


def _read_kind(joint: Tag) -> JointKind:
    kind = joint.text("type")
    if kind not in get_args(JointKind):
        known = ", ".join(get_args(JointKind))
        raise joint.error(f"expected a joint type among {known}, got `{kind}`", "Choose one of these types")
    return cast(JointKind, kind)


def _read_mimic(joint: Tag, kind: JointKind, entries: list[ReportEntry]) -> MimicDescription | None:
    mimic, limit = joint.child("mimic"), joint.child("limit")
    if mimic is None:
        return None
    if kind == "fixed":
        entries.append(_entry(mimic, "ignored", "mimic of a fixed joint", harmless=True))
        return None
    if kind not in LEADING_KINDS:
        remedy = f"Remove the tag, or choose a joint type among {', '.join(LEADING_KINDS)}"
        raise mimic.error(f"expected a joint with one position, got a {kind} joint", remedy)
    if limit is not None and kind != "continuous":
        entries.append(_entry(limit, "ignored", "limit of a mimic joint; its leader's counts", harmless=True))
    leader = mimic.text("joint")
    return MimicDescription(leader, mimic.number("multiplier", 1.0), mimic.number("offset", 0.0), mimic.line)


def _read_origin(tag: Tag) -> tuple[Float[np.ndarray, "3"], Float[np.ndarray, "3"]]:
    """Translation and roll, pitch, yaw of the `<origin>` in a tag; zeros where nothing is written."""
    origin = tag.child("origin")
    if origin is None:
        return np.zeros(3), np.zeros(3)
    return origin.numbers("xyz", 3, (0.0, 0.0, 0.0)), origin.numbers("rpy", 3, (0.0, 0.0, 0.0))


def _read_limits(joint: Tag, kind: JointKind, entries: list[ReportEntry]) -> tuple[float, float]:
    limit = joint.child("limit")
    authored = {name: limit.bound(name) if limit else None for name in ("lower", "upper")}
    if kind not in ("revolute", "prismatic"):
        for name, value in authored.items():
            if limit is not None and value is not None:
                entries.append(_entry(limit, "ignored", f"limit@{name} of a {kind} joint", harmless=kind != "planar"))
        return -np.inf, np.inf
    missing = [name for name, value in authored.items() if value is None]
    if missing:
        message = f"has no {' and no '.join(missing)} position limit; read as unbounded there"
        entries.append(_entry(limit or joint, "suspicious", message))
    lower = -np.inf if authored["lower"] is None else authored["lower"]
    upper = np.inf if authored["upper"] is None else authored["upper"]
    if limit is not None and (lower > upper or lower == np.inf or upper == -np.inf):
        raise limit.error(
            f"expected lower ≤ upper, got lower {lower:g} and upper {upper:g}", "Exchange or correct the limits"
        )
    return lower, upper


def _read_damping(joint: Tag, kind: JointKind, entries: list[ReportEntry]) -> float:
    dynamics = joint.child("dynamics")
    if dynamics is None:
        return 0.0
    damping, friction = dynamics.number("damping", 0.0), dynamics.number("friction", 0.0)
    for name, value in (("damping", damping), ("friction", friction)):
        if value < 0:
            raise dynamics.error(f"expected a {name} of at least 0, got {value:g}", "Write it without the sign")
    if kind == "fixed":
        return 0.0
    if friction:
        entries.append(_entry(dynamics, "ignored", "dynamics@friction, not modelled yet"))
    if kind in ("floating", "planar"):  # one number cannot stand for N s/m and N m s/rad
        if damping:
            entries.append(_entry(dynamics, "ignored", f"dynamics@damping of a {kind} joint"))
        return 0.0
    return damping


def _unread(tag: Tag) -> Iterator[ReportEntry]:
    """Report entries for everything below a tag that the reader passes over."""
    if tag.name in ("link", "joint"):
        tag = tag.owned_by(f"{tag.name} `{tag.element.get('name')}`")
    table = _TABLE[tag.name]
    for name in tag.attributes:
        use = table.get(f"@{name}")
        if use is None:
            yield _entry(tag, "ignored", f"unknown attribute {tag.name}@{name}")
        elif not use.is_read:
            yield _entry(tag, "ignored", f"{tag.name}@{name}{use.note}", harmless=use.harmless)
    for child in tag.children():
        use = table.get(child.name)
        if use is None:
            yield _entry(child, "ignored", f"unknown tag {child.name} in {tag.name}")
        elif use.is_read:
            yield from _unread(child)
        else:
            yield _entry(child, "ignored", f"{child.name}{use.note}", harmless=use.harmless)


def _entry(tag: Tag, severity: Severity, message: str, *, harmless: bool = False) -> ReportEntry:
    return ReportEntry(severity, message, tag.source, tag.line, tag.owner, harmless)


def _matrix_from_rpy(rpy: Float[np.ndarray, "3"]) -> Float[np.ndarray, "3 3"]:
    """Rz(yaw) Ry(pitch) Rx(roll)."""
    (sr, sp, sy), (cr, cp, cy) = np.sin(rpy), np.cos(rpy)
    return np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )


def _quaternion_from_rpy(rpy: Float[np.ndarray, "3"]) -> Float[np.ndarray, "4"]:
    """Unit quaternion (w, x, y, z) of Rz(yaw) Ry(pitch) Rx(roll): the product of three half-angle quaternions."""
    (sr, sp, sy), (cr, cp, cy) = np.sin(rpy / 2), np.cos(rpy / 2)
    return np.array(
        [
            cr * cp * cy + sr * sp * sy,
            sr * cp * cy - cr * sp * sy,
            cr * sp * cy + sr * cp * sy,
            cr * cp * sy - sr * sp * cy,
        ]
    )
