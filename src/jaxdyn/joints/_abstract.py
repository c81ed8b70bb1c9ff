"""What a joint is: the pure functions that define one, and everything that follows from them."""

import abc

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, PRNGKeyArray

from ..spatial import Force, Motion, Transform

JointConfiguration = Float[Array, " joint_positions"]
JointVelocity = Float[Array, " joint_velocities"]


class AbstractJoint(eqx.Module):
    """A directed joint from a predecessor to a successor body.

    The frame *before* the joint is fixed to the predecessor, the frame *after* it to the successor. A configuration
    `q` parameterises the pose of the frame after in the frame before; a velocity `v` parameterises the twist of the
    frame after with respect to the frame before, linearly: twist = S(q) v.

    A joint class defines the abstract members and nothing else. `joint_transform` is the definition of the joint:
    `motion_subspace`, `bias_acceleration` and the maps between `v` and `q_dot` must agree with its derivatives.
    Numbers that a user may want to identify (an axis, a pitch) are array leaves.

    Attributes:
        num_positions: Number of entries of `q`.
        num_velocities: Number of entries of `v`: the degrees of freedom.

    Reference: Duindam (2006), definition 2.9; Featherstone (2008), section 4.4.
    """

    # ---- what a class defines -------------------------------------------------------------------------------------

    num_positions: eqx.AbstractVar[int]
    num_velocities: eqx.AbstractVar[int]

    @abc.abstractmethod
    def joint_transform(self, q: JointConfiguration) -> Transform:
        """Pose of the frame after the joint in the frame before it.

        Args:
            q: Configuration [rad or m]. Quaternions need not be unit: they are normalised here.

        Returns:
            The transform X_FB: coordinates in the frame after to coordinates in the frame before.
        """

    @abc.abstractmethod
    def motion_subspace(self, q: JointConfiguration) -> Float[Array, "6 joint_velocities"]:
        """Matrix S with twist = S v, angular rows first, in the frame after the joint."""

    @abc.abstractmethod
    def bias_acceleration(self, q: JointConfiguration, v: JointVelocity) -> Float[Array, "6"]:
        """Spatial acceleration of the frame after at `v_dot = 0`: dS/dt v, in the frame after the joint."""

    @abc.abstractmethod
    def constraint_wrench_subspace(self, q: JointConfiguration) -> Float[Array, "6 joint_constraints"]:
        """Columns spanning the wrenches that the joint transmits without working: Tᵀ S = 0, in the frame after."""

    @abc.abstractmethod
    def velocity_to_configuration_derivative(self, q: JointConfiguration, v: JointVelocity) -> JointConfiguration:
        """Time derivative of `q` when the joint moves with velocity `v`; linear in `v`."""

    @abc.abstractmethod
    def configuration_derivative_to_velocity(self, q: JointConfiguration, q_dot: JointConfiguration) -> JointVelocity:
        """Velocity of a joint whose configuration changes at the rate `q_dot`; linear in `q_dot`."""

    @abc.abstractmethod
    def zero_configuration(self) -> JointConfiguration:
        """The configuration whose `joint_transform` is the identity."""

    @abc.abstractmethod
    def random_configuration(self, key: PRNGKeyArray) -> JointConfiguration:
        """A configuration from the joint's own distribution; limits are the mechanism's business."""

    @abc.abstractmethod
    def normalize_configuration(self, q: JointConfiguration) -> JointConfiguration:
        """The configuration of the same pose on the joint's manifold (a unit quaternion, for example)."""

    @abc.abstractmethod
    def integrate(self, q: JointConfiguration, v: JointVelocity) -> JointConfiguration:
        """Configuration after moving for one unit of time with the constant velocity `v`."""

    @abc.abstractmethod
    def difference(self, q0: JointConfiguration, q1: JointConfiguration) -> JointVelocity:
        """The velocity that leads from `q0` to `q1` in one unit of time: the inverse of `integrate`."""

    # ---- defaults: right for every joint, replaced by joints that know better -------------------------------------

    def semi_implicit_step(
        self, q: JointConfiguration, v: JointVelocity, v_dot: JointVelocity, dt: Float[Array, ""]
    ) -> tuple[JointConfiguration, JointVelocity]:
        """One step of semi-implicit Euler: the new velocity first, then the configuration along it.

        Args:
            q: Configuration at the beginning of the step.
            v: Velocity at the beginning of the step.
            v_dot: Derivative of the velocity.
            dt: Length of the step [s].

        Returns:
            The configuration and the velocity at the end of the step.
        """
        v_next = v + dt * v_dot
        return self.integrate(q, dt * v_next), v_next

    def spring_gradient(
        self, q: JointConfiguration, rest: JointConfiguration, stiffness: JointVelocity
    ) -> JointVelocity:
        """Gradient of the spring energy ½ Σ k φ², φ = difference(rest, q), with respect to a small motion `v`."""
        coordinates, pull_back = jax.vjp(lambda q: self.difference(rest, q), q)
        return self.velocity_to_configuration_derivative_adjoint(q, *pull_back(stiffness * coordinates))

    @property
    def has_plain_positions(self) -> bool:
        """Whether `q_dot = v`, so that an entry of `q` means something by itself and may have limits."""
        return False

    # ---- derived, once for all joints -----------------------------------------------------------------------------

    @property
    def num_constraints(self) -> int:
        """Number of directions in which the joint does not move: 6 minus the degrees of freedom."""
        return 6 - self.num_velocities

    @property
    def is_floating(self) -> bool:
        """Whether the joint leaves all six directions free."""
        return self.num_velocities == 6

    @property
    def has_fixed_subspaces(self) -> bool:
        """Whether `motion_subspace` is the same at every configuration."""
        configurations = jax.ShapeDtypeStruct((2, self.num_positions), jnp.result_type(float))
        try:  # a result that does not depend on the mapped argument, and only such a one, may stay unmapped
            jax.eval_shape(jax.vmap(self.motion_subspace, out_axes=None), configurations)
        except ValueError:
            return False
        return True

    def joint_twist(self, q: JointConfiguration, v: JointVelocity) -> Motion:
        """Twist of the frame after with respect to the frame before, in the frame after."""
        return Motion.from_vector(self.motion_subspace(q) @ v)

    def joint_spatial_acceleration(self, q: JointConfiguration, v: JointVelocity, v_dot: JointVelocity) -> Motion:
        """Spatial acceleration of the frame after with respect to the frame before, in the frame after."""
        return Motion.from_vector(self.motion_subspace(q) @ v_dot + self.bias_acceleration(q, v))

    def joint_torque(self, q: JointConfiguration, wrench: Force) -> JointVelocity:
        """Generalized force of a wrench on the successor, given in the frame after: Sᵀ W."""
        return self.motion_subspace(q).T @ wrench.vector

    def velocity_to_configuration_derivative_jacobian(
        self, q: JointConfiguration
    ) -> Float[Array, "joint_positions joint_velocities"]:
        """Matrix of the linear map `velocity_to_configuration_derivative`."""
        columns = jnp.eye(self.num_velocities, dtype=q.dtype)
        return jax.vmap(lambda v: self.velocity_to_configuration_derivative(q, v), out_axes=1)(columns)

    def configuration_derivative_to_velocity_jacobian(
        self, q: JointConfiguration
    ) -> Float[Array, "joint_velocities joint_positions"]:
        """Matrix of the linear map `configuration_derivative_to_velocity`."""
        columns = jnp.eye(self.num_positions, dtype=q.dtype)
        return jax.vmap(lambda q_dot: self.configuration_derivative_to_velocity(q, q_dot), out_axes=1)(columns)

    def configuration_derivative_to_velocity_adjoint(
        self, q: JointConfiguration, generalized_force: JointVelocity
    ) -> JointConfiguration:
        """The force on `q` that does the same work as `generalized_force` on `v`: ⟨f_q, q_dot⟩ = ⟨f_v, v⟩."""
        return generalized_force @ self.configuration_derivative_to_velocity_jacobian(q)

    def velocity_to_configuration_derivative_adjoint(
        self, q: JointConfiguration, gradient: JointConfiguration
    ) -> JointVelocity:
        """A gradient with respect to `q` as one with respect to a small motion `v`: ⟨f_v, v⟩ = ⟨f_q, q_dot⟩."""
        v = jnp.zeros(self.num_velocities, dtype=q.dtype)
        _, pull_back = jax.vjp(lambda v: self.velocity_to_configuration_derivative(q, v), v)
        return pull_back(gradient)[0]

    def is_configuration_normalized(self, q: JointConfiguration, relative_tolerance: float = 1e-6) -> Bool[Array, ""]:
        """Whether `normalize_configuration` leaves `q` as it is, up to a tolerance relative to the largest entry."""
        scale = jnp.max(jnp.abs(q), initial=1.0)
        return jnp.all(jnp.abs(self.normalize_configuration(q) - q) <= relative_tolerance * scale)

    def principal_value(self, q: JointConfiguration) -> JointConfiguration:
        """The representative of this pose nearest to zero: a quaternion with w ≥ 0, for example."""
        zero = self.zero_configuration().astype(q.dtype)
        return self.integrate(zero, self.difference(zero, q))

    def local_coordinates(
        self, q0: JointConfiguration, q: JointConfiguration, v: JointVelocity
    ) -> tuple[JointVelocity, JointVelocity]:
        """Coordinates φ of `q` around `q0` (zero where they agree) and their rate when `q` moves with `v`."""
        q_dot = self.velocity_to_configuration_derivative(q, v)
        return jax.jvp(lambda q: self.difference(q0, q), (q,), (q_dot,))

    def global_coordinates(self, q0: JointConfiguration, coordinates: JointVelocity) -> JointConfiguration:
        """The configuration with these coordinates around `q0`: the inverse of `local_coordinates`."""
        return self.integrate(q0, coordinates)


class AbstractVectorSpaceJoint(AbstractJoint):
    """A joint whose configuration is a vector with `q_dot = v`: a subclass defines the first six members only."""

    @property
    def has_plain_positions(self) -> bool:
        """Always true."""
        return True

    def velocity_to_configuration_derivative(self, q: JointConfiguration, v: JointVelocity) -> JointConfiguration:
        return v

    def configuration_derivative_to_velocity(self, q: JointConfiguration, q_dot: JointConfiguration) -> JointVelocity:
        return q_dot

    def zero_configuration(self) -> JointConfiguration:
        return jnp.zeros(self.num_positions)

    def random_configuration(self, key: PRNGKeyArray) -> JointConfiguration:
        return jax.random.normal(key, (self.num_positions,))

    def normalize_configuration(self, q: JointConfiguration) -> JointConfiguration:
        return q

    def integrate(self, q: JointConfiguration, v: JointVelocity) -> JointConfiguration:
        return q + v

    def difference(self, q0: JointConfiguration, q1: JointConfiguration) -> JointVelocity:
        return q1 - q0

    def spring_gradient(
        self, q: JointConfiguration, rest: JointConfiguration, stiffness: JointVelocity
    ) -> JointVelocity:
        return stiffness * (q - rest)
