"""Rotations: laws of the group, and values and derivatives where angles are 0 or π."""

import math
from fractions import Fraction

import jax
import jax.numpy as jnp
import pytest

from jaxdyn import spatial
from jaxdyn.spatial import (
    axis_angle_to_matrix,
    matrix_to_quaternion,
    normalize_quaternion,
    quaternion_conjugate,
    quaternion_exp,
    quaternion_log,
    quaternion_multiply,
    quaternion_to_matrix,
    rotation_exp,
    rotation_log,
    rpy_to_matrix,
    skew,
    unskew,
)
from jaxdyn.spatial._rotation import stumpff
from tolerances import tolerance

from .samples import AXES, SINGULAR_ANGLES, SWITCH_ANGLES, all_angles, deviation, rotation_vectors

# Compiled, because one operation at a time they take minutes.
quaternion_multiply = jax.jit(quaternion_multiply)
quaternion_exp = jax.jit(quaternion_exp)
quaternion_log = jax.jit(quaternion_log)
quaternion_to_matrix = jax.jit(quaternion_to_matrix)
matrix_to_quaternion = jax.jit(matrix_to_quaternion)
normalize_quaternion = jax.jit(normalize_quaternion)
rotation_exp = jax.jit(rotation_exp)
rotation_log = jax.jit(rotation_log)
rpy_to_matrix = jax.jit(rpy_to_matrix)
axis_angle_to_matrix = jax.jit(axis_angle_to_matrix)

DTYPES = (jnp.float32, jnp.float64)


def identity(like):
    return jnp.broadcast_to(jnp.eye(3, dtype=like.dtype), like.shape)


def random_quaternions(key, dtype=float):
    """Quaternions of very different norms; their squares must neither under- nor overflow."""
    directions = jax.random.normal(key, (40, 4), dtype)
    return directions * jnp.logspace(-25, 25, 40, dtype=dtype)[:, None]


# ---- skew matrices


def test_skew_is_the_cross_product(key):
    a, b = jax.random.normal(key, (2, 7, 3))
    assert deviation((skew(a) @ b[..., None])[..., 0], jnp.cross(a, b)) < tolerance(float, 10)
    assert deviation(unskew(skew(a)), a) == 0


def test_unskew_ignores_the_symmetric_part(key):
    matrix = jax.random.normal(key, (7, 3, 3))
    symmetric = matrix + jnp.swapaxes(matrix, -1, -2)
    vector = jax.random.normal(key, (7, 3))
    assert deviation(unskew(skew(vector) + symmetric), vector) < tolerance(float, 10)


# ---- quaternions


@pytest.mark.parametrize("dtype", DTYPES)
def test_quaternion_norm_does_not_matter(key, dtype):
    quaternions = random_quaternions(key, dtype)
    units = normalize_quaternion(quaternions)
    assert deviation(jnp.sum(units**2, axis=-1), 1) < tolerance(dtype, 10)
    assert deviation(quaternion_to_matrix(quaternions), quaternion_to_matrix(units)) < tolerance(dtype, 10)
    assert deviation(quaternion_log(quaternions), quaternion_log(units)) < tolerance(dtype, 20)


@pytest.mark.parametrize("function", [normalize_quaternion, quaternion_to_matrix, quaternion_log])
def test_quaternion_derivatives_are_tangent(key, function):
    quaternions = jax.random.normal(key, (20, 4))
    derivatives = jax.jit(jax.vmap(jax.jacrev(function)))
    derivative = derivatives(quaternions)
    along = jnp.einsum("n...i,ni->n...", derivative, quaternions)
    assert deviation(along, 0) < tolerance(float, 100)
    # Scaled by 8, which is exact: the same result, and an eighth of the derivative.
    assert deviation(8 * derivatives(8 * quaternions), derivative) < tolerance(float, 100)


def test_quaternion_product_is_composition(key):
    left, right = jax.random.normal(key, (2, 20, 4))
    product = quaternion_to_matrix(quaternion_multiply(left, right))
    assert deviation(product, quaternion_to_matrix(left) @ quaternion_to_matrix(right)) < tolerance(float, 20)
    transposed = jnp.swapaxes(quaternion_to_matrix(left), -1, -2)
    assert deviation(quaternion_to_matrix(quaternion_conjugate(left)), transposed) < tolerance(float, 10)
    i, j, k = jnp.eye(4)[1:]
    assert deviation(quaternion_multiply(i, j), k) == 0  # Hamilton's rule, not Shuster's


def test_quaternion_sign_does_not_matter_to_its_log(key):
    quaternions = jax.random.normal(key, (20, 4))
    assert deviation(quaternion_log(quaternions), quaternion_log(-quaternions)) == 0


