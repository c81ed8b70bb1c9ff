"""How the motion subspaces of joints change with their configuration; most joints have subspaces that do not."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from .._shapes import Configuration, Velocity
from .._stacked import StackedVector, columns, cross, rotate_back
from ..joints import AbstractJoint
from ._joint_groups import in_tree_order, moved_to_bodies, over_groups
from ._mechanism import Mechanism
from ._topology import Topology

Changes = tuple[tuple[Float[Array, "3 num_dofs"], Float[Array, "3 num_dofs"]], ...]


def joint_motion_changes(mechanism: Mechanism, q: Configuration, v: Velocity, v_dot: Velocity) -> Changes | None:
    """How a small motion of each degree of freedom changes the motion across its joint, in the body's own frame.

    Three motions per degree of freedom, each as angular and linear part: the change of the joint's twist, of its
    acceleration, and the change of its bias acceleration with the velocity of that degree of freedom. None where
    nothing of this can change.
    """
    if all(_has_fixed_subspaces(group) for group in mechanism.joint_groups):
        return None

    def changes(joint: AbstractJoint, q: Array, v: Array, v_dot: Array) -> Array:
        def acceleration(q: Array) -> Array:
            return joint.motion_subspace(q) @ v_dot + joint.bias_acceleration(q, v)

        along = joint.velocity_to_configuration_derivative_jacobian(q)
        twist = jax.jacfwd(lambda q: joint.motion_subspace(q) @ v)(q) @ along
        return jnp.stack([twist, jax.jacfwd(acceleration)(q) @ along, jax.jacfwd(joint.bias_acceleration, 1)(q, v)])

    topology = mechanism.topology
    stacked = in_tree_order(topology, over_groups(mechanism, changes, (q,), (v, v_dot)))
    bodies = topology.moving_bodies[topology.dof_bodies]
    return tuple(moved_to_bodies(mechanism, bodies, change[:3], change[3:]) for change in stacked)


def joint_force_changes(
    mechanism: Mechanism, q: Configuration, moment: StackedVector, force: StackedVector
) -> Float[Array, "num_dofs num_dofs"]:
    """How Sᵀ W of each joint (row) changes with a small motion of its degrees of freedom (column) that turns S alone.

    Args:
        mechanism: Any mechanism.
        q: Configuration.
        moment: Moment of the wrench W on each moving body, in the body's own frame.
        force: Force of W.

    Returns:
        The matrix, whose blocks on the diagonal are the joints'.
    """
    topology = mechanism.topology
    if mechanism.successor_placements is not None:
        R_BA, p_BA = (x[..., topology.moving_bodies] for x in mechanism.successor_placements.stacked())
        moment, force = rotate_back(R_BA, moment - cross(p_BA, force)), rotate_back(R_BA, force)
    wrench = jnp.concatenate([moment, force])

    def subspace_changes(joint: AbstractJoint, q: Array) -> Array:
        return jax.jacfwd(joint.motion_subspace)(q) @ joint.velocity_to_configuration_derivative_jacobian(q)

    matrix = jnp.zeros((len(topology.dof_bodies),) * 2, dtype=wrench.dtype)
    changes = over_groups(mechanism, subspace_changes, (q,), bodies=topology.moving_bodies)
    for bodies, change in zip(_moving_groups(topology), changes, strict=True):
        of_bodies = columns(wrench, np.searchsorted(topology.moving_bodies, bodies))
        block = jnp.sum(change * of_bodies[:, None, None], axis=0)
        dofs = np.stack([np.flatnonzero(topology.moving_bodies[topology.dof_bodies] == body) for body in bodies], -1)
        matrix = matrix.at[dofs[:, None], dofs[None]].set(block)
    return matrix


def _moving_groups(topology: Topology) -> list[tuple[int, ...]]:
    return [bodies for bodies in topology.joint_groups if bodies[0] in topology.moving_bodies]


def _has_fixed_subspaces(group: AbstractJoint) -> bool:
    """Whether the motion subspaces of the joints of a stack are the same at every configuration."""
    found: list[Any] = []
    one = jax.tree.map(lambda leaf: jax.ShapeDtypeStruct(leaf.shape[1:], leaf.dtype), group)
    jax.eval_shape(lambda joint: found.append(joint.has_fixed_subspaces), one)
    return found[0]
