"""Derivatives of matrices that losses.py leaves out: forward = reverse = differences, in one direction."""

import zlib

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxdyn
from jaxdyn import attach
from jaxdyn.joints import QuaternionSpherical, Universal
from models import Numbers

STEP = 3e-4
STENCIL = ((-2, 1 / 12), (-1, -8 / 12), (1, 8 / 12), (2, -1 / 12))


def gimbal() -> jaxdyn.Mechanism:
    """A ball joint, a fixed body and a universal joint, whose subspace depends on the configuration."""
    numbers = Numbers(9)
    mechanism = jaxdyn.Mechanism.empty()
    for predecessor, joint, name in (
        ("world", QuaternionSpherical(), "ball"),
        ("ball", jaxdyn.joints.Fixed(), "box"),
        ("box", Universal([1.0, 0.0, 0.2], [0.3, 1.0, 0.0]), "shaft"),
    ):
        options = {"placement": numbers.placement(), "successor_placement": numbers.placement()}
        mechanism = attach(mechanism, predecessor, joint, numbers.body(name), **options)
    return mechanism


def losses(mechanism, state):
    """One number for each quantity: its entries with random weights."""
    q, v = state
    quantities = {
        "Coriolis matrix": jaxdyn.coriolis_matrix(mechanism, q, v),
        "inverse of the mass matrix": jaxdyn.mass_matrix_inverse(mechanism, q),
        "singular task": jaxdyn.dynamically_consistent_inverse(mechanism, q, "shaft"),  # rank 5 of 6
    }
    return {name: _weighted(name, quantity) for name, quantity in quantities.items()}


def _weighted(name, quantity):
    flat = jnp.concatenate([jnp.ravel(leaf) for leaf in jax.tree.leaves(quantity)])
    return flat @ jax.random.normal(jax.random.key(zlib.crc32(name.encode())), flat.shape, flat.dtype)


@pytest.mark.long
def test_derivatives_with_respect_to_everything():
    mechanism = gimbal()
    keys = jax.random.split(jax.random.key(1))
    q = jaxdyn.random_configuration(mechanism, keys[0]) * 1.1
    point = (mechanism, (q, jax.random.normal(keys[1], (mechanism.num_velocities,))))
    generator = np.random.default_rng(0)
    direction = jax.tree.map(
        lambda x: jnp.asarray(np.where(np.isfinite(x), generator.normal(size=x.shape), 0.0)), point
    )

    def with_derivatives(point, direction):
        values, slopes = jax.jvp(lambda p: losses(*p), (point,), (direction,))
        gradient = jax.grad(lambda p: sum(losses(*p).values()))(point)
        products = jax.tree.map(lambda g, d: jnp.sum(g * d), gradient, direction)
        return values, slopes, sum(jax.tree.leaves(products))

    at_point = jax.jit(with_derivatives)
    _, slopes, of_gradient = at_point(point, direction)
    slopes = {name: float(slope) for name, slope in slopes.items()}
    assert abs(sum(slopes.values()) - of_gradient) < 1e-11 * sum(map(abs, slopes.values()))
    differences = dict.fromkeys(slopes, 0.0)
    for offset, weight in STENCIL:
        moved = jax.tree.map(lambda x, d, offset=offset: x + STEP * offset * d, point, direction)
        for name, value in at_point(moved, direction)[0].items():
            differences[name] += weight / STEP * float(value)
    for name, slope in slopes.items():
        assert abs(slope - differences[name]) < 1e-6 * max(abs(slope), 1.0), f"{name}: {slope}, {differences[name]}"
