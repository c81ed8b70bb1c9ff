"""Where joint polymorphism ends: any mix of joint classes in, uniform arrays out.

Joints of equal structure are stacked in one group; their pure functions are mapped over the group, and the results are
put into body order or into the order of degrees of freedom by one constant permutation. No algorithm mentions a joint
class. Results hold their bodies or degrees of freedom on the last axis.
"""

from collections.abc import Callable, Sequence
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from .._shapes import Configuration, Velocity
from .._stacked import StackedVector, columns, compose, cross, rotate, transpose
from ..joints import AbstractJoint, Fixed
from ._mechanism import Mechanism
from ._topology import Topology


class JointKinematics(eqx.Module):
    """What the moving joints contribute at a configuration.

    Attributes:
        rotation: Rotation of each moving body's frame in the frame before its joint.
        translation: Origin of each moving body's frame in the frame before its joint [m].
        subspace_angular: Angular part of each degree of freedom's twist of the body, in the body's frame.
        subspace_linear: Linear part, about the body's origin.
    """

    rotation: Float[Array, "3 3 bodies"]
    translation: Float[Array, "3 bodies"]
    subspace_angular: Float[Array, "3 num_dofs"]
    subspace_linear: Float[Array, "3 num_dofs"]


def joint_kinematics(mechanism: Mechanism, q: Configuration) -> JointKinematics:
    """Poses and motion subspaces of the moving joints."""
    topology = mechanism.topology
    rotation, translation = joint_poses(mechanism, q, topology.moving_bodies)
    subspace = in_tree_order(topology, over_groups(mechanism, lambda joint, q: joint.motion_subspace(q), (q,)))
    moved = moved_to_bodies(mechanism, topology.moving_bodies[topology.dof_bodies], subspace[:3], subspace[3:])
    return JointKinematics(rotation, translation, *moved)


def joint_poses(
    mechanism: Mechanism, q: Configuration, bodies: np.ndarray
) -> tuple[Float[Array, "3 3 bodies"], Float[Array, "3 bodies"]]:
    """Pose of the frames of some bodies in the frames before their joints: all moving ones, or all others."""
    topology = mechanism.topology
    transforms = over_groups(mechanism, lambda joint, q: joint.joint_transform(q), (q,), bodies=bodies)
    rotation = in_body_order(topology, [transform.rotation for transform in transforms], bodies)
    translation = in_body_order(topology, [transform.translation for transform in transforms], bodies)
    if mechanism.successor_placements is not None:
        R_BA, p_BA = (x[..., bodies] for x in mechanism.successor_placements.stacked())
        rotation = compose(rotation, transpose(R_BA))
        translation = translation - rotate(rotation, p_BA)
    return rotation, translation


def joint_bias_accelerations(
    mechanism: Mechanism, q: Configuration, v: Velocity
) -> tuple[StackedVector, StackedVector]:
    """Angular and linear part of each moving joint's spatial acceleration at `v_dot = 0`, in body frames."""
    topology = mechanism.topology
    moving = topology.moving_bodies
    biases = over_groups(mechanism, lambda joint, q, v: joint.bias_acceleration(q, v), (q,), (v,), bodies=moving)
    bias = in_body_order(topology, biases, moving)
    return moved_to_bodies(mechanism, moving, bias[:3], bias[3:])


def joint_subspace_rates(
    mechanism: Mechanism, q: Configuration, v: Velocity
) -> tuple[Float[Array, "3 num_dofs"], Float[Array, "3 num_dofs"]]:
    """Time derivatives of the moving joints' motion subspaces, angular and linear part, in body frames."""

    def rate(joint: AbstractJoint, q: Array, v: Array) -> Array:
        return jax.jvp(joint.motion_subspace, (q,), (joint.velocity_to_configuration_derivative(q, v),))[1]

    topology = mechanism.topology
    rates = in_tree_order(topology, over_groups(mechanism, rate, (q,), (v,)))
    return moved_to_bodies(mechanism, topology.moving_bodies[topology.dof_bodies], rates[:3], rates[3:])


def dof_to_body_sum(
    topology: Topology, per_dof: Float[Array, "*components num_dofs"]
) -> Float[Array, "*components bodies"]:
    """Sum over the degrees of freedom of each moving body's joint."""
    if len(topology.moving_bodies) == len(topology.dof_bodies):
        return per_dof
    belongs = topology.dof_bodies[:, None] == np.arange(len(topology.moving_bodies))
    return jnp.matmul(per_dof, jnp.asarray(belongs, dtype=per_dof.dtype), precision=jax.lax.Precision.HIGHEST)


def over_groups(
    mechanism: Mechanism,
    function: Callable,
    configurations: Sequence[Configuration] = (),
    velocities: Sequence[Velocity] = (),
    *,
    bodies: np.ndarray | None = None,
) -> list:
    """Map `function(joint, *q_of_joint, *v_of_joint)` over the joints of each group.

    Args:
        mechanism: Any mechanism.
        function: A pure function of one joint and of that joint's part of each vector.
        configurations: Vectors of the length of q.
        velocities: Vectors of the length of v.
        bodies: Only the groups of these bodies, which must be all moving bodies or all others; None for all groups.

    Returns:
        One result per group, its joints on the last axis.
    """
    topology = mechanism.topology
    results = []
    for group, members in zip(mechanism.joint_groups, topology.joint_groups, strict=True):
        if bodies is None or members[0] in bodies:
            qs = [_rows(q, [topology.q_indices(body) for body in members]) for q in configurations]
            vs = [_rows(v, [topology.v_indices(body) for body in members]) for v in velocities]
            qs, vs = _of_followers(mechanism, members, qs, vs)
            results.append(jax.vmap(_on_one_joint(function, mechanism.dtype), out_axes=-1)(group, qs, vs))
    if not results:  # an empty stack of joints gives empty results of the right kind
        qs, vs = ([jnp.zeros((0, 0), x.dtype) for x in vectors] for vectors in (configurations, velocities))
        results.append(jax.vmap(_on_one_joint(function, mechanism.dtype), out_axes=-1)(Fixed(), qs, vs))
    return results


