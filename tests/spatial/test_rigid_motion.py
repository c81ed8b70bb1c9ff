"""Exponential, logarithm and Jacobians of SE(3) against `jax.jvp`, power series and jaxlie."""

import math
from functools import partial

import jax
import jax.numpy as jnp
import pytest

from jaxdyn.spatial import (
    Motion,
    Transform,
    skew,
    transform_exp,
    transform_left_jacobian,
    transform_left_jacobian_inverse,
    transform_log,
    transform_log_rate,
    transform_right_jacobian,
    transform_right_jacobian_inverse,
    unskew,
)
from tolerances import tolerance

from .samples import SINGULAR_ANGLES, all_angles, deviation, rigid_motions

# Compiled, because one operation at a time they take minutes.
transform_exp = jax.jit(transform_exp)
transform_log = jax.jit(transform_log)
transform_log_rate = jax.jit(transform_log_rate)
transform_left_jacobian = jax.jit(transform_left_jacobian)

ANGLES = (*SINGULAR_ANGLES, 0.3, 1.0, 2.0, 2.5, 4.0, 5.0)


def twist(matrix):
    """The six-vector of a 4x4 matrix [[skew(ω), v], [0, 0]]."""
    return jnp.concatenate([unskew(matrix[..., :3, :3]), matrix[..., :3, 3]], axis=-1)


def motion_cross_matrix(vector):
    """Matrix of the cross product of motions, column by column."""
    motion, units = Motion.from_vector(vector), Motion.from_vector(jnp.eye(6))
    return jax.vmap(motion.cross_motion)(units).vector.T


@jax.jit
def body_and_spatial_velocity(vectors, rates):
    _, matrix_rates = jax.jvp(lambda x: transform_exp(x).matrix(), (vectors,), (rates,))
    inverses = transform_exp(vectors).inverse().matrix()
    return twist(inverses @ matrix_rates), twist(matrix_rates @ inverses)


@jax.jit
def products(vectors, rates):
    """Rates pushed through the Jacobians, and back through their inverses."""
    apply = partial(jnp.einsum, "nij,nj->ni")
    body = apply(transform_right_jacobian(vectors), rates)
    spatial = apply(transform_left_jacobian(vectors), rates)
    return (
        body,
        spatial,
        apply(transform_right_jacobian_inverse(vectors), body),
        apply(transform_left_jacobian_inverse(vectors), spatial),
        transform_log_rate(vectors, body),
    )


@pytest.mark.parametrize("dtype", [jnp.float32, jnp.float64])
def test_jacobians_are_the_twists_of_exp(key, dtype):
    vectors = rigid_motions(key, ANGLES, dtype)
    rates = jax.random.normal(jax.random.fold_in(key, 1), vectors.shape, dtype)
    body, spatial = body_and_spatial_velocity(vectors, rates)
    by_right, by_left, *back = products(vectors, rates)
    assert deviation(by_right, body) < tolerance(dtype, 200)
    assert deviation(by_left, spatial) < tolerance(dtype, 200)
    for again in back:
        assert deviation(again, rates) < tolerance(dtype, 500)


def test_jacobian_is_the_power_series(key):
    """The left Jacobian is the sum of adⁿ / (n + 1)!, and its exponential the motion matrix of the transform."""
    vectors = rigid_motions(key, [0, 1e-3, 1, 3])
    ad = jax.vmap(motion_cross_matrix)(vectors)
    term = jnp.broadcast_to(jnp.eye(6), ad.shape)
    exponential, jacobian = term, term
    for n in range(1, 40):
        term = term @ ad / n
        exponential, jacobian = exponential + term, jacobian + term / (n + 1)
    assert deviation(transform_exp(vectors).motion_matrix(), exponential) < tolerance(float, 1000)
    assert deviation(transform_left_jacobian(vectors), jacobian) < tolerance(float, 1000)


@pytest.mark.parametrize("dtype", [jnp.float32, jnp.float64])
def test_exp_and_log_are_inverse(key, dtype):
    everywhere = transform_exp(rigid_motions(key, all_angles(), dtype))
    again = transform_exp(transform_log(everywhere))
    assert deviation(again.rotation, everywhere.rotation) < tolerance(dtype, 10)
    assert deviation(again.translation, everywhere.translation) < tolerance(dtype, 100)
    below_pi = rigid_motions(key, [angle for angle in all_angles() if angle < 3.14], dtype)
    assert deviation(transform_log(transform_exp(below_pi)), below_pi) < tolerance(dtype, 100)


def test_log_rate_is_the_derivative_of_log(key):
    vectors = rigid_motions(key, [*SINGULAR_ANGLES, 1.0, 2.0, 3.0])
    twists = jax.random.normal(key, vectors.shape)
    transforms = transform_exp(vectors)
    rate = Transform(
        transforms.rotation @ skew(twists[:, :3]), jnp.einsum("nij,nj->ni", transforms.rotation, twists[:, 3:])
    )
    _, expected = jax.jvp(transform_log, (transforms,), (rate,))
    assert deviation(transform_log_rate(vectors, twists), expected) < tolerance(float, 500)


def round_trip(vector):
    return transform_log(transform_exp(vector))


def test_round_trip_has_the_derivatives_of_the_identity(key):
    vectors = rigid_motions(key, [*SINGULAR_ANGLES, 2.0])
    first = jax.jacrev(round_trip)
    hessian, derivative = jax.jit(jax.vmap(jax.jacfwd(lambda x: (first(x),) * 2, has_aux=True)))(vectors)
    assert deviation(derivative, jnp.broadcast_to(jnp.eye(6), derivative.shape)) < tolerance(float, 100)
    assert deviation(hessian, 0) < tolerance(float, 1000)


def test_jacobians_have_finite_derivatives_at_zero_and_pi(key):
    vectors = rigid_motions(key, [0.0, math.pi])
    for function in (transform_left_jacobian, transform_right_jacobian_inverse):
        assert bool(jnp.all(jnp.isfinite(jax.jit(jax.vmap(jax.jacrev(function)))(vectors))))


def test_squared_pose_error_has_zero_gradient_at_the_goal():
    gradient = jax.jit(jax.grad(lambda X: jnp.sum(transform_log(X) ** 2)))(Transform.identity())
    assert deviation(gradient.rotation, 0) == 0 == deviation(gradient.translation, 0)


def test_against_jaxlie(key):
    """jaxlie puts the linear part first."""
    jaxlie = pytest.importorskip("jaxlie")
    swap = jnp.array([3, 4, 5, 0, 1, 2])
    vectors = rigid_motions(key, [1e-2, 1.0, 3.0])
    with jax.numpy_rank_promotion("allow"), jax.numpy_dtype_promotion("standard"):
        theirs = jax.jit(jax.vmap(lambda x: jaxlie.SE3.exp(x).as_matrix()))(vectors[:, swap])
        their_logs = jax.jit(jax.vmap(lambda T: jaxlie.SE3.from_matrix(T).log()))(theirs)[:, swap]
        their_jacobian = jax.jit(jax.vmap(lambda x: jaxlie.SE3.exp(x).adjoint()))(vectors[:, swap])
    assert deviation(transform_exp(vectors).matrix(), theirs) < tolerance(float, 100)
    assert deviation(transform_log(transform_exp(vectors)), their_logs) < tolerance(float, 10000)
    assert deviation(transform_exp(vectors).motion_matrix(), their_jacobian[:, swap][:, :, swap]) < tolerance(
        float, 100
    )
