"""Edits of the tree: bodies and joints are taken out, exchanged or put in. The given mechanism is never changed.

No edit moves a body's frame or an additional frame. Bodies are renumbered: address them by name.
"""

from dataclasses import replace

import numpy as np

from .._errors import InvalidValueError, ShapeError
from .._shapes import Numbers
from .._tracing import is_traced
from ..joints import AbstractJoint, QuaternionFloating
from ..spatial import Transform
from ._assembly import assemble, disassemble
from ._builder import body_number, placement_of
from ._checks import check_names, check_part, require_finite, require_instance
from ._mechanism import Mechanism
from ._mimic_edits import check_mimics
from ._part_poses import frame_on, in_dtype, loop_on, placed
from ._parts import part
from ._placement import Placement
from ._selection import following, require_whole_mimics, selected


def submechanism(mechanism: Mechanism, root: str | int) -> Mechanism:
    """A body and all that hang on it, as a mechanism of their own: the world takes the place of its predecessor.

    With `remove_subtree` it takes a mechanism apart, and `attach_mechanism` puts the two together again. Its mass
    matrix is the block of the whole one that belongs to its joints. Gravity stays as it is, in world axes.

    Args:
        mechanism: The whole.
        root: Body on which the others hang; it keeps its joint.

    Returns:
        The part.

    Raises:
        UnknownNameError: There is no such body.
        MechanismError: A joint would be left without the joint that it follows, or a loop would be cut.
    """
    kept = mechanism.topology.subtree(mechanism.body_index(root)).tolist()
    return assemble(selected(disassemble(mechanism), kept, with_world=False))


def remove_subtree(mechanism: Mechanism, body: str | int) -> Mechanism:
    """A mechanism without a body and all that hang on it, their joints and their frames.

    Args:
        mechanism: The whole.
        body: The body to remove first.

    Returns:
        What is left.

    Raises:
        UnknownNameError: There is no such body.
        MechanismError: A joint would be left without the joint that it follows, or a loop would be cut.
    """
    removed = mechanism.topology.subtree(mechanism.body_index(body))
    kept = np.setdiff1d(np.arange(mechanism.num_bodies), removed).tolist()
    return assemble(selected(disassemble(mechanism), kept))


def attach_mechanism(
    mechanism: Mechanism,
    predecessor: str | int,
    other: Mechanism,
    *,
    placement: Transform | None = None,
    prefix: str = "",
) -> Mechanism:
    """Two mechanisms as one: the other one's world becomes a frame of a body. Its gravity is not used.

    Args:
        mechanism: The mechanism to extend.
        predecessor: Body (or "world") to which the other mechanism is attached.
        other: The mechanism to attach, such as a gripper. Give it a root joint first if it shall move as a whole.
        placement: Pose of the other one's world in the predecessor's frame, by default the identity.
        prefix: Text put before all names of the other one, to attach the same mechanism twice.

    Returns:
        The extended mechanism.

    Raises:
        UnknownNameError: The predecessor is unknown.
        MechanismError: A name is in both.
        ShapeError: The two differ in their dtype.
        InvalidValueError: An argument is of the wrong kind, a rotation is none, or the placement is not finite.
    """
    require_instance(other, Mechanism, "`other`", 'load_urdf("gripper.urdf")')
    if other.dtype != mechanism.dtype:
        raise ShapeError(
            f"Both mechanisms must have one dtype, but have {mechanism.dtype} and {other.dtype}. "
            f"Convert one of them: `other.astype(jnp.{mechanism.dtype})`."
        )
    carrier = body_number(mechanism, predecessor)
    X = None if placement is None else in_dtype(placement_of(placement, "`placement`"), mechanism.dtype).transform()
    require_finite(X, "`placement`")
    parts, new = disassemble(mechanism), disassemble(other)
    first = len(parts.bodies)

    def base(body: int, placement: Placement) -> tuple[int, Placement]:
        return (body + first, placement) if body >= 0 else (carrier, placed(X, placement))

    followers = following(new.bodies, {body: body + first for body in range(len(new.bodies))})
    for each in followers:
        parent, before = base(each.parent, each.placement)
        names = {"body_name": prefix + each.body_name, "joint_name": prefix + each.joint_name}
        parts.bodies.append(replace(each, **names, parent=parent, placement=before))
    parts.frames.extend(frame_on(replace(frame, name=prefix + frame.name), base) for frame in new.frames)
    parts.loops.extend(loop_on(replace(loop, name=prefix + loop.name), base) for loop in new.loops)
    check_names(parts)
    return assemble(parts)


