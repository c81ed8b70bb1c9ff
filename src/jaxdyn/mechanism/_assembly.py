"""A mechanism as a list of bodies with their joints, and back: the one way in which mechanisms are built and edited.

A part holds the rows of one body. Concrete rows stay in numpy, so that building compiles nothing; traced ones are
stacked by JAX, so that building can be differentiated.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array

from .._errors import InvalidValueError
from .._shapes import Numbers, OneNumber
from .._tracing import is_traced
from ..joints import AbstractJoint
from ..spatial import SpatialInertia
from ._mechanism import Mechanism, Mimics
from ._placement import Placement
from ._topology import Topology


@dataclass(frozen=True)
class PartMimic:
    """That a part's joint follows another part's: `q = ratio * q_leader + offset`."""

    leader: int
    ratio: OneNumber
    offset: OneNumber


@dataclass(frozen=True)
class Part:
    """One body, its tree joint, and all numbers that belong to them."""

    body_name: str
    joint_name: str
    parent: int
    joint: AbstractJoint
    placement: Placement
    successor_placement: Placement | None
    spatial_inertia: SpatialInertia
    damping: Numbers
    armature: Numbers
    stiffness: Numbers
    rest_configuration: Numbers
    position_lower: Numbers
    position_upper: Numbers
    mimic: PartMimic | None = None


@dataclass(frozen=True)
class FramePart:
    """One additional frame."""

    name: str
    body: int
    placement: Placement


def part(
    body_name: str,
    joint_name: str,
    parent: int,
    joint: AbstractJoint,
    *,
    spatial_inertia: SpatialInertia,
    placement: Placement | None = None,
    successor_placement: Placement | None = None,
    damping: Numbers = 0.0,
    armature: Numbers = 0.0,
    stiffness: Numbers = 0.0,
    rest_configuration: Numbers | None = None,
    position_lower: Numbers = -np.inf,
    position_upper: Numbers = np.inf,
    mimic: PartMimic | None = None,
) -> Part:
    """A part from numbers that may be given once for all degrees of freedom, or left out."""

    def per_dof(name: str, value: Numbers) -> Numbers:
        shape = (joint.num_velocities,)
        if np.shape(value) not in ((), (1,), shape):
            raise InvalidValueError(
                f"The {name} of joint `{joint_name}` must be one number or {shape[0]}, one per degree of freedom, but "
                f"has shape {np.shape(value)}. Give one number for all of them."
            )
        return (
            jnp.broadcast_to(jnp.asarray(value), shape)
            if is_traced(value)
            else np.broadcast_to(np.asarray(value), shape)
        )

    zero = _concrete(joint.zero_configuration())
    return Part(
        body_name=body_name,
        joint_name=joint_name,
        parent=parent,
        joint=joint,
        placement=identity_placement() if placement is None else placement,
        successor_placement=successor_placement,
        spatial_inertia=spatial_inertia,
        damping=per_dof("damping", damping),
        armature=per_dof("armature", armature),
        stiffness=per_dof("stiffness", stiffness),
        rest_configuration=zero if rest_configuration is None else rest_configuration,
        position_lower=per_dof("position_lower", position_lower),
        position_upper=per_dof("position_upper", position_upper),
        mimic=mimic,
    )


def disassemble(mechanism: Mechanism) -> tuple[list[Part], list[FramePart]]:
    """The parts of a mechanism, in body order."""
    mechanism = jax.tree.map(_concrete, mechanism)
    topology = mechanism.topology
    joints = {}
    for group, bodies in zip(mechanism.joint_groups, topology.joint_groups, strict=True):
        for row, body in enumerate(bodies):
            joints[body] = _row(group, row)
    parts = []
    for body in range(topology.num_bodies):
        successor = mechanism.successor_placements
        parts.append(
            Part(
                topology.body_names[body],
                topology.joint_names[body],
                topology.parents[body],
                joints[body],
                _row(mechanism.placements, body),
                None if successor is None else _row(successor, body),
                _row(mechanism.spatial_inertias, body),
                **_numbers_of_joint(mechanism, body),
            )
        )
    frames = [
        FramePart(name, body, _row(mechanism.frame_placements, position))
        for position, (name, body) in enumerate(zip(topology.frame_names, topology.frame_bodies, strict=True))
    ]
    return parts, frames


def _numbers_of_joint(mechanism: Mechanism, body: int) -> dict[str, Any]:
    topology, mimics = mechanism.topology, mechanism.mimics
    if mimics is None or topology.leaders[body] == body:
        q, v = topology.q_indices(body), topology.v_indices(body)
        per_dof = ("damping", "armature", "stiffness", "position_lower", "position_upper")
        return {name: getattr(mechanism, name)[v] for name in per_dof} | {
            "rest_configuration": mechanism.rest_configuration[q]
        }
    row = topology.mimics.index((body, topology.leaders[body]))
    return {
        "damping": mimics.damping[row : row + 1],
        "armature": mimics.armature[row : row + 1],
        "stiffness": np.zeros(1),
        "rest_configuration": np.zeros(1),
        "position_lower": np.full(1, -np.inf),
        "position_upper": np.full(1, np.inf),
        "mimic": PartMimic(topology.leaders[body], mimics.ratio[row], mimics.offset[row]),
    }


def assemble(parts: Sequence[Part], frames: Sequence[FramePart], gravity: Array) -> Mechanism:
    """The mechanism made of these parts, whose parents come before their children; `gravity` sets the dtype."""
    parts, frames = _depth_first(_with_first_leaders(parts), frames)
    dtype = gravity.dtype
    mimics = {body: part.mimic for body, part in enumerate(parts) if part.mimic is not None}
    groups: dict[Any, list[int]] = {}
    for body, part in enumerate(parts):
        groups.setdefault(_structure(part.joint), []).append(body)
    topology = Topology(
        body_names=tuple(part.body_name for part in parts),
        joint_names=tuple(part.joint_name for part in parts),
        parents=tuple(part.parent for part in parts),
        joint_groups=tuple(tuple(bodies) for bodies in groups.values()),
        joint_sizes=tuple((part.joint.num_positions, part.joint.num_velocities) for part in parts),
        frame_names=tuple(frame.name for frame in frames),
        frame_bodies=tuple(frame.body for frame in frames),
        mimics=tuple((body, mimic.leader) for body, mimic in mimics.items()),
    )

    def per_dof(name: str) -> Array:
        return _joined([getattr(part, name) for part in parts if part.mimic is None], dtype)

    return Mechanism(
        topology=topology,
        joint_groups=tuple(_stacked([parts[body].joint for body in bodies], dtype) for bodies in groups.values()),
        placements=_stacked([part.placement for part in parts], dtype, empty=identity_placement()),
        successor_placements=_successor_placements(parts, dtype),
        spatial_inertias=_stacked([part.spatial_inertia for part in parts], dtype, empty=_zero_inertia()),
        frame_placements=_stacked([frame.placement for frame in frames], dtype, empty=identity_placement()),
        damping=per_dof("damping"),
        armature=per_dof("armature"),
        stiffness=per_dof("stiffness"),
        rest_configuration=per_dof("rest_configuration"),
        position_lower=per_dof("position_lower"),
        position_upper=per_dof("position_upper"),
        gravity=gravity,
        mimics=_mimics([part for part in parts if part.mimic is not None], dtype),
    )


def _mimics(followers: Sequence[Part], dtype: Any) -> Mimics | None:
    if not followers:
        return None
    links = [part.mimic for part in followers if part.mimic is not None]
    return Mimics(
        ratio=_combined([link.ratio for link in links], dtype, "stack"),
        offset=_combined([link.offset for link in links], dtype, "stack"),
        damping=_joined([part.damping for part in followers], dtype),
        armature=_joined([part.armature for part in followers], dtype),
    )


def _with_first_leaders(parts: Sequence[Part]) -> list[Part]:
    """The parts, each follower of a follower attached to the first leader of the chain."""
    resolved = list(parts)
    for body, part in enumerate(parts):
        mimic = part.mimic
        while mimic is not None and (above := parts[mimic.leader].mimic) is not None:
            mimic = PartMimic(above.leader, mimic.ratio * above.ratio, mimic.ratio * above.offset + mimic.offset)
        resolved[body] = replace(part, mimic=mimic)
    return resolved


def identity_placement() -> Placement:
    """The placement that changes nothing."""
    return Placement(jnp.array([1.0, 0.0, 0.0, 0.0]), jnp.zeros(3))


def _zero_inertia() -> SpatialInertia:
    return SpatialInertia(np.zeros(()), np.zeros(3), np.zeros(6))


def _depth_first(parts: Sequence[Part], frames: Sequence[FramePart]) -> tuple[list[Part], list[FramePart]]:
    """Renumber so that every subtree is contiguous and children keep the order in which they came."""
    children: dict[int, list[int]] = {}
    for body, part in enumerate(parts):
        children.setdefault(part.parent, []).append(body)
    order: list[int] = []
    waiting = children.get(-1, [])[::-1]
    while waiting:
        body = waiting.pop()
        order.append(body)
        waiting.extend(children.get(body, [])[::-1])
    number = {body: position for position, body in enumerate(order)} | {-1: -1}
    renumbered = [_renumbered(parts[body], number) for body in order]
    return renumbered, [replace(frame, body=number[frame.body]) for frame in frames]


def _renumbered(part: Part, number: Mapping[int, int]) -> Part:
    mimic = None if part.mimic is None else replace(part.mimic, leader=number[part.mimic.leader])
    return replace(part, parent=number[part.parent], mimic=mimic)


def _successor_placements(parts: Sequence[Part], dtype: Any) -> Placement | None:
    if all(part.successor_placement is None for part in parts):
        return None
    identity = identity_placement()
    return _stacked([identity if p.successor_placement is None else p.successor_placement for p in parts], dtype)


def _structure(joint: AbstractJoint) -> tuple[Any, ...]:
    leaves, structure = jax.tree.flatten(joint)
    return structure, tuple(np.shape(leaf) for leaf in leaves)


def _concrete(leaf: Array) -> np.ndarray | Array:
    return leaf if is_traced(leaf) else np.asarray(leaf)


def _row(stacked: Any, row: int) -> Any:
    return jax.tree.map(lambda leaf: leaf[row], stacked)


def _combined(rows: Sequence[Numbers], dtype: Any, combine: str) -> Array:
    if any(is_traced(row) for row in rows):
        return getattr(jnp, combine)([jnp.asarray(row, dtype=dtype) for row in rows])
    return jnp.asarray(getattr(np, combine)([np.asarray(row) for row in rows]), dtype=dtype)


def _stacked(rows: Sequence[Any], dtype: Any, empty: Any = None) -> Any:
    if not rows:
        return jax.tree.map(lambda leaf: jnp.zeros((0, *leaf.shape), dtype=dtype), empty)
    return jax.tree.map(lambda *leaves: _combined(leaves, dtype, "stack"), *rows)


def _joined(rows: Sequence[Numbers], dtype: Any) -> Array:
    return _combined(rows, dtype, "concatenate") if rows else jnp.zeros(0, dtype=dtype)
