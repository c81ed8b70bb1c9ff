"""One step in time, on the configuration manifold."""

import abc
from collections.abc import Callable

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float

from .._shapes import Configuration, GeneralizedForce, Velocity
from .._tracing import computed_early
from ..dynamics import forward_dynamics
from ..mechanism import (
    Mechanism,
    in_configuration_order,
    in_dof_order,
    normalize_configuration,
    over_groups,
    total_damping,
    velocity_to_configuration_derivative,
)

Scalar = Float[Array, ""]
Forces = Callable[[Scalar, Configuration, Velocity], GeneralizedForce]


class AbstractIntegrator(eqx.Module):
    """A rule that moves a state (q, v) by one step."""

    @abc.abstractmethod
    def step(
        self, mechanism: Mechanism, t: Scalar, q: Configuration, v: Velocity, forces: Forces, dt: Scalar
    ) -> tuple[Configuration, Velocity]:
        """The state at the end of a step.

        Args:
            mechanism: Any tree mechanism whose mass matrix is regular.
            t: Time at the beginning of the step [s].
            q: Configuration at the beginning of the step.
            v: Velocity at the beginning of the step.
            forces: Generalized forces as a function of (t, q, v), asked at every stage.
            dt: Length of the step [s].

        Returns:
            Configuration, with unit quaternions, and velocity.

        Differentiability: smooth in everything.
        """


class SemiImplicitEuler(AbstractIntegrator):
    """The velocity first, then the configuration along the new velocity. First order, one evaluation, robust.

    Each joint steps as its `semi_implicit_step` says: a floating body keeps its linear velocity in fixed axes during
    the step, so that a free body neither gains nor loses speed. Damping is implicit, by adding dt times damping to the
    armature, so that a stiff damper cannot blow up. On a floating base this is MuJoCo's Euler step.
    """

    def step(
        self, mechanism: Mechanism, t: Scalar, q: Configuration, v: Velocity, forces: Forces, dt: Scalar
    ) -> tuple[Configuration, Velocity]:
        v_dot = forward_dynamics(computed_early(_damped, mechanism, dt), q, v, forces(t, q, v))
        steps = over_groups(
            mechanism,
            lambda joint, q, v, v_dot: joint.semi_implicit_step(q, v, v_dot, dt),
            configurations=(q,),
            velocities=(v, v_dot),
        )
        q_next = in_configuration_order(mechanism.topology, [step[0] for step in steps])
        return normalize_configuration(mechanism, q_next), in_dof_order(mechanism.topology, [step[1] for step in steps])


def _damped(mechanism: Mechanism, dt: Scalar) -> Mechanism:
    """The mechanism whose armature makes a step of explicit damping one of implicit damping."""
    armature = mechanism.armature + dt * total_damping(mechanism)
    return eqx.tree_at(lambda mechanism: mechanism.armature, mechanism, armature)


class RungeKutta4(AbstractIntegrator):
    """The classical fourth-order rule on (q_dot, v_dot), with quaternions normalised at the end of the step."""

    def step(
        self, mechanism: Mechanism, t: Scalar, q: Configuration, v: Velocity, forces: Forces, dt: Scalar
    ) -> tuple[Configuration, Velocity]:
        def derivative(t, q, v):
            v_dot = forward_dynamics(mechanism, q, v, forces(t, q, v))
            return velocity_to_configuration_derivative(mechanism, q, v), v_dot

        half = 0.5 * dt
        q_dot_1, v_dot_1 = derivative(t, q, v)
        q_dot_2, v_dot_2 = derivative(t + half, q + half * q_dot_1, v + half * v_dot_1)
        q_dot_3, v_dot_3 = derivative(t + half, q + half * q_dot_2, v + half * v_dot_2)
        q_dot_4, v_dot_4 = derivative(t + dt, q + dt * q_dot_3, v + dt * v_dot_3)
        q_next = q + dt / 6 * (q_dot_1 + 2 * q_dot_2 + 2 * q_dot_3 + q_dot_4)
        v_next = v + dt / 6 * (v_dot_1 + 2 * v_dot_2 + 2 * v_dot_3 + v_dot_4)
        return normalize_configuration(mechanism, q_next), v_next


def forces_of_controls(mechanism: Mechanism, controls: Float[Array, " num_actuated"]) -> GeneralizedForce:
    """Generalized forces of controls: floating joints are not actuated."""
    actuated = mechanism.topology.actuated_velocities
    forces = jnp.zeros(mechanism.num_velocities, dtype=mechanism.dtype)
    return forces.at[actuated].set(controls, unique_indices=True, indices_are_sorted=True)
