"""Parts of a mechanism, taken out or moved: the one place where parts are renumbered by an edit."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from .._errors import MechanismError
from ._parts import LoopPart, Part, Parts


def selected(parts: Parts, kept: Sequence[int], *, with_world: bool = True) -> Parts:
    """Some bodies with their frames and loops, renumbered; what hung on a body that is left out hangs on the world.

    Args:
        parts: The whole; frames on bodies that are left out and loops between them are left out, too.
        kept: Numbers of the bodies to keep, in their new order.
        with_world: Whether the world is kept, with its frames.

    Returns:
        The parts that are left.

    Raises:
        MechanismError: A joint would be left without the joint that it follows, or a loop would be cut.
    """
    place = {body: position for position, body in enumerate(kept)}
    _require_leaders(parts.bodies, kept, place)
    bodies = [replace(parts.bodies[body], parent=place.get(parts.bodies[body].parent, -1)) for body in kept]
    if with_world:
        place[-1] = -1
    return replace(
        parts,
        bodies=following(bodies, place),
        frames=[replace(frame, body=place[frame.body]) for frame in parts.frames if frame.body in place],
        loops=[
            replace(loop, predecessor=place[loop.predecessor], successor=place[loop.successor])
            for loop in parts.loops
            if _is_whole(loop, place)
        ],
    )


def _is_whole(loop: LoopPart, kept: Collection[int]) -> bool:
    """Whether both bodies of a loop joint are kept, rather than none of them."""
    ends = {loop.predecessor in kept, loop.successor in kept}
    if len(ends) > 1:
        raise MechanismError(
            f"Loop joint `{loop.name}` connects a body that is kept with one that is left out, so the loop would be "
            f"cut. Open it first: `remove_joint(mechanism, {loop.name!r})`."
        )
    return ends == {True}


def following(parts: Sequence[Part], place_of_joint: Mapping[int, int]) -> list[Part]:
    """Parts that follow the same joints as before, which have got other numbers."""
    return [
        part
        if part.mimic is None
        else replace(part, mimic=replace(part.mimic, leader=place_of_joint[part.mimic.leader]))
        for part in parts
    ]


def require_whole_mimics(parts: Sequence[Part], bodies: Collection[int]) -> None:
    """Refuse to stop some joints from moving and not the joints that follow them, or that they follow.

    Args:
        parts: All bodies with their joints.
        bodies: The bodies whose joints are taken out.

    Raises:
        MechanismError: A joint and the one that it follows are not both among them.
    """
    others = [body for body in range(len(parts)) if body not in bodies]
    _require_leaders(parts, others, others)
    _require_leaders(parts, bodies, bodies)


def _require_leaders(parts: Sequence[Part], followers: Collection[int], leaders: Collection[int]) -> None:
    for body in followers:
        mimic = parts[body].mimic
        if mimic is not None and mimic.leader not in leaders:
            follower, leader = parts[body].joint_name, parts[mimic.leader].joint_name
            raise MechanismError(
                f"Joint `{follower}` follows joint `{leader}`, so they must be edited together, but one is left. "
                f"Take both, or release the follower first: `remove_mimic(mechanism, {follower!r})`."
            )
