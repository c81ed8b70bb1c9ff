"""Velocities and accelerations of the moving bodies: sums along the path from the world.

In world axes and about each body's own origin, angular quantities add up along the path as they are; linear ones add
up after each body's term for the offset from the one before it. No recursion is needed.
"""

import equinox as eqx

from .._shapes import Configuration, Velocity
from .._stacked import StackedVector, cross, rotate
from ..mechanism import Mechanism, ancestor_sum, dof_to_body_sum, dof_velocities, joint_bias_accelerations
from ._tree_frames import TreeFrames


class TreeVelocities(eqx.Module):
    """Velocities of the moving bodies in world axes.

    Attributes:
        angular_before: Angular velocity of the body before each joint [rad/s].
        joint_angular: Angular velocity across each joint [rad/s].
        joint_linear: Velocity of the body's origin in the frame before its joint, in world axes [m/s].
    """

    angular_before: StackedVector
    joint_angular: StackedVector
    joint_linear: StackedVector

    @property
    def angular(self) -> StackedVector:
        """Angular velocity of each moving body [rad/s]."""
        return self.angular_before + self.joint_angular


def tree_velocities(mechanism: Mechanism, frames: TreeFrames, v: Velocity) -> TreeVelocities:
    """Angular velocities of the moving bodies, and the motion across their joints."""
    topology, v = mechanism.topology, dof_velocities(mechanism, v)
    joint_angular = dof_to_body_sum(topology, frames.subspace_angular * v[None])
    joint_linear = dof_to_body_sum(topology, frames.subspace_linear * v[None])
    return TreeVelocities(ancestor_sum(frames.forest, joint_angular), joint_angular, joint_linear)


def origin_velocities(frames: TreeFrames, velocities: TreeVelocities) -> StackedVector:
    """Velocity of each moving body's origin in world axes [m/s]."""
    steps = origin_velocity_steps(frames, velocities)
    return steps + ancestor_sum(frames.forest, steps)


def origin_velocity_steps(frames: TreeFrames, velocities: TreeVelocities) -> StackedVector:
    """Time derivative of the offsets: velocity of each moving body's origin from that of the one before [m/s]."""
    return cross(velocities.angular_before, frames.offset) + velocities.joint_linear


def linear_accelerations(
    mechanism: Mechanism, frames: TreeFrames, v_dot: Velocity
) -> tuple[StackedVector, StackedVector]:
    """Angular acceleration and acceleration of the origin of each moving body due to `v_dot` alone [rad/s², m/s²]."""
    topology, v_dot = mechanism.topology, dof_velocities(mechanism, v_dot)
    angular_own = dof_to_body_sum(topology, frames.subspace_angular * v_dot[None])
    linear_own = dof_to_body_sum(topology, frames.subspace_linear * v_dot[None])
    return _accumulated(frames, angular_own, linear_own)


def accelerations(
    mechanism: Mechanism,
    frames: TreeFrames,
    velocities: TreeVelocities,
    q: Configuration,
    v: Velocity,
    v_dot: Velocity,
) -> tuple[StackedVector, StackedVector]:
    """Angular acceleration and acceleration of the origin (classical) of each moving body, without gravity.

    Each joint adds, in world axes: its own acceleration; ω × its angular velocity; and to the origin's acceleration
    the centripetal term ω × (ω × offset), the Coriolis term 2 ω × u and w × u, where ω is the angular velocity before
    the joint and (w, u) the motion across it.
    """
    topology = mechanism.topology
    bias_angular, bias_linear = joint_bias_accelerations(mechanism, q, v)
    v_dot = dof_velocities(mechanism, v_dot)
    w, u, before = velocities.joint_angular, velocities.joint_linear, velocities.angular_before
    angular_own = (
        dof_to_body_sum(topology, frames.subspace_angular * v_dot[None])
        + rotate(frames.R_WB, bias_angular)
        + cross(before, w)
    )
    linear_own = (
        dof_to_body_sum(topology, frames.subspace_linear * v_dot[None])
        + rotate(frames.R_WB, bias_linear)
        + cross(before, cross(before, frames.offset) + 2 * u)
        + cross(w, u)
    )
    return _accumulated(frames, angular_own, linear_own)


def _accumulated(
    frames: TreeFrames, angular_own: StackedVector, linear_own: StackedVector
) -> tuple[StackedVector, StackedVector]:
    angular_before = ancestor_sum(frames.forest, angular_own)
    linear_own = linear_own + cross(angular_before, frames.offset)
    return angular_before + angular_own, linear_own + ancestor_sum(frames.forest, linear_own)
