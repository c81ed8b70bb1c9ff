"""A joint turned round."""

from jaxtyping import Array, Float, PRNGKeyArray

from ..spatial import Transform
from ._abstract import AbstractJoint, JointConfiguration, JointVelocity


class Reversed(AbstractJoint):
    """Another joint, with its predecessor and successor exchanged; `q` and `v` keep the meaning they have in it.

    Attributes:
        joint: The joint that is reversed.
    """

    joint: AbstractJoint

    def __init__(self, joint: AbstractJoint):
        """From the joint to reverse."""
        self.joint = joint

    @property
    def num_positions(self) -> int:
        """Number of entries of `q`: those of the inner joint."""
        return self.joint.num_positions

    @property
    def num_velocities(self) -> int:
        """Number of entries of `v`: those of the inner joint."""
        return self.joint.num_velocities

    @property
    def has_plain_positions(self) -> bool:
        """Whether the inner joint has `q_dot = v`."""
        return self.joint.has_plain_positions

    def joint_transform(self, q: JointConfiguration) -> Transform:
        return self.joint.joint_transform(q).inverse()

    def motion_subspace(self, q: JointConfiguration) -> Float[Array, "6 joint_velocities"]:
        # What moved with respect to the other now stands, and the other moves the opposite way.
        return -self.joint.joint_transform(q).motion_matrix() @ self.joint.motion_subspace(q)

    def bias_acceleration(self, q: JointConfiguration, v: JointVelocity) -> Float[Array, "6"]:
        # The frame moves along with the very twist that it transforms, and a twist's cross product with itself is zero.
        return -self.joint.joint_transform(q).motion_matrix() @ self.joint.bias_acceleration(q, v)

    def constraint_wrench_subspace(self, q: JointConfiguration) -> Float[Array, "6 joint_constraints"]:
        return self.joint.joint_transform(q).force_matrix() @ self.joint.constraint_wrench_subspace(q)

    def velocity_to_configuration_derivative(self, q: JointConfiguration, v: JointVelocity) -> JointConfiguration:
        return self.joint.velocity_to_configuration_derivative(q, v)

    def configuration_derivative_to_velocity(self, q: JointConfiguration, q_dot: JointConfiguration) -> JointVelocity:
        return self.joint.configuration_derivative_to_velocity(q, q_dot)

    def zero_configuration(self) -> JointConfiguration:
        return self.joint.zero_configuration()

    def random_configuration(self, key: PRNGKeyArray) -> JointConfiguration:
        return self.joint.random_configuration(key)

    def normalize_configuration(self, q: JointConfiguration) -> JointConfiguration:
        return self.joint.normalize_configuration(q)

    def integrate(self, q: JointConfiguration, v: JointVelocity) -> JointConfiguration:
        return self.joint.integrate(q, v)

    def difference(self, q0: JointConfiguration, q1: JointConfiguration) -> JointVelocity:
        return self.joint.difference(q0, q1)

    def spring_gradient(
        self, q: JointConfiguration, rest: JointConfiguration, stiffness: JointVelocity
    ) -> JointVelocity:
        return self.joint.spring_gradient(q, rest, stiffness)

    def semi_implicit_step(
        self, q: JointConfiguration, v: JointVelocity, v_dot: JointVelocity, dt: Float[Array, ""]
    ) -> tuple[JointConfiguration, JointVelocity]:
        return self.joint.semi_implicit_step(q, v, v_dot, dt)
