"""Mimic joints: joints that follow another one, so that their velocities are not independent.

A follower's position is `ratio * q_leader + offset`. The recursions see the whole tree, in which each joint has degrees
of freedom of its own; q, v and τ hold the independent entries only. Both meet here: a velocity of the tree is G v, what
the independent velocities feel is Gᵀ τ, where G is made of ones and ratios. Without followers G is the identity and
nothing is computed.
"""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from .._shapes import Velocity
from ._mechanism import Mechanism, Mimics


def dof_velocities(mechanism: Mechanism, v: Velocity) -> Float[Array, " num_dofs"]:
    """Velocity of each degree of freedom of the tree: G v."""
    if mechanism.mimics is None:
        return v
    return _ratios(mechanism, mechanism.mimics) * v[mechanism.topology.velocity_of_dof]


def on_independent(
    mechanism: Mechanism, per_dof: Float[Array, "*components num_dofs"]
) -> Float[Array, "*components num_velocities"]:
    """Forces or columns per degree of freedom of the tree, summed for each independent velocity: x G."""
    topology = mechanism.topology
    if mechanism.mimics is None:
        return per_dof
    G = _ratios(mechanism, mechanism.mimics)[:, None] * jax.nn.one_hot(
        topology.velocity_of_dof, topology.num_velocities, dtype=per_dof.dtype
    )
    return jnp.matmul(per_dof, G, precision=jax.lax.Precision.HIGHEST)


def total_damping(mechanism: Mechanism) -> Velocity:
    """Damping of each independent velocity: its own and, with the square of the ratio, that of its followers."""
    return _with_followers(mechanism, mechanism.damping, "damping")


def total_armature(mechanism: Mechanism) -> Velocity:
    """Armature of each independent velocity: its own and, with the square of the ratio, that of its followers."""
    return _with_followers(mechanism, mechanism.armature, "armature")


def _with_followers(mechanism: Mechanism, own: Velocity, name: str) -> Velocity:
    if mechanism.mimics is None:
        return own
    leaders = mechanism.topology.velocity_of_dof[mechanism.topology.follower_dofs]
    return own.at[leaders].add(mechanism.mimics.ratio**2 * getattr(mechanism.mimics, name))


def _ratios(mechanism: Mechanism, mimics: Mimics) -> Float[Array, " num_dofs"]:
    ratios = jnp.ones(len(mechanism.topology.velocity_of_dof), dtype=mechanism.dtype)
    return ratios.at[mechanism.topology.follower_dofs].set(mimics.ratio)
