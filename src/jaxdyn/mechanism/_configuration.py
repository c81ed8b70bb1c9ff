"""Configuration space: the manifold on which q lives, for a whole mechanism."""

from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, ArrayLike, Bool, Float, PRNGKeyArray

from .._shapes import Configuration, ConfigurationLike, GeneralizedForce, GeneralizedForceLike, Velocity, VelocityLike
from ..spatial import safe_norm
from ._arguments import as_array, as_configuration, as_velocity
from ._joint_groups import in_configuration_order, in_dof_order, over_groups
from ._mechanism import Mechanism


def zero_configuration(mechanism: Mechanism) -> Configuration:
    """The configuration in which every joint transform is the identity [rad or m]."""
    return _configuration(mechanism, lambda joint, q: joint.zero_configuration(), _placeholder(mechanism))


def random_configuration(mechanism: Mechanism, key: PRNGKeyArray) -> Configuration:
    """A random configuration [rad or m]: uniform inside finite position limits, else from the joint's distribution.

    That is a normal one for plain coordinates, a uniform one for rotations, and [-½, ½] m for a floating body's
    position. With one finite limit, the joint's own sample is reflected at it.

    Args:
        mechanism: Any mechanism.
        key: Random key.

    Returns:
        The configuration, with unit quaternions.

    Differentiability: smooth in the limits, finite also where a limit is infinite.
    """
    sample_key, limit_key = jax.random.split(key)
    keys = jax.random.split(sample_key, max(mechanism.num_bodies, 1))
    samples = []
    for group, bodies in zip(mechanism.joint_groups, mechanism.topology.joint_groups, strict=True):
        sample = jax.vmap(lambda joint, key: joint.random_configuration(key), out_axes=-1)
        samples.append(sample(group, keys[np.array(bodies)]).astype(mechanism.dtype))
    q = in_configuration_order(mechanism.topology, samples) if samples else jnp.zeros(0, mechanism.dtype)
    return _inside_limits(mechanism, q, jax.random.uniform(limit_key, q.shape, dtype=mechanism.dtype))


def normalize_configuration(mechanism: Mechanism, q: ConfigurationLike) -> Configuration:
    """The same poses with unit quaternions."""
    return _configuration(mechanism, lambda joint, q: joint.normalize_configuration(q), as_configuration(mechanism, q))


def principal_value(mechanism: Mechanism, q: ConfigurationLike) -> Configuration:
    """The same poses, each joint's coordinates nearest to zero: quaternions with w ≥ 0."""
    return _configuration(mechanism, lambda joint, q: joint.principal_value(q), as_configuration(mechanism, q))


def same_configuration(
    mechanism: Mechanism, q0: ConfigurationLike, q1: ConfigurationLike, tolerance: float = 1e-9
) -> Bool[Array, ""]:
    """Whether two configurations are the same poses: q and -q are, for a quaternion.

    Args:
        mechanism: Any mechanism.
        q0: One configuration [rad or m].
        q1: The other one.
        tolerance: Largest difference that counts as none [rad or m].

    Returns:
        A truth value; it may be traced.
    """
    return jnp.all(jnp.abs(difference(mechanism, q0, q1)) <= tolerance)


def clamp_configuration(mechanism: Mechanism, q: ConfigurationLike) -> Configuration:
    """The nearest configuration inside the position limits.

    Differentiability: as a minimum and a maximum, in `q` and in the limits; finite also where a limit is infinite.
    """
    q = as_configuration(mechanism, q)
    lower, upper = _limits_of_positions(mechanism)
    return jnp.clip(q, lower, upper)


def integrate(mechanism: Mechanism, q: ConfigurationLike, v: VelocityLike, dt: ArrayLike = 1.0) -> Configuration:
    """Configuration after moving for the time `dt` [s] with the constant velocity `v`."""
    step = as_array(mechanism, dt, "dt") * as_velocity(mechanism, v)
    return _configuration(
        mechanism, lambda joint, q, v: joint.integrate(q, v), as_configuration(mechanism, q), velocities=(step,)
    )


def difference(mechanism: Mechanism, q0: ConfigurationLike, q1: ConfigurationLike) -> Velocity:
    """The velocity that leads from `q0` to `q1` in one unit of time: the inverse of `integrate`."""
    pair = (as_configuration(mechanism, q0, "q0"), as_configuration(mechanism, q1, "q1"))
    return _velocity(mechanism, lambda joint, q0, q1: joint.difference(q0, q1), *pair)


def interpolate(
    mechanism: Mechanism, q0: ConfigurationLike, q1: ConfigurationLike, fraction: ArrayLike
) -> Configuration:
    """The configuration at a fraction of the way from `q0` (0) to `q1` (1)."""
    return integrate(mechanism, q0, difference(mechanism, q0, q1), fraction)


def distance(mechanism: Mechanism, q0: ConfigurationLike, q1: ConfigurationLike) -> Float[Array, ""]:
    """Length of `difference(q0, q1)`; its gradient is zero where the two agree."""
    return safe_norm(difference(mechanism, q0, q1))


def velocity_to_configuration_derivative(mechanism: Mechanism, q: ConfigurationLike, v: VelocityLike) -> Configuration:
    """Time derivative `q_dot` of a configuration that moves with velocity `v`."""
    return _configuration(
        mechanism,
        lambda joint, q, v: joint.velocity_to_configuration_derivative(q, v),
        as_configuration(mechanism, q),
        velocities=(as_velocity(mechanism, v),),
    )


