"""What is true of every joint: `joint_transform` defines it, everything else must agree."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from comparison import assert_close
from models import ALL_JOINTS

from jaxdyn.joints import AbstractJoint
from jaxdyn.spatial import Force, Motion, Transform, transform_exp, unskew

from .samples import random_configurations, random_velocities, unnormalized


@pytest.fixture(params=ALL_JOINTS)
def joint(request: pytest.FixtureRequest) -> AbstractJoint:
    return ALL_JOINTS[request.param]


@pytest.fixture
def q(joint, key):
    """Configurations whose quaternions are not unit."""
    return unnormalized(joint, random_configurations(joint, key))


@pytest.fixture
def v(joint, key):
    return random_velocities(joint, jax.random.fold_in(key, 1))


def mapped(function, *arguments):
    """The function's results, one per row of the arguments."""
    return jax.jit(jax.vmap(function))(*arguments)


def twist_of(X: Transform, X_dot: Transform) -> jax.Array:
    """Twist of the frame after, in the frame after, from the rate of its pose."""
    return jnp.concatenate([unskew(X.rotation.T @ X_dot.rotation), X.rotation.T @ X_dot.translation])


def moved(joint, q, v):
    """Rate of a function of q along the velocity v."""
    return lambda function: jax.jvp(function, (q,), (joint.velocity_to_configuration_derivative(q, v),))[1]


# ---- motion


def test_motion_subspace_is_the_derivative_of_the_transform(joint, q, v):
    def by_definition(q, v):
        return twist_of(joint.joint_transform(q), moved(joint, q, v)(joint.joint_transform))

    assert_close(mapped(lambda q, v: joint.motion_subspace(q) @ v, q, v), mapped(by_definition, q, v))
    assert_close(mapped(lambda q, v: joint.joint_twist(q, v).vector, q, v), mapped(by_definition, q, v))


def test_rotations_keep_orthonormal_along_any_rate(joint, q, key):
    def rate_of_orthonormality(q, q_dot):
        return jax.jvp(lambda q: (R := joint.joint_transform(q).rotation).T @ R, (q,), (q_dot,))

    q_dot = jax.random.normal(key, q.shape)
    value, rate = mapped(rate_of_orthonormality, q, q_dot)
    assert_close(value, jnp.broadcast_to(jnp.eye(3), value.shape))
    assert_close(rate, jnp.zeros_like(rate))


def test_bias_is_the_rate_of_the_motion_subspace(joint, q, v):
    def by_definition(q, v):
        return moved(joint, q, v)(lambda q: joint.motion_subspace(q) @ v)

    assert_close(mapped(joint.bias_acceleration, q, v), mapped(by_definition, q, v))


def test_spatial_acceleration_is_the_rate_of_the_twist(joint, q, v, key):
    v_dot = jax.random.normal(key, v.shape)

    def by_definition(q, v, v_dot):
        q_dot = joint.velocity_to_configuration_derivative(q, v)
        return jax.jvp(lambda q, v: joint.joint_twist(q, v).vector, (q, v), (q_dot, v_dot))[1]

    actual = mapped(lambda *args: joint.joint_spatial_acceleration(*args).vector, q, v, v_dot)
    assert_close(actual, mapped(by_definition, q, v, v_dot))


def test_constraint_wrenches_do_no_work_and_leave_nothing_out(joint, q):
    S, T = mapped(lambda q: (joint.motion_subspace(q), joint.constraint_wrench_subspace(q)), q)
    assert S.shape[1:] == (6, joint.num_velocities)
    assert T.shape[1:] == (6, joint.num_constraints)
    assert joint.num_constraints == 6 - joint.num_velocities
    work = jnp.einsum("bij,bik->bjk", T, S)
    assert_close(work, jnp.zeros_like(work))
    for subspace in (S, T):
        smallest = np.linalg.svd(subspace, compute_uv=False).min(axis=1, initial=1.0)
        assert np.all(smallest > 0.1), smallest
    assert joint.is_floating == (joint.num_constraints == 0)


