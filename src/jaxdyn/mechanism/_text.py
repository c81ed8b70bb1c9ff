"""A mechanism as text: the tree with its degrees of freedom."""

from collections.abc import Sequence

import numpy as np

from ._topology import Topology


def tree_text(topology: Topology, joint_classes: Sequence[str], loop_classes: Sequence[str], dtype: str) -> str:
    """The tree of bodies, one per line: joint, its class and its entries of q and v.

    Args:
        topology: The tree.
        joint_classes: Name of the class of each joint group.
        loop_classes: Name of the class of each group of loop joints.
        dtype: Name of the numbers' type.

    Returns:
        The text, of several lines.
    """
    classes = _by_row(joint_classes, topology.joint_groups)
    lines = [
        f"Mechanism: {topology.num_bodies} bodies, {topology.num_positions} positions, "
        f"{topology.num_velocities} velocities, {dtype}"
    ]
    for body, name in enumerate(topology.body_names):
        indent = "  " * (int(topology.body_forest.depths[body]) + 1)
        q, v = (_range(indices(body)) for indices in (topology.q_indices, topology.v_indices))
        dofs = f", q{q} v{v}" if q else ""
        leader = topology.leaders[body]
        dofs += f" of {topology.joint_names[leader]}" if leader != body else ""
        lines.append(f"{indent}{name}  <- {topology.joint_names[body]}: {classes[body]}{dofs}")
    for name, body in zip(topology.frame_names, topology.frame_bodies, strict=True):
        lines.append(f"  frame {name} on {_name(topology, body)}")
    classes = _by_row(loop_classes, topology.loop_groups)
    for row, (name, bodies) in enumerate(zip(topology.loop_names, topology.loop_bodies, strict=True)):
        predecessor, successor = (_name(topology, body) for body in bodies)
        lines.append(f"  loop {name}: {classes[row]} from {predecessor} to {successor}")
    return "\n".join(lines)


def _by_row(names: Sequence[str], groups: Sequence[Sequence[int]]) -> dict[int, str]:
    return {row: name for name, rows in zip(names, groups, strict=True) for row in rows}


def _name(topology: Topology, body: int) -> str:
    return topology.body_names[body] if body >= 0 else "world"


def _range(indices: np.ndarray) -> str:
    if indices.size == 0:
        return ""
    return f"[{indices[0]}]" if indices.size == 1 else f"[{indices[0]}:{indices[-1] + 1}]"
