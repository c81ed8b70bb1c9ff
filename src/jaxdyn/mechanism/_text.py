"""A mechanism as text: the tree with its degrees of freedom."""

from ._mechanism import Mechanism


def mechanism_text(mechanism: Mechanism) -> str:
    """The tree of bodies, one per line: joint, its class and its entries of q and v."""
    topology = mechanism.topology
    classes = {
        body: type(group).__name__
        for group, bodies in zip(mechanism.joint_groups, topology.joint_groups, strict=True)
        for body in bodies
    }
    lines = [
        f"Mechanism: {mechanism.num_bodies} bodies, {mechanism.num_positions} positions, "
        f"{mechanism.num_velocities} velocities, {mechanism.dtype}"
    ]
    for body, name in enumerate(topology.body_names):
        indent = "  " * (int(topology.body_forest.depths[body]) + 1)
        q, v = (_range(offsets, body) for offsets in (topology.q_offsets, topology.v_offsets))
        dofs = f", q{q} v{v}" if q else ""
        lines.append(f"{indent}{name}  <- {topology.joint_names[body]}: {classes[body]}{dofs}")
    for name, body in zip(topology.frame_names, topology.frame_bodies, strict=True):
        lines.append(f"  frame {name} on {topology.body_names[body] if body >= 0 else 'world'}")
    return "\n".join(lines)


def _range(offsets: tuple[int, ...], body: int) -> str:
    first, end = offsets[body], offsets[body + 1]
    if end <= first:
        return ""
    return f"[{first}]" if end == first + 1 else f"[{first}:{end}]"
