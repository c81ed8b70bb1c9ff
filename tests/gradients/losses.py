"""Scalar functions of a mechanism and its arguments, one for each quantity of which users take derivatives."""

import zlib
from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array

import jaxdyn
from jaxdyn import Mechanism, SemiImplicitEuler
from models import ALL_MODELS

DT = 0.02


class Arguments(NamedTuple):
    """Everything that the functions below depend on, apart from the mechanism."""

    q: Array
    v: Array
    v_dot: Array
    tau: Array
    wrenches: Array


def nasty_robot() -> Mechanism:
    """The floating tree, with limits on two joints: one two-sided, one one-sided; the others are infinite."""
    mechanism = ALL_MODELS["floating_tree"]
    lower = mechanism.position_lower.at[-2].set(-0.3)
    upper = mechanism.position_upper.at[-2:].set(jnp.array([0.5, 0.1]))
    return eqx.tree_at(lambda m: (m.position_lower, m.position_upper), mechanism, (lower, upper))


def random_arguments(mechanism: Mechanism, key: Array) -> Arguments:
    """Far from rest and from the manifold: one joint violates its lower limit, another its upper one."""
    keys = jax.random.split(key, 6)
    q = jaxdyn.random_configuration(mechanism, keys[0]) + 0.1 * jax.random.normal(keys[1], (mechanism.num_positions,))
    return Arguments(
        q.at[-2:].set(jnp.array([-0.4, 0.3])),
        *(jax.random.normal(k, (mechanism.num_velocities,)) for k in keys[2:5]),
        wrenches=jax.random.normal(keys[5], (mechanism.num_bodies, 6)),
    )


def losses(mechanism: Mechanism, arguments: Arguments) -> dict[str, Array]:
    """One number for each quantity: its entries with random weights."""
    q, v, v_dot, tau, wrenches = arguments
    m = mechanism
    quantities = {
        "inverse_dynamics": jaxdyn.inverse_dynamics(m, q, v, v_dot, wrenches),
        "forward_dynamics": jaxdyn.forward_dynamics(m, q, v, tau, wrenches, wrench_frame="body"),
        "articulated_bodies": jaxdyn.forward_dynamics(m, q, v, tau, method="articulated_body"),
        "mass_matrix": jaxdyn.mass_matrix(m, q),
        "body_transforms": jaxdyn.body_transforms(m, q),
        "frame_transforms": jaxdyn.frame_transforms(m, q),
        "geometric_jacobian": jaxdyn.geometric_jacobian(m, q, m.frame_names[0]),
        "mechanical_energy": jaxdyn.mechanical_energy(m, q, v),
        "center_of_mass": jaxdyn.center_of_mass(m, q),
        "clamp_configuration": jaxdyn.clamp_configuration(m, q),
        "random_configuration": jaxdyn.random_configuration(m, jax.random.key(5)),
    }
    return {name: _weighted(name, quantity) for name, quantity in quantities.items()}


def step(mechanism: Mechanism, q: Array, v: Array, tau: Array, dt: float = DT) -> tuple[Array, Array]:
    """One semi-implicit step under generalized forces."""
    length = jnp.asarray(dt, mechanism.dtype)
    return SemiImplicitEuler().step(mechanism, jnp.zeros_like(length), q, v, lambda t, q, v: tau, length)


def _weighted(name: str, quantity) -> Array:
    flat = jnp.concatenate([jnp.ravel(leaf) for leaf in jax.tree.leaves(quantity)])
    weights = jax.random.normal(jax.random.key(zlib.crc32(name.encode())), flat.shape, flat.dtype)
    return jnp.sum(weights * flat)
