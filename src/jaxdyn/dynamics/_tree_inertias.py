"""Inertias of the moving bodies and of their subtrees, in world axes about each body's own origin."""

import equinox as eqx
import jax

from .._shapes import Velocity
from .._stacked import StackedMatrix, StackedScalar, StackedVector, columns, compose, cross, dot, rotate, transpose
from .._tracing import computed_early
from ..kinematics import TreeFrames
from ..mechanism import Mechanism, carrier_inertias, descendant_sum, shifted_moment


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
    mass, first_moment, moment = computed_early(carrier_inertias, mechanism, frames.carried)
    R_WB = frames.R_WB
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


def gyroscopic_wrenches(bodies: TreeInertias, angular_velocity: StackedVector) -> tuple[StackedVector, StackedVector]:
    """Moment and force that keep each body turning at a constant rate about its fixed origin."""
    omega = angular_velocity
    moment = cross(omega, rotate(bodies.moment, omega))
    return moment, cross(omega, cross(omega, bodies.first_moment))