@pytest.mark.parametrize("function", [normalize_quaternion, quaternion_to_matrix, quaternion_log])
def test_zero_quaternion_is_the_identity(function):
    zero, one = jnp.zeros(4), jnp.eye(4)[0]
    assert deviation(function(zero), function(one)) == 0
    first, second = jax.jit(lambda q: (jax.jacrev(function)(q), jax.hessian(function)(q)))(zero)
    assert deviation(first, 0) == 0 == deviation(second, 0)


def test_tiny_quaternion_angles_survive_in_float32():
    """arccos(w) is 0 for every angle below 5e-4 in float32."""
    for angle in (1e-5, -1e-5, 2e-4, -2e-4):
        quaternion = jnp.array([math.cos(angle / 2), 0, 0, math.sin(angle / 2)], jnp.float32)
        assert abs(float(quaternion_log(quaternion)[2]) - angle) < 1e-10


# ---- conversions to matrices


def test_rpy_is_yaw_after_pitch_after_roll(key):
    rpy = jax.random.normal(key, (20, 3))
    x, y, z = (jnp.broadcast_to(axis, (20, 3)) for axis in jnp.eye(3))
    roll, pitch, yaw = (axis_angle_to_matrix(axis, rpy[:, i]) for i, axis in enumerate((x, y, z)))
    assert deviation(rpy_to_matrix(rpy), yaw @ pitch @ roll) < tolerance(float, 20)
    expected = jnp.array([[0.0, 0, -1], [0, 1, 0], [1, 0, 0]])
    assert deviation(rpy_to_matrix(jnp.array([0, -math.pi / 2, 0])), expected) < tolerance(float, 1)


def test_axis_angle_is_the_exponential():
    angles = jnp.asarray(all_angles(6.0))
    axis = jnp.broadcast_to(jnp.asarray(AXES[-1]), (angles.size, 3))
    assert deviation(axis_angle_to_matrix(axis, angles), rotation_exp(angles[:, None] * axis)) < tolerance(float, 20)


# ---- exponential and logarithm


@pytest.mark.parametrize("dtype", DTYPES)
def test_log_is_a_right_inverse_of_exp_at_every_angle(dtype):
    rotations = rotation_exp(rotation_vectors(all_angles(), dtype))
    assert rotations.dtype == dtype
    assert deviation(rotation_exp(rotation_log(rotations)), rotations) < tolerance(dtype, 10)
    assert deviation(rotations @ jnp.swapaxes(rotations, -1, -2), identity(rotations)) < tolerance(dtype, 10)
    assert deviation(quaternion_to_matrix(matrix_to_quaternion(rotations)), rotations) < tolerance(dtype, 10)


@pytest.mark.parametrize("dtype", DTYPES)
def test_log_is_a_left_inverse_of_exp_below_pi(dtype):
    vectors = rotation_vectors([angle for angle in all_angles() if angle < 3.14], dtype)
    assert deviation(rotation_log(rotation_exp(vectors)), vectors) < tolerance(dtype, 20)
    assert deviation(quaternion_log(quaternion_exp(vectors)), vectors) < tolerance(dtype, 20)
    assert deviation(quaternion_to_matrix(quaternion_exp(vectors)), rotation_exp(vectors)) < tolerance(dtype, 10)


def test_log_takes_the_short_way_round():
    vectors = rotation_vectors([3.5, 4.0, 6.0, 6.5, 30.0])
    logs = rotation_log(rotation_exp(vectors))
    assert float(jnp.max(jnp.sum(logs**2, axis=-1))) <= math.pi**2 * (1 + tolerance(float, 10))
    assert deviation(rotation_exp(logs), rotation_exp(vectors)) < tolerance(float, 100)


def test_log_of_half_turns():
    axes = jnp.asarray(AXES, float)
    half_turns = 2 * axes[:, :, None] * axes[:, None, :] - jnp.broadcast_to(jnp.eye(3), (len(AXES), 3, 3))
    logs = rotation_log(half_turns)
    assert deviation(rotation_exp(logs), half_turns) < tolerance(float, 10)
    assert deviation(jnp.sqrt(jnp.sum(logs**2, axis=-1)), math.pi) < tolerance(float, 10)


def test_log_of_a_matrix_that_is_nearly_the_identity():
    """Its trace exceeds 3 by rounding, which is outside the domain of arccos."""
    rotation = jnp.eye(3) * (1 + 2e-16) + 1e-9 * (jnp.ones((3, 3)) - jnp.eye(3))
    assert deviation(rotation_log(rotation), 0) < 2e-9
    rotation = jnp.eye(3) * (1 + 2e-16) + skew(jnp.array([1e-9, -2e-9, 3e-9]))
    assert deviation(rotation_log(rotation), jnp.array([1e-9, -2e-9, 3e-9])) < 1e-9 * tolerance(float, 10)


