"""Energies."""

import jax.numpy as jnp
from jaxtyping import Array, Float

from .._shapes import ConfigurationLike, VelocityLike
from .._stacked import dot
from ..kinematics import first_moment, origin_velocities, tree_frames, tree_velocities
from ..mechanism import Mechanism, as_configuration, as_velocity, difference, total_armature
from ._tree_inertias import body_inertias


def kinetic_energy(mechanism: Mechanism, q: ConfigurationLike, v: VelocityLike) -> Float[Array, ""]:
    """Kinetic energy ½ vᵀ M v [J], armature included.

    Args:
        mechanism: Any mechanism.
        q: Configuration [rad or m].
        v: Velocity [rad/s or m/s].

    Returns:
        The energy [J].

    Raises:
        ShapeError: `q` or `v` has the wrong length or another dtype.

    Differentiability: smooth in `q`, `v` and every leaf.
    """
    q, v = as_configuration(mechanism, q), as_velocity(mechanism, v)
    frames = tree_frames(mechanism, q)
    velocities = tree_velocities(mechanism, frames, v)
    angular, linear = velocities.angular, origin_velocities(frames, velocities)
    angular_momentum, linear_momentum = body_inertias(mechanism, frames).apply(angular, linear)
    of_bodies = jnp.sum(dot(angular, angular_momentum) + dot(linear, linear_momentum))
    return 0.5 * (of_bodies + jnp.sum(total_armature(mechanism) * v * v))


def gravitational_potential_energy(mechanism: Mechanism, q: ConfigurationLike) -> Float[Array, ""]:
    """Potential energy of gravity [J], zero for mass at the world's origin; bodies fixed to the world count.

    Args:
        mechanism: Any mechanism.
        q: Configuration [rad or m].

    Returns:
        The energy [J].

    Raises:
        ShapeError: `q` has the wrong length or another dtype.

    Differentiability: smooth in `q` and every leaf.
    """
    return -jnp.sum(mechanism.gravity * first_moment(mechanism, q))


def elastic_potential_energy(mechanism: Mechanism, q: ConfigurationLike) -> Float[Array, ""]:
    """Energy of the joints' springs [J]: ½ Σ k φ², φ = difference(rest configuration, q).

    Args:
        mechanism: Any mechanism.
        q: Configuration [rad or m].

    Returns:
        The energy [J].

    Raises:
        ShapeError: `q` has the wrong length or another dtype.

    Differentiability: as `passive_forces`.
    """
    coordinates = difference(mechanism, mechanism.rest_configuration, q)
    return 0.5 * jnp.sum(mechanism.stiffness * coordinates * coordinates)


def mechanical_energy(mechanism: Mechanism, q: ConfigurationLike, v: VelocityLike) -> Float[Array, ""]:
    """Kinetic, gravitational and elastic energy together [J].

    Args:
        mechanism: Any mechanism.
        q: Configuration [rad or m].
        v: Velocity [rad/s or m/s].

    Returns:
        The energy [J].

    Raises:
        ShapeError: `q` or `v` has the wrong length or another dtype.

    Differentiability: as its parts.
    """
    potential = gravitational_potential_energy(mechanism, q) + elastic_potential_energy(mechanism, q)
    return kinetic_energy(mechanism, q, v) + potential
