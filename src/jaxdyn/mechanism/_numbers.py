"""New numbers for a body, a joint or a frame, by name. The topology stays, so compiled programs stay valid."""

from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import partial
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array

from .._errors import InvalidValueError, MechanismError, ShapeError
from .._tracing import is_traced
from ..joints import AbstractJoint, Reversed
from ..spatial import SpatialInertia, Transform
from ._builder import placement_of
from ._checks import check_part, require_finite, require_instance
from ._mechanism import Mechanism
from ._part_poses import in_dtype
from ._parts import identity_placement, part
from ._placement import Placement

_PER_DOF = ("damping", "armature", "stiffness", "position_lower", "position_upper")
_OF_FOLLOWERS = ("ratio", "offset", "damping", "armature")
_PLACEMENTS = ("placement", "successor_placement")

Home = tuple[Callable[[Mechanism], Any], Any]
"""Where a number is kept: a leaf of the mechanism, or a part with several leaves, and the index of its rows there."""


def replace(
    mechanism: Mechanism,
    *,
    body: str | int | None = None,
    joint: str | int | None = None,
    frame: str | None = None,
    **numbers: Any,
) -> Mechanism:
    """A mechanism with new numbers for one body, joint or frame: `replace(mechanism, joint="knee", damping=0.1)`.

    Nothing is compiled again. The new numbers may be traced, so that one can differentiate with respect to them:
    `jax.grad(lambda inertia: loss(replace(mechanism, body="hand", inertia=inertia)))`. For many rows at once, replace
    a whole leaf with `eqx.tree_at`.

    Args:
        mechanism: The mechanism to change.
        body: A body, for its `inertia` (a `SpatialInertia` about the origin of its frame).
        joint: A joint, for `placement` and `successor_placement` (`Transform`), `damping`, `armature`, `stiffness`,
            `rest_configuration`, `position_lower`, `position_upper` as in `attach`, and the numbers of its class, such
            as `axis` and `pitch`; of a `Reversed` joint, those of the joint inside. A joint that follows another one
            has `ratio`, `offset`, `damping` and `armature` instead of numbers per degree of freedom; one that closes a
            loop has no such numbers.
        frame: An additional frame, for its `placement` (`Transform` in its body's frame).
        **numbers: The new numbers. Without body, joint and frame: `gravity`.

    Returns:
        The changed mechanism. It has more leaves only if it is given its first `successor_placement`.

    Raises:
        UnknownNameError: There is no such body, joint or frame.
        MechanismError: Not exactly one of them is named.
        InvalidValueError: There is no such number, or it is refused as by `attach`.
        ShapeError: A number has the wrong shape.

    Differentiability: linear in the numbers.
    """
    named = [name for name in (body, joint, frame) if name is not None]
    if len(named) > 1 or not numbers or (not named and set(numbers) != {"gravity"}):
        raise MechanismError(
            f"`replace` must get one of `body`, `joint` and `frame`, or `gravity` alone, but gets {len(named)} of them "
            f"and {', '.join(f'`{name}`' for name in numbers) or 'no numbers'}. "
            'Write for example `replace(mechanism, joint="knee", damping=0.1)`, one call for each body and joint.'
        )
    if body is not None:
        return _replaced_of_body(mechanism, mechanism.body_index(body), numbers)
    if joint is not None and joint in mechanism.loop_joint_names:
        return _replaced_of_loop(mechanism, mechanism.loop_joint_names.index(joint), numbers)
    if joint is not None:
        return _replaced_of_joint(mechanism, mechanism.joint_index(joint), numbers)
    if frame is not None:
        return _replaced_of_frame(mechanism, frame, numbers)
    require_finite(numbers["gravity"], "The gravity")
    return _moved_in(mechanism, {"gravity": (lambda m: m.gravity, slice(None))}, numbers, "the mechanism")


def set_base_placement(mechanism: Mechanism, placement: Transform, *, joint: str | int | None = None) -> Mechanism:
    """A mechanism that stands at another place in the world. Nothing is compiled again.

    Args:
        mechanism: The mechanism to move.
        placement: Pose in the world of the frame before the joint on the world: for a robot with a fixed base, of its
            base; for a floating one, where its configuration is counted from. Additional frames on the world stay.
        joint: Which joint, if several bodies hang on the world; by default the only one.

    Returns:
        The moved mechanism.

    Raises:
        UnknownNameError: There is no such joint.
        MechanismError: There is not one joint on the world, or the one given is not on the world.
        InvalidValueError: The placement is no `Transform`, or its rotation is none.

    Differentiability: smooth in the placement.
    """
    on_world = [body for body, parent in enumerate(mechanism.topology.parents) if parent < 0]
    chosen = on_world if joint is None else [mechanism.joint_index(joint)]
    if len(chosen) != 1 or chosen[0] not in on_world:
        names = ", ".join(f"`{mechanism.joint_names[body]}`" for body in on_world) or "no joints"
        asked = "none is named" if joint is None else f"`{mechanism.joint_names[chosen[0]]}` is not"
        raise MechanismError(
            f"`set_base_placement` must move one joint on the world, but {asked}. On the world are: {names}. "
            "Name one of them with `joint=...`."
        )
    return replace(mechanism, joint=chosen[0], placement=placement)


