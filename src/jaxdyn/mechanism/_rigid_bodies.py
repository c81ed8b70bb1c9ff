"""Bodies that are rigidly attached to others: where they sit on their carrier, and what they add to its inertia.

Everything here depends on the mechanism's leaves only, not on the configuration, so it is computed once for a batch.
"""

import jax.numpy as jnp
import numpy as np
from jax import lax
from jaxtyping import Array, Float

from .._stacked import (
    StackedMatrix,
    StackedVector,
    bodies_last,
    compose,
    dot,
    identity_like,
    rotate,
    symmetric,
    transpose,
)
from ._joint_groups import JointKinematics
from ._mechanism import Mechanism
from ._tree_scan import ancestor_sum, chain_rotations


def carried_poses(mechanism: Mechanism, joints: JointKinematics) -> tuple[StackedMatrix, StackedVector]:
    """Pose of every body in the frame of its carrier (of the world, where nothing carries it)."""
    topology = mechanism.topology
    moves = np.isin(np.arange(topology.num_bodies), topology.moving_bodies)
    identity = identity_like(joints.rotation)
    if moves.all():
        return identity, jnp.zeros_like(joints.translation)
    local = jnp.where(moves[None, None], identity, joints.rotation)
    offset = jnp.where(moves[None], 0, joints.translation)
    rotation = chain_rotations(topology.rigid_forest, local)
    in_carrier = rotate(compose(rotation, transpose(local)), offset)  # a body's offset in its parent's axes
    return rotation, in_carrier + ancestor_sum(topology.rigid_forest, in_carrier)


def moving_poses(
    mechanism: Mechanism, joints: JointKinematics, carried: tuple[StackedMatrix, StackedVector]
) -> tuple[StackedMatrix, StackedVector]:
    """Pose of every moving body in the frame of the moving body (or world) before it."""
    topology = mechanism.topology
    moving = topology.moving_bodies
    rotation, translation = joints.rotation[..., moving], joints.translation[..., moving]
    parents = np.array([topology.parents[body] for body in moving], dtype=int)
    is_carried = np.array([p >= 0 and p not in moving for p in parents], dtype=bool)
    if not is_carried.any():
        return rotation, translation
    before = np.where(is_carried, parents, moving[0])  # moving bodies sit on themselves: the identity
    R, p = carried[0][..., before], carried[1][..., before]
    return compose(R, rotation), p + rotate(R, translation)


def carrier_inertias(
    mechanism: Mechanism, carried: tuple[StackedMatrix, StackedVector]
) -> tuple[Float[Array, " bodies"], StackedVector, StackedMatrix]:
    """Mass, first moment and moment of each moving body with all that is rigidly attached, in its own frame."""
    topology = mechanism.topology
    inertias = mechanism.spatial_inertias
    mass, first_moment = inertias.mass, bodies_last(inertias.first_moment)
    moment = symmetric(bodies_last(inertias.moment))
    if np.array_equal(topology.carriers, np.arange(topology.num_bodies)):
        return mass, first_moment, moment
    rotation, translation = carried
    first_moment = rotate(rotation, first_moment)
    moment = compose(compose(rotation, moment), transpose(rotation))
    moment = shifted_moment(mass, first_moment, moment, translation)
    first_moment = first_moment + mass[None] * translation
    carries = jnp.asarray(topology.carriers[:, None] == np.arange(len(topology.moving_bodies)), dtype=mass.dtype)

    def collected(x: Array) -> Array:
        return jnp.matmul(x, carries, precision=lax.Precision.HIGHEST)

    return collected(mass), collected(first_moment), collected(moment)


def shifted_moment(
    mass: Float[Array, " bodies"], first_moment: StackedVector, moment: StackedMatrix, offset: StackedVector
) -> StackedMatrix:
    """Moment of inertia about a point from which the present origin is at `offset`, all in the same axes.

    The present origin's moment and first moment are given: I' = I + (2 h·r + m r²) 1 - h rᵀ - r hᵀ - m r rᵀ.
    """
    twice = 2 * first_moment + mass[None] * offset
    mixed = first_moment[:, None] * offset[None]
    outer = mixed + jnp.swapaxes(mixed, 0, 1) + mass[None, None] * offset[:, None] * offset[None]
    return moment + dot(twice, offset)[None, None] * identity_like(moment) - outer
