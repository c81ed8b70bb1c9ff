"""How the motion subspaces change while the mechanism moves."""

from jaxtyping import Array, Float

from .._shapes import Configuration, Velocity
from .._stacked import columns, cross, rotate
from ..mechanism import Mechanism, joint_subspace_rates
from ._tree_frames import TreeFrames
from ._tree_motions import TreeVelocities


def subspace_rates(
    mechanism: Mechanism, frames: TreeFrames, velocities: TreeVelocities, q: Configuration, v: Velocity
) -> tuple[Float[Array, "3 num_velocities"], Float[Array, "3 num_velocities"]]:
    """Time derivatives of `subspace_angular` and `subspace_linear` of the frames, which are in world axes.

    Each column turns with its body, and changes in the body's frame where the joint's subspace does.
    """
    bodies = mechanism.topology.dof_bodies
    omega, R_WB = columns(velocities.angular, bodies), columns(frames.R_WB, bodies)
    own_angular, own_linear = joint_subspace_rates(mechanism, q, v)
    return (
        cross(omega, frames.subspace_angular) + rotate(R_WB, own_angular),
        cross(omega, frames.subspace_linear) + rotate(R_WB, own_linear),
    )
