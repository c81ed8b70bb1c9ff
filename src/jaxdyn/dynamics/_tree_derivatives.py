"""How the forces that move the bodies change with small motions of the joints, and with their velocities.

A small motion of a joint carries its whole subtree along like one rigid body, with all wrenches in it. As seen from the
subtree, only what comes from before the joint has changed: the velocity field by η, the acceleration field by ζ. Each
mass element of the subtree then accelerates by ζ + 2 η × (its velocity), and the joints feel its inertia.
"""

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from .._shapes import Configuration, Velocity
from .._stacked import StackedMatrix, StackedVector, columns, cross, rotate, rotate_back, transpose
from ..kinematics import TreeFrames, TreeVelocities, accelerations, origin_velocity_steps, tree_frames, tree_velocities
from ..mechanism import (
    Mechanism,
    Topology,
    ancestor_sum,
    joint_force_changes,
    joint_motion_changes,
    on_independent,
)
from ._mass_matrix import felt_above, felt_along, sums_from_root
from ._tree_flows import body_flows, composite_flows
from ._tree_inertias import TreeInertias, body_inertias, composite_inertias, newton_euler
from ._tree_wrenches import transmitted_wrenches

Field = tuple[StackedVector, StackedVector]
"""A motion or wrench per body or degree of freedom: angular part, linear part at the body's own origin."""

SquareMatrix = Float[Array, "num_velocities num_velocities"]


def tree_derivatives(
    mechanism: Mechanism, q: Configuration, v: Velocity, v_dot: Velocity
) -> tuple[SquareMatrix, SquareMatrix, SquareMatrix]:
    """Derivatives of inverse dynamics by q, v and v_dot, without dampers, springs, rotors and external wrenches."""
    topology, frames = mechanism.topology, tree_frames(mechanism, q)
    velocities = tree_velocities(mechanism, frames, v)
    steps = origin_velocity_steps(frames, velocities)
    origin_velocity = steps + ancestor_sum(frames.forest, steps)
    alpha, a = accelerations(mechanism, frames, velocities, q, v, v_dot)
    felt = a - mechanism.gravity[:, None]
    bodies = body_inertias(mechanism, frames)
    composites = composite_inertias(frames, bodies)
    flows = composite_flows(frames, body_flows(bodies, velocities), composites, steps)
    wrench = transmitted_wrenches(frames.forest, frames.offset, *newton_euler(bodies, velocities.angular, alpha, felt))

    S, dofs = (frames.subspace_angular, frames.subspace_linear), topology.dof_bodies
    subtrees = _Subtrees(
        topology=topology,
        subspace=S,
        inertia=composites.at_dofs(mechanism),
        first_moment_rate=columns(flows.first_moment_rate, dofs),
        mixed=columns(flows.mixed, dofs),
        position=columns(sums_from_root(frames, frames.offset), dofs),
        velocity_from_root=columns(sums_from_root(frames, steps), dofs),
        velocity=columns(origin_velocity, dofs),
    )
    own = joint_motion_changes(mechanism, q, v, v_dot)
    twist = velocities.angular, origin_velocity
    eta, zeta, xi = _changes(mechanism, frames, velocities, twist, (alpha, felt), own)
    carried = _cross_wrench(S, (columns(wrench[0], dofs), columns(wrench[1], dofs)))
    by_q, by_v = subtrees.forces(eta, zeta, carried), subtrees.forces(S, xi, None)
    if own is not None:
        by_q = by_q + joint_force_changes(mechanism, q, *(rotate_back(frames.R_WB, x) for x in wrench))
    by_v_dot = felt_above(topology, S, subtrees.position, *subtrees.inertia.apply(*S))
    by_v_dot = by_v_dot + jnp.where(np.eye(len(dofs), dtype=bool), 0, by_v_dot.T)
    by_q, by_v, by_v_dot = (on_independent(mechanism, on_independent(mechanism, x).T).T for x in (by_q, by_v, by_v_dot))
    return by_q, by_v, by_v_dot


