"""Jacobians of SO(3) against the derivatives that `jax.jvp` finds for `rotation_exp` and `rotation_log`."""

import jax
import jax.numpy as jnp
import pytest

from jaxdyn.spatial import (
    left_jacobian,
    left_jacobian_inverse,
    right_jacobian,
    right_jacobian_inverse,
    rotation_exp,
    rotation_log,
    rotation_vector_rate,
    skew,
    unskew,
)
from tolerances import tolerance

from .samples import SINGULAR_ANGLES, SWITCH_ANGLES, all_angles, deviation, rotation_vectors

# Compiled, because one operation at a time they take minutes.
left_jacobian = jax.jit(left_jacobian)
left_jacobian_inverse = jax.jit(left_jacobian_inverse)
right_jacobian = jax.jit(right_jacobian)
right_jacobian_inverse = jax.jit(right_jacobian_inverse)
rotation_exp = jax.jit(rotation_exp)
rotation_log = jax.jit(rotation_log)
rotation_vector_rate = jax.jit(rotation_vector_rate)

ANGLES = (*SINGULAR_ANGLES, *(2 * angle for angle in SWITCH_ANGLES), *SWITCH_ANGLES, 0.3, 1.0, 3.0, 5.0)


def batched_matvec(matrices, vectors):
    return jnp.einsum("nij,nj->ni", matrices, vectors)


@pytest.mark.parametrize("dtype", [jnp.float32, jnp.float64])
def test_jacobians_are_the_angular_velocity_of_exp(key, dtype):
    vectors = rotation_vectors(ANGLES, dtype)
    rates = jax.random.normal(key, vectors.shape, dtype)
    rotations, rotation_rates = jax.jvp(rotation_exp, (vectors,), (rates,))
    inverses = jnp.swapaxes(rotations, -1, -2)
    in_frame_before, in_frame_after = unskew(rotation_rates @ inverses), unskew(inverses @ rotation_rates)
    bound = tolerance(dtype, 100)
    assert deviation(batched_matvec(left_jacobian(vectors), rates), in_frame_before) < bound
    assert deviation(batched_matvec(right_jacobian(vectors), rates), in_frame_after) < bound
    assert deviation(batched_matvec(left_jacobian_inverse(vectors), in_frame_before), rates) < bound
    assert deviation(batched_matvec(right_jacobian_inverse(vectors), in_frame_after), rates) < bound
    assert deviation(rotation_vector_rate(vectors, in_frame_after), rates) < bound


def test_rate_is_the_derivative_of_log(key):
    vectors = rotation_vectors([angle for angle in ANGLES if angle < 3.2])
    velocities = jax.random.normal(key, vectors.shape)
    rotations = rotation_exp(vectors)
    _, rates = jax.jvp(rotation_log, (rotations,), (rotations @ skew(velocities),))
    assert deviation(rotation_vector_rate(vectors, velocities), rates) < tolerance(float, 100)


@pytest.mark.parametrize("dtype", [jnp.float32, jnp.float64])
def test_inverses_at_every_angle(dtype):
    vectors = rotation_vectors(all_angles(), dtype)
    for function, inverse in ((left_jacobian, left_jacobian_inverse), (right_jacobian, right_jacobian_inverse)):
        product = function(vectors) @ inverse(vectors)
        assert deviation(product, jnp.broadcast_to(jnp.eye(3, dtype=dtype), product.shape)) < tolerance(dtype, 20)


def test_left_is_rotated_right():
    vectors = rotation_vectors(ANGLES)
    assert deviation(left_jacobian(vectors), rotation_exp(vectors) @ right_jacobian(vectors)) < tolerance(float, 20)


@pytest.mark.parametrize("function", [left_jacobian, left_jacobian_inverse])
def test_second_derivatives_are_smooth_across_the_switches(function):
    """A third difference in the angle would show a step of the second derivative between series and closed form."""
    axis, step = jnp.array([0.48, -0.6, 0.64]), 1e-3
    second = jax.jit(jax.vmap(jax.jacfwd(jax.jacfwd(lambda angle: function(angle * axis)))))
    for switch in (2.0, 4.0):
        values = second(switch + step * jnp.arange(-1.5, 2))
        assert deviation(values[3] - 3 * values[2] + 3 * values[1], values[0]) < 1e-7


def test_derivatives_at_zero():
    """J = 1 + w×/2 + w×²/6 + ... and its inverse 1 - w×/2 + w×²/12 + ..., so all derivatives there are known."""
    zero, generators = jnp.zeros(3), skew(jnp.eye(3))
    squares = jnp.einsum("aij,bjk->ikab", generators, generators)
    squares = squares + jnp.swapaxes(squares, -1, -2)
    for function, linear, quadratic in ((left_jacobian, 1 / 2, 1 / 6), (left_jacobian_inverse, -1 / 2, 1 / 12)):
        with jax.debug_nans(True):
            assert deviation(jax.jit(jax.jacrev(function))(zero), linear * jnp.moveaxis(generators, 0, -1)) == 0
            assert deviation(jax.jit(jax.hessian(function))(zero), quadratic * squares) < tolerance(float, 1)
