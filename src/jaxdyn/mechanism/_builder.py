"""Building a mechanism in code, one body at a time."""

from collections.abc import Mapping
from typing import Any

import equinox as eqx
import numpy as np

from .._errors import InvalidValueError, MechanismError, UnknownNameError
from .._shapes import Numbers
from .._tracing import is_traced
from ..joints import AbstractJoint
from ..spatial import SpatialInertia, Transform
from ._assembly import assemble, disassemble
from ._checks import check_loop_numbers, check_names, check_part, require_finite, require_instance, require_rotation
from ._mechanism import Mechanism
from ._parts import FramePart, LoopPart, identity_placement, part
from ._placement import Placement

_NO_NUMBERS = {
    "damping": 0.0,
    "armature": 0.0,
    "stiffness": 0.0,
    "rest_configuration": None,
    "position_lower": -np.inf,
    "position_upper": np.inf,
}


class Body(eqx.Module):
    """A rigid body that is about to be attached.

    Attributes:
        name: Unique among bodies and frames.
        spatial_inertia: Inertia about the origin of the body's frame; zero by default.
    """

    name: str = eqx.field(static=True)
    spatial_inertia: SpatialInertia = eqx.field(default_factory=SpatialInertia.zero)


def attach(
    mechanism: Mechanism,
    predecessor: str | int,
    joint: AbstractJoint,
    body: Body | str | int,
    *,
    name: str | None = None,
    placement: Transform | None = None,
    successor_placement: Transform | None = None,
    damping: Numbers = 0.0,
    armature: Numbers = 0.0,
    stiffness: Numbers = 0.0,
    rest_configuration: Numbers | None = None,
    position_lower: Numbers = -np.inf,
    position_upper: Numbers = np.inf,
) -> Mechanism:
    """A mechanism with one more body, connected by a joint. The given one is not changed.

    Bodies are kept in depth-first order, so later bodies may be renumbered: address them by name.

    A body that is there already, given by its name, is connected by one more joint, which closes a loop:
    `attach(mechanism, "rocker", Revolute([0.0, 0.0, 1.0]), "coupler")`. The tree, and with it q and v, stays as it is,
    also where a configuration tears the loop apart. What needs the forces that hold loops together refuses such a
    mechanism.

    Args:
        mechanism: The mechanism to extend.
        predecessor: Body (or "world") on which the joint sits.
        joint: The joint, directed from the predecessor to the body.
        body: The new body; or, to close a loop, the name of one (or "world"). A loop joint has no damping, armature,
            springs and limits.
        name: Name of the joint, by default the body's name followed by "_joint", or by "_loop" if it closes one.
        placement: Pose of the joint's frame before in the predecessor's frame, by default the identity.
        successor_placement: Pose of the joint's frame after in the body's frame, by default the identity.
        damping: Viscous damping, one number or one per degree of freedom [N s/m or N m s/rad].
        armature: Added inertia, one number or one per degree of freedom [kg or kg m²].
        stiffness: Spring constant, one number or one per degree of freedom [N/m or N m/rad].
        rest_configuration: Configuration of the joint in which its springs are relaxed, by default the zero one.
        position_lower: Lower position limit [m or rad], only for joints with `q_dot = v`; `clamp_configuration` and
            `random_configuration` use it, no force does.
        position_upper: Upper position limit [m or rad], likewise.

    Returns:
        The extended mechanism, in the dtype of the given one.

    Raises:
        UnknownNameError: The predecessor is unknown, or the body of a loop.
        MechanismError: A name is taken, or a loop joint connects a body with itself.
        InvalidValueError: An argument is of the wrong kind, a rotation is none, a number is not finite or negative
            where it must not be, the limits are reversed, or a loop joint gets a number that only tree joints have.
    """
    require_instance(joint, AbstractJoint, "`joint`", "Revolute([0.0, 0.0, 1.0])")
    before, after = placement_of(placement, "`placement`"), placement_of(successor_placement, "`successor_placement`")
    numbers = {
        "damping": damping,
        "armature": armature,
        "stiffness": stiffness,
        "rest_configuration": rest_configuration,
        "position_lower": position_lower,
        "position_upper": position_upper,
    }
    parts, start = disassemble(mechanism), body_number(mechanism, predecessor)
    if isinstance(body, str | int | np.integer):
        end = _end_of_loop(mechanism, body)
        name = f"{'world' if end < 0 else mechanism.body_names[end]}_loop" if name is None else name
        parts.loops.append(
            LoopPart(name, start, end, joint, before or identity_placement(), after or identity_placement())
        )
        _check_loop(parts.loops[-1], numbers)
    else:
        require_instance(body, Body, "`body`", 'Body("link", inertia)')
        name = f"{body.name}_joint" if name is None else name
        placements = {"placement": before, "successor_placement": after}
        parts.bodies.append(
            part(body.name, name, start, joint, spatial_inertia=body.spatial_inertia, **placements, **numbers)
        )
        check_part(parts.bodies[-1])
    check_names(parts)
    return assemble(parts)


def _end_of_loop(mechanism: Mechanism, body: str | int) -> int:
    if isinstance(body, str) and body not in (*mechanism.body_names, "world"):
        raise UnknownNameError(
            f"A loop must be closed at a body that is there, but there is none named `{body}`. "
            f"To attach a new one, write `Body({body!r}, inertia)`; `print(mechanism)` shows the names of all."
        )
    return body_number(mechanism, body)


def _check_loop(loop: LoopPart, numbers: Mapping[str, Any]) -> None:
    for name, value in numbers.items():
        if is_traced(value) or not np.array_equal(np.asarray(value), np.asarray(_NO_NUMBERS[name])):
            raise InvalidValueError(
                f"Only a joint of the tree can have a {name}, but loop joint `{loop.name}` gets {value}. "
                "Leave it out, or close the loop at another joint."
            )
    if loop.predecessor == loop.successor:
        raise MechanismError(
            f"A loop joint must connect two bodies, but both ends of `{loop.name}` are on one. Choose another body."
        )
    check_loop_numbers(loop)


def add_frame(mechanism: Mechanism, name: str, body: str | int, placement: Transform | None = None) -> Mechanism:
    """A mechanism with one more frame, fixed to a body. The given one is not changed.

    Args:
        mechanism: The mechanism to extend.
        name: Name of the frame, unique among bodies and frames.
        body: Body (or "world") that carries the frame.
        placement: Pose of the frame in the body's frame, by default the identity.

    Returns:
        The extended mechanism.

    Raises:
        UnknownNameError: The body is unknown.
        MechanismError: The name is taken.
        InvalidValueError: The placement is no `Transform`, its rotation is none, or it is not finite.
    """
    parts = disassemble(mechanism)
    new = FramePart(name, body_number(mechanism, body), placement_of(placement, "`placement`") or identity_placement())
    require_finite(new.placement, f"The placement of frame `{name}`")
    parts.frames.append(new)
    check_names(parts)
    return assemble(parts)


def body_number(mechanism: Mechanism, body: str | int) -> int:
    """Number of a body, and -1 for the world."""
    return -1 if body == "world" else mechanism.body_index(body)


def placement_of(transform: Transform | None, what: str) -> Placement | None:
    """A pose that a user gave, checked, as numbers of a mechanism; None stays None."""
    if transform is None:
        return None
    require_instance(transform, Transform, what, "Transform.from_rpy([0.0, 0.0, 0.5], [0.1, 0.0, 0.0])")
    require_rotation(transform, what)
    return Placement(transform.quaternion(), transform.translation)
