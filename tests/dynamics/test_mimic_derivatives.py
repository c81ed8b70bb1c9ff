"""Mimic joints: derivatives of motion and energy, inverse kinematics, and single precision, over many states."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.flatten_util import ravel_pytree

import jaxdyn
from comparison import assert_close
from jaxdyn import Mechanism, add_frame, add_mimic, attach
from jaxdyn.joints import Prismatic, Revolute
from models import Numbers

pytestmark = pytest.mark.long


def finger() -> Mechanism:
    """On a slider, with a joint that follows and comes before its leader, and one that comes after."""
    numbers, mechanism = Numbers(15), Mechanism.empty()
    for predecessor, joint, name in (
        ("world", Prismatic([0.0, 0.3, 1.0]), "rail"),
        ("rail", Revolute([0.0, 0.2, 1.0]), "arm"),
        ("arm", Revolute([0.0, 0.1, 1.0]), "counterweight"),
        ("arm", Revolute([1.0, 0.1, 0.0]), "knuckle"),
        ("knuckle", Revolute([1.0, 0.0, 0.1]), "tip"),
    ):
        options = {"placement": numbers.placement(), "damping": 0.3, "armature": 0.2}
        mechanism = attach(mechanism, predecessor, joint, numbers.body(name), name=name, **options)
    mechanism = add_mimic(mechanism, "counterweight", "knuckle", ratio=-0.6)
    mechanism = add_mimic(mechanism, "tip", "knuckle", ratio=0.8, offset=0.3)
    return add_frame(mechanism, "nail", "tip", numbers.placement())


STATES = np.random.default_rng(5).normal(size=(3, 2, 3))  # q, v, τ


def test_derivatives():
    """Of accelerations by each number of the followers, of energies, and of a Jacobian."""
    mechanism = finger()
    flat, unflatten = ravel_pytree(mechanism.mimics)

    def v_dot(numbers, q, v, tau):
        changed = eqx.tree_at(lambda m: m.mimics, mechanism, unflatten(numbers))
        return jaxdyn.forward_dynamics(changed, q, v, tau)

    def jacobian(q):
        return jaxdyn.geometric_jacobian(mechanism, q, "nail", relative_to="counterweight", expressed_in="rail")

    def results(q, v, tau):
        steps = 1e-5 * jnp.concatenate([jnp.eye(8), -jnp.eye(8)])
        moved = jax.vmap(v_dot, (0, None, None, None), -1)(flat[None] + steps, q, v, tau)
        derivatives = (
            jax.hessian(lambda v: jaxdyn.kinetic_energy(mechanism, q, v))(v),
            jax.jvp(jacobian, (q,), (v,))[1],
        )
        expected = (
            jaxdyn.mass_matrix(mechanism, q),
            jaxdyn.jacobian_derivative(mechanism, q, v, "nail", relative_to="counterweight", expressed_in="rail"),
        )
        return derivatives, expected, jax.jacrev(v_dot)(flat, q, v, tau), (moved[:, :8] - moved[:, 8:]) / 2e-5

    derivatives, expected, slope, differences = jax.jit(jax.vmap(results))(*STATES)
    assert_close(derivatives, expected)
    np.testing.assert_allclose(slope, differences, atol=1e-7 * np.abs(slope).max())
    assert np.all(np.abs(slope).max(axis=(0, 1)) > 1e-6)


def test_inverse_kinematics():
    """A point is found, and the solution follows it."""
    mechanism, q = finger(), jnp.array([0.2, 0.4, 0.3])

    def reached(point, q0, max_iterations=100):
        return jaxdyn.inverse_kinematics(mechanism, {"nail": point}, q0, tolerance=1e-12, max_iterations=max_iterations)

    @jax.jit
    def results(q):
        target = jaxdyn.relative_transform(mechanism, q, "nail").translation
        steps = 1e-4 * jnp.concatenate([jnp.eye(3), -jnp.eye(3), jnp.zeros((3, 3))])
        starts = q[None] + jnp.concatenate([jnp.zeros((6, 3)), 0.2 * jnp.eye(3)])
        found = jax.vmap(reached)(target[None] + steps, starts)
        return found, jax.jacfwd(lambda target: reached(target, q, max_iterations=0).q)(target)

    found, slope = results(q)
    assert np.all(found.converged)
    assert_close(found.q[6:], jnp.stack([q] * 3), operations=10**6)
    np.testing.assert_allclose(slope, (found.q[:3] - found.q[3:6]).T / 2e-4, atol=1e-6 * np.abs(slope).max())
    assert np.abs(slope[2]).max() > 0.1


def test_single_precision():
    def quantities(mechanism, q, v, tau):
        v_dot = jaxdyn.forward_dynamics(mechanism, q, v, tau)
        energies = jaxdyn.kinetic_energy(mechanism, q, v), jaxdyn.mechanical_energy(mechanism, q, v)
        return v_dot, jaxdyn.joint_wrenches(mechanism, q, v, tau).vector, *energies

    results = jax.jit(jax.vmap(quantities, (None, 0, 0, 0)))
    doubles = results(finger(), *STATES)
    singles = results(finger().astype(jnp.float32), *STATES.astype(np.float32))
    for single, double in zip(singles, doubles, strict=True):
        assert single.dtype == jnp.float32
        np.testing.assert_allclose(single, double, rtol=0, atol=1e-5 * np.abs(double).max())
