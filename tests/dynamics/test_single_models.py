"""Mechanisms whose equations can be written on one line."""

import equinox as eqx
import jax
import jax.numpy as jnp
import pytest

import jaxdyn
from comparison import QUICK, assert_close
from jaxdyn import Body, Mechanism, attach
from jaxdyn.joints import Prismatic
from jaxdyn.spatial import SpatialInertia
from models import ALL_MODELS

G, MASS, LENGTH, INERTIA = 9.81, 2.0, 0.5, 0.03 + 2.0 * 0.25


def test_pendulum():
    pendulum, q, v = ALL_MODELS["pendulum"], jnp.array([0.4]), jnp.array([3.0])
    s, c = jnp.sin(q), jnp.cos(q)
    assert_close(jaxdyn.mass_matrix(pendulum, q), jnp.array([[INERTIA]]))
    assert_close(jaxdyn.gravity_forces(pendulum, q), MASS * G * LENGTH * s)
    assert_close(jaxdyn.gravitational_potential_energy(pendulum, q), -MASS * G * LENGTH * c[0])
    assert_close(jaxdyn.center_of_mass(pendulum, q), LENGTH * jnp.array([-s[0], 0.0, -c[0]]))
    assert_close(jaxdyn.kinetic_energy(pendulum, q, v), jnp.asarray(INERTIA * 4.5))
    assert_close(jaxdyn.dynamics_bias(pendulum, q, v), MASS * G * LENGTH * s)
    assert_close(jaxdyn.forward_dynamics(pendulum, q, v, [0.1]), (0.1 - MASS * G * LENGTH * s) / INERTIA)


def test_massless_links_before_a_body():
    """The mass matrix is that of the body, to the last bit."""
    mechanism, q = ALL_MODELS["massless_base"], jnp.array([0.3, -0.2, 1.1])
    izz = 5.0 * (0.4**2 + 0.3**2) / 12
    M = jaxdyn.mass_matrix(mechanism, q)
    assert jnp.all(M == jnp.diag(jnp.array([5.0, 5.0, M[2, 2]])))
    assert_close(M[2, 2], jnp.asarray(izz), operations=10)
    force = jnp.array([1.0, 2.0, 3.0])
    for method in ("articulated_body", "mass_matrix"):
        v_dot = jaxdyn.forward_dynamics(mechanism, q, force, force, method=method)
        assert_close(v_dot, force / jnp.array([5.0, 5.0, izz]))


def test_falling_freely():
    """Without forces the centre of mass accelerates by gravity and nothing turns faster or slower."""
    body, q = ALL_MODELS["free_body"], jaxdyn.random_configuration(ALL_MODELS["free_body"], jax.random.key(0))
    v_dot = jaxdyn.forward_dynamics(body, q, jnp.zeros(6), jnp.zeros(6))
    X_WA = jaxdyn.relative_transform(body, q, "body") @ body.successor_placements.transform()[0]
    assert_close(v_dot[:3], jnp.zeros(3))
    assert_close(X_WA.apply_vector(v_dot[3:]), jnp.array([0.0, 0.0, -G]))


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


def test_armature_makes_it_regular():
    v_dot = jaxdyn.forward_dynamics(collinear(armature=1.0), jnp.zeros(2), jnp.zeros(2), jnp.array([0.0, 6.0]))
    assert_close(v_dot, jnp.array([-6.0, 8.0]))


def runge_kutta(mechanism, q, v, dt, steps):
    """Energies and momenta along a motion without forces, integrated with the classical fourth-order rule on (q, v)."""

    def derivative(q, v):
        q_dot = jaxdyn.velocity_to_configuration_derivative(mechanism, q, v)
        return q_dot, jaxdyn.forward_dynamics(mechanism, q, v, jnp.zeros_like(v))

    def step(state, _):
        increments = []
        for fraction in (0.0, 0.5, 0.5, 1.0):
            last = increments[-1] if increments else (jnp.zeros_like(q), jnp.zeros_like(v))
            increments.append(derivative(*(x + fraction * dt * k for x, k in zip(state, last, strict=True))))
        sums = [(a + 2 * b + 2 * c + d) / 6 for a, b, c, d in zip(*increments, strict=True)]
        state = tuple(x + dt * total for x, total in zip(state, sums, strict=True))
        return state, jaxdyn.mechanical_energy(mechanism, *state)

    return jax.lax.scan(step, (q, v), length=steps)


@pytest.mark.parametrize("name", ["pendulum", "free_body", "user_joints"])
def test_energy_is_conserved(name):
    """The error is that of the integrator: sixteen times smaller with half the step."""
    mechanism = eqx.tree_at(lambda m: m.damping, ALL_MODELS[name], jnp.zeros(ALL_MODELS[name].num_velocities))
    q = jaxdyn.random_configuration(mechanism, jax.random.key(4))
    v = jax.random.normal(jax.random.key(5), (mechanism.num_velocities,))
    start = jaxdyn.mechanical_energy(mechanism, q, v)
    run = jax.jit(runge_kutta, static_argnums=4, compiler_options=QUICK)
    drifts = []
    for dt, steps in ((0.02, 50), (0.01, 100)):
        _, energies = run(mechanism, q, v, dt, steps)
        drifts.append(float(jnp.max(jnp.abs(energies - start))))
    assert drifts[0] < 1e-3 * (1 + abs(float(start)))
    assert drifts[1] < drifts[0] / 10
