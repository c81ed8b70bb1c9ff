"""The mass matrix, by composite rigid bodies."""

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from .._shapes import ConfigurationLike
from .._stacked import StackedVector, columns, triple_product
from ..kinematics import TreeFrames, tree_frames
from ..mechanism import Mechanism, Topology, ancestor_sum, as_configuration, on_independent, total_armature
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
    p = columns(sums_from_root(frames, frames.offset), topology.dof_bodies)
    upper = felt_above(topology, (frames.subspace_angular, frames.subspace_linear), p, moment, force)
    symmetric = upper + jnp.where(np.eye(len(topology.dof_bodies), dtype=bool), 0, upper.T)
    M = on_independent(mechanism, on_independent(mechanism, symmetric).T)
    return M + jnp.where(np.eye(topology.num_velocities, dtype=bool), total_armature(mechanism)[None], 0)


def felt_above(
    topology: Topology,
    subspace: tuple[StackedVector, StackedVector],
    points: StackedVector,
    moment: StackedVector,
    force: StackedVector,
) -> Float[Array, "num_dofs num_dofs"]:
    """Wrench of each degree of freedom (column), felt along those before it and along itself (row); else zero."""
    return jnp.where(is_above(topology), felt_along(subspace, points, moment, force), 0)


def felt_along(
    subspace: tuple[StackedVector, StackedVector], points: StackedVector, moment: StackedVector, force: StackedVector
) -> Float[Array, "num_dofs num_dofs"]:
    """Wrench of each degree of freedom (column), felt along every one (row).

    Args:
        subspace: Angular and linear part along which a wrench is felt.
        points: Where each degree of freedom's part and wrench are given, from the root of its tree.
        moment: Moment of each degree of freedom's wrench about its point.
        force: Force of each degree of freedom's wrench.

    Returns:
        The matrix, which makes sense for rows and columns of one tree.
    """
    angular_j, linear_j, p_j = (x[:, :, None] for x in (*subspace, points))
    moment_k, force_k, p_k = (x[:, None, :] for x in (moment, force, points))
    felt = triple_product(angular_j, p_k - p_j, force_k)
    for axis in range(3):  # written out, so that one fused loop makes each entry
        felt = felt + angular_j[axis] * moment_k[axis] + linear_j[axis] * force_k[axis]
    return felt


def sums_from_root(frames: TreeFrames, steps: StackedVector) -> StackedVector:
    """Sums of steps along the path from the first body of each tree, such as short positions, however far the tree."""
    is_root = np.array(frames.forest.parents, dtype=int) < 0
    steps = jnp.where(is_root[None], 0, steps)
    return steps + ancestor_sum(frames.forest, steps)


def is_above(topology: Topology) -> np.ndarray:
    """Whether the row's degree of freedom moves the column's and does not come after it."""
    return topology.dof_forest.is_strict_ancestor | np.eye(len(topology.dof_bodies), dtype=bool)
