"""Edits that make bodies one rigid body: joints are locked, fixed joints merged.

No edit moves a body's frame or an additional frame.
"""

from dataclasses import replace

from .._shapes import ConfigurationLike
from ..joints import Fixed
from ..spatial import Transform
from ._arguments import as_configuration
from ._assembly import assemble, disassemble
from ._checks import require_finite
from ._joint_states import position_of
from ._leaves import Names, listed
from ._mechanism import Mechanism
from ._part_poses import arrays, frame_on, loop_on, placed, pose_in_predecessor
from ._parts import FramePart, part
from ._placement import Placement
from ._selection import require_whole_mimics, selected


def lock_joints(mechanism: Mechanism, joints: Names, *, at: ConfigurationLike) -> Mechanism:
    """A mechanism in which some joints no longer move: each becomes `Fixed`, under its name.

    Its mass matrix and bias are the rows and columns of the other joints, with the locked ones at rest. The bodies
    stay; `merge_fixed_joints` drops them. To name the values, write
    `lock_joints(mechanism, ["elbow"], at=configuration_from(mechanism, {"elbow": 0.4}))`.

    Args:
        mechanism: The whole.
        joints: Names or indices of the joints to lock.
        at: Configuration of the whole mechanism, of which the entries of these joints are used [rad or m].

    Returns:
        The mechanism with fewer degrees of freedom. Damping, armature, springs and limits of locked joints are gone.

    Raises:
        UnknownNameError: There is no such joint.
        MechanismError: A joint follows another one, and not both are locked.
        ShapeError: The configuration has the wrong length or dtype.
        InvalidValueError: The position of a locked joint is not finite.

    Differentiability: smooth in the configuration and in the mechanism's numbers.
    """
    q = as_configuration(mechanism, at, "at")
    parts = disassemble(mechanism)
    locked = [mechanism.joint_index(joint) for joint in listed(joints)]
    require_whole_mimics(parts.bodies, locked)
    for body in locked:
        old = parts.bodies[body]
        position = position_of(mechanism, body, q)
        require_finite(position, f"The position of joint `{old.joint_name}` in `at`")
        X_PA = arrays(old.placement).transform() @ arrays(old.joint).joint_transform(position)
        parts.bodies[body] = part(
            old.body_name,
            old.joint_name,
            old.parent,
            Fixed(),
            placement=Placement(X_PA.quaternion(), X_PA.translation),
            successor_placement=old.successor_placement,
            spatial_inertia=old.spatial_inertia,
        )
    return assemble(parts)


def merge_fixed_joints(mechanism: Mechanism) -> Mechanism:
    """A mechanism without fixed joints: bodies on them are merged into the bodies that carry them.

    Their inertias are added up, their frames and the frames on them stay, under their names, on the carrier. The
    equations of motion stay the same, and so do q and v. Bodies that are fixed to the world are merged into the
    world, which has no inertia: their masses no longer count in `total_mass` and `center_of_mass`.

    Fixed joints cost nothing in the algorithms; merge them to have fewer rows, or as another program does.

    Args:
        mechanism: The whole.

    Returns:
        The mechanism of the moving bodies.

    Differentiability: smooth in the mechanism's numbers.
    """
    parts = disassemble(mechanism)
    bodies = parts.bodies
    carriers: dict[int, int] = {-1: -1}
    poses: dict[int, Transform | None] = {-1: None}  # of each body in its carrier; None: it is the carrier
    merged_frames: list[FramePart] = []
    for body, old in enumerate(bodies):
        carrier, X_CP = carriers[old.parent], poses[old.parent]
        if old.joint.num_velocities > 0:
            carriers[body], poses[body] = body, None
            bodies[body] = replace(old, parent=carrier, placement=placed(X_CP, old.placement))
            continue
        X_PB = pose_in_predecessor(old)
        X_CB = X_PB if X_CP is None else X_CP @ X_PB
        carriers[body], poses[body] = carrier, X_CB
        merged_frames.append(FramePart(old.body_name, carrier, Placement(X_CB.quaternion(), X_CB.translation)))
        if carrier >= 0:
            total = arrays(bodies[carrier].spatial_inertia) + X_CB.apply_inertia(arrays(old.spatial_inertia))
            bodies[carrier] = replace(bodies[carrier], spatial_inertia=total)

    def base(body: int, placement: Placement) -> tuple[int, Placement]:
        return carriers[body], placed(poses[body], placement)

    frames = [*(frame_on(frame, base) for frame in parts.frames), *merged_frames]
    merged = replace(parts, frames=frames, loops=[loop_on(loop, base) for loop in parts.loops])
    return assemble(selected(merged, mechanism.topology.moving_bodies.tolist()))
