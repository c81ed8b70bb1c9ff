"""The Coriolis matrix: Σ m Jᵀ J_dot over all particles, by sums over subtrees."""

import jax.numpy as jnp
from jaxtyping import Array, Float

from .._shapes import ConfigurationLike, VelocityLike
from .._stacked import columns, cross, rotate, transpose
from ..kinematics import origin_velocity_steps, subspace_rates, tree_frames, tree_velocities
from ..mechanism import Mechanism, as_configuration, as_velocity, on_independent
from ._mass_matrix import felt_above, is_above, sums_from_root
from ._tree_flows import body_flows, composite_flows
from ._tree_inertias import body_inertias, composite_inertias


def coriolis_matrix(
    mechanism: Mechanism, q: ConfigurationLike, v: VelocityLike
) -> Float[Array, "num_velocities num_velocities"]:
    """A matrix C with C v the Coriolis and centrifugal forces, and M_dot = C + Cᵀ, so that M_dot - 2 C is skew.

    It is Σ m Jᵀ J_dot over all particles of the bodies, J being a particle's Jacobian: the Christoffel symbols of M
    times v where `v = q_dot`, and their counterpart for joints where it is not. It is linear in `v`.

    Args:
        mechanism: Any tree mechanism.
        q: Configuration [rad or m].
        v: Velocity [rad/s or m/s].

    Returns:
        The matrix [force per unit of velocity]. C v = `dynamics_bias` + `passive_forces` - `gravity_forces`.

    Raises:
        ShapeError: `q` or `v` has the wrong length or another dtype.

    Differentiability: smooth in `q`, `v` and every leaf.
    Reference: Echeandia and Wensing (2021), Numerical methods to compute the Coriolis matrix and Christoffel symbols
    for rigid-body systems; here in world axes about each body's own origin.
    """
    q, v = as_configuration(mechanism, q), as_velocity(mechanism, v)
    frames = tree_frames(mechanism, q)
    velocities = tree_velocities(mechanism, frames, v)
    steps = origin_velocity_steps(frames, velocities)
    bodies = body_inertias(mechanism, frames)
    composites = composite_inertias(frames, bodies)
    flows = composite_flows(frames, body_flows(bodies, velocities), composites, steps)
    topology = mechanism.topology
    dofs = topology.dof_bodies
    p, u = (columns(sums_from_root(frames, x), dofs) for x in (frames.offset, steps))
    S = frames.subspace_angular, frames.subspace_linear
    S_dot = subspace_rates(mechanism, frames, velocities, q, v)
    at_dofs = composites.at_dofs(mechanism)
    first_rate, mixed = columns(flows.first_moment_rate, dofs), columns(flows.mixed, dofs)
    # Column below row, or equal: the subtree of the column changes its momentum at unit velocity of that column.
    moment, force = at_dofs.apply(*S_dot)
    upper = felt_above(topology, S, p, moment + rotate(mixed, S[0]), force + cross(S[0], first_rate))
    # Column above row: the subtree of the row feels how the column's motion changes at its place.
    moment, force = at_dofs.apply(*S)
    lower = felt_above(topology, S_dot, p, moment, force)
    turning = rotate(transpose(mixed), S[0]) + cross(first_rate, S[1])
    lower = lower + felt_above(topology, (S[0], jnp.zeros_like(S[1])), u, turning, force)
    C = jnp.where(is_above(topology), upper, lower.T)
    return on_independent(mechanism, on_independent(mechanism, C).T).T