def in_body_order(
    topology: Topology, per_group: Sequence[Array], bodies: np.ndarray
) -> Float[Array, "*components bodies"]:
    """Concatenate the results of the groups of these bodies and sort them by body."""
    members = [body for group in topology.joint_groups if group[0] in bodies for body in group]
    return _sorted(per_group, np.searchsorted(bodies, members))


def in_dof_order(topology: Topology, per_group: Sequence[Array]) -> Float[Array, "*components num_velocities"]:
    """Sort the groups' results of shape (*components, joint_velocities, joints) as the entries of v."""
    return _in_vector_order(topology, per_group, _own_entries(topology, topology.v_indices))


def in_configuration_order(topology: Topology, per_group: Sequence[Array]) -> Float[Array, " num_positions"]:
    """Sort the groups' results of shape (joint_positions, joints) as the entries of q."""
    return _in_vector_order(topology, per_group, _own_entries(topology, topology.q_indices))


def in_tree_order(topology: Topology, per_group: Sequence[Array]) -> Float[Array, "*components num_dofs"]:
    """Sort the groups' results as the degrees of freedom of the tree, those of followers included."""
    sizes = [size[1] for size in topology.joint_sizes]
    return _in_vector_order(topology, per_group, np.split(np.arange(sum(sizes)), np.cumsum(sizes)[:-1]))


def _own_entries(topology: Topology, indices: Callable[[int], np.ndarray]) -> list[np.ndarray]:
    """Entries of each joint in a vector; -1 for followers, which have none of their own."""
    return [
        indices(body) if leader == body else np.full_like(indices(body), -1)
        for body, leader in enumerate(topology.leaders)
    ]


def _on_one_joint(function: Callable, dtype: Any) -> Callable:
    def on_one_joint(joint: AbstractJoint, qs, vs):
        results = function(joint, *qs, *vs)
        # The constants of a user's joint are in double precision where that is switched on.
        return jax.tree.map(lambda x: x.astype(dtype) if jnp.issubdtype(x.dtype, jnp.floating) else x, results)

    return on_one_joint


def _rows(vector: Array, entries: Sequence[np.ndarray]) -> Float[Array, "joints entries"]:
    """The joints' parts of a vector, one row per joint: a slice where they lie in a row."""
    indices = np.stack(entries)
    flat = indices.ravel()
    if flat.size and np.array_equal(flat, np.arange(flat[0], flat[0] + flat.size)):
        return jax.lax.slice_in_dim(vector, int(flat[0]), int(flat[-1]) + 1).reshape(indices.shape)
    return vector[indices]


def _of_followers(
    mechanism: Mechanism, bodies: tuple[int, ...], qs: list[Array], vs: list[Array]
) -> tuple[list[Array], list[Array]]:
    """Rows that were taken from leaders, turned into those of the joints that follow them."""
    followers = [follower for follower, _ in mechanism.topology.mimics]
    rows = [row for row, body in enumerate(bodies) if body in followers]
    if mechanism.mimics is None or not rows:
        return qs, vs
    which = np.array([followers.index(bodies[row]) for row in rows])
    ratio = jnp.ones((len(bodies), 1), mechanism.dtype).at[rows, 0].set(mechanism.mimics.ratio[which])
    offset = jnp.zeros((len(bodies), 1), mechanism.dtype).at[rows, 0].set(mechanism.mimics.offset[which])
    return [ratio * q + offset for q in qs], [ratio * v for v in vs]


def _in_vector_order(topology: Topology, per_group: Sequence[Array], entries: Sequence[np.ndarray]) -> Array:
    """Concatenate the groups' results and put each at its joint's entry of the last axis; -1: leave it out."""
    flat = [result.reshape(*result.shape[:-2], result.shape[-2] * result.shape[-1]) for result in per_group]
    places = [
        entries[body][row]
        for bodies in topology.joint_groups
        for row in range(len(entries[bodies[0]]))
        for body in bodies
    ]
    order = np.argsort(np.array(places, dtype=int), kind="stable")
    return columns(jnp.concatenate(flat, axis=-1), order[np.count_nonzero(np.array(places, dtype=int) < 0) :])


def _sorted(per_group: Sequence[Array], destination: np.ndarray) -> Array:
    """Put entry i of the concatenated results at place destination[i] of the last axis."""
    return columns(jnp.concatenate(per_group, axis=-1), np.argsort(destination))


def moved_to_bodies(
    mechanism: Mechanism, bodies: np.ndarray, angular: StackedVector, linear: StackedVector
) -> tuple[StackedVector, StackedVector]:
    """Motions given in the frames after the joints of some bodies, in the frames of these bodies."""
    placements = mechanism.successor_placements
    if placements is None:
        return angular, linear
    R_BA, p_BA = (x[..., bodies] for x in placements.stacked())
    angular_in_body = rotate(R_BA, angular)
    return angular_in_body, rotate(R_BA, linear) + cross(p_BA, angular_in_body)
