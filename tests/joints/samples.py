"""Configurations and velocities of one joint, shared by the tests of this folder."""

import jax
import jax.numpy as jnp
from jaxtyping import Array

from jaxdyn.joints import AbstractJoint, Reversed, SPQuatFloating


def random_configurations(joint: AbstractJoint, key: Array, number: int = 5) -> Array:
    """Normalised configurations."""
    return jax.vmap(joint.random_configuration)(jax.random.split(key, number))


def random_velocities(joint: AbstractJoint, key: Array, number: int = 5) -> Array:
    """Velocities of a few units; a joint that turns by one of them for one unit of time turns by less than π."""
    return jax.random.uniform(key, (number, joint.num_velocities), minval=-1.7, maxval=1.7)


def norm_entries(joint: AbstractJoint) -> int:
    """Number of leading entries of q whose norm does not matter: a quaternion's, or a sine and a cosine."""
    if joint.num_positions == joint.num_velocities:
        return 0
    return 2 if joint.num_positions == 2 else 4


def inner(joint: AbstractJoint) -> AbstractJoint:
    """The joint that gives q and v their meaning."""
    return inner(joint.joint) if isinstance(joint, Reversed) else joint


def has_many_names(joint: AbstractJoint) -> bool:
    """Whether several configurations stand for one pose, so that one of them is the normalised one."""
    return norm_entries(joint) > 0 or isinstance(inner(joint), SPQuatFloating)


def unnormalized(joint: AbstractJoint, q: Array, factor: float = 1.7) -> Array:
    """The same poses under other names: of another norm, or the other Rodrigues vector."""
    if isinstance(inner(joint), SPQuatFloating):
        vector = q[..., :3]
        return q.at[..., :3].set(-vector / jnp.sum(vector * vector, axis=-1, keepdims=True))
    return q.at[..., : norm_entries(joint)].multiply(factor)


def nasty_configurations(joint: AbstractJoint) -> Array:
    """Zero, half turns about several axes, their unnormalised forms, and zeros where a quaternion has no direction."""
    zero = joint.zero_configuration()
    n = joint.num_positions
    if norm_entries(joint) == 0:
        return jnp.stack([zero, zero + jnp.pi, zero - jnp.pi, zero + 1e-9])
    if norm_entries(joint) == 2:
        return jnp.array([[0.0, 1.0], [0.0, -1.0], [1.0, 0.0], [1e-9, 1.0], [1e-9, -1.0], [3e-4, 4e-4], [0.0, 0.0]])
    half_turns = jnp.stack([jnp.roll(zero[:4], shift) for shift in (1, 2, 3)] + [jnp.array([0.0, 0.6, 0.0, -0.8])])
    half_turns = jnp.concatenate([half_turns, jnp.ones((4, n - 4))], axis=1)
    almost = half_turns.at[:, 0].set(1e-9)
    return jnp.concatenate(
        [zero[None], -zero[None], 3 * zero[None], half_turns, 1e-3 * half_turns, almost, 0 * zero[None]]
    )
