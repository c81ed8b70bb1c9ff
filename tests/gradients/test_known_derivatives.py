"""Derivatives that are known: of a body in free fall, of a thrust, of the group operations."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxdyn
from comparison import assert_close
from jaxdyn import Body, Mechanism, attach
from jaxdyn.joints import QuaternionFloating, QuaternionSpherical, Revolute
from jaxdyn.spatial import SpatialInertia

from .losses import step

IDENTITY = jnp.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])


def ball() -> Mechanism:
    body = Body("ball", SpatialInertia.solid_sphere(2.0, 0.1))
    return attach(Mechanism.empty(), "world", QuaternionFloating(), body)


def ball_and_free_body() -> Mechanism:
    mechanism = attach(ball(), "world", QuaternionSpherical(), Body("pan", SpatialInertia.solid_sphere(1.0, 0.1)))
    return attach(mechanism, "pan", Revolute([0.0, 1.0, 0.0]), Body("tilt", SpatialInertia.solid_sphere(1.0, 0.1)))


def several_steps(mechanism, q, v, tau, steps, dt):
    def advance(state, _):
        q, v = state
        return step(mechanism, q, v, tau, dt), None

    return jax.lax.scan(advance, (q, v), length=steps)[0]


def test_free_fall_from_identity_at_rest():
    """The end moves with the start, and nothing is NaN in any leaf."""

    def end(mechanism, position):
        q = jnp.concatenate([IDENTITY[:4], position])
        return several_steps(mechanism, q, jnp.zeros(6), jnp.zeros(6), 10, 0.01)[0][4:]

    derivatives = jax.jit(jax.jacrev(end, (0, 1)))(ball(), jnp.zeros(3))
    assert_close(derivatives[1], jnp.eye(3))
    assert all(jnp.all(jnp.isfinite(leaf)) for leaf in jax.tree.leaves(derivatives[0]))
    assert_close(derivatives[0].gravity, jnp.eye(3) * 0.01**2 * 10 * 11 / 2)
    assert_close(derivatives[0].spatial_inertias.mass, jnp.zeros((3, 1)))


def test_constant_thrust_is_felt_quadratically_in_time():
    """dz / du = T² / (2 m) up to the first order in dt: no growth beyond the physical one."""
    steps, dt, mass = 200, 0.01, 2.0

    def height(u):
        tau = jnp.zeros(6).at[5].set(u)
        return several_steps(ball(), IDENTITY, jnp.zeros(6), tau, steps, dt)[0][6]

    slope = jax.jit(jax.grad(height))(20.0)
    assert_close(slope, jnp.asarray((steps * dt) ** 2 / (2 * mass) * (1 + 1 / steps)))


@pytest.mark.parametrize("scale", [1.0, 1.3])
def test_group_operations_without_any_motion(scale):
    """d integrate / d v = 1 in the tangent, at the zero configuration and elsewhere; distances have a zero gradient."""
    mechanism = ball_and_free_body()

    def at(q):
        v = jnp.zeros(mechanism.num_velocities)
        to_itself = jax.jacfwd(lambda v: jaxdyn.difference(mechanism, q, jaxdyn.integrate(mechanism, q, v)))(v)
        arrival = jax.jacrev(lambda v: jaxdyn.integrate(mechanism, q, v))(v)
        tangent = jax.vmap(lambda x: jaxdyn.configuration_derivative_to_velocity(mechanism, q / scale, x), 1, 1)(
            arrival
        )
        of_pair = [
            jax.jacrev(lambda a, b: jaxdyn.difference(mechanism, a, b), (0, 1))(q, q),
            jax.grad(lambda a, b: jaxdyn.distance(mechanism, a, b), (0, 1))(q, q),
        ]
        rate = jax.vmap(lambda v: jaxdyn.velocity_to_configuration_derivative(mechanism, q, v), out_axes=1)(
            jnp.eye(mechanism.num_velocities)
        )
        return to_itself, tangent, (of_pair[0][1] @ rate, -of_pair[0][0] @ rate), of_pair[1]

    zero = jaxdyn.zero_configuration(mechanism)
    q = jnp.stack([zero, jaxdyn.integrate(mechanism, zero, jnp.linspace(-1.0, 2.0, mechanism.num_velocities))])
    scales = np.ones(mechanism.num_positions)
    for joint in (0, 1):
        scales[mechanism.q_index(joint)[:4]] = scale
    results = jax.jit(jax.vmap(at))(q * jnp.asarray(scales)[None])
    identities = jnp.stack([jnp.eye(mechanism.num_velocities)] * 2)
    assert_close(results[0], identities)
    assert_close(results[2], (identities, identities))
    assert_close(results[3], (jnp.zeros_like(q), jnp.zeros_like(q)))
    if scale == 1.0:
        assert_close(results[1], identities)
