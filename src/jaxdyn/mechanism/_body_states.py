"""Poses and twists of bodies for edits that carry a state over to another mechanism."""

from collections.abc import Sequence

from .._shapes import Configuration, Velocity
from ..spatial import Motion, Transform
from ._joint_states import position_of, velocity_of
from ._mechanism import Mechanism


def poses_and_twists(
    mechanism: Mechanism, bodies: Sequence[int], q: Configuration, v: Velocity
) -> dict[int, tuple[Transform, Motion]]:
    """Pose in the world, and twist in its own frame, of each of these bodies, which come after their predecessors."""
    states: dict[int, tuple[Transform, Motion]] = {}
    for body in bodies:
        X_PB, V_PB = _over_joint(mechanism, body, q, v)
        parent = mechanism.topology.parents[body]
        if parent < 0:
            states[body] = X_PB, V_PB
        else:
            X_WP, V_P = states[parent]
            states[body] = X_WP @ X_PB, X_PB.inverse().apply_motion(V_P) + V_PB
    return states


def _over_joint(mechanism: Mechanism, body: int, q: Configuration, v: Velocity) -> tuple[Transform, Motion]:
    """Pose of a body in its predecessor's frame, and its twist with respect to the predecessor, in its own frame."""
    joint, q, v = mechanism.joint(body), position_of(mechanism, body, q), velocity_of(mechanism, body, v)
    X_PA = mechanism.placements.row(body).transform() @ joint.joint_transform(q)
    V_A = joint.joint_twist(q, v)
    if mechanism.successor_placements is None:
        return X_PA, V_A
    X_BA = mechanism.successor_placements.row(body).transform()
    return X_PA @ X_BA.inverse(), X_BA.apply_motion(V_A)
