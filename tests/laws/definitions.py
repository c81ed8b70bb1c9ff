"""Mechanics by definition: poses as products along the tree, everything else by differentiating them.

Slow, and with nothing in common with the algorithms of jaxdyn but the joints' transforms.
"""

from typing import NamedTuple

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
from jaxdyn.spatial import Force, Motion, Transform, unskew


class State(NamedTuple):
    """Arguments of the laws."""

    q: Array
    v: Array
    v_dot: Array
    wrenches: Array  # on every body, in world axes about the world's origin


def random_state(mechanism: Mechanism, key: Array) -> State:
    """A state far from rest, with quaternions of norm 1.3."""
    q = random_configuration(mechanism, key)
    for body, (num_positions, num_velocities) in enumerate(mechanism.topology.joint_sizes):
        if num_positions != num_velocities:
            q = q.at[mechanism.q_index(body)[:4]].multiply(1.3)
    keys = jax.random.split(key, 3)
    v, v_dot = (jax.random.normal(k, (mechanism.num_velocities,)) for k in keys[:2])
    return State(q, v, v_dot, jax.random.normal(keys[2], (mechanism.num_bodies, 6)))


def body_poses(mechanism: Mechanism, q: Array) -> Transform:
    """Poses of all bodies: placement, joint and successor placement, one after another."""
    poses: list[Transform] = []
    for body, parent in enumerate(mechanism.topology.parents):
        pose = poses[parent] if parent >= 0 else Transform.identity()
        pose = pose @ mechanism.placements.transform()[body]
        pose = pose @ mechanism.joint(body).joint_transform(q[mechanism.q_index(body)])
        if mechanism.successor_placements is not None:
            pose = pose @ mechanism.successor_placements.transform()[body].inverse()
        poses.append(pose)
    return jax.tree.map(lambda *parts: jnp.stack(parts), *poses)


def rate(mechanism: Mechanism, q: Array, v: Array, function) -> tuple:
    """A function of q and its time derivative when q moves with the velocity v."""
    return jax.jvp(function, (q,), (velocity_to_configuration_derivative(mechanism, q, v),))


def body_twist(mechanism: Mechanism, q: Array, v: Array, frame, relative_to) -> Motion:
    """Twist of one frame relative to another, in the moving frame."""
    X, X_dot = rate(mechanism, q, v, lambda q: relative_transform(mechanism, q, frame, relative_to))
    return Motion(unskew(X.rotation.T @ X_dot.rotation), X.rotation.T @ X_dot.translation)


def world_twists(mechanism: Mechanism, q: Array, v: Array) -> Motion:
    """Twists of all bodies, in world axes about the world's origin."""
    X, X_dot = rate(mechanism, q, v, lambda q: body_poses(mechanism, q))
    angular = unskew(X_dot.rotation @ jnp.swapaxes(X.rotation, 1, 2))
    return Motion(angular, X_dot.translation - jnp.cross(angular, X.translation))


def world_jacobians(mechanism: Mechanism, q: Array) -> Array:
    """Derivatives of all twists with respect to v, shape (bodies, 6, dofs)."""
    return jax.jacfwd(lambda v: world_twists(mechanism, q, v).vector)(jnp.zeros(mechanism.num_velocities))


def world_inertias(mechanism: Mechanism, q: Array):
    """Inertias of all bodies about the world's origin."""
    return body_poses(mechanism, q).apply_inertia(mechanism.spatial_inertias)


def momenta(mechanism: Mechanism, q: Array, v: Array) -> Force:
    """Momenta of all bodies about the world's origin."""
    return world_inertias(mechanism, q).apply(world_twists(mechanism, q, v))


def momentum_rates(mechanism: Mechanism, state: State) -> Force:
    """Time derivatives of the momenta."""
    q_dot = velocity_to_configuration_derivative(mechanism, state.q, state.v)
    return jax.jvp(lambda q, v: momenta(mechanism, q, v), (state.q, state.v), (q_dot, state.v_dot))[1]


def weights(mechanism: Mechanism, q: Array) -> Force:
    """Wrenches of gravity on all bodies about the world's origin."""
    inertias = world_inertias(mechanism, q)
    gravity = jnp.broadcast_to(mechanism.gravity, inertias.first_moment.shape)
    return Force(jnp.cross(inertias.first_moment, gravity), inertias.mass[:, None] * gravity)


def mass_matrix(mechanism: Mechanism, q: Array) -> Array:
    """Σ Jᵀ I J and armature."""
    J = world_jacobians(mechanism, q)
    return jnp.einsum("bij,bik,bkl->jl", J, world_inertias(mechanism, q).matrix(), J) + jnp.diag(mechanism.armature)


def tangent_gradient(mechanism: Mechanism, q: Array, function) -> Array:
    """Derivative of a scalar function of q along each degree of freedom."""
    basis = jnp.eye(mechanism.num_velocities)
    return jax.vmap(lambda v: rate(mechanism, q, v, function)[1])(basis)


def elastic_energy(mechanism: Mechanism, q: Array) -> Array:
    """Energy of the springs."""
    stretched = difference(mechanism, mechanism.rest_configuration, q)
    return jnp.sum(mechanism.stiffness * stretched**2) / 2


def passive_forces(mechanism: Mechanism, q: Array, v: Array) -> Array:
    """Dampers and springs."""
    return -mechanism.damping * v - tangent_gradient(mechanism, q, lambda q: elastic_energy(mechanism, q))


def inverse_dynamics(mechanism: Mechanism, state: State) -> Array:
    """The rate of every body's momentum, less gravity and external wrenches, felt along each degree of freedom."""
    unbalanced = momentum_rates(mechanism, state) - weights(mechanism, state.q)
    wrenches = unbalanced.vector - state.wrenches
    felt = jnp.einsum("bij,bi->j", world_jacobians(mechanism, state.q), wrenches)
    return felt + mechanism.armature * state.v_dot - passive_forces(mechanism, state.q, state.v)
