"""Where the moving bodies are: the start of every algorithm.

World axes throughout, and every vector about the body's *own* origin: only offsets between neighbours enter, so that
single precision holds far from the world's origin and for light bodies far from the root.
"""

import equinox as eqx
from jaxtyping import Array, Float

from .._shapes import Configuration
from .._stacked import StackedMatrix, StackedVector, columns, compose, rotate, rotate_back
from .._tracing import computed_early
from ..mechanism import (
    CarriedBodies,
    Forest,
    Mechanism,
    ancestor_sum,
    carried_bodies,
    chain_rotations,
    joint_kinematics,
)


class TreeFrames(eqx.Module):
    """Orientation of the moving bodies, offsets between their origins, and motion subspaces, in world axes.

    Attributes:
        forest: The moving bodies.
        R_WB: Rotation of each moving body's frame.
        offset: Origin of each moving body from the origin of the one before it (from the world's for a first one) [m].
        subspace_angular: Angular velocity of its body per unit of each degree of freedom.
        subspace_linear: Velocity of its body's origin per unit of each degree of freedom.
        carried: Where every body sits on the moving body (or world) that carries it.
    """

    forest: Forest = eqx.field(static=True)
    R_WB: StackedMatrix
    offset: StackedVector
    subspace_angular: Float[Array, "3 num_dofs"]
    subspace_linear: Float[Array, "3 num_dofs"]
    carried: CarriedBodies


def tree_frames(mechanism: Mechanism, q: Configuration) -> TreeFrames:
    """Frames and motion subspaces of the moving bodies: one recursion, along which rotations are multiplied."""
    topology = mechanism.topology
    joints = joint_kinematics(mechanism, q)
    carried = computed_early(carried_bodies, mechanism)
    R_PB = compose(carried.R_CF, joints.rotation)
    p_PB = carried.p_CF + rotate(carried.R_CF, joints.translation)
    R_WB = chain_rotations(topology.moving_forest, R_PB)
    R_of_dof = columns(R_WB, topology.dof_bodies)
    return TreeFrames(
        forest=topology.moving_forest,
        R_WB=R_WB,
        offset=rotate(R_WB, rotate_back(R_PB, p_PB)),
        subspace_angular=rotate(R_of_dof, joints.subspace_angular),
        subspace_linear=rotate(R_of_dof, joints.subspace_linear),
        carried=carried,
    )


def origins(frames: TreeFrames) -> StackedVector:
    """Origin of each moving body in world coordinates [m]."""
    return frames.offset + ancestor_sum(frames.forest, frames.offset)