def _replaced_of_body(mechanism: Mechanism, body: int, numbers: dict[str, Any]) -> Mechanism:
    name = mechanism.body_names[body]
    homes: dict[str, Home] = {"inertia": (lambda m: m.spatial_inertias, body)}
    _require_known(numbers, homes, f"body `{name}`")
    inertia = numbers["inertia"]
    require_instance(inertia, SpatialInertia, "`inertia`", "SpatialInertia.solid_box(1.0, [0.1, 0.2, 0.3])")
    check_part(part(name, mechanism.joint_names[body], -1, mechanism.joint(body), spatial_inertia=inertia))
    return _moved_in(mechanism, homes, numbers, f"body `{name}`")


def _replaced_of_frame(mechanism: Mechanism, frame: str, numbers: dict[str, Any]) -> Mechanism:
    _, position = mechanism.frame_index(frame)
    if position is None:
        raise MechanismError(
            f"Only an additional frame can be placed elsewhere, but `{frame}` is the frame of a body or of the world. "
            "Name one of `mechanism.frame_names`, or place the body's joint: `replace(..., joint=..., placement=...)`."
        )
    homes: dict[str, Home] = {"placement": (lambda m: m.frame_placements, position)}
    _require_known(numbers, homes, f"frame `{frame}`")
    placement = placement_of(numbers["placement"], "`placement`") or identity_placement()
    require_finite(placement, f"The placement of frame `{frame}`")
    return _moved_in(mechanism, homes, {"placement": placement}, f"frame `{frame}`")


def _replaced_of_joint(mechanism: Mechanism, body: int, numbers: dict[str, Any]) -> Mechanism:
    what = f"joint `{mechanism.joint_names[body]}`"
    homes = _homes_of_joint(mechanism, body)
    _require_known(numbers, homes, what)
    if "successor_placement" in numbers and mechanism.successor_placements is None:
        identity = in_dtype(identity_placement(), mechanism.dtype)
        rows = jax.tree.map(lambda leaf: jnp.tile(leaf, (mechanism.num_bodies, 1)), identity)
        mechanism = eqx.tree_at(lambda m: m.successor_placements, mechanism, rows, is_leaf=lambda x: x is None)
    replaced = _moved_in(mechanism, homes, numbers | _placements(numbers), what)
    _check_joint(replaced, body, homes, set(numbers))
    return replaced


def _replaced_of_loop(mechanism: Mechanism, row: int, numbers: dict[str, Any]) -> Mechanism:
    what = f"joint `{mechanism.loop_joint_names[row]}`"
    homes: dict[str, Home] = {name: (lambda m, name=name: getattr(m.loops, f"{name}s"), row) for name in _PLACEMENTS}
    homes |= _own_homes(mechanism, mechanism.topology.loop_groups, _loop_joints, row)
    _require_known(numbers, homes, what)
    placements = _placements(numbers)
    require_finite(placements, f"The placement of {what}")
    replaced = _moved_in(mechanism, homes, numbers | placements, what)
    _check_class(replaced.joint(mechanism.loop_joint_names[row]), what)
    return replaced


def _loop_joints(mechanism: Mechanism) -> Sequence[AbstractJoint]:
    return () if mechanism.loops is None else mechanism.loops.joint_groups


def _placements(numbers: dict[str, Any]) -> dict[str, Placement]:
    """The poses among the numbers that a user gave."""
    given = [name for name in _PLACEMENTS if name in numbers]
    return {name: placement_of(numbers[name], f"`{name}`") or identity_placement() for name in given}


