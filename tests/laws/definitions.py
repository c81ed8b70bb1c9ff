"""Mechanics by definition: poses as products along the tree, everything else by differentiating them.

Slow, and with nothing in common with the algorithms of jaxdyn but the joints' transforms.
"""

from dataclasses import dataclass
from functools import cached_property

import jax
import jax.numpy as jnp
from jaxtyping import Array

from jaxdyn import (
    Mechanism,
    difference,
    random_configuration,
    relative_transform,
    velocity_to_configuration_derivative,
)
from jaxdyn.spatial import Force, Motion, SpatialInertia, Transform, unskew


def body_poses(mechanism: Mechanism, q: Array) -> Transform:
    """Poses of all bodies: placement, joint and successor placement, one after another."""
    placements, poses = mechanism.placements.transform(), []
    successors = mechanism.successor_placements
    backs = None if successors is None else successors.transform().inverse()
    for body, parent in enumerate(mechanism.topology.parents):
        pose = placements[body] @ mechanism.joint(body).joint_transform(q[mechanism.q_index(body)])
        pose = pose if backs is None else pose @ backs[body]
        poses.append(pose if parent < 0 else poses[parent] @ pose)
    return jax.tree.map(lambda *parts: jnp.stack(parts), *poses)


def world_twists(mechanism: Mechanism, q: Array, v: Array) -> Motion:
    """Twists of all bodies, in world axes about the world's origin."""
    X, X_dot = rate(mechanism, q, v, lambda q: body_poses(mechanism, q))
    angular = unskew(X_dot.rotation @ jnp.swapaxes(X.rotation, 1, 2))
    return Motion(angular, X_dot.translation - jnp.cross(angular, X.translation))


def rate(mechanism: Mechanism, q: Array, v: Array, function) -> tuple:
    """A function of q and its time derivative when q moves with the velocity v."""
    return jax.jvp(function, (q,), (velocity_to_configuration_derivative(mechanism, q, v),))


def elastic_energy(mechanism: Mechanism, q: Array) -> Array:
    """Energy of the springs."""
    return jnp.sum(mechanism.stiffness * difference(mechanism, mechanism.rest_configuration, q) ** 2) / 2


@dataclass(frozen=True)
class State:
    """The arguments of a law and, computed when they are asked for, quantities by definition."""

    mechanism: Mechanism
    q: Array
    v: Array
    v_dot: Array
    world_wrenches: Array  # on every body, in world axes about the world's origin

    @cached_property
    def q_dot(self) -> Array:
        return velocity_to_configuration_derivative(self.mechanism, self.q, self.v)

    def rate(self, function) -> Array:
        """Time derivative of a function of q."""
        return jax.jvp(function, (self.q,), (self.q_dot,))[1]

    def rate_of_state(self, function):
        """Time derivative of a function of q and v."""
        return self.value_and_rate(function)[1]

    def value_and_rate(self, function) -> tuple:
        """A function of q and v, and its time derivative."""
        return jax.jvp(function, (self.q, self.v), (self.q_dot, self.v_dot))

    def tangent_gradient(self, function) -> Array:
        """Derivative of a scalar function of q along each degree of freedom."""
        basis = jnp.eye(self.mechanism.num_velocities)
        return jax.vmap(lambda v: rate(self.mechanism, self.q, v, function)[1])(basis)

    # ---- motion

    @cached_property
    def poses(self) -> Transform:
        return body_poses(self.mechanism, self.q)

    @cached_property
    def twists(self) -> Motion:
        """In world axes about the world's origin."""
        return world_twists(self.mechanism, self.q, self.v)

    @cached_property
    def jacobians(self) -> Array:
        """Derivatives of `twists` with respect to v, shape (bodies, 6, dofs)."""
        basis = jnp.eye(self.mechanism.num_velocities)
        return jax.vmap(lambda v: world_twists(self.mechanism, self.q, v).vector, out_axes=-1)(basis)

    def twist_between(self, frame, relative_to) -> Motion:
        """Twist of one frame relative to another, in the moving frame."""
        X, X_dot = rate(
            self.mechanism, self.q, self.v, lambda q: relative_transform(self.mechanism, q, frame, relative_to)
        )
        return Motion(unskew(X.rotation.T @ X_dot.rotation), X.rotation.T @ X_dot.translation)

    # ---- forces

    @cached_property
    def inertias(self) -> SpatialInertia:
        """Of all bodies about the world's origin."""
        return self.poses.apply_inertia(self.mechanism.spatial_inertias)

    @cached_property
    def momentum_rates(self) -> Force:
        """Of all bodies about the world's origin."""

        def momenta(q, v):
            inertias = body_poses(self.mechanism, q).apply_inertia(self.mechanism.spatial_inertias)
            return inertias.apply(world_twists(self.mechanism, q, v))

        return self.rate_of_state(momenta)

    @cached_property
    def weights(self) -> Force:
        """Wrenches of gravity on all bodies about the world's origin."""
        gravity = jnp.broadcast_to(self.mechanism.gravity, self.inertias.first_moment.shape)
        return Force(jnp.cross(self.inertias.first_moment, gravity), self.inertias.mass[:, None] * gravity)

    @cached_property
    def mass_matrix(self) -> Array:
        """Σ Jᵀ I J and armature."""
        J = self.jacobians
        return jnp.einsum("bij,bik,bkl->jl", J, self.inertias.matrix(), J) + jnp.diag(self.mechanism.armature)

    @cached_property
    def passive_forces(self) -> Array:
        """Dampers and springs."""
        springs = self.tangent_gradient(lambda q: elastic_energy(self.mechanism, q))
        return -self.mechanism.damping * self.v - springs

    @cached_property
    def inverse_dynamics(self) -> Array:
        """The rate of every body's momentum, less gravity and external wrenches, felt along each degree of freedom."""
        wrenches = (self.momentum_rates - self.weights).vector - self.world_wrenches
        felt = jnp.einsum("bij,bi->j", self.jacobians, wrenches)
        return felt + self.mechanism.armature * self.v_dot - self.passive_forces

    @cached_property
    def wrenches(self) -> list[dict]:
        """The external wrenches as arguments, in each of the three frames."""
        world = Force.from_vector(self.world_wrenches)
        to_origins = Transform(jnp.broadcast_to(jnp.eye(3), self.poses.rotation.shape), -self.poses.translation)
        return [
            {"external_wrenches": world, "wrench_frame": "world"},
            {"external_wrenches": to_origins.apply_force(world)},  # the default
            {"external_wrenches": self.poses.inverse().apply_force(world).vector, "wrench_frame": "body"},  # an array
        ]

    @cached_property
    def external_power(self) -> Array:
        """Power of the external wrenches."""
        return jnp.sum(self.twists.dot(Force.from_vector(self.world_wrenches)))


def random_arguments(mechanism: Mechanism, key: Array) -> tuple[Array, Array, Array, Array]:
    """Those of `State`: far from rest, with quaternions of norm 1.3."""
    q = random_configuration(mechanism, key)
    for body, (num_positions, num_velocities) in enumerate(mechanism.topology.joint_sizes):
        if num_positions != num_velocities:  # a quaternion, or a sine and a cosine
            q = q.at[mechanism.q_index(body)[: 2 if num_positions == 2 else 4]].multiply(1.3)
    keys = jax.random.split(key, 3)
    v, v_dot = (jax.random.normal(k, (mechanism.num_velocities,)) for k in keys[:2])
    return q, v, v_dot, jax.random.normal(keys[2], (mechanism.num_bodies, 6))
