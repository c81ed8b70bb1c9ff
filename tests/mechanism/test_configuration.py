"""Configuration space: every joint's part of every vector goes to that joint, and limits are kept."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxdyn
from comparison import assert_close
from jaxdyn import Body, Mechanism, attach
from jaxdyn.joints import QuaternionSpherical, Revolute
from models import ALL_MODELS

MODELS = ("floating_tree", "two_trees", "user_joints", "fixed_body")
"""Models whose joints come in an order that is not that of the groups of equal joints; and one without any."""


def joint_by_joint(mechanism, kinds, function, *vectors):
    """The function applied to one joint after the other; `kinds` says for each vector whether it is like q or v."""
    parts = []
    for body in range(mechanism.num_bodies):
        joint = mechanism.joint(body)
        indices = {"q": mechanism.q_index(body), "v": mechanism.v_index(body)}
        parts.append(function(joint, *(vector[indices[kind]] for kind, vector in zip(kinds, vectors, strict=True))))
    return jnp.concatenate([*parts, jnp.zeros(0)])


@pytest.mark.parametrize("name", MODELS)
def test_every_function_works_joint_by_joint(name):
    mechanism = ALL_MODELS[name]
    keys = jax.random.split(jax.random.key(2), 4)
    q = jaxdyn.random_configuration(mechanism, keys[0]) * 1.3
    q1 = jaxdyn.random_configuration(mechanism, keys[1])
    v = jax.random.normal(keys[2], (mechanism.num_velocities,))
    q_dot = jax.random.normal(keys[3], (mechanism.num_positions,))

    def pairs(mechanism, q, q1, v, q_dot):
        def compare(function, method, kinds, *vectors):
            return function(mechanism, *vectors), joint_by_joint(mechanism, kinds, method, *vectors)

        return {
            "normalize": compare(jaxdyn.normalize_configuration, lambda j, q: j.normalize_configuration(q), "q", q),
            "principal": compare(jaxdyn.principal_value, lambda j, q: j.principal_value(q), "q", q),
            "integrate": compare(jaxdyn.integrate, lambda j, q, v: j.integrate(q, v), "qv", q, v),
            "global": compare(jaxdyn.global_coordinates, lambda j, q, v: j.integrate(q, v), "qv", q, v),
            "difference": compare(jaxdyn.difference, lambda j, a, b: j.difference(a, b), "qq", q, q1),
            "rate": compare(
                jaxdyn.velocity_to_configuration_derivative,
                lambda j, q, v: j.velocity_to_configuration_derivative(q, v),
                "qv",
                q,
                v,
            ),
            "velocity": compare(
                jaxdyn.configuration_derivative_to_velocity,
                lambda j, q, q_dot: j.configuration_derivative_to_velocity(q, q_dot),
                "qq",
                q,
                q_dot,
            ),
            "adjoint": compare(
                jaxdyn.configuration_derivative_to_velocity_adjoint,
                lambda j, q, f: j.configuration_derivative_to_velocity_adjoint(q, f),
                "qv",
                q,
                v,
            ),
            "rate jacobian": (
                jaxdyn.velocity_to_configuration_derivative_jacobian(mechanism, q) @ v,
                jaxdyn.velocity_to_configuration_derivative(mechanism, q, v),
            ),
            "velocity jacobian": (
                jaxdyn.configuration_derivative_to_velocity_jacobian(mechanism, q) @ q_dot,
                jaxdyn.configuration_derivative_to_velocity(mechanism, q, q_dot),
            ),
            "tangent gradient": (
                jaxdyn.tangent_gradient(mechanism, q, q_dot),
                q_dot @ jaxdyn.velocity_to_configuration_derivative_jacobian(mechanism, q),
            ),
            "local": (
                jaxdyn.local_coordinates(mechanism, q1, q, v),
                (
                    joint_by_joint(mechanism, "qqv", lambda j, a, q, v: j.local_coordinates(a, q, v)[0], q1, q, v),
                    joint_by_joint(mechanism, "qqv", lambda j, a, q, v: j.local_coordinates(a, q, v)[1], q1, q, v),
                ),
            ),
            "half a step": (jaxdyn.integrate(mechanism, q, v, 0.5), jaxdyn.integrate(mechanism, q, v / 2)),
            "interpolate": (
                jaxdyn.interpolate(mechanism, q, q1, 0.25),
                jaxdyn.integrate(mechanism, q, jaxdyn.difference(mechanism, q, q1) / 4),
            ),
            "distance": (
                jaxdyn.distance(mechanism, q, q1) ** 2,
                jnp.sum(jaxdyn.difference(mechanism, q, q1) ** 2),
            ),
            "no distance": (
                jax.value_and_grad(lambda q1: jaxdyn.distance(mechanism, q, q1))(q),
                (jnp.zeros(()), jnp.zeros_like(q)),
            ),
        }

    for what, (actual, expected) in jax.jit(pairs)(mechanism, q, q1, v, q_dot).items():
        try:
            assert_close(actual, expected)
        except AssertionError as error:
            raise AssertionError(what) from error


@pytest.mark.parametrize("name", MODELS)
def test_zero_configuration_puts_every_joint_at_rest(name):
    mechanism = ALL_MODELS[name]
    assert_close(
        jaxdyn.zero_configuration(mechanism),
        joint_by_joint(mechanism, "q", lambda j, q: j.zero_configuration(), jnp.zeros(mechanism.num_positions)),
    )


def test_a_quaternion_and_its_negative_are_the_same():
    mechanism = ALL_MODELS["two_trees"]
    q = jaxdyn.random_configuration(mechanism, jax.random.key(0))
    negative = q.at[mechanism.q_index("b_joint")].multiply(-1)
    assert jaxdyn.same_configuration(mechanism, q, negative)
    assert not jaxdyn.same_configuration(mechanism, q, q.at[-1].add(1e-6))
    assert jaxdyn.same_configuration(mechanism, q, q.at[-1].add(1e-6), tolerance=1e-5)


def limited() -> Mechanism:
    """A ball joint first, so that limits of degrees of freedom and entries of q are not in step."""
    mechanism = attach(Mechanism.empty(), "world", QuaternionSpherical(), Body("ball"))
    for i, (lower, upper) in enumerate([(-0.5, 1.5), (-0.25, np.inf), (-np.inf, 0.5), (-np.inf, np.inf), (2.0, 2.0)]):
        joint = Revolute([0.0, 0.0, 1.0])
        mechanism = attach(mechanism, "ball", joint, Body(f"b{i}"), position_lower=lower, position_upper=upper)
    return mechanism


def test_random_configurations_are_inside_the_limits():
    mechanism = limited()
    draw = jax.jit(jax.vmap(lambda key: jaxdyn.random_configuration(mechanism, key)))
    q = np.asarray(draw(jax.random.split(jax.random.key(1), 4000)))
    assert_close(jnp.sum(q[:, :4] ** 2, axis=1), jnp.ones(4000))
    both, lower, upper, free, locked = q[:, 4:].T
    # uniform on [-0.5, 1.5]: the bounds are approached, a quarter of the samples is in each quarter
    assert np.histogram(both, [-0.5, 0.0, 0.5, 1.0, 1.5])[0].tolist() == pytest.approx([1000] * 4, abs=120)
    assert lower.min() >= -0.25
    assert lower.max() > 1.5
    assert upper.max() <= 0.5
    assert upper.min() < -1.5
    assert abs(free.mean()) < 0.06
    assert abs(free.std() - 1) < 0.05
    assert np.all(locked == 2.0)
    assert np.max(np.abs(np.corrcoef(np.stack([both, lower, upper, free])) - np.eye(4))) < 0.06


def test_clamp_moves_to_the_nearest_limit():
    mechanism = limited()
    q = jnp.array([2.0, -3.0, 4.0, 5.0, -1.0, -9.0, 7.0, 8.0, 0.0])
    clamped = jnp.array([2.0, -3.0, 4.0, 5.0, -0.5, -0.25, 0.5, 8.0, 2.0])
    assert_close(jaxdyn.clamp_configuration(mechanism, q), clamped)
    assert_close(jaxdyn.clamp_configuration(mechanism, clamped), clamped)


def test_without_limits_nothing_is_clamped():
    mechanism = ALL_MODELS["free_body"]
    q = 100 * jnp.ones(7)
    assert_close(jaxdyn.clamp_configuration(mechanism, q), q)


def test_derivatives_with_respect_to_infinite_limits_are_finite():
    mechanism, key, q = limited(), jax.random.key(0), 100 * jnp.ones(9)

    def total(mechanism):
        return jnp.sum(jaxdyn.random_configuration(mechanism, key)) + jnp.sum(jaxdyn.clamp_configuration(mechanism, q))

    gradient = jax.jit(jax.grad(total))(mechanism)
    for limits in (gradient.position_lower, gradient.position_upper):
        assert jnp.all(jnp.isfinite(limits))
    assert gradient.position_upper[3] != 0