def test_torque_does_the_work_of_the_wrench(joint, q, v, key):
    wrench = jax.random.normal(key, (*v.shape[:1], 6))
    power = mapped(lambda q, v, w: joint.joint_torque(q, Force.from_vector(w)) @ v, q, v, wrench)
    assert_close(power, mapped(lambda q, v, w: Motion.dot(joint.joint_twist(q, v), Force.from_vector(w)), q, v, wrench))


def test_has_fixed_subspaces(joint, q):
    S = mapped(joint.motion_subspace, q)
    assert joint.has_fixed_subspaces == bool(jnp.all(S == S[0]))


# ---- velocities and configuration derivatives


def test_rates_and_velocities_are_inverse(joint, q, v):
    q_dot = mapped(joint.velocity_to_configuration_derivative, q, v)
    assert q_dot.shape == q.shape
    assert_close(mapped(joint.configuration_derivative_to_velocity, q, q_dot), v)


def test_any_rate_gives_the_twist_of_the_pose(joint, q, key):
    """Also a rate that changes a quaternion's norm, which is no motion."""
    q_dot = jax.random.normal(key, q.shape)

    def by_definition(q, q_dot):
        return twist_of(*jax.jvp(joint.joint_transform, (q,), (q_dot,)))

    def through_the_velocity(q, q_dot):
        return joint.motion_subspace(q) @ joint.configuration_derivative_to_velocity(q, q_dot)

    assert_close(mapped(through_the_velocity, q, q_dot), mapped(by_definition, q, q_dot))


def test_jacobians_of_the_maps(joint, q, v, key):
    q_dot = jax.random.normal(key, q.shape)
    product = mapped(lambda q, v: joint.velocity_to_configuration_derivative_jacobian(q) @ v, q, v)
    assert_close(product, mapped(joint.velocity_to_configuration_derivative, q, v))
    product = mapped(lambda q, q_dot: joint.configuration_derivative_to_velocity_jacobian(q) @ q_dot, q, q_dot)
    assert_close(product, mapped(joint.configuration_derivative_to_velocity, q, q_dot))


def test_adjoint_keeps_the_power(joint, q, key):
    q_dot = jax.random.normal(key, q.shape)
    force = jax.random.normal(jax.random.fold_in(key, 1), (len(q), joint.num_velocities))
    force_on_q = mapped(joint.configuration_derivative_to_velocity_adjoint, q, force)
    v = mapped(joint.configuration_derivative_to_velocity, q, q_dot)
    assert_close(jnp.sum(force_on_q * q_dot, axis=1), jnp.sum(force * v, axis=1))


# ---- the manifold of configurations


def test_zero_configuration_is_the_identity(joint):
    X = joint.joint_transform(joint.zero_configuration())
    assert_close((X.rotation, X.translation), (jnp.eye(3), jnp.zeros(3)))
    assert joint.is_configuration_normalized(joint.zero_configuration())


def test_normalize_keeps_the_pose(joint, q):
    normalized = mapped(joint.normalize_configuration, q)
    assert_close(mapped(joint.joint_transform, normalized), mapped(joint.joint_transform, q))
    assert jnp.all(mapped(joint.is_configuration_normalized, normalized))
    assert_close(mapped(joint.normalize_configuration, normalized), normalized)
    is_normalized = mapped(joint.is_configuration_normalized, q)
    assert jnp.all(is_normalized == (joint.num_positions == joint.num_velocities))


def test_random_configurations_are_normalized_and_differ(joint, key):
    q = random_configurations(joint, key)
    assert q.shape == (5, joint.num_positions)
    assert jnp.all(mapped(joint.is_configuration_normalized, q))
    assert joint.num_positions == 0 or jnp.all(jnp.abs(q[1:] - q[:-1]) > 0)


def test_integrate_follows_the_twist(joint, q, v):
    """The right exponential of S v where S is the same everywhere, the sum of q and v where it is not."""

    def expected(q, v):
        if joint.has_fixed_subspaces:
            return joint.joint_transform(q) @ transform_exp(joint.motion_subspace(q) @ v)
        return joint.joint_transform(q + v)

    q_next = mapped(joint.integrate, q, v)
    assert jnp.all(mapped(joint.is_configuration_normalized, q_next))
    assert_close(mapped(joint.joint_transform, q_next), mapped(expected, q, v))


