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
from .._stacked import StackedMatrix, StackedVector, compose, cross, rotate, transpose
from ..joints import AbstractJoint
from ._mechanism import Mechanism
from ._topology import Topology


class JointKinematics(eqx.Module):
    """What the moving joints contribute at a configuration, in body frames.

    Attributes:
        rotation: Rotation of each body's frame in its predecessor's.
        translation: Origin of each body's frame in its predecessor's frame [m].
        subspace_angular: Angular part of each degree of freedom's twist of the body, in the body's frame.
        subspace_linear: Linear part, about the body's origin.
    """

    rotation: Float[Array, "3 3 bodies"]
    translation: Float[Array, "3 bodies"]
    subspace_angular: Float[Array, "3 num_velocities"]
    subspace_linear: Float[Array, "3 num_velocities"]


def joint_kinematics(mechanism: Mechanism, q: Configuration) -> JointKinematics:
    """Local poses of all bodies and the motion subspaces of all degrees of freedom, in body frames."""
    topology = mechanism.topology
    transforms = over_groups(mechanism, lambda joint, q: joint.joint_transform(q), configurations=(q,))
    rotation = in_body_order(topology, [transform.rotation for transform in transforms])
    translation = in_body_order(topology, [transform.translation for transform in transforms])
    subspaces = over_groups(mechanism, lambda joint, q: joint.motion_subspace(q), configurations=(q,))
    subspace = in_dof_order(topology, subspaces)
    R_PF, p_PF = mechanism.placements.stacked()
    angular, linear = subspace[:3], subspace[3:]
    if mechanism.successor_placements is not None:
        R_BA, p_BA = mechanism.successor_placements.stacked()
        rotation = compose(rotation, transpose(R_BA))
        translation = translation - rotate(rotation, p_BA)
        bodies = topology.moving_bodies[topology.dof_bodies]
        angular, linear = _moved(R_BA[:, :, bodies], p_BA[:, bodies], angular, linear)
    return JointKinematics(compose(R_PF, rotation), p_PF + rotate(R_PF, translation), angular, linear)


def joint_bias_accelerations(
    mechanism: Mechanism, q: Configuration, v: Velocity
) -> tuple[StackedVector, StackedVector]:
    """Angular and linear part of each moving joint's spatial acceleration at `v_dot = 0`, in body frames."""
    topology = mechanism.topology
    biases = over_groups(
        mechanism, lambda joint, q, v: joint.bias_acceleration(q, v), configurations=(q,), velocities=(v,)
    )
    bias = in_body_order(topology, biases)[:, topology.moving_bodies]
    angular, linear = bias[:3], bias[3:]
    if mechanism.successor_placements is not None:
        R_BA, p_BA = mechanism.successor_placements.stacked()
        angular, linear = _moved(R_BA[..., topology.moving_bodies], p_BA[..., topology.moving_bodies], angular, linear)
    return angular, linear


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
    *,
    configurations: Sequence[Configuration] = (),
    velocities: Sequence[Velocity] = (),
) -> list:
    """Map `function(joint, *q_of_joint, *v_of_joint)` over the joints of each group.

    Args:
        mechanism: Any mechanism.
        function: A pure function of one joint and of that joint's part of each vector.
        configurations: Vectors of the length of q.
        velocities: Vectors of the length of v.

    Returns:
        One result per group, its joints on the last axis.
    """
    topology = mechanism.topology
    results = []
    for group, bodies in zip(mechanism.joint_groups, topology.joint_groups, strict=True):
        qs = [_rows(q, topology.q_offsets, bodies) for q in configurations]
        vs = [_rows(v, topology.v_offsets, bodies) for v in velocities]
        results.append(jax.vmap(_on_one_joint(function), out_axes=-1)(group, qs, vs))
    return results


def in_body_order(topology: Topology, per_group: Sequence[Array]) -> Float[Array, "*components bodies"]:
    """Concatenate the groups' results and sort them by body."""
    order = [body for bodies in topology.joint_groups for body in bodies]
    return _sorted(per_group, np.array(order, dtype=int))


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
    if np.array_equal(destination, np.arange(destination.size)):
        return together
    return together[..., np.argsort(destination)]


def _moved(
    R_BA: StackedMatrix, p_BA: StackedVector, angular: StackedVector, linear: StackedVector
) -> tuple[StackedVector, StackedVector]:
    """Motions given in the frames after their joints, in the frames of their bodies."""
    angular_in_body = rotate(R_BA, angular)
    return angular_in_body, rotate(R_BA, linear) + cross(p_BA, angular_in_body)