class _Subtrees(eqx.Module):
    """What each degree of freedom carries along, about its body's origin, and where that is.

    Attributes:
        topology: The tree.
        subspace: Motion of each degree of freedom.
        inertia: Of the subtree.
        first_moment_rate: ∫ r_dot over the subtree, r from the body's origin.
        mixed: The matrix of a ↦ ∫ r × (a × r_dot).
        position: Of the body's origin, from that of the root of its tree.
        velocity_from_root: Velocity of the body's origin less that of the root's.
        velocity: Velocity of the body's origin.
    """

    topology: Topology = eqx.field(static=True)
    subspace: Field
    inertia: TreeInertias
    first_moment_rate: StackedVector
    mixed: StackedMatrix
    position: StackedVector
    velocity_from_root: StackedVector
    velocity: StackedVector

    def forces(self, velocity: Field, acceleration: Field, carried: Field | None) -> SquareMatrix:
        """Generalized forces (rows) by which each degree of freedom (column) changes the two fields on its subtree.

        Args:
            velocity: Change of the velocity field, η.
            acceleration: Change of the acceleration field, ζ.
            carried: Change of the subtree's wrench because it is carried along, if it is.

        Returns:
            The matrix of their derivatives.
        """
        S, turning = self.subspace, 2 * velocity[0]
        field = acceleration[0], acceleration[1] + cross(turning, self.velocity)
        # Joints before the column's feel its whole subtree.
        moment, force = self.inertia.apply(*field)
        moment = moment + rotate(self.mixed, turning)
        force = force + cross(turning, self.first_moment_rate)
        if carried is not None:
            moment, force = moment + carried[0], force + carried[1]
        before = felt_along(S, self.position, moment, force)
        # Joints in the column's subtree, and its own, feel the subtrees of theirs.
        moment, force = self.inertia.apply(*S)
        within = felt_along(field, self.position, moment, force)
        moment = rotate(transpose(self.mixed), S[0]) + cross(self.first_moment_rate, S[1])
        relative = turning, jnp.zeros_like(turning)
        within = within + felt_along(relative, self.velocity_from_root, moment, force)
        return jnp.where(self.is_before, before, 0) + jnp.where(self.is_before | self.is_same, within, 0).T

    @property
    def is_before(self) -> np.ndarray:
        """Whether the row's joint carries the column's."""
        dofs = self.topology.dof_bodies
        return self.topology.moving_forest.is_strict_ancestor[np.ix_(dofs, dofs)]

    @property
    def is_same(self) -> np.ndarray:
        """Whether the row and the column belong to one joint."""
        dofs = self.topology.dof_bodies
        return dofs[:, None] == dofs


def _changes(
    mechanism: Mechanism,
    frames: TreeFrames,
    velocities: TreeVelocities,
    twist: Field,
    acceleration: Field,
    own: tuple[Field, ...] | None,
) -> tuple[Field, Field, Field]:
    """η and ζ of a small motion of each degree of freedom, and ξ, the ζ of its velocity (whose η is S itself).

    With V and A before the joint, both at the body's origin: η = V × S, ζ = A × S + V × η, ξ = (V + V_after) × S, and
    what the joint's own subspace adds where it changes.
    """
    dofs = mechanism.topology.dof_bodies
    S = frames.subspace_angular, frames.subspace_linear
    V_before = velocities.angular_before, twist[1] - velocities.joint_linear
    V_before, V_after, A_before = (
        (columns(angular, dofs), columns(linear, dofs))
        for angular, linear in (V_before, twist, _acceleration_before(mechanism, frames, V_before, acceleration))
    )
    eta = _cross(V_before, S)
    xi = _sum(eta, _cross(V_after, S))
    if own is None:
        return eta, _sum(_cross(A_before, S), _cross(V_before, eta)), xi
    R_WB = columns(frames.R_WB, dofs)
    twist_change, acceleration_change, bias_change = ((rotate(R_WB, a), rotate(R_WB, b)) for a, b in own)
    eta = _sum(eta, twist_change)
    zeta = _sum(_cross(A_before, S), _cross(V_before, eta))
    zeta = _sum(zeta, _sum(_cross(V_after, twist_change), acceleration_change))
    return eta, zeta, _sum(xi, bias_change)


def _acceleration_before(mechanism: Mechanism, frames: TreeFrames, V_before: Field, acceleration: Field) -> Field:
    """Spatial acceleration of the body before each joint, less gravity, at the origin of the body after it."""
    alpha, felt = (_of_predecessor(frames, x) for x in acceleration)
    on_world = np.array(frames.forest.parents, dtype=int) < 0
    felt = jnp.where(on_world[None], -mechanism.gravity[:, None], felt)
    omega, velocity = V_before
    offset = frames.offset
    return alpha, felt + cross(alpha, offset) + cross(omega, cross(omega, offset)) - cross(omega, velocity)


def _of_predecessor(frames: TreeFrames, of_bodies: StackedVector) -> StackedVector:
    """The vector of the body before each body; zero where that is the world."""
    parents = np.array(frames.forest.parents, dtype=int)
    return jnp.where((parents < 0)[None], 0, columns(of_bodies, np.maximum(parents, 0)))


def _cross(a: Field, b: Field) -> Field:
    """Cross product a × b of motions."""
    return cross(a[0], b[0]), cross(a[0], b[1]) + cross(a[1], b[0])


def _cross_wrench(motion: Field, wrench: Field) -> Field:
    """Change of a wrench that is carried along with a motion."""
    return cross(motion[0], wrench[0]) + cross(motion[1], wrench[1]), cross(motion[0], wrench[1])


def _sum(a: Field, b: Field) -> Field:
    return a[0] + b[0], a[1] + b[1]
