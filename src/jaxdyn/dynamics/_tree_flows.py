"""How the mass of the moving bodies and of their subtrees moves, about each body's own origin, in world axes."""

import equinox as eqx

from .._stacked import StackedMatrix, StackedVector, compose, cross, identity_like, skew, transpose
from ..kinematics import TreeFrames, TreeVelocities
from ..mechanism import descendant_sum
from ._tree_inertias import TreeInertias


class TreeFlows(eqx.Module):
    """How the mass of each body, or of its subtree, moves about the body's origin r = 0: integrals over the mass.

    Attributes:
        first_moment_rate: ∫ r_dot.
        outer: ∫ r r_dotᵀ.
    """

    first_moment_rate: StackedVector
    outer: StackedMatrix

    @property
    def mixed(self) -> StackedMatrix:
        """The matrix of a ↦ ∫ r × (a × r_dot); its transpose is that of b ↦ ∫ r_dot × (b × r)."""
        trace = self.outer[0, 0] + self.outer[1, 1] + self.outer[2, 2]
        return trace[None, None] * identity_like(self.outer) - transpose(self.outer)


def body_flows(bodies: TreeInertias, velocities: TreeVelocities) -> TreeFlows:
    """Of each moving body: r_dot = ω × r."""
    omega = velocities.angular
    trace = bodies.moment[0, 0] + bodies.moment[1, 1] + bodies.moment[2, 2]
    second_moments = trace[None, None] / 2 * identity_like(bodies.moment) - bodies.moment
    return TreeFlows(cross(omega, bodies.first_moment), -compose(second_moments, skew(omega)))


def composite_flows(frames: TreeFrames, own: TreeFlows, composites: TreeInertias, steps: StackedVector) -> TreeFlows:
    """Of each subtree: sums over descendants, each handed on by an offset that changes at the rate of its step."""
    carried_over = own.first_moment_rate + composites.mass[None] * steps
    first_rate = own.first_moment_rate + descendant_sum(frames.forest, carried_over)
    offset, mass = frames.offset, composites.mass[None]
    carried_over = own.outer + _outer(composites.first_moment, steps) + _outer(offset, first_rate + mass * steps)
    return TreeFlows(first_rate, own.outer + descendant_sum(frames.forest, carried_over))


def _outer(a: StackedVector, b: StackedVector) -> StackedMatrix:
    return a[:, None] * b[None]
