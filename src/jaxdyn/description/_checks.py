"""Checks of a description that hold for every file format: a tree (else an error) and plausible (else a report).

Physically impossible inertias are kept as authored, because shipped robots have them; the report says by how much.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches

import numpy as np

from ._model import LEADING_KINDS, WORLD, JointDescription, LinkDescription, ReportEntry, description_error

_AXIS_NORM_TOLERANCE = 1e-3  # axes are normalised where used; beyond this the author may have meant something else
_LIMIT_TOLERANCE = 1e-3  # limits are often authored with few digits
_INERTIA_TOLERANCE = 1e-9  # relative to the largest principal moment: rounding of the eigenvalues, not of the author's


def check_tree(source: str, links: Sequence[LinkDescription], joints: Sequence[JointDescription]) -> str:
    """Name of the root link, which is `"world"` if joints hang from an undeclared `world`.

    Args:
        source: Where the description comes from, for the messages.
        links: All links.
        joints: All joints.

    Returns:
        Name of the root link.

    Raises:
        ModelDescriptionError: A name occurs twice, a joint refers to an undeclared link, a link has two parents,
            links form a loop, there are two roots, or a joint mimics what it cannot.
    """
    _check_unique(source, "link", links)
    _check_unique(source, "joint", joints)
    _check_references(source, {link.name for link in links}, joints)
    parents = _parents(source, joints)
    _check_no_loop(source, parents)
    _check_mimics(source, joints)
    names = dict.fromkeys([*(joint.parent for joint in joints), *(link.name for link in links)])
    roots = [name for name in names if name not in parents]
    if len(roots) > 1:
        listed = ", ".join(f"`{name}`" for name in sorted(roots))
        problem = f"expected one root link, got {len(roots)} links without a parent: {listed}"
        remedy = "Connect all but one to the tree, for example with a joint of type `fixed`"
        raise description_error(source, None, "", problem, remedy)
    return roots[0]


def _check_unique(source: str, kind: str, records: Sequence[LinkDescription] | Sequence[JointDescription]) -> None:
    counts = Counter(record.name for record in records)
    for name, count in counts.items():
        if count > 1:
            lines = " and ".join(str(record.line) for record in records if record.name == name)
            problem = f"expected different names for all {kind}s, got {count} of this name (lines {lines})"
            raise description_error(source, None, f"{kind} `{name}`", problem, "Rename all but one")


def _check_references(source: str, names: set[str], joints: Iterable[JointDescription]) -> None:
    for joint in joints:
        for role, name in (("parent", joint.parent), ("child", joint.child)):
            if name in names or (role, name) == ("parent", WORLD):
                continue
            nearest = ", ".join(f"`{match}`" for match in get_close_matches(name, sorted(names)))
            remedy = f"Declare the link or correct the name{f'; the nearest are {nearest}' if nearest else ''}"
            problem = f"its {role} link `{name}` is not declared"
            raise description_error(source, joint.line, f"joint `{joint.name}`", problem, remedy)


def _parents(source: str, joints: Iterable[JointDescription]) -> dict[str, JointDescription]:
    """The joint above each link."""
    above: dict[str, JointDescription] = {}
    for joint in joints:
        other = above.setdefault(joint.child, joint)
        if other is not joint:
            problem = f"has two parents, through joint `{other.name}` (line {other.line}) and joint `{joint.name}`"
            remedy = "Remove one of the two joints"
            raise description_error(source, joint.line, f"link `{joint.child}`", problem, remedy)
    return above


def _check_no_loop(source: str, above: dict[str, JointDescription]) -> None:
    cleared: set[str] = set()
    for start in above:
        trail: list[str] = []
        name = start
        while name in above and name not in cleared:
            cleared.add(name)
            trail.append(name)
            name = above[name].parent
            if name in trail:
                loop = [name, *reversed(trail[trail.index(name) :])]
                problem = f"links form a loop: {' → '.join(f'`{link}`' for link in loop)}"
                raise description_error(source, above[name].line, "", problem, "Remove one joint of the loop")


def _check_mimics(source: str, joints: Sequence[JointDescription]) -> None:
    by_name = {joint.name: joint for joint in joints}
    for joint in joints:
        trail, above = [joint.name], joint.mimic
        while above is not None:
            leader = by_name.get(above.leader)
            if leader is None:
                nearest = ", ".join(f"`{match}`" for match in get_close_matches(above.leader, sorted(by_name)))
                remedy = f"Correct the name{f'; the nearest are {nearest}' if nearest else ''}"
                problem = f"it mimics joint `{above.leader}`, which is not declared"
                raise description_error(source, above.line, f"joint `{trail[-1]}`", problem, remedy)
            if leader.kind not in LEADING_KINDS:
                problem = f"it mimics joint `{leader.name}`, a {leader.kind} joint, which has not one position"
                remedy = f"Remove the `<mimic>` tag, or choose a joint of type {', '.join(LEADING_KINDS)}"
                raise description_error(source, above.line, f"joint `{trail[-1]}`", problem, remedy)
            if leader.name in trail:
                problem = f"mimic joints form a circle: {' → '.join(f'`{name}`' for name in [*trail, leader.name])}"
                remedy = "Remove the `<mimic>` tag of one of them"
                raise description_error(source, above.line, f"joint `{joint.name}`", problem, remedy)
            trail.append(leader.name)
            above = leader.mimic


def implausible(
    source: str, links: Sequence[LinkDescription], joints: Sequence[JointDescription], root: str
) -> Iterator[ReportEntry]:
    """Report entries for inertias, axes and limits that no real robot has."""
    largest = max(float(np.max(np.abs(link.moment_about_center_of_mass))) for link in links)
    for link in links:
        for message in _implausible_inertia(link, np.finfo(float).eps * largest):
            yield ReportEntry("suspicious", message, source, link.line, f"link `{link.name}`")
    for joint in joints:
        for message in _implausible_joint(joint):
            yield ReportEntry("suspicious", message, source, joint.line, f"joint `{joint.name}`")
    for joint, message in _followers_beyond_limits(joints):
        yield ReportEntry("suspicious", message, source, joint.line, f"joint `{joint.name}`")
    for joint in _joints_without_load(links, joints, root):
        message = f"moves no mass: link `{joint.child}` and all links beyond it are massless"
        yield ReportEntry("suspicious", message, source, joint.line, f"joint `{joint.name}`")


def _implausible_inertia(link: LinkDescription, noise: float) -> Iterator[str]:
    """What is wrong with an inertia; `noise` [kg m²] is what rounding leaves of the largest moment of the robot."""
    moments = np.linalg.eigvalsh(link.moment_about_center_of_mass)
    rounding = max(noise, _INERTIA_TOLERANCE * float(np.max(np.abs(moments))))
    moments = np.where(np.abs(moments) <= rounding, 0.0, moments)
    smallest, middle, largest = moments
    listed = f"principal moments {smallest:.6g}, {middle:.6g}, {largest:.6g} kg m²"
    if link.mass == 0 and np.any(moments):
        yield f"has a moment of inertia without mass ({listed}); kept as authored"
    if smallest < 0:
        yield f"inertia is not positive semidefinite: {listed}; kept as authored"
    elif (excess := largest - smallest - middle) > rounding:
        yield (
            f"inertia violates the triangle inequality: {listed}, the largest exceeds the sum of the others by "
            f"{excess:.3g} kg m² ({100 * excess / largest:.3g} % of itself); kept as authored"
        )


def _implausible_joint(joint: JointDescription) -> Iterator[str]:
    norm = float(np.linalg.norm(joint.axis))
    if joint.kind not in ("fixed", "floating") and abs(norm - 1) > _AXIS_NORM_TOLERANCE:
        yield f"axis has norm {norm:.6g}; its direction is used, its length is not"
    if joint.lower == joint.upper:
        yield f"lower and upper limit are both {joint.lower:g}; the joint cannot move within them"


def _followers_beyond_limits(joints: Sequence[JointDescription]) -> Iterator[tuple[JointDescription, str]]:
    """Followers whose own limits their leader does not respect: only the leader's count."""
    by_name = {joint.name: joint for joint in joints}
    for joint in joints:
        ratio, offset, above = 1.0, 0.0, joint
        while above.mimic is not None:
            ratio, offset = ratio * above.mimic.multiplier, ratio * above.mimic.offset + offset
            above = by_name[above.mimic.leader]
        if joint.mimic is None or ratio == 0:
            continue
        lowest, highest = sorted(ratio * limit + offset for limit in (above.lower, above.upper))
        slack = _LIMIT_TOLERANCE * max([1.0, *(abs(x) for x in (joint.lower, joint.upper) if np.isfinite(x))])
        if lowest < joint.lower - slack or highest > joint.upper + slack:
            yield (
                joint,
                f"mimics joint `{above.name}`, whose limits take it from {lowest:g} to {highest:g}, beyond its own "
                f"limits {joint.lower:g} and {joint.upper:g}; the leader's are used",
            )


def _joints_without_load(
    links: Sequence[LinkDescription], joints: Sequence[JointDescription], root: str
) -> Iterator[JointDescription]:
    """The movable joints beyond which everything is massless; of a chain of them, the first."""
    above = {joint.child: joint for joint in joints}
    loaded = {root}
    for link in links:
        name = link.name
        while not link.is_massless and name not in loaded:
            loaded.add(name)
            name = above[name].parent
    for joint in joints:
        # Up to the nearest movable joint, or to a link with a load.
        name = joint.parent
        while name not in loaded and above[name].kind == "fixed":
            name = above[name].parent
        if joint.kind != "fixed" and joint.child not in loaded and name in loaded:
            yield joint
