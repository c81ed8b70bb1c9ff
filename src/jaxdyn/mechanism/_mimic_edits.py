"""Making a joint follow another one, and letting it go again."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from .._errors import InvalidValueError, MechanismError
from .._shapes import Numbers, OneNumber
from .._tracing import is_traced
from ._assembly import assemble, disassemble
from ._mechanism import Mechanism
from ._parts import Part, PartMimic


def add_mimic(
    mechanism: Mechanism, follower: str | int, leader: str | int, *, ratio: OneNumber = 1.0, offset: OneNumber = 0.0
) -> Mechanism:
    """A mechanism in which one joint follows another: its position is `ratio * q_leader + offset`.

    The follower then has no entries of its own in q, v and τ, and its position limits are those of its leader. Its
    damping and armature act on the leader with the square of the ratio. Where the leader follows a third joint, both
    follow the third one. The given mechanism is not changed.

    Args:
        mechanism: The mechanism to constrain.
        follower: Joint with one degree of freedom and plain positions, such as `Revolute` or `Prismatic`.
        leader: Another such joint, anywhere in the mechanism.
        ratio: Velocity of the follower per velocity of its leader.
        offset: Position of the follower where its leader's is zero [rad or m].

    Returns:
        The constrained mechanism.

    Raises:
        UnknownNameError: There is no such joint.
        MechanismError: A joint is of another kind, follows another one already, has a spring, or would follow itself.
        InvalidValueError: The ratio or the offset is not a finite number.
    """
    parts = disassemble(mechanism)
    bodies = parts.bodies
    body, leading_body = mechanism.joint_index(follower), mechanism.joint_index(leader)
    if bodies[body].mimic is not None:
        raise MechanismError(
            f"Joint `{bodies[body].joint_name}` follows another joint already. Release it first with `remove_mimic`."
        )
    bodies[body] = replace(bodies[body], mimic=PartMimic(leading_body, ratio, offset))
    check_mimics(bodies)
    return assemble(parts)


def remove_mimic(mechanism: Mechanism, follower: str | int) -> Mechanism:
    """A mechanism in which a joint moves on its own again, without position limits.

    Args:
        mechanism: The mechanism to release.
        follower: The joint that follows another one.

    Returns:
        The released mechanism, with one more entry in q and v.

    Raises:
        UnknownNameError: There is no such joint.
        MechanismError: The joint follows no other.
    """
    parts = disassemble(mechanism)
    bodies = parts.bodies
    body = mechanism.joint_index(follower)
    if bodies[body].mimic is None:
        raise MechanismError(
            f"Joint `{bodies[body].joint_name}` moves on its own already. "
            "`print(mechanism)` shows the joints that follow others."
        )
    bodies[body] = replace(bodies[body], mimic=None)
    return assemble(parts)


def check_mimics(parts: Sequence[Part]) -> None:
    """Refuse followers that cannot follow: joints of other kinds, with springs, or in a circle.

    Args:
        parts: All bodies with their joints.

    Raises:
        MechanismError: A joint cannot follow or lead.
        InvalidValueError: A ratio or an offset is not one finite number.
    """
    for part in parts:
        if part.mimic is not None:
            leader = parts[part.mimic.leader]
            _require_one_plain_position(part, "follow another joint")
            _require_one_plain_position(leader, "lead another joint")
            _refuse_circle(parts, part)
            _require_number(part.mimic.ratio, f"The ratio of joint `{part.joint_name}` to `{leader.joint_name}`")
            _require_number(part.mimic.offset, f"The offset of joint `{part.joint_name}` from `{leader.joint_name}`")
            if not is_traced(part.stiffness) and np.any(np.asarray(part.stiffness)):
                raise MechanismError(
                    f"Joint `{part.joint_name}` has a spring, so it cannot follow joint `{leader.joint_name}`. "
                    "Give the spring to the leader."
                )


def _require_one_plain_position(part: Part, what: str) -> None:
    if part.joint.num_velocities != 1 or not part.joint.has_plain_positions:
        raise MechanismError(
            f"To {what}, a joint needs one degree of freedom whose velocity is the rate of its position, but "
            f"`{part.joint_name}` is a {type(part.joint).__name__}. Choose another joint."
        )


def _refuse_circle(parts: Sequence[Part], follower: Part) -> None:
    trail, above = [follower.joint_name], follower
    while above.mimic is not None:
        above = parts[above.mimic.leader]
        trail.append(above.joint_name)
        if above.joint_name in trail[:-1]:
            raise MechanismError(
                f"Joints must not follow each other in a circle, but {' → '.join(f'`{name}`' for name in trail)} do. "
                "Let one of them move freely."
            )


def _require_number(value: Numbers, what: str) -> None:
    if np.shape(value) != () or not (is_traced(value) or np.isfinite(np.asarray(value))):
        raise InvalidValueError(f"{what} must be one finite number, but is {value}. Correct it.")
