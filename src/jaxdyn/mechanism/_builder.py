"""Building a mechanism in code, one body at a time."""

import equinox as eqx
import numpy as np

from .._shapes import Numbers
from ..joints import AbstractJoint
from ..spatial import SpatialInertia, Transform
from ._assembly import FramePart, assemble, disassemble, identity_placement, part
from ._checks import check_names, check_part, require_finite, require_instance, require_rotation
from ._mechanism import Mechanism
from ._placement import Placement


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
    body: Body,
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

    Args:
        mechanism: The mechanism to extend.
        predecessor: Body (or "world") on which the joint sits.
        joint: The joint, directed from the predecessor to the body.
        body: The new body.
        name: Name of the joint, by default the body's name followed by "_joint".
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
        UnknownNameError: The predecessor is unknown.
        MechanismError: A name is taken, or the body is already attached.
        InvalidValueError: An argument is of the wrong kind, a rotation is none, a number is not finite or negative
            where it must not be, or the limits are reversed.
    """
    require_instance(joint, AbstractJoint, "`joint`", "Revolute([0.0, 0.0, 1.0])")
    require_instance(body, Body, "`body`", 'Body("link", inertia)')
    parts, frames = disassemble(mechanism)
    new = part(
        body.name,
        f"{body.name}_joint" if name is None else name,
        -1 if predecessor == "world" else mechanism.body_index(predecessor),
        joint,
        placement=placement_of(placement, "`placement`"),
        successor_placement=placement_of(successor_placement, "`successor_placement`"),
        spatial_inertia=body.spatial_inertia,
        damping=damping,
        armature=armature,
        stiffness=stiffness,
        rest_configuration=rest_configuration,
        position_lower=position_lower,
        position_upper=position_upper,
    )
    check_part(new)
    check_names([*parts, new], frames)
    return assemble([*parts, new], frames, mechanism.gravity)


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
    parts, frames = disassemble(mechanism)
    carrier = -1 if body == "world" else mechanism.body_index(body)
    frames = [*frames, FramePart(name, carrier, placement_of(placement, "`placement`") or identity_placement())]
    require_finite(frames[-1].placement, f"The placement of frame `{name}`")
    check_names(parts, frames)
    return assemble(parts, frames, mechanism.gravity)


def placement_of(transform: Transform | None, what: str) -> Placement | None:
    """A pose that a user gave, checked, as numbers of a mechanism; None stays None."""
    if transform is None:
        return None
    require_instance(transform, Transform, what, "Transform.from_rpy([0.0, 0.0, 0.5], [0.1, 0.0, 0.0])")
    require_rotation(transform, what)
    return Placement(transform.quaternion(), transform.translation)
