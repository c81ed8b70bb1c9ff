"""A joint turned round."""

import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from .._errors import InvalidValueError
from ..spatial import Transform, rotation_exp, transform_log
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

    def __check_init__(self):
        if not isinstance(self.joint, AbstractJoint) or isinstance(self.joint, Reversed):
            raise InvalidValueError(
                f"`Reversed` must get a joint that is not reversed itself, but gets {self.joint}. "
                "Use `joint.joint` of a reversed one, and write the arguments of a class."
            )

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
        if type(self.joint).semi_implicit_step is AbstractJoint.semi_implicit_step:
            return super().semi_implicit_step(q, v, v_dot, dt)
        # A joint with a step of its own keeps the linear velocity of the frame that moves, which is the other one here:
        # its own step would multiply a free body's energy by 1e5 in 2 s at 10 rad/s and 10 ms. Its subspace is constant
        # and orthonormal, so that a transposed one takes a twist back to a velocity.
        X, S = self.joint_transform(q), self.motion_subspace(q)
        (omega, linear), (alpha, linear_rate) = jnp.split(S @ v, 2), jnp.split(S @ v_dot, 2)
        omega_next = omega + dt * alpha
        turn = rotation_exp(dt * omega_next)
        linear_next = turn.T @ (linear + dt * (linear_rate + jnp.cross(omega, linear)))
        rotation_next = X.rotation @ turn
        X_next = Transform(rotation_next, X.translation + dt * rotation_next @ linear_next)
        of_inner = self.joint.motion_subspace(q).T
        q_next = self.joint.integrate(q, of_inner @ transform_log(X @ X_next.inverse()))
        return q_next, -of_inner @ X_next.motion_matrix() @ jnp.concatenate([omega_next, linear_next])