def remove_joint(mechanism: Mechanism, joint: str | int) -> Mechanism:
    """A mechanism that is cut at a joint: what hung on it floats freely, but for the loop joints that hold it.

    A `QuaternionFloating` of the same name takes the joint's place, from the world's frame to the body's frame: its
    configuration is the body's pose in the world. Use `remove_subtree` to remove the bodies, too. A joint that closes
    a loop is simply gone.

    Args:
        mechanism: The whole.
        joint: The joint to remove.

    Returns:
        The mechanism with as many bodies, and one more that floats, unless the joint closed a loop.

    Raises:
        UnknownNameError: There is no such joint.
        MechanismError: The joint follows another one, or leads it.
    """
    parts = disassemble(mechanism)
    if joint in mechanism.loop_joint_names:
        del parts.loops[mechanism.loop_joint_names.index(joint)]
        return assemble(parts)
    body = mechanism.joint_index(joint)
    require_whole_mimics(parts.bodies, [body])
    old = parts.bodies[body]
    parts.bodies[body] = part(
        old.body_name, old.joint_name, -1, QuaternionFloating(), spatial_inertia=old.spatial_inertia
    )
    return assemble(parts)


def replace_joint(
    mechanism: Mechanism,
    joint: str | int,
    new: AbstractJoint,
    *,
    damping: Numbers = 0.0,
    armature: Numbers = 0.0,
    stiffness: Numbers = 0.0,
    rest_configuration: Numbers | None = None,
    position_lower: Numbers = -np.inf,
    position_upper: Numbers = np.inf,
) -> Mechanism:
    """A mechanism with another joint between two bodies: its name and the frames before and after it stay.

    Damping, springs and the like belong to the old joint and go with it. To change the numbers of a joint only, use
    `replace`, which keeps compiled programs.

    Args:
        mechanism: The whole.
        joint: The joint to exchange.
        new: The joint that takes its place.
        damping: As for `attach` [N s/m or N m s/rad].
        armature: As for `attach` [kg or kg m²].
        stiffness: As for `attach` [N/m or N m/rad].
        rest_configuration: As for `attach`.
        position_lower: As for `attach` [m or rad].
        position_upper: As for `attach` [m or rad].

    Returns:
        The changed mechanism.

    Raises:
        UnknownNameError: There is no such joint.
        MechanismError: The joint follows another one, or leads it, and the new one cannot.
        InvalidValueError: As for `attach`, or limits are given for a joint that follows another one.
    """
    require_instance(new, AbstractJoint, "`new`", "Revolute([0.0, 0.0, 1.0])")
    parts = disassemble(mechanism)
    body = mechanism.joint_index(joint)
    old = parts.bodies[body]
    parts.bodies[body] = part(
        old.body_name,
        old.joint_name,
        old.parent,
        new,
        placement=old.placement,
        successor_placement=old.successor_placement,
        spatial_inertia=old.spatial_inertia,
        damping=damping,
        armature=armature,
        stiffness=stiffness,
        rest_configuration=rest_configuration,
        position_lower=position_lower,
        position_upper=position_upper,
        mimic=old.mimic,
    )
    check_part(parts.bodies[body])
    check_mimics(parts.bodies)
    limits = (position_lower, position_upper)
    if old.mimic is not None and any(is_traced(limit) or np.isfinite(np.asarray(limit)).any() for limit in limits):
        raise InvalidValueError(
            f"Joint `{old.joint_name}` follows another one, whose position limits count, so it cannot have its own. "
            "Leave them out, or release it first with `remove_mimic`."
        )
    return assemble(parts)
