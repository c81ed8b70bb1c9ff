"""The mass matrix as a factorisation: articulated bodies, one degree of freedom at a time.

The degrees of freedom form a tree, those of one joint in a row with no body in between. Eliminating them from the
leaves to the root factorises M = Lᵀ D L; M x = b is then solved by one pass in each direction, in O(n).

World axes about each body's own origin, so that handing an inertia on to the body before is a shift without rotation.
Reference: Featherstone (2008), chapter 7 and section 8.6; the pivots are the D of his equation 7.44.
"""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool

from .._shapes import GeneralizedForce, Velocity
from .._stacked import (
    StackedMatrix,
    StackedVector,
    columns,
    cross,
    dot,
    identity_like,
    rotate,
    rotate_back,
    skew,
    transpose,
)
from ..kinematics import TreeFrames
from ..mechanism import Forest, Mechanism, leaves_to_root, root_to_leaves
from ._tree_inertias import TreeInertias, composite_inertia_along_dofs


class ArticulatedFactors(eqx.Module):
    """The factorised mass matrix.

    Attributes:
        forest: The degrees of freedom.
        inverse_pivots: One over the articulated inertia along each degree of freedom, plus armature; 0 for a degree of
            freedom that moves no inertia.
    """

    forest: Forest = eqx.field(static=True)
    subspace: tuple[StackedVector, StackedVector]
    offset: StackedVector
    gains: tuple[StackedVector, StackedVector]
    inverse_pivots: Velocity

    @property
    def singular(self) -> Bool[Array, " num_velocities"]:
        """Whether each degree of freedom moves no inertia of its own, to working precision."""
        return self.inverse_pivots == 0


def factorize(mechanism: Mechanism, frames: TreeFrames, bodies: TreeInertias) -> ArticulatedFactors:
    """Articulated inertias from the leaves to the root."""
    topology = mechanism.topology
    forest = topology.dof_forest
    composites = composite_inertia_along_dofs(mechanism, frames, bodies)
    # A joint's last degree of freedom carries the body, its first one the offset from the body before.
    offset = jnp.where(topology.is_first_dof[None], columns(frames.offset, topology.dof_bodies), 0)
    inertia = _carried_by_last_dofs(mechanism, bodies)
    subspace = (frames.subspace_angular, frames.subspace_linear)

    def eliminate(children, dof):
        own, (S_angular, S_linear), r, armature, composite = dof
        angular, mixed, linear = (x + y for x, y in zip(_blocks(own), children, strict=True))
        U_angular = rotate(angular, S_angular) + rotate(mixed, S_linear)
        U_linear = rotate_back(mixed, S_angular) + rotate(linear, S_linear)
        pivot = dot(S_angular, U_angular) + dot(S_linear, U_linear) + armature
        inverse = _safe_inverse(pivot, composite)
        scaled_angular, scaled_linear = U_angular * inverse[None], U_linear * inverse[None]
        remaining = (
            angular - U_angular[:, None] * scaled_angular[None],
            mixed - U_angular[:, None] * scaled_linear[None],
            linear - U_linear[:, None] * scaled_linear[None],
        )
        return _shifted(remaining, r), ((U_angular, U_linear), inverse)

    zero = jnp.zeros((3, 3), dtype=mechanism.dtype)
    gains, inverses = leaves_to_root(
        forest, eliminate, (zero, zero, zero), (inertia, subspace, offset, mechanism.armature, composites)
    )
    return ArticulatedFactors(forest, subspace, offset, gains, inverses)


def solve(factors: ArticulatedFactors, forces: GeneralizedForce) -> Velocity:
    """Accelerations M⁻¹ b: forces handed on from the leaves to the root, accelerations back."""

    def hand_on(children, dof):
        (S_angular, S_linear), (U_angular, U_linear), inverse, r, force = dof
        moment_below, force_below = children
        unbalanced = force - dot(S_angular, moment_below) - dot(S_linear, force_below)
        scaled = inverse * unbalanced
        passed_force = force_below + U_linear * scaled[None]
        passed_moment = moment_below + U_angular * scaled[None] + cross(r, passed_force)
        return (passed_moment, passed_force), scaled

    def accelerate(parent, dof):
        (S_angular, S_linear), (U_angular, U_linear), inverse, r, scaled = dof
        angular, linear = parent
        linear = linear + cross(angular, r)
        rate = scaled - inverse * (dot(U_angular, angular) + dot(U_linear, linear))
        return (angular + S_angular * rate[None], linear + S_linear * rate[None]), rate

    zero = jnp.zeros(3, dtype=forces.dtype)
    shared = (factors.subspace, factors.gains, factors.inverse_pivots, factors.offset)
    scaled = leaves_to_root(factors.forest, hand_on, (zero, zero), (*shared, forces))
    return root_to_leaves(factors.forest, accelerate, (zero, zero), (*shared, scaled))


def _safe_inverse(pivot: Velocity, composite: Velocity) -> Velocity:
    """1 / pivot, and 0 where it is singular: that degree of freedom does not accelerate.

    Compared with the composite inertia along the same degree of freedom, so that no unit and no size of robot enters.
    """
    singular = pivot <= 100 * jnp.finfo(pivot.dtype).eps * composite
    return jnp.where(singular, 0, 1 / jnp.where(singular, 1, pivot))


def _carried_by_last_dofs(mechanism: Mechanism, bodies: TreeInertias) -> TreeInertias:
    """Inertia of each body at its joint's last degree of freedom, zero at the others."""
    carries = np.asarray(mechanism.topology.is_last_dof, dtype=bool)
    if carries.all():
        return bodies
    return jax.tree.map(lambda x: jnp.where(np.broadcast_to(carries, x.shape), x, 0), bodies.at_dofs(mechanism))


def _blocks(inertia: TreeInertias) -> tuple[StackedMatrix, StackedMatrix, StackedMatrix]:
    """Blocks (angular, mixed, linear) of 6x6 inertias: moment = angular ω + mixed v, force = mixedᵀ ω + linear v."""
    linear = inertia.mass[None, None] * identity_like(inertia.moment)
    return inertia.moment, skew(inertia.first_moment), linear


def _shifted(
    blocks: tuple[StackedMatrix, StackedMatrix, StackedMatrix], r: StackedVector
) -> tuple[StackedMatrix, StackedMatrix, StackedMatrix]:
    """An inertia about a point from which the present one is at r: Xᵀ I X with X = [[1, 0], [-r×, 1]]."""
    angular, mixed, linear = blocks
    r_of_columns = jnp.broadcast_to(r[:, None], linear.shape)
    mixed_shifted = mixed + cross(r_of_columns, linear)
    turned, turned_shifted = cross(r_of_columns, transpose(mixed)), cross(r_of_columns, transpose(mixed_shifted))
    return angular + turned + transpose(turned_shifted), mixed_shifted, linear