def test_difference_is_the_inverse_of_integrate(joint, q, v, key):
    assert_close(mapped(joint.difference, q, mapped(joint.integrate, q, v)), v)
    other = unnormalized(joint, random_configurations(joint, key), 0.3)
    reached = mapped(lambda q0, q1: joint.integrate(q0, joint.difference(q0, q1)), q, other)
    assert_close(mapped(joint.joint_transform, reached), mapped(joint.joint_transform, other))
    assert_close(mapped(joint.difference, q, q), jnp.zeros_like(v))


def test_principal_value_is_the_nearest_of_the_same_pose(joint, q):
    principal = mapped(joint.principal_value, q)
    assert_close(mapped(joint.joint_transform, principal), mapped(joint.joint_transform, q))
    assert_close(mapped(joint.principal_value, principal), principal)
    if joint.num_positions != joint.num_velocities:
        assert jnp.all(principal[:, 0] >= 0)
        assert_close(mapped(joint.principal_value, q.at[:, :4].multiply(-1)), principal)


def test_local_and_global_coordinates(joint, q, v, key):
    q0 = random_configurations(joint, jax.random.fold_in(key, 2))
    coordinates, rates = mapped(joint.local_coordinates, q0, q, v)
    q_again = mapped(joint.global_coordinates, q0, coordinates)
    assert_close(mapped(joint.joint_transform, q_again), mapped(joint.joint_transform, q))
    assert_close(mapped(joint.local_coordinates, q0, q0, v)[0], jnp.zeros_like(v))

    def twist_along_coordinates(q0, coordinates, rates):
        def pose(coordinates):
            return joint.joint_transform(joint.global_coordinates(q0, coordinates))

        return twist_of(*jax.jvp(pose, (coordinates,), (rates,)))

    actual = mapped(twist_along_coordinates, q0, coordinates, rates)
    assert_close(actual, mapped(lambda q, v: joint.joint_twist(q, v).vector, q, v), operations=20000)


def test_semi_implicit_step_without_an_own_rule(joint, q, v, key):
    if joint.is_floating:
        pytest.skip("a floating joint has a rule of its own, tested below")
    v_dot, dt = jax.random.normal(key, v.shape), 0.1
    q_next, v_next = mapped(lambda q, v, v_dot: joint.semi_implicit_step(q, v, v_dot, jnp.asarray(dt)), q, v, v_dot)
    assert_close(v_next, v + dt * v_dot)
    assert_close(q_next, mapped(joint.integrate, q, dt * (v + dt * v_dot)))


def test_semi_implicit_step_of_a_floating_joint(joint, q, v, key):
    """In the axes of the frame before, the linear velocity takes one explicit step and moves the origin."""
    if not joint.is_floating:
        pytest.skip("not a floating joint")
    v_dot, dt = jax.random.normal(key, v.shape), 0.1

    def expected(q, v, v_dot):
        X, omega = joint.joint_transform(q), v[:3] + dt * v_dot[:3]
        turn = transform_exp(jnp.concatenate([dt * omega, jnp.zeros(3)])).rotation
        velocity = X.rotation @ (v[3:] + dt * (v_dot[3:] + jnp.cross(v[:3], v[3:])))
        X_next = Transform(X.rotation @ turn, X.translation + dt * velocity)
        return X_next, jnp.concatenate([omega, X_next.rotation.T @ velocity])

    def actual(q, v, v_dot):
        q_next, v_next = joint.semi_implicit_step(q, v, v_dot, jnp.asarray(dt))
        return joint.joint_transform(q_next), v_next

    assert_close(mapped(actual, q, v, v_dot), mapped(expected, q, v, v_dot))
    q_next, _ = mapped(lambda q, v, v_dot: joint.semi_implicit_step(q, v, v_dot, jnp.asarray(dt)), q, v, v_dot)
    assert jnp.all(mapped(joint.is_configuration_normalized, q_next))
