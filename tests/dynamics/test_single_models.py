"""Mechanisms whose equations can be written on one line."""

import equinox as eqx
import jax
import jax.numpy as jnp
import pytest

import jaxdyn
from comparison import assert_close
from jaxdyn import Body, Mechanism, attach
from jaxdyn.joints import Prismatic
from jaxdyn.spatial import SpatialInertia
from models import ALL_MODELS

G, MASS, LENGTH, INERTIA = 9.81, 2.0, 0.5, 0.03 + 2.0 * 0.25


def quick(function, *arguments):
    """The results of a function that is compiled for these arguments only."""
    return jax.jit(function)(*arguments)


def test_pendulum():
    pendulum, q, v = ALL_MODELS["pendulum"], jnp.array([0.4]), jnp.array([3.0])

    def results(q, v):
        return (
            jaxdyn.mass_matrix(pendulum, q),
            jaxdyn.gravity_forces(pendulum, q),
            jaxdyn.gravitational_potential_energy(pendulum, q),
            jaxdyn.center_of_mass(pendulum, q),
            jaxdyn.kinetic_energy(pendulum, q, v),
            jaxdyn.dynamics_bias(pendulum, q, v),
            jaxdyn.forward_dynamics(pendulum, q, v, [0.1]),
        )

    s, c = jnp.sin(q), jnp.cos(q)
    torque = MASS * G * LENGTH * s
    expected = (
        jnp.array([[INERTIA]]),
        torque,
        -MASS * G * LENGTH * c[0],
        LENGTH * jnp.array([-s[0], 0.0, -c[0]]),
        jnp.asarray(INERTIA * 4.5),
        torque,
        (0.1 - torque) / INERTIA,
    )
    assert_close(quick(results, q, v), expected)


def test_massless_links_before_a_body():
    """The mass matrix is that of the body, to the last bit."""
    mechanism, q = ALL_MODELS["massless_base"], jnp.array([0.3, -0.2, 1.1])
    izz, force = 5.0 * (0.4**2 + 0.3**2) / 12, jnp.array([1.0, 2.0, 3.0])

    def results(q):
        methods = ("articulated_body", "mass_matrix")
        v_dots = [jaxdyn.forward_dynamics(mechanism, q, force, force, method=method) for method in methods]
        return jaxdyn.mass_matrix(mechanism, q), v_dots

    M, v_dots = quick(results, q)
    assert jnp.all(M == jnp.diag(jnp.array([5.0, 5.0, M[2, 2]])))
    assert_close(M[2, 2], jnp.asarray(izz), operations=10)
    assert_close(v_dots, [force / jnp.array([5.0, 5.0, izz])] * 2)


def test_falling_freely():
    """Without forces the centre of mass accelerates by gravity and nothing turns faster or slower."""
    body, rest = ALL_MODELS["free_body"], jnp.zeros(6)
    assert body.successor_placements is not None
    X_BA = body.successor_placements.transform()[0]

    def acceleration(q):
        v_dot = jaxdyn.forward_dynamics(body, q, rest, rest)
        X_WA = jaxdyn.relative_transform(body, q, "body") @ X_BA
        return v_dot[:3], X_WA.apply_vector(v_dot[3:])

    q = jaxdyn.random_configuration(body, jax.random.key(0))
    assert_close(quick(acceleration, q), (jnp.zeros(3), jnp.array([0.0, 0.0, -G])))


def collinear(**options) -> Mechanism:
    """Two sliders along one axis, of which only the second moves a mass: one combination moves none."""
    mechanism = attach(Mechanism.empty(), "world", Prismatic([1.0, 0.0, 0.0]), Body("first"), name="one", **options)
    body = Body("second", SpatialInertia.point_mass(3.0, [0.0, 0.0, 0.0]))
    return attach(mechanism, "first", Prismatic([1.0, 0.0, 0.0]), body)


