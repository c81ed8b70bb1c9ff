"""From a description to a mechanism: the only place where both are known."""

import os
import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace

import jax.numpy as jnp
import numpy as np

from .._errors import ModelDescriptionError
from .._shapes import Numbers
from ..joints import AbstractJoint, Fixed, Planar, Prismatic, QuaternionFloating, Revolute
from ..mechanism import (
    GRAVITY,
    Mechanism,
    Part,
    PartMimic,
    Parts,
    Placement,
    assemble,
    check_mimics,
    check_names,
    check_part,
    merge_fixed_joints,
    part,
    require_instance,
)
from ..spatial import SpatialInertia
from ._model import JointDescription, LoaderWarning, ModelDescription, ModelReport
from ._urdf import read_urdf

JOINT_CLASSES: Mapping[str, Callable[..., AbstractJoint]] = {
    "revolute": Revolute,
    "continuous": Revolute,
    "prismatic": Prismatic,
    "floating": QuaternionFloating,
    "planar": Planar.normal_to,
    "fixed": Fixed,
}
KINDS_WITH_AXIS = ("revolute", "continuous", "prismatic", "planar")


def load_urdf(
    path_or_text: str | os.PathLike[str],
    *,
    root_joint: AbstractJoint | None = None,
    merge_fixed: bool = False,
    strict: bool = False,
    gravity: Numbers = GRAVITY,
    joint_classes: Mapping[str, Callable[..., AbstractJoint]] | None = None,
) -> Mechanism:
    """A mechanism from a URDF file; needs the extra `urdf`.

    Links become bodies and keep their names. The root link is the first body, on a fixed joint to the world unless
    `root_joint` says otherwise; a massless root link named "world" *is* the world. Fixed joints stay, and cost nothing
    in the recursions. A joint with a `<mimic>` tag follows its leader: it has no entries of its own in q and v. Meshes
    are never looked at.

    Args:
        path_or_text: Path of a file, or the XML text itself.
        root_joint: Joint between the world and the root link, for example `QuaternionFloating()`.
        merge_fixed: Whether to drop the fixed joints, as `merge_fixed_joints` does; their links stay as frames.
        strict: Whether to refuse a file of which something was ignored or looks wrong, instead of warning.
        gravity: Gravitational acceleration in world axes [m/s²].
        joint_classes: Other joint classes by URDF type, such as `{"continuous": MyJoint}`; each is called with the
            axis if its type has one.

    Returns:
        The mechanism, in JAX's float type.

    Raises:
        ModelDescriptionError: The file is wrong or holds what cannot be represented, with line and link; or `strict`.
        MissingDependencyError: lxml is not installed.

    Warns:
        LoaderWarning: One warning that lists what was ignored or looks wrong; `mechanism_report` gives all of it.
    """
    description = read_urdf(path_or_text)
    problems = description.report.problems
    if len(problems) and strict:
        raise ModelDescriptionError(f"{problems}\n  Correct the file, or load it with `strict=False`.")
    if len(problems):
        warnings.warn(LoaderWarning(str(problems)), stacklevel=2)
    mechanism = build(description, root_joint, gravity, {**JOINT_CLASSES, **(joint_classes or {})})
    return merge_fixed_joints(mechanism) if merge_fixed else mechanism


def mechanism_report(path_or_text: str | os.PathLike[str]) -> ModelReport:
    """Everything that reading a URDF file ignores, repairs or finds suspicious, with links and lines.

    Args:
        path_or_text: Path of a file, or the XML text itself.

    Returns:
        The report; print it.

    Raises:
        ModelDescriptionError: The file is wrong.
        MissingDependencyError: lxml is not installed.
    """
    return read_urdf(path_or_text).report


def build(
    description: ModelDescription,
    root_joint: AbstractJoint | None,
    gravity: Numbers,
    joint_classes: Mapping[str, Callable[..., AbstractJoint]],
) -> Mechanism:
    """The mechanism that a description describes.

    Args:
        description: What a reader returned.
        root_joint: Joint between the world and the root link, by default a fixed one.
        gravity: Gravitational acceleration in world axes [m/s²].
        joint_classes: Joint class of each joint type.

    Returns:
        The mechanism, in JAX's float type.

    Raises:
        ModelDescriptionError: A root joint is given although the root link is the world.
        InvalidValueError: The root joint is no joint.
    """
    root_is_world = description.root_is_world
    if root_joint is not None:
        require_instance(root_joint, AbstractJoint, "`root_joint`", "QuaternionFloating()")
    if root_is_world and root_joint is not None:
        children = ", ".join(f"`{joint.child}`" for joint in description.joints if joint.parent == description.root)
        raise ModelDescriptionError(
            f"{description.source}: the root link `{description.root}` is the world, so `root_joint` has nothing to "
            f"move. Leave it out, or change the joints of {children} in the file."
        )
    known = set() if root_is_world else {description.root}
    placed = [] if root_is_world else [_root_part(description, Fixed() if root_joint is None else root_joint)]
    waiting = list(description.joints)
    number = {name: 0 for name in known}
    inertias = _inertias(description)
    while waiting:  # joints come in any order; a part needs its predecessor's number
        ready = [joint for joint in waiting if joint.parent in number or (root_is_world and joint.parent == "world")]
        for joint in ready:
            number[joint.child] = len(placed)
            placed.append(_part(joint, number.get(joint.parent, -1), inertias[joint.child], joint_classes))
        waiting = [joint for joint in waiting if joint.child not in number]
    joint_number = {each.joint_name: body for body, each in enumerate(placed)}
    for joint in description.joints:
        if joint.mimic is not None:
            mimic = PartMimic(joint_number[joint.mimic.leader], joint.mimic.multiplier, joint.mimic.offset)
            placed[joint_number[joint.name]] = replace(placed[joint_number[joint.name]], mimic=mimic)
    parts = Parts(placed, [], [], jnp.asarray(gravity, dtype=jnp.result_type(float)))
    check_names(parts)
    check_mimics(placed)
    for each in placed:
        check_part(each)
    return assemble(parts)


def _root_part(description: ModelDescription, root_joint: AbstractJoint) -> Part:
    root = description.root
    return part(root, "root_joint", -1, root_joint, spatial_inertia=_inertias(description)[root])


def _part(
    joint: JointDescription,
    parent: int,
    spatial_inertia: SpatialInertia,
    joint_classes: Mapping[str, Callable[..., AbstractJoint]],
) -> Part:
    make = joint_classes[joint.kind]
    return part(
        joint.child,
        joint.name,
        parent,
        make(joint.axis) if joint.kind in KINDS_WITH_AXIS else make(),
        placement=Placement(jnp.asarray(joint.quaternion), jnp.asarray(joint.translation)),
        spatial_inertia=spatial_inertia,
        damping=joint.damping,
        position_lower=joint.lower,
        position_upper=joint.upper,
    )


def _inertias(description: ModelDescription) -> dict[str, SpatialInertia]:
    """Inertia of each link about its frame's origin, all computed in one go."""
    links = description.links
    stacked = SpatialInertia.from_center_of_mass(
        jnp.array([link.mass for link in links]),
        jnp.array([link.center_of_mass for link in links]),
        jnp.array([link.moment_about_center_of_mass for link in links]),
    )
    rows = [np.asarray(leaf) for leaf in (stacked.mass, stacked.first_moment, stacked.moment)]
    return {link.name: SpatialInertia(*(leaf[i] for leaf in rows)) for i, link in enumerate(links)}
