"""Derivatives of forward dynamics in closed form and in the tangent, and second derivatives."""

import jax
import jax.numpy as jnp
import pytest

import jaxdyn
from comparison import assert_close
from jaxdyn import Mechanism, attach
from jaxdyn.joints import QuaternionFloating, Revolute
from models import Numbers

pytestmark = pytest.mark.long


def three_links() -> Mechanism:
    """A floating base with two hinges in a row."""
    numbers = Numbers(8)
    mechanism = attach(Mechanism.empty(), "world", QuaternionFloating(), numbers.body("base", 3.0))
    for predecessor, name in (("base", "upper"), ("upper", "lower")):
        options = {"placement": numbers.placement(), "damping": 0.3, "stiffness": 2.0, "armature": 0.1}
        mechanism = attach(mechanism, predecessor, Revolute(numbers.take(3)), numbers.body(name), **options)
    return mechanism


def states(mechanism: Mechanism):
    """At the exact identity at rest, and at a random configuration that moves."""
    keys = jax.random.split(jax.random.key(4), 3)
    zero = jaxdyn.zero_configuration(mechanism)
    q = jnp.stack([zero, jaxdyn.random_configuration(mechanism, keys[0])])
    v, tau = (jax.random.normal(key, (2, mechanism.num_velocities)) for key in keys[1:])
    return q, v.at[0].set(0.0), tau


def test_forward_dynamics_in_closed_form_and_in_the_tangent():
    """∂v_dot = M⁻¹ (∂τ - ∂ID), in both modes, and as differences along each degree of freedom; at identity, too."""
    mechanism, step = three_links(), 1e-4

    def both(q, v, tau):
        def forward(q, v, tau):
            return jaxdyn.forward_dynamics(mechanism, q, v, tau)

        def moved(delta):
            return forward(jaxdyn.integrate(mechanism, q, delta), v, tau)

        v_dot = forward(q, v, tau)
        M = jaxdyn.mass_matrix(mechanism, q)
        of_q, of_v = jax.jacfwd(lambda q, v: jaxdyn.inverse_dynamics(mechanism, q, v, v_dot), (0, 1))(q, v)
        closed = tuple(jnp.linalg.solve(M, x) for x in (-of_q, -of_v, jnp.eye(len(v))))
        basis = step * jnp.eye(len(v))
        differences = jax.vmap(lambda d: (moved(d) - moved(-d)) / (2 * step), out_axes=1)(basis)
        forward_mode, reverse_mode = (jac(forward, (0, 1, 2))(q, v, tau) for jac in (jax.jacfwd, jax.jacrev))
        return closed, forward_mode, reverse_mode, jax.jacfwd(moved)(jnp.zeros_like(v)), differences

    arguments = states(mechanism)
    closed, forward_mode, reverse_mode, tangent, differences = jax.jit(jax.vmap(both))(*arguments)
    assert_close(forward_mode, closed, operations=20_000)
    assert_close(reverse_mode, closed, operations=20_000)
    assert jnp.max(jnp.abs(tangent - differences)) < 1e-6 * jnp.max(jnp.abs(differences))
    assert jnp.max(jnp.abs(tangent[:, :, 3:6])) < 1e-11 * jnp.max(jnp.abs(tangent)), "gravity is the same everywhere"


def test_hessians_are_finite_and_symmetric():
    mechanism = three_links()

    def hessian(q, v, tau):
        def number(q):
            parts = (jaxdyn.forward_dynamics(mechanism, q, v, tau), jaxdyn.inverse_dynamics(mechanism, q, v, tau))
            return sum(jnp.sum(jnp.sin(part)) for part in parts)

        return jax.hessian(number)(q)

    hessians = jax.jit(jax.vmap(hessian))(*states(mechanism))
    assert jnp.all(jnp.isfinite(hessians))
    assert jnp.max(jnp.abs(hessians)) > 1.0
    assert_close(hessians, jnp.swapaxes(hessians, 1, 2), operations=20_000)
