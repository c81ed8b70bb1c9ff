"""Mass and its centre."""

import jax.numpy as jnp
from jaxtyping import Array, Float

from .._shapes import ConfigurationLike
from ..mechanism import Mechanism
from ._poses import body_transforms


def total_mass(mechanism: Mechanism) -> Float[Array, ""]:
    """Mass of all bodies [kg], those that are fixed to the world included.

    Differentiability: linear in the masses.
    """
    return jnp.sum(mechanism.spatial_inertias.mass)


def subtree_mass(mechanism: Mechanism, body: str | int) -> Float[Array, ""]:
    """Mass of a body and of all that hang on it [kg].

    Args:
        mechanism: Any mechanism.
        body: Name of a body or frame, or index of a body; "world" for the mass of all bodies.

    Returns:
        The mass [kg].

    Raises:
        UnknownNameError: There is no such frame.

    Differentiability: linear in the masses.
    """
    root, _ = mechanism.frame_index(body)
    if root < 0:
        return total_mass(mechanism)
    hangs_on = mechanism.topology.body_forest.is_strict_ancestor[root].copy()
    hangs_on[root] = True
    return jnp.sum(jnp.where(hangs_on, mechanism.spatial_inertias.mass, 0))


def center_of_mass(mechanism: Mechanism, q: ConfigurationLike) -> Float[Array, "3"]:
    """Centre of mass of all bodies in world coordinates [m], those that are fixed to the world included.

    Args:
        mechanism: Any mechanism.
        q: Configuration [rad or m].

    Returns:
        The centre; the world's origin, with derivative 0, where the total mass is 0.

    Raises:
        ShapeError: `q` does not have `num_positions` entries or has another dtype.

    Differentiability: smooth in `q` and in every leaf.
    """
    mass = total_mass(mechanism)
    return first_moment(mechanism, q) / jnp.where(mass > 0, mass, 1)


def first_moment(mechanism: Mechanism, q: ConfigurationLike) -> Float[Array, "3"]:
    """Total mass times centre of mass in world coordinates [kg m]."""
    poses = body_transforms(mechanism, q)
    inertias = mechanism.spatial_inertias
    return jnp.sum(poses.apply_inertia(inertias).first_moment, axis=0)