@pytest.mark.parametrize("method", ["articulated_body", "mass_matrix"])
def test_a_singular_mass_matrix(method):
    """Refused when it is known; when traced, the first slider stays, and everything is finite."""

    def acceleration(tau):
        return jaxdyn.forward_dynamics(collinear(), jnp.zeros(2), jnp.zeros(2), tau, method=method)

    tau = jnp.array([0.0, 6.0])
    with pytest.raises(jaxdyn.MechanismError, match="joint `one`"):
        acceleration(tau)
    assert_close(jax.jit(acceleration)(tau), jnp.array([0.0, 2.0]))
    assert jnp.all(jnp.isfinite(jax.jit(jax.jacrev(acceleration))(tau)))


@pytest.mark.parametrize("method", ["articulated_body", "mass_matrix"])
def test_numbers_that_no_mechanism_has(method):
    """NaN is handed on, not hidden; a negative mass, on the way of an optimizer, gives finite numbers."""

    def acceleration(mass):
        mechanism = eqx.tree_at(
            lambda m: m.spatial_inertias.mass, collinear(armature=0.1), jnp.array([0.0, 1.0]) * mass
        )
        tau = jnp.array([1.0, 6.0])
        return jaxdyn.forward_dynamics(mechanism, jnp.zeros(2), jnp.zeros(2), tau, method=method)

    assert jnp.all(jnp.isnan(jax.jit(acceleration)(jnp.nan)))
    assert jnp.any(jnp.isnan(jax.jit(acceleration)(jnp.inf)))
    assert jnp.all(jnp.isfinite(jax.jit(acceleration)(-3.0)))


def test_armature_makes_it_regular():
    tau = jnp.array([0.0, 6.0])
    v_dot = quick(lambda tau: jaxdyn.forward_dynamics(collinear(armature=1.0), [0, 0], [0, 0], tau), tau)
    assert_close(v_dot, jnp.array([-6.0, 8.0]))


def energies(mechanism, q, v, dt):
    """Energies along 100 steps without forces, by the classical fourth-order rule on (q, v)."""

    def derivative(q, v):
        q_dot = jaxdyn.velocity_to_configuration_derivative(mechanism, q, v)
        return q_dot, jaxdyn.forward_dynamics(mechanism, q, v, jnp.zeros_like(v))

    def step(state, _):
        def stage(carry, numbers):
            (fraction, weight), (last, total) = numbers, carry
            rate = derivative(*(x + fraction * dt * k for x, k in zip(state, last, strict=True)))
            return (rate, tuple(t + weight * k for t, k in zip(total, rate, strict=True))), None

        nothing = (jnp.zeros_like(q), jnp.zeros_like(v))
        stages = jnp.array([0, 0.5, 0.5, 1]), jnp.array([1, 2, 2, 1]) / 6
        (_, total), _ = jax.lax.scan(stage, (nothing, nothing), stages)
        state = tuple(x + dt * k for x, k in zip(state, total, strict=True))
        return state, jaxdyn.mechanical_energy(mechanism, *state)

    return jax.lax.scan(step, (q, v), length=100)[1]


@pytest.mark.parametrize("name", ["pendulum", "free_body", "user_joints"])
def test_energy_is_conserved(name):
    """The error is that of the integrator: sixteen times smaller with half the step."""
    mechanism = eqx.tree_at(lambda m: m.damping, ALL_MODELS[name], jnp.zeros(ALL_MODELS[name].num_velocities))
    q = jaxdyn.random_configuration(mechanism, jax.random.key(4))
    v = jax.random.normal(jax.random.key(5), (mechanism.num_velocities,))

    def runs(q, v):
        both = jax.vmap(lambda dt: energies(mechanism, q, v, dt))(jnp.array([0.02, 0.01]))
        return jaxdyn.mechanical_energy(mechanism, q, v), both

    start, (coarse, fine) = quick(runs, q, v)
    error, half_step_error = jnp.max(jnp.abs(coarse[:50] - start)), jnp.max(jnp.abs(fine - start))
    assert error < 1e-3 * (1 + jnp.abs(start))
    assert half_step_error < error / 10
