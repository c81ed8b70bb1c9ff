"""What a robot file says, before it becomes a mechanism: frozen dataclasses of names and numpy numbers.

A description keeps what the author wrote (axes are not normalised, inertias are not repaired) and a report of
everything that was left out or looks wrong. Readers fill it; `_build.py` turns it into a `Mechanism`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Literal

import numpy as np
from jaxtyping import Float

from jaxdyn._errors import ModelDescriptionError

Severity = Literal["ignored", "repaired", "suspicious"]
JointKind = Literal["revolute", "continuous", "prismatic", "floating", "planar", "fixed"]

LEADING_KINDS = ("revolute", "continuous", "prismatic")  # joints with one position: only they follow or lead others

WORLD = "world"  # the one link name with a meaning: a massless root link of this name is the world itself

_MAX_LINES_LISTED = 6


def _freeze_arrays(record: object) -> None:
    """Make the arrays of a frozen dataclass read-only too: a description is shared, never edited in place."""
    for field in fields(record):  # pyright: ignore[reportArgumentType]
        value = getattr(record, field.name)
        if isinstance(value, np.ndarray):
            value.flags.writeable = False


@dataclass(frozen=True, eq=False)
class LinkDescription:
    """A rigid link of a robot file.

    Attributes:
        name: Unique among the links of a file.
        line: Where the link begins in the file.
        mass: Mass [kg]; exactly 0 where the file gives no inertia.
        center_of_mass: Centre of mass [m], in the link's frame.
        moment_about_center_of_mass: Moment of inertia [kg m²] about the centre of mass, in the *link's* axes.
        has_inertial: Whether the file gives an inertia at all.
    """

    name: str
    line: int | None
    mass: float
    center_of_mass: Float[np.ndarray, "3"]
    moment_about_center_of_mass: Float[np.ndarray, "3 3"]
    has_inertial: bool

    def __post_init__(self) -> None:
        _freeze_arrays(self)

    @property
    def is_massless(self) -> bool:
        """Whether mass and moment of inertia are exactly zero."""
        return self.mass == 0 and not np.any(self.moment_about_center_of_mass)


@dataclass(frozen=True)
class MimicDescription:
    """That a joint follows another one: its position is `multiplier * leader + offset`.

    Attributes:
        leader: Name of the joint that leads.
        multiplier: Velocity of the follower per velocity of the leader.
        offset: Position of the follower where the leader's is zero [rad or m].
        line: Where it is written in the file.
    """

    leader: str
    multiplier: float
    offset: float
    line: int | None


@dataclass(frozen=True, eq=False)
class JointDescription:
    """A joint of a robot file; it places the child link on the parent link.

    Attributes:
        name: Unique among the joints of a file.
        line: Where the joint begins in the file.
        kind: One of revolute, continuous, prismatic, floating, planar and fixed.
        parent: Name of the parent link, or `world`.
        child: Name of the child link.
        translation: Origin of the joint frame [m], in the parent link's frame.
        rpy: Roll, pitch and yaw [rad] as authored; R = Rz(yaw) Ry(pitch) Rx(roll).
        quaternion: The same rotation, joint frame to parent frame, as a unit quaternion (w, x, y, z).
        axis: Joint axis in the joint frame, as authored: of any norm. For a planar joint it is the normal; on floating
            and fixed joints it means nothing.
        lower: Lower position limit [rad or m]; -inf where there is none.
        upper: Upper position limit [rad or m]; inf where there is none.
        damping: Viscous damping [N m s/rad or N s/m]; 0 on floating, planar and fixed joints.
        mimic: The joint that it follows, if any.
    """

    name: str
    line: int | None
    kind: JointKind
    parent: str
    child: str
    translation: Float[np.ndarray, "3"]
    rpy: Float[np.ndarray, "3"]
    quaternion: Float[np.ndarray, "4"]
    axis: Float[np.ndarray, "3"]
    lower: float
    upper: float
    damping: float
    mimic: MimicDescription | None

    def __post_init__(self) -> None:
        _freeze_arrays(self)


@dataclass(frozen=True)
class ReportEntry:
    """One thing that a reader left out, repaired or found suspicious.

    Attributes:
        severity: `"ignored"`, `"repaired"` or `"suspicious"`.
        message: What it is; entries about the same kind of tag have the same message.
        file: File name, or `"<text>"`.
        line: Line in the file.
        owner: The link or joint concerned, such as ``link `base` ``; empty where there is none.
        harmless: True for what cannot change the motion: appearance, and limits that only a controller obeys.
    """

    severity: Severity
    message: str
    file: str
    line: int | None = None
    owner: str = ""
    harmless: bool = False

    def __str__(self) -> str:
        place = ", ".join(part for part in (f"line {self.line}" if self.line else "", self.owner) if part)
        return f"{self.severity}: {place}: {self.message}" if place else f"{self.severity}: {self.message}"


@dataclass(frozen=True)
class ModelReport:
    """Everything that a reader left out, repaired or found suspicious, in the order of the file.

    Printed, ignored tags are counted by kind and the rest is listed entry by entry.

    Attributes:
        source: File name, or `"<text>"`.
        entries: The entries.
    """

    source: str
    entries: tuple[ReportEntry, ...] = ()

    @property
    def problems(self) -> "ModelReport":
        """The report without its harmless entries: what a user should be warned about."""
        return ModelReport(self.source, tuple(entry for entry in self.entries if not entry.harmless))

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[ReportEntry]:
        return iter(self.entries)

    def __str__(self) -> str:
        if not self.entries:
            return f"{self.source}: nothing ignored, repaired or suspicious"
        ignored: dict[str, list[ReportEntry]] = {}
        for entry in self.entries:
            if entry.severity == "ignored":
                ignored.setdefault(entry.message, []).append(entry)
        lines = [f"ignored: {message}{_count_and_lines(entries)}" for message, entries in ignored.items()]
        lines += [str(entry) for entry in self.entries if entry.severity != "ignored"]
        return "\n  ".join([f"{self.source}:", *lines])


def _count_and_lines(entries: list[ReportEntry]) -> str:
    """Say how often and where, such as ` x2 (lines 10, 20)`; long lists are cut."""
    numbers = [str(entry.line) for entry in entries if entry.line is not None]
    count = f" x{len(entries)}" if len(entries) > 1 else ""
    if not numbers:
        return count
    more = len(numbers) - _MAX_LINES_LISTED
    listed = ", ".join(numbers[:_MAX_LINES_LISTED]) + (f" and {more} more" if more > 0 else "")
    return f"{count} (line{'s' if len(numbers) > 1 else ''} {listed})"


@dataclass(frozen=True, eq=False)
class ModelDescription:
    """A robot file in memory: a tree of links and joints, checked for structure, otherwise as authored.

    Attributes:
        name: Name of the robot.
        source: File name, or `"<text>"`.
        links: The links in the order of the file, without the world.
        joints: The joints in the order of the file.
        root: Name of the root link; `"world"` where `root_is_world`.
        root_is_world: Whether the root is the world itself: a massless root link named `world`, or an undeclared
            `world` that joints name as their parent. It is then not among `links`.
        report: What was ignored, repaired or found suspicious.
    """

    name: str
    source: str
    links: tuple[LinkDescription, ...]
    joints: tuple[JointDescription, ...]
    root: str
    root_is_world: bool
    report: ModelReport


class LoaderWarning(UserWarning):
    """A file was read, but parts of it were ignored, repaired or look wrong; the text is the report."""


def description_error(source: str, line: int | None, owner: str, problem: str, remedy: str) -> ModelDescriptionError:
    """The one form of error about a file: where, what was expected and came, what to do."""
    place = ", ".join(part for part in (source, f"line {line}" if line else "", owner) if part)
    return ModelDescriptionError(f"{place}: {problem}. {remedy}.")
