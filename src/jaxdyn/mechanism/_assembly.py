"""A mechanism taken apart, and put together again: the one way in which mechanisms are built and edited."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array

from .._shapes import Numbers
from .._tracing import is_traced
from ..joints import AbstractJoint
from ..spatial import SpatialInertia
from ._mechanism import LoopJoints, Mechanism, Mimics
from ._parts import FramePart, LoopPart, Part, PartMimic, Parts, concrete, identity_placement
from ._placement import Placement
from ._topology import Topology

Groups = tuple[tuple[int, ...], ...]


def disassemble(mechanism: Mechanism) -> Parts:
    """The parts of a mechanism, in body order."""
    gravity, mechanism = mechanism.gravity, jax.tree.map(concrete, mechanism)
    topology = mechanism.topology
    joints = _ungrouped(mechanism.joint_groups, topology.joint_groups)
    successor = mechanism.successor_placements
    bodies = [
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
        for body in range(topology.num_bodies)
    ]
    frames = [
        FramePart(name, body, _row(mechanism.frame_placements, position))
        for position, (name, body) in enumerate(zip(topology.frame_names, topology.frame_bodies, strict=True))
    ]
    return Parts(bodies, frames, _loop_parts(mechanism), gravity)


def _loop_parts(mechanism: Mechanism) -> list[LoopPart]:
    topology, loops = mechanism.topology, mechanism.loops
    if loops is None:
        return []
    joints = _ungrouped(loops.joint_groups, topology.loop_groups)
    return [
        LoopPart(name, *bodies, joints[row], _row(loops.placements, row), _row(loops.successor_placements, row))
        for row, (name, bodies) in enumerate(zip(topology.loop_names, topology.loop_bodies, strict=True))
    ]


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


def assemble(parts: Parts) -> Mechanism:
    """The mechanism made of these parts. Bodies may come in any order in which the tree can be followed."""
    parts = _depth_first(replace(parts, bodies=_with_first_leaders(parts.bodies)))
    bodies, frames, loops, dtype = parts.bodies, parts.frames, parts.loops, parts.gravity.dtype
    groups = _equal_structures([part.joint for part in bodies])
    loop_groups = _equal_structures([loop.joint for loop in loops])
    topology = Topology(
        body_names=tuple(part.body_name for part in bodies),
        joint_names=tuple(part.joint_name for part in bodies),
        parents=tuple(part.parent for part in bodies),
        joint_groups=groups,
        joint_sizes=tuple((part.joint.num_positions, part.joint.num_velocities) for part in bodies),
        frame_names=tuple(frame.name for frame in frames),
        frame_bodies=tuple(frame.body for frame in frames),
        mimics=tuple((body, part.mimic.leader) for body, part in enumerate(bodies) if part.mimic is not None),
        loop_names=tuple(loop.name for loop in loops),
        loop_bodies=tuple((loop.predecessor, loop.successor) for loop in loops),
        loop_groups=loop_groups,
    )

    def per_dof(name: str) -> Array:
        return _joined([getattr(part, name) for part in bodies if part.mimic is None], dtype)

    return Mechanism(
        topology=topology,
        joint_groups=_grouped([part.joint for part in bodies], groups, dtype),
        placements=_stacked([part.placement for part in bodies], dtype, empty=identity_placement()),
        successor_placements=_successor_placements(bodies, dtype),
        spatial_inertias=_stacked([part.spatial_inertia for part in bodies], dtype, empty=_zero_inertia()),
        frame_placements=_stacked([frame.placement for frame in frames], dtype, empty=identity_placement()),
        damping=per_dof("damping"),
        armature=per_dof("armature"),
        stiffness=per_dof("stiffness"),
        rest_configuration=per_dof("rest_configuration"),
        position_lower=per_dof("position_lower"),
        position_upper=per_dof("position_upper"),
        gravity=parts.gravity,
        mimics=_mimics([part for part in bodies if part.mimic is not None], dtype),
        loops=_loops(loops, loop_groups, dtype),
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


def _loops(loops: Sequence[LoopPart], groups: Groups, dtype: Any) -> LoopJoints | None:
    if not loops:
        return None
    return LoopJoints(
        joint_groups=_grouped([loop.joint for loop in loops], groups, dtype),
        placements=_stacked([loop.placement for loop in loops], dtype),
        successor_placements=_stacked([loop.successor_placement for loop in loops], dtype),
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


def _zero_inertia() -> SpatialInertia:
    return SpatialInertia(np.zeros(()), np.zeros(3), np.zeros(6))


def _depth_first(parts: Parts) -> Parts:
    """Renumber so that every subtree is contiguous and children keep the order in which they came."""
    children: dict[int, list[int]] = {}
    for body, part in enumerate(parts.bodies):
        children.setdefault(part.parent, []).append(body)
    order: list[int] = []
    waiting = children.get(-1, [])[::-1]
    while waiting:
        body = waiting.pop()
        order.append(body)
        waiting.extend(children.get(body, [])[::-1])
    number = {body: position for position, body in enumerate(order)} | {-1: -1}
    return replace(
        parts,
        bodies=[_renumbered(parts.bodies[body], number) for body in order],
        frames=[replace(frame, body=number[frame.body]) for frame in parts.frames],
        loops=[
            replace(loop, predecessor=number[loop.predecessor], successor=number[loop.successor])
            for loop in parts.loops
        ],
    )


def _renumbered(part: Part, number: Mapping[int, int]) -> Part:
    mimic = None if part.mimic is None else replace(part.mimic, leader=number[part.mimic.leader])
    return replace(part, parent=number[part.parent], mimic=mimic)


def _successor_placements(parts: Sequence[Part], dtype: Any) -> Placement | None:
    if all(part.successor_placement is None for part in parts):
        return None
    identity = identity_placement()
    return _stacked([identity if p.successor_placement is None else p.successor_placement for p in parts], dtype)


def _equal_structures(joints: Sequence[AbstractJoint]) -> Groups:
    """Which joints can be stacked: those of one class, with arrays of one shape."""
    groups: dict[Any, list[int]] = {}
    for row, joint in enumerate(joints):
        leaves, structure = jax.tree.flatten(joint)
        groups.setdefault((structure, tuple(np.shape(leaf) for leaf in leaves)), []).append(row)
    return tuple(tuple(rows) for rows in groups.values())


def _grouped(joints: Sequence[AbstractJoint], groups: Groups, dtype: Any) -> tuple[AbstractJoint, ...]:
    return tuple(_stacked([joints[row] for row in rows], dtype) for rows in groups)


def _ungrouped(stacks: Sequence[AbstractJoint], groups: Groups) -> dict[int, AbstractJoint]:
    """Each joint of the stacks, by its row."""
    return {
        row: _row(stack, place) for stack, rows in zip(stacks, groups, strict=True) for place, row in enumerate(rows)
    }


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
