"""The mass matrix, by composite rigid bodies."""

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from .._shapes import ConfigurationLike
from .._stacked import columns, triple_product
from ..kinematics import TreeFrames, tree_frames
from ..mechanism import Mechanism, Topology, ancestor_sum, as_configuration
from ._tree_inertias import TreeInertias, body_inertias, composite_inertias, dof_momenta


def mass_matrix(mechanism: Mechanism, q: ConfigurationLike) -> Float[Array, "num_velocities num_velocities"]:
    """Inertia of the whole mechanism as felt at its joints.

    The matrix M of M v_dot + C v + g = τ + passive forces + Σ Jᵀ F, armature included; also the Hessian of the
    kinetic energy in `v`.

    Args:
        mechanism: Any tree mechanism.
        q: Configuration [rad or m].

    Returns:
        Symmetric matrix, positive definite unless a joint moves no inertia [kg m², kg m or kg].

    Raises:
        ShapeError: `q` has the wrong length or another dtype.

    Differentiability: smooth in `q` and in every leaf.
    Reference: composite rigid bodies, Featherstone (2008), chapter 6.
    """
    frames = tree_frames(mechanism, as_configuration(mechanism, q))
    return mass_matrix_of(mechanism, frames, body_inertias(mechanism, frames))


def mass_matrix_of(
    mechanism: Mechanism, frames: TreeFrames, bodies: TreeInertias
) -> Float[Array, "num_velocities num_velocities"]:
    """The mass matrix from frames and inertias: M_jk is the momentum of k's subtree, felt along its ancestor j."""
    topology = mechanism.topology
    moment, force = dof_momenta(mechanism, frames, composite_inertias(frames, bodies))
    p = columns(_origins_from_root(topology, frames), topology.dof_bodies)
    # Row j: the degree of freedom that feels; column k: the one whose subtree moves.
    angular_j, linear_j, p_j = (x[:, :, None] for x in (frames.subspace_angular, frames.subspace_linear, p))
    moment_k, force_k, p_k = (x[:, None, :] for x in (moment, force, p))
    felt = triple_product(angular_j, p_k - p_j, force_k)
    for axis in range(3):  # written out, so that one fused loop makes each entry
        felt = felt + angular_j[axis] * moment_k[axis] + linear_j[axis] * force_k[axis]
    upper = jnp.where(_is_above(topology), felt, 0)
    diagonal = np.eye(topology.num_velocities, dtype=bool)
    symmetric = upper + jnp.where(diagonal, 0, upper.T)
    return symmetric + jnp.where(diagonal, mechanism.armature[None], 0)


def _origins_from_root(topology: Topology, frames: TreeFrames):
    """Origins of the moving bodies from that of the first one of their tree: short vectors, however far the tree is."""
    is_root = np.array(topology.moving_forest.parents) < 0
    offset = jnp.where(is_root[None], 0, frames.offset)
    return offset + ancestor_sum(frames.forest, offset)


def _is_above(topology: Topology) -> np.ndarray:
    """Whether the row's degree of freedom moves the column's and does not come after it."""
    return topology.dof_forest.is_strict_ancestor | np.eye(topology.num_velocities, dtype=bool)
