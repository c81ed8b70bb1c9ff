"""Bodies that are rigidly attached to others: where they sit on their carrier, and what they add to its inertia.

Everything here depends on the mechanism's leaves only, not on the configuration, so it is computed once for a batch.
"""

import equinox as eqx
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
from ._joint_groups import joint_poses
from ._mechanism import Mechanism
from ._tree_scan import ancestor_sum, chain_rotations


class CarriedBodies(eqx.Module):
    """Where every body sits on the moving body (or world) that carries it, and where the moving joints sit.

    Attributes:
        R_CB: Rotation of each body's frame in its carrier's; the identity for a moving body.
        p_CB: Origin of each body's frame in its carrier's frame [m].
        R_CF: Rotation of the frame before each moving body's joint in the frame of its predecessor's carrier.
        p_CF: Origin of that frame [m].
    """

    R_CB: Float[Array, "3 3 num_bodies"]
    p_CB: Float[Array, "3 num_bodies"]
    R_CF: Float[Array, "3 3 bodies"]
    p_CF: Float[Array, "3 bodies"]


def carried_bodies(mechanism: Mechanism) -> CarriedBodies:
    """Rigid placements of all bodies and of the moving joints on their carriers."""
    topology = mechanism.topology
    R_PF, p_PF = mechanism.placements.stacked()
    R_CB, p_CB = identity_like(R_PF), jnp.zeros_like(p_PF)
    moving, attached = topology.moving_bodies, topology.attached_bodies
    if attached.size == 0:
        return CarriedBodies(R_CB, p_CB, R_PF, p_PF)
    no_configuration = jnp.zeros(topology.num_positions, dtype=mechanism.dtype)
    R_FB, p_FB = joint_poses(mechanism, no_configuration, attached)
    R_PF_attached = R_PF[..., attached]
    order = np.argsort(np.concatenate([moving, attached]))
    local = jnp.concatenate([R_CB[..., moving], compose(R_PF_attached, R_FB)], axis=-1)[..., order]
    offset = p_PF[..., attached] + rotate(R_PF_attached, p_FB)
    offset = jnp.concatenate([p_CB[..., moving], offset], axis=-1)[..., order]
    R_CB = chain_rotations(topology.rigid_forest, local)
    in_carrier = rotate(compose(R_CB, transpose(local)), offset)  # a body's offset in its carrier's axes
    p_CB = in_carrier + ancestor_sum(topology.rigid_forest, in_carrier)
    before = np.array([topology.parents[body] for body in moving], dtype=int)
    R_CP, p_CP = _with_world(R_CB, p_CB)
    R_CP, p_CP = R_CP[..., before], p_CP[..., before]
    return CarriedBodies(R_CB, p_CB, compose(R_CP, R_PF[..., moving]), p_CP + rotate(R_CP, p_PF[..., moving]))


def _with_world(
    rotation: StackedMatrix, translation: StackedVector
) -> tuple[Float[Array, "3 3 bodies+1"], Float[Array, "3 bodies+1"]]:
    """Poses of bodies, and the identity last: index -1 is the world."""
    identity = jnp.eye(3, dtype=rotation.dtype)[:, :, None]
    return (
        jnp.concatenate([rotation, identity], axis=-1),
        jnp.concatenate([translation, jnp.zeros_like(identity[0])], axis=-1),
    )


def carrier_inertias(
    mechanism: Mechanism, carried: CarriedBodies
) -> tuple[Float[Array, " bodies"], StackedVector, StackedMatrix]:
    """Mass, first moment and moment of each moving body with all that is rigidly attached, in its own frame."""
    topology = mechanism.topology
    inertias = mechanism.spatial_inertias
    mass, first_moment = inertias.mass, bodies_last(inertias.first_moment)
    moment = symmetric(bodies_last(inertias.moment))
    if topology.attached_bodies.size == 0:
        return mass, first_moment, moment
    rotation, translation = carried.R_CB, carried.p_CB
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
