"""A mechanism as text: the tree with its degrees of freedom."""

from collections.abc import Sequence

import numpy as np

from ._topology import Topology


def tree_text(topology: Topology, joint_classes: Sequence[str], dtype: str) -> str:
    """The tree of bodies, one per line: joint, its class and its entries of q and v.

    Args:
        topology: The tree.
        joint_classes: Name of the class of each joint group.
        dtype: Name of the numbers' type.

    Returns:
        The text, of several lines.
    """
    classes = {body: name for name, bodies in zip(joint_classes, topology.joint_groups, strict=True) for body in bodies}
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
        lines.append(f"  frame {name} on {topology.body_names[body] if body >= 0 else 'world'}")
    return "\n".join(lines)


def _range(indices: np.ndarray) -> str:
    if indices.size == 0:
        return ""
    return f"[{indices[0]}]" if indices.size == 1 else f"[{indices[0]}:{indices[-1] + 1}]"
