"""Where joint polymorphism ends: any mix of joint classes in, uniform arrays out.

Joints of equal structure are stacked in one group; their pure functions are mapped over the group, and the results are
put into body order or into the order of degrees of freedom by one constant permutation. No algorithm mentions a joint
class. Results hold their bodies or degrees of freedom on the last axis.
"""

from collections.abc import Callable, Sequence

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
    subspace_angular: Float[Array, "3 num_velocities"]
    subspace_linear: Float[Array, "3 num_velocities"]


def joint_kinematics(mechanism: Mechanism, q: Configuration) -> JointKinematics:
    """Poses and motion subspaces of the moving joints."""
    topology = mechanism.topology
    rotation, translation = joint_poses(mechanism, q, topology.moving_bodies)
    subspace = in_dof_order(topology, over_groups(mechanism, lambda joint, q: joint.motion_subspace(q), (q,)))
    moved = _moved(mechanism, topology.moving_bodies[topology.dof_bodies], subspace[:3], subspace[3:])
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
    return _moved(mechanism, moving, bias[:3], bias[3:])


def dof_to_body_sum(
    topology: Topology, per_dof: Float[Array, "*components num_velocities"]
) -> Float[Array, "*components bodies"]:
    """Sum over the degrees of freedom of each moving body's joint."""
    if len(topology.moving_bodies) == topology.num_velocities:
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
            qs = [_rows(q, topology.q_offsets, members) for q in configurations]
            vs = [_rows(v, topology.v_offsets, members) for v in velocities]
            results.append(jax.vmap(_on_one_joint(function), out_axes=-1)(group, qs, vs))
    if not results:  # an empty stack of joints gives empty results of the right kind
        qs, vs = ([jnp.zeros((0, 0), x.dtype) for x in vectors] for vectors in (configurations, velocities))
        results.append(jax.vmap(_on_one_joint(function), out_axes=-1)(Fixed(), qs, vs))
    return results


def in_body_order(
    topology: Topology, per_group: Sequence[Array], bodies: np.ndarray
) -> Float[Array, "*components bodies"]:
    """Concatenate the results of the groups of these bodies and sort them by body."""
    members = [body for group in topology.joint_groups if group[0] in bodies for body in group]
    return _sorted(per_group, np.searchsorted(bodies, members))


def in_dof_order(topology: Topology, per_group: Sequence[Array]) -> Float[Array, "*components num_velocities"]:
    """Concatenate the groups' results of shape (*components, joint_velocities, joints) and sort them by dof."""
    return _in_vector_order(per_group, topology.joint_groups, topology.v_offsets)


def in_configuration_order(topology: Topology, per_group: Sequence[Array]) -> Float[Array, " num_positions"]:
    """Concatenate the groups' results of shape (joint_positions, joints) and sort them as the entries of q."""
    return _in_vector_order(per_group, topology.joint_groups, topology.q_offsets)


def _on_one_joint(function: Callable) -> Callable:
    def on_one_joint(joint: AbstractJoint, qs, vs):
        return function(joint, *qs, *vs)

    return on_one_joint


def _rows(vector: Array, offsets: tuple[int, ...], bodies: tuple[int, ...]) -> Float[Array, "joints entries"]:
    """The joints' parts of a vector, one row per joint: a slice where they lie in a row."""
    indices = np.array([np.arange(offsets[body], offsets[body + 1]) for body in bodies], dtype=int)
    flat = indices.ravel()
    if flat.size and np.array_equal(flat, np.arange(flat[0], flat[0] + flat.size)):
        return jax.lax.slice_in_dim(vector, int(flat[0]), int(flat[-1]) + 1).reshape(indices.shape)
    return vector[indices]


def _in_vector_order(per_group: Sequence[Array], groups: Sequence[tuple[int, ...]], offsets: tuple[int, ...]) -> Array:
    flat = [result.reshape(*result.shape[:-2], result.shape[-2] * result.shape[-1]) for result in per_group]
    order = [
        offsets[body] + entry
        for bodies in groups
        for entry in range(offsets[bodies[0] + 1] - offsets[bodies[0]])
        for body in bodies
    ]
    return _sorted(flat, np.array(order, dtype=int))


def _sorted(per_group: Sequence[Array], destination: np.ndarray) -> Array:
    """Put entry i of the concatenated results at place destination[i] of the last axis."""
    together = jnp.concatenate(per_group, axis=-1)
    return columns(together, np.argsort(destination))


def _moved(
    mechanism: Mechanism, bodies: np.ndarray, angular: StackedVector, linear: StackedVector
) -> tuple[StackedVector, StackedVector]:
    """Motions given in the frames after the joints of some bodies, in the frames of these bodies."""
    placements = mechanism.successor_placements
    if placements is None:
        return angular, linear
    R_BA, p_BA = (x[..., bodies] for x in placements.stacked())
    angular_in_body = rotate(R_BA, angular)
    return angular_in_body, rotate(R_BA, linear) + cross(p_BA, angular_in_body)