def configuration_derivative_to_velocity(
    mechanism: Mechanism, q: ConfigurationLike, q_dot: ConfigurationLike
) -> Velocity:
    """Velocity `v` of a configuration that changes at the rate `q_dot`."""
    return _velocity(
        mechanism,
        lambda joint, q, q_dot: joint.configuration_derivative_to_velocity(q, q_dot),
        as_configuration(mechanism, q),
        as_configuration(mechanism, q_dot, "q_dot"),
    )


def velocity_to_configuration_derivative_jacobian(
    mechanism: Mechanism, q: ConfigurationLike
) -> Float[Array, "num_positions num_velocities"]:
    """Matrix of the linear map `velocity_to_configuration_derivative`."""
    basis = jnp.eye(mechanism.num_velocities, dtype=mechanism.dtype)
    return jax.vmap(lambda v: velocity_to_configuration_derivative(mechanism, q, v), out_axes=1)(basis)


def configuration_derivative_to_velocity_jacobian(
    mechanism: Mechanism, q: ConfigurationLike
) -> Float[Array, "num_velocities num_positions"]:
    """Matrix of the linear map `configuration_derivative_to_velocity`."""
    basis = jnp.eye(mechanism.num_positions, dtype=mechanism.dtype)
    return jax.vmap(lambda q_dot: configuration_derivative_to_velocity(mechanism, q, q_dot), out_axes=1)(basis)


def configuration_derivative_to_velocity_adjoint(
    mechanism: Mechanism, q: ConfigurationLike, generalized_force: GeneralizedForceLike
) -> Configuration:
    """The force on q that does the same work as `generalized_force` on v: ⟨f_q, q_dot⟩ = ⟨f_v, v⟩."""
    return _configuration(
        mechanism,
        lambda joint, q, force: joint.configuration_derivative_to_velocity_adjoint(q, force),
        as_configuration(mechanism, q),
        velocities=(as_velocity(mechanism, generalized_force, "generalized_force"),),
    )


def local_coordinates(
    mechanism: Mechanism, q0: ConfigurationLike, q: ConfigurationLike, v: VelocityLike
) -> tuple[Velocity, Velocity]:
    """Coordinates φ of `q` around `q0`, zero where they agree, and their rate when `q` moves with `v`."""
    pair = (as_configuration(mechanism, q0, "q0"), as_configuration(mechanism, q))
    results = over_groups(
        mechanism,
        lambda joint, q0, q, v: joint.local_coordinates(q0, q, v),
        configurations=pair,
        velocities=(as_velocity(mechanism, v),),
    )
    coordinates, rates = zip(*results, strict=True) if results else ((), ())
    return in_dof_order(mechanism.topology, coordinates), in_dof_order(mechanism.topology, rates)


def global_coordinates(mechanism: Mechanism, q0: ConfigurationLike, coordinates: VelocityLike) -> Configuration:
    """The configuration with these coordinates around `q0`: the inverse of `local_coordinates`."""
    return integrate(mechanism, q0, coordinates)


def tangent_gradient(mechanism: Mechanism, q: ConfigurationLike, gradient: ConfigurationLike) -> GeneralizedForce:
    """A gradient with respect to q, as `jax.grad` returns it, with respect to a small motion v instead."""
    return _velocity(
        mechanism,
        lambda joint, q, gradient: joint.velocity_to_configuration_derivative_adjoint(q, gradient),
        as_configuration(mechanism, q),
        as_configuration(mechanism, gradient, "gradient"),
    )


def _placeholder(mechanism: Mechanism) -> Configuration:
    return jnp.zeros(mechanism.num_positions, dtype=mechanism.dtype)


def _configuration(
    mechanism: Mechanism, function: Callable, *configurations: Configuration, velocities: tuple[Velocity, ...] = ()
) -> Configuration:
    results = over_groups(mechanism, function, configurations=configurations, velocities=velocities)
    return in_configuration_order(mechanism.topology, results).astype(mechanism.dtype)


def _velocity(mechanism: Mechanism, function: Callable, *configurations: Configuration) -> Velocity:
    return in_dof_order(mechanism.topology, over_groups(mechanism, function, configurations=configurations))


def _limits_of_positions(mechanism: Mechanism) -> tuple[Configuration, Configuration]:
    """Limits per entry of q: those of the degrees of freedom where `q_dot = v`, and none elsewhere."""
    topology = mechanism.topology
    has_limits = np.zeros(topology.num_positions, dtype=bool)
    dof_of_position = np.zeros(topology.num_positions, dtype=int)
    for joints, bodies in zip(mechanism.joint_groups, topology.joint_groups, strict=True):
        for body in bodies if joints.has_plain_positions else ():
            has_limits[topology.q_indices(body)] = True
            dof_of_position[topology.q_indices(body)] = topology.v_indices(body)
    if not has_limits.any():
        infinite = jnp.full(topology.num_positions, jnp.inf, dtype=mechanism.dtype)
        return -infinite, infinite
    lower = jnp.where(has_limits, mechanism.position_lower[dof_of_position], -jnp.inf)
    upper = jnp.where(has_limits, mechanism.position_upper[dof_of_position], jnp.inf)
    return lower, upper


def _inside_limits(mechanism: Mechanism, q: Configuration, fraction: Configuration) -> Configuration:
    """Uniform samples where both limits are finite, reflected ones where one is."""
    lower, upper = _limits_of_positions(mechanism)
    has_lower, has_upper = jnp.isfinite(lower), jnp.isfinite(upper)
    low, high = jnp.where(has_lower, lower, 0), jnp.where(has_upper, upper, 0)
    between = low + fraction * (high - low)
    one_sided = jnp.where(has_lower, low + jnp.abs(q - low), jnp.where(has_upper, high - jnp.abs(q - high), q))
    return jnp.where(has_lower & has_upper, between, one_sided)