def _homes_of_joint(mechanism: Mechanism, body: int) -> dict[str, Home]:
    topology = mechanism.topology
    homes: dict[str, Home] = {name: (lambda m, name=name: getattr(m, f"{name}s"), body) for name in _PLACEMENTS}
    follower = (body, topology.leaders[body])
    if follower in topology.mimics:
        row = topology.mimics.index(follower)
        homes |= {name: (lambda m, name=name: getattr(m.mimics, name), row) for name in _OF_FOLLOWERS}
    elif topology.joint_sizes[body][1] > 0:  # a fixed joint has no such numbers
        homes |= {name: (lambda m, name=name: getattr(m, name), topology.v_indices(body)) for name in _PER_DOF}
        homes["rest_configuration"] = (
            lambda m: m.rest_configuration,
            slice(topology.q_offsets[body], topology.q_offsets[body + 1]),
        )
    return homes | _own_homes(mechanism, topology.joint_groups, lambda m: m.joint_groups, body)


def _own_homes(
    mechanism: Mechanism,
    groups: Sequence[Sequence[int]],
    stacks: Callable[[Mechanism], Sequence[AbstractJoint]],
    joint: int,
) -> dict[str, Home]:
    """Homes of the numbers that the class of a joint has."""
    group = next(position for position, rows in enumerate(groups) if joint in rows)
    row, inner = groups[group].index(joint), _inner(stacks(mechanism)[group])
    own = [field.name for field in fields(inner) if eqx.is_array(getattr(inner, field.name))]
    return {name: (lambda m, name=name: getattr(_inner(stacks(m)[group]), name), row) for name in own}


def _inner(joint: AbstractJoint) -> AbstractJoint:
    return joint.joint if isinstance(joint, Reversed) else joint


def _check_joint(mechanism: Mechanism, body: int, homes: dict[str, Home], numbers: set[str]) -> None:
    """Refuse what `attach` would refuse, among the numbers that are new."""
    if numbers & {"position_lower", "position_upper"}:
        numbers = numbers | {"position_lower", "position_upper"}
    ours = numbers & {*_PLACEMENTS, *_PER_DOF, "rest_configuration"}
    values = {}
    for name in ours:
        where, index = homes[name]
        values[name] = jax.tree.map(lambda leaf, index=index: _rows(leaf, index), where(mechanism))
    joint, names = mechanism.joint(body), (mechanism.body_names[body], mechanism.joint_names[body])
    check_part(part(*names, -1, joint, spatial_inertia=SpatialInertia.zero(), **values))
    require_finite(mechanism.mimics, f"The numbers of joint `{names[1]}`")
    _check_class(joint, f"joint `{names[1]}`")


def _check_class(joint: AbstractJoint, what: str) -> None:
    """Refuse what the class of a joint refuses when one is made."""
    require_finite(joint, f"The numbers of {what}")
    inner = _inner(joint)
    for cls in type(inner).__mro__:
        if "__check_init__" in vars(cls):
            vars(cls)["__check_init__"](inner)


def _require_known(numbers: dict[str, Any], known: dict[str, Home], what: str) -> None:
    for name in numbers:
        if name not in known:
            raise InvalidValueError(
                f"There is no number `{name}` of {what}. Its numbers are: {', '.join(f'`{n}`' for n in known)}. "
                "Name one of them."
            )


def _moved_in(mechanism: Mechanism, homes: dict[str, Home], numbers: dict[str, Any], what: str) -> Mechanism:
    """The mechanism with new numbers in their homes; a part with several leaves gets a part like it."""
    for name, value in numbers.items():
        where, index = homes[name]
        change = partial(_with_rows, index=index, what=f"{name} of {what}")
        has_leaves = isinstance(value, Placement | SpatialInertia)
        rows = where(mechanism)
        changed = jax.tree.map(change, rows, value) if has_leaves else change(rows, value)
        mechanism = eqx.tree_at(where, mechanism, changed)
    return mechanism


def _with_rows(leaf: Array, value: Any, index: Any, what: str) -> Array:
    """An array with other numbers at an index: in NumPy, which compiles nothing, unless something is traced."""
    shape = np.empty(leaf.shape, dtype=bool)[index].shape
    is_one_for_all = np.shape(value) == () and isinstance(index, np.ndarray)
    if np.shape(value) != shape and not is_one_for_all:
        raise ShapeError(
            f"The {what} must have shape {shape}, but has shape {np.shape(value)}. Give as many numbers as that."
        )
    if is_traced((leaf, value)):
        return leaf.at[index].set(jnp.asarray(value, dtype=leaf.dtype))
    rows = np.array(leaf)
    rows[index] = np.asarray(value)
    return jnp.asarray(rows)


def _rows(leaf: Array, index: Any) -> Array | np.ndarray:
    return leaf[index] if is_traced(leaf) else np.asarray(np.asarray(leaf)[index])
