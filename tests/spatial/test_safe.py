"""Lengths and directions: right values, and derivatives that stay finite at zero."""

import jax
import jax.numpy as jnp
import pytest

from jaxdyn.spatial import safe_norm, safe_normalize
from tolerances import tolerance

from .samples import deviation


@pytest.mark.parametrize("dtype", [jnp.float32, jnp.float64])
def test_norm_and_direction(key, dtype):
    vectors = jax.random.normal(key, (30, 3), dtype) * jnp.logspace(-30, 30, 30, dtype=dtype)[:, None]
    norms = jnp.sqrt(jnp.sum(vectors.astype(float) ** 2, axis=-1))
    assert safe_norm(vectors).dtype == dtype
    assert deviation(safe_norm(vectors).astype(float) / norms, 1) < tolerance(dtype, 5)
    assert deviation(safe_normalize(vectors).astype(float), vectors.astype(float) / norms[:, None]) < tolerance(
        dtype, 5
    )


def test_derivatives(key):
    vector, direction = jax.random.normal(key, (2, 3))
    unit, norm = safe_normalize(vector), safe_norm(vector)
    projector = (jnp.eye(3) - jnp.outer(unit, unit)) / norm
    assert deviation(jax.jit(jax.grad(safe_norm))(vector), unit) < tolerance(float, 5)
    assert deviation(jax.jit(jax.hessian(safe_norm))(vector), projector) < tolerance(float, 10)
    jacobian = jax.jit(jax.jacrev(safe_normalize))
    assert deviation(jacobian(vector), projector) < tolerance(float, 10)
    curvature = jax.jit(jax.hessian(safe_normalize))(vector) @ direction
    step = 1e-5
    difference = (jacobian(vector + step * direction) - jacobian(vector - step * direction)) / (2 * step)
    assert deviation(curvature, difference) < 1e-7


@pytest.mark.parametrize("function", [safe_norm, safe_normalize])
@pytest.mark.parametrize("size", [0, 3])
def test_zero_vector(function, size):
    zero = jnp.zeros((2, size))
    with jax.debug_nans(True):
        for derivative in (function, jax.jacfwd(function), jax.jacrev(function), jax.hessian(function)):
            assert not jnp.any(jax.jit(derivative)(zero[0]))
            assert not jnp.any(jax.jit(jax.vmap(derivative))(zero))


def test_not_a_number_is_not_hidden():
    assert jnp.isnan(safe_norm(jnp.array([0.0, jnp.nan])))
    assert jnp.any(jnp.isnan(safe_normalize(jnp.array([0.0, jnp.nan]))))