def round_trip(vector):
    return spatial.rotation_log(spatial.rotation_exp(vector))  # as single operations, for `debug_nans`


def quaternion_round_trip(vector):
    return quaternion_log(quaternion_exp(vector))


@pytest.mark.parametrize(
    ("function", "modes", "dtype"),
    [
        (round_trip, (jax.jacfwd, jax.jacrev), jnp.float64),
        (round_trip, (jax.jacrev, jax.jacfwd), jnp.float64),
        (round_trip, (jax.jacfwd, jax.jacrev), jnp.float32),
        (quaternion_round_trip, (jax.jacfwd, jax.jacrev), jnp.float64),
    ],
)
def test_round_trip_has_the_derivatives_of_the_identity(function, modes, dtype):
    """First and second, up to π - 1e-3 and across the switches between formulas; finite at π."""
    angles = [*SINGULAR_ANGLES, *(angle + offset for angle in SWITCH_ANGLES for offset in (-0.01, 0, 0.01)), 1.0, 3.0]
    vectors = rotation_vectors([*angles, math.pi], dtype)
    second, first = modes[0], modes[1](function)
    hessian, derivative = jax.jit(jax.vmap(second(lambda w: (first(w),) * 2, has_aux=True)))(vectors)
    assert bool(jnp.all(jnp.isfinite(derivative)) & jnp.all(jnp.isfinite(hessian)))
    below_pi = slice(-len(AXES))
    assert deviation(derivative[below_pi], identity(derivative)[below_pi]) < tolerance(dtype, 20)
    assert deviation(hessian[below_pi], 0) < tolerance(dtype, 100)


def test_singular_points_one_by_one():
    """Unbatched, step by step and with every value checked: a `where` hides a NaN, `vmap` removes a `cond`."""
    gradient = jax.grad(lambda w: jnp.sum(round_trip(w)))
    hessian = jax.jit(jax.jacfwd(jax.jacrev(round_trip)))
    batched = jax.jit(jax.vmap(gradient))
    for vector in ((0, 0, 0), (0, 1e-12, 0), (0, math.pi, 0), (0, 0, math.pi - 1e-7)):
        vector = jnp.asarray(vector, float)
        with jax.debug_nans(True):
            alone = gradient(vector)
        assert bool(jnp.all(jnp.isfinite(hessian(vector))))
        assert deviation(batched(vector[None])[0], alone) < tolerance(float, 10)
        if float(jnp.sum(vector)) < math.pi:
            assert deviation(alone, 1) < tolerance(float, 10)


@pytest.mark.parametrize("dtype", DTYPES)
def test_derivative_of_exp_at_zero_is_exact(dtype):
    zero, generators = jnp.zeros((5, 3), dtype), skew(jnp.eye(3, dtype=dtype))
    for mode in (jax.jacfwd, jax.jacrev):
        derivative = jax.jit(jax.vmap(mode(rotation_exp)))(zero)
        assert deviation(jnp.moveaxis(derivative, -1, 1), jnp.broadcast_to(generators, (5, 3, 3, 3))) == 0


def test_squared_pose_error_has_zero_gradient_at_the_goal():
    """An optimiser must survive reaching the goal exactly."""
    gradient = jax.jit(jax.grad(lambda R: jnp.sum(rotation_log(R) ** 2)))(jnp.eye(3))
    assert deviation(gradient, 0) == 0


# ---- the functions all of this rests on


def exact_stumpff(order: int, squared_angle: float, num_derivatives: int) -> float:
    """The series or one of its derivatives, summed in rational numbers."""
    total, s = Fraction(0), Fraction(squared_angle)
    for i in range(num_derivatives, 50):
        total += (
            Fraction((-1) ** i, math.factorial(order + 2 * i))
            * math.perm(i, num_derivatives)
            * s ** (i - num_derivatives)
        )
    return float(total)


@pytest.mark.parametrize("order", range(4))
@pytest.mark.parametrize("dtype", DTYPES)
def test_stumpff_functions_and_their_derivatives(order, dtype):
    """Against exact sums, on both sides of the switch at 4 (the second derivative loses two digits above it)."""
    values = jnp.asarray([0, 1e-30, 1e-12, 0.3, 1, 2, 3.99, 3.999999, 4, 4.000001, 4.01, 5, 7, 9, 9.8], dtype)
    derivatives = [lambda s: stumpff(order, s)]
    for _ in range(2):
        derivatives.append(jax.grad(derivatives[-1]))
    for i, (function, num_roundings) in enumerate(zip(derivatives, (3, 20, 500), strict=True)):
        scale = abs(exact_stumpff(order, 0, i))
        expected = jnp.asarray([exact_stumpff(order, float(s), i) for s in values])
        actual = jax.jit(jax.vmap(function))(values).astype(float)
        assert deviation(actual, expected) < scale * tolerance(dtype, num_roundings)
