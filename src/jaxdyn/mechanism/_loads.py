"""Loads: inertias that a body carries for a while. A load is a body on a fixed joint, which costs nothing."""

from .._errors import MechanismError
from ..joints import Fixed
from ..spatial import SpatialInertia, Transform
from ._assembly import assemble, disassemble
from ._builder import placement_of
from ._checks import check_names, check_part, require_instance
from ._edits import remove_subtree
from ._mechanism import Mechanism
from ._numbers import replace
from ._part_poses import in_dtype
from ._parts import part


def add_load(
    mechanism: Mechanism, body: str | int, load: SpatialInertia, *, placement: Transform | None = None
) -> Mechanism:
    """A mechanism in which a body carries something more: a tool, or what a gripper has taken.

    All loads of a body are one body of their own, named after it: "hand_load" for the hand. It is fixed to the body
    with equal frames, so results for all bodies have one more row. Loads after the first one change numbers only, so
    that nothing is compiled again.

    Args:
        mechanism: The mechanism without this load.
        body: The body that carries the load.
        load: Inertia of the load about the origin of its own frame.
        placement: Pose of the load's frame in the body's frame, by default the identity.

    Returns:
        The mechanism with the load added to those that the body carries already.

    Raises:
        UnknownNameError: There is no such body.
        MechanismError: The name of the load is taken by something that is no load.
        InvalidValueError: An argument is of the wrong kind, or a number is not finite or a mass negative.

    Differentiability: smooth in the load and its placement.
    """
    carrier = mechanism.body_index(body)
    moved = _in_body(mechanism, load, placement)
    name = _load_name(mechanism, carrier)
    new = part(name, f"{name}_joint", carrier, Fixed(), spatial_inertia=moved)
    check_part(new)
    if _load_of(mechanism, carrier) is not None:
        old = mechanism.spatial_inertias[mechanism.body_index(name)]
        return replace(mechanism, body=name, inertia=old + moved)
    parts = disassemble(mechanism)
    parts.bodies.append(new)
    check_names(parts)
    return assemble(parts)


def replace_load(
    mechanism: Mechanism, body: str | int, load: SpatialInertia, *, placement: Transform | None = None
) -> Mechanism:
    """A mechanism in which a body carries something else; if it has carried something, nothing is compiled again.

    Args:
        mechanism: The mechanism with or without loads.
        body: The body that carries the load.
        load: Inertia of the load about the origin of its own frame.
        placement: Pose of the load's frame in the body's frame, by default the identity.

    Returns:
        The mechanism with this load instead of all that the body carries.

    Raises:
        UnknownNameError: There is no such body.
        MechanismError: The name of the load is taken by something that is no load.
        InvalidValueError: An argument is of the wrong kind, or a number is not finite or a mass negative.

    Differentiability: smooth in the load and its placement.
    """
    name = _load_of(mechanism, mechanism.body_index(body))
    if name is None:
        return add_load(mechanism, body, load, placement=placement)
    return replace(mechanism, body=name, inertia=_in_body(mechanism, load, placement))


def clear_load(mechanism: Mechanism, body: str | int) -> Mechanism:
    """A mechanism in which a body carries nothing any more.

    Args:
        mechanism: The mechanism with a load.
        body: The body that carries the load.

    Returns:
        The mechanism as it was before the first load. To keep compiled programs, replace the load by
        `SpatialInertia.zero()`.

    Raises:
        UnknownNameError: There is no such body.
        MechanismError: The body carries no load.
    """
    carrier = mechanism.body_index(body)
    name = _load_of(mechanism, carrier)
    if name is None:
        raise MechanismError(
            f"A body must carry a load to be cleared of it, but `{mechanism.body_names[carrier]}` carries none. "
            "Put one on with `add_load`, or name the body that carries it."
        )
    return remove_subtree(mechanism, name)


def _in_body(mechanism: Mechanism, load: SpatialInertia, placement: Transform | None) -> SpatialInertia:
    require_instance(load, SpatialInertia, "`load`", "SpatialInertia.point_mass(2.0, [0.0, 0.0, 0.1])")
    load = in_dtype(load, mechanism.dtype)
    pose = placement_of(placement, "`placement`")
    return load if pose is None else in_dtype(pose, mechanism.dtype).transform().apply_inertia(load)


def _load_name(mechanism: Mechanism, carrier: int) -> str:
    return f"{mechanism.body_names[carrier]}_load"


def _load_of(mechanism: Mechanism, carrier: int) -> str | None:
    """Name of the body that holds a body's loads, if there is one."""
    name = _load_name(mechanism, carrier)
    if name not in mechanism.body_names:
        return None
    load = mechanism.body_index(name)
    children = mechanism.topology.subtree(load)
    if mechanism.topology.parents[load] != carrier or not isinstance(mechanism.joint(load), Fixed) or children.size > 1:
        raise MechanismError(
            f"The load of body `{mechanism.body_names[carrier]}` must be a body named `{name}` that is fixed to it and "
            "carries nothing, but the body of this name is another one. Rename that body."
        )
    return name
