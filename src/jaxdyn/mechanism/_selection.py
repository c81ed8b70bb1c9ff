"""Parts of a mechanism, taken out or moved: the one place where parts are renumbered by an edit."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from .._errors import MechanismError
from ._assembly import FramePart, Part


def selected(
    parts: Sequence[Part], frames: Sequence[FramePart], kept: Sequence[int]
) -> tuple[list[Part], list[FramePart]]:
    """Some bodies and their frames, renumbered; what hung on a body that is left out hangs on the world.

    Args:
        parts: All bodies with their joints, numbered by their place in this list.
        frames: All additional frames; those on bodies that are left out are left out, too.
        kept: Numbers of the bodies to keep, in their new order.

    Returns:
        The parts and frames that are left.

    Raises:
        MechanismError: A joint would be left without the joint that it follows.
    """
    place = {body: position for position, body in enumerate(kept)} | {-1: -1}
    _require_leaders(parts, kept, place)
    chosen = [replace(parts[body], parent=place.get(parts[body].parent, -1)) for body in kept]
    return following(chosen, place), [replace(frame, body=place[frame.body]) for frame in frames if frame.body in place]


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
