"""Inertias of the moving bodies and of their subtrees, in world axes about each body's own origin."""

import equinox as eqx
import jax

from .._shapes import Velocity
from .._stacked import (
    StackedMatrix,
    StackedScalar,
    StackedVector,
    bodies_last,
    columns,
    compose,
    cross,
    dot,
    rotate,
    symmetric,
    transpose,
)
from .._tracing import computed_early
from ..kinematics import TreeFrames
from ..mechanism import Mechanism, carrier_inertias, descendant_sum, shifted_moment
from ..spatial import Transform


class TreeInertias(eqx.Module):
    """Mass, first moment and moment of inertia of each moving body with all that is rigidly attached to it."""

    mass: StackedScalar
    first_moment: StackedVector
    moment: StackedMatrix

    def apply(self, angular: StackedVector, linear: StackedVector) -> tuple[StackedVector, StackedVector]:
        """Product with a motion: moment and force (or angular and linear momentum)."""
        return (
            rotate(self.moment, angular) + cross(self.first_moment, linear),
            self.mass[None] * linear + cross(angular, self.first_moment),
        )

    def at_dofs(self, mechanism: Mechanism) -> "TreeInertias":
        """The inertia of the body that each degree of freedom moves."""
        bodies = mechanism.topology.dof_bodies
        return jax.tree.map(lambda x: columns(x, bodies), self)


def body_inertias(mechanism: Mechanism, frames: TreeFrames) -> TreeInertias:
    """Inertia of each moving body."""
    return _in_world_axes(frames.R_WB, *computed_early(carrier_inertias, mechanism, frames.carried))


def single_inertias(mechanism: Mechanism, poses: Transform) -> TreeInertias:
    """Inertia of every body alone, also of those that are rigidly attached to another."""
    inertias = mechanism.spatial_inertias
    first_moment, moment = bodies_last(inertias.first_moment), symmetric(bodies_last(inertias.moment))
    return _in_world_axes(bodies_last(poses.rotation), inertias.mass, first_moment, moment)


def _in_world_axes(
    R_WB: StackedMatrix, mass: StackedScalar, first_moment: StackedVector, moment: StackedMatrix
) -> TreeInertias:
    return TreeInertias(mass, rotate(R_WB, first_moment), compose(compose(R_WB, moment), transpose(R_WB)))


def composite_inertias(frames: TreeFrames, bodies: TreeInertias) -> TreeInertias:
    """Inertia of each moving body with its whole subtree frozen: three sums over descendants, one after another.

    Reference: composite rigid bodies, Featherstone (2008), section 6.2; here as sums instead of a recursion.
    """
    mass = bodies.mass + descendant_sum(frames.forest, bodies.mass)
    carried_over = bodies.first_moment + mass[None] * frames.offset
    first_moment = bodies.first_moment + descendant_sum(frames.forest, carried_over)
    carried_over = shifted_moment(mass, first_moment, bodies.moment, frames.offset)
    return TreeInertias(mass, first_moment, bodies.moment + descendant_sum(frames.forest, carried_over))


def dof_momenta(
    mechanism: Mechanism, frames: TreeFrames, composites: TreeInertias
) -> tuple[StackedVector, StackedVector]:
    """Momentum of the subtree of each degree of freedom that moves at unit velocity, about its body's origin."""
    return composites.at_dofs(mechanism).apply(frames.subspace_angular, frames.subspace_linear)


def composite_inertia_along_dofs(mechanism: Mechanism, frames: TreeFrames, bodies: TreeInertias) -> Velocity:
    """Diagonal of the mass matrix: inertia of the frozen subtree along each degree of freedom, plus armature."""
    angular, linear = dof_momenta(mechanism, frames, composite_inertias(frames, bodies))
    return dot(frames.subspace_angular, angular) + dot(frames.subspace_linear, linear) + mechanism.armature


def newton_euler(
    bodies: TreeInertias, angular_velocity: StackedVector, angular: StackedVector, linear: StackedVector
) -> tuple[StackedVector, StackedVector]:
    """Net moment about its origin and net force on each body.

    Args:
        bodies: Their inertias.
        angular_velocity: Angular velocity ω [rad/s].
        angular: Angular acceleration [rad/s²].
        linear: Classical acceleration of the origin, less that of gravity where gravity supplies its share [m/s²].

    Returns:
        Moments and forces [N m, N].
    """
    omega = angular_velocity
    moment, force = bodies.apply(angular, linear)
    gyroscopic = cross(omega, rotate(bodies.moment, omega))
    return moment + gyroscopic, force + cross(omega, cross(omega, bodies.first_moment))
