"""Gradients are finite where formulas have a zero in the denominator: plain, compiled, mapped, in both precisions."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxdyn
from comparison import assert_close
from jaxdyn import Body, Mechanism, attach
from jaxdyn.joints import Fixed, QuaternionFloating, QuaternionSpherical, Revolute
from jaxdyn.spatial import SpatialInertia, Transform
from models import ALL_MODELS

from .losses import step


def singular_scene() -> Mechanism:
    """A free body, a pendulum, and a ball joint with an offset that carries a hinge behind massless fixed bodies."""
    brick = SpatialInertia.solid_box(2.0, [0.3, 0.2, 0.1])
    offset = Transform(np.eye(3), np.array([0.0, 0.0, -0.5]))
    mechanism = attach(Mechanism.empty(), "world", QuaternionFloating(), Body("free", brick))
    mechanism = attach(mechanism, "world", Revolute([0.0, 1.0, 0.0]), Body("rod"), name="hinge", stiffness=1.0)
    mechanism = attach(mechanism, "rod", Fixed(), Body("bob", brick), placement=offset)
    mechanism = attach(
        mechanism, "world", QuaternionSpherical(), Body("ball", brick), placement=offset, stiffness=2.0, damping=0.1
    )
    mechanism = attach(mechanism, "ball", Fixed(), Body("flange"), placement=offset)
    mechanism = attach(mechanism, "flange", Revolute([1.0, 0.0, 0.0]), Body("link"), placement=offset)
    mechanism = attach(mechanism, "link", Fixed(), Body("weight", brick), placement=offset)
    return attach(mechanism, "weight", Fixed(), Body("sensor"), placement=offset)


def singular_states(mechanism: Mechanism) -> tuple[np.ndarray, np.ndarray]:
    """At rest at the zero configuration, after half turns about each axis, with quaternions that are none, moving."""
    zero = np.asarray(jaxdyn.zero_configuration(mechanism))
    states = [(zero, 0.0), (zero, 1.0), (2 * zero, 0.0), (-zero, 0.0), (0 * zero, 0.0)]
    for axis in range(3):
        q = zero.copy()
        for body, sizes in enumerate(mechanism.topology.joint_sizes):
            index = mechanism.q_index(body)
            if sizes[0] == sizes[1]:
                q[index] = np.pi * (axis - 1)
            else:
                q[index[:4]] = np.eye(4)[axis + 1]
        states.append((q, 0.0))
    q, v = zip(*states, strict=True)
    return np.stack(q), np.stack([np.full(mechanism.num_velocities, speed) for speed in v])


def loss(mechanism: Mechanism, q, v, tau):
    """Of forces, energy, distance, and a step, which contains forward dynamics."""
    parts = (
        jaxdyn.inverse_dynamics(mechanism, q, v, tau),
        jaxdyn.mechanical_energy(mechanism, q, v),
        jaxdyn.distance(mechanism, q, q),
        jaxdyn.distance(mechanism, jaxdyn.zero_configuration(mechanism).astype(q.dtype), q),
        *step(mechanism, q, v, tau),
    )
    return sum(jnp.sum(part) for part in parts)


gradient = jax.grad(loss, (0, 1, 2, 3))
compiled = jax.jit


def assert_finite(tree) -> None:
    for path, leaf in jax.tree_util.tree_leaves_with_path(tree):
        assert np.all(np.isfinite(leaf)), jax.tree_util.keystr(path)


def arguments(dtype):
    mechanism = singular_scene()
    q, v = singular_states(mechanism)
    return mechanism.astype(dtype), jnp.asarray(q, dtype), jnp.asarray(v, dtype), jnp.zeros(v.shape, dtype)


@pytest.mark.long
@pytest.mark.parametrize("dtype", [jnp.float64, jnp.float32])
def test_singular_states(dtype):
    """Compiled, side by side and, in double precision, one after another: the same finite numbers."""
    mechanism, *states = arguments(dtype)
    mapped = compiled(jax.vmap(gradient, (None, 0, 0, 0)))(mechanism, *states)
    assert_finite(mapped)
    if dtype == jnp.float32:
        return
    one_by_one = compiled(gradient)
    for i in range(len(states[0])):
        single = one_by_one(mechanism, *(x[i] for x in states))
        assert_finite(single)
        assert_close(single, jax.tree.map(lambda leaf, i=i: leaf[i], mapped), operations=20_000)


def test_singular_degree_of_freedom_that_is_traced():
    """It does not accelerate, and neither value nor derivatives of any leaf are NaN."""
    mechanism = attach(ALL_MODELS["pendulum"], "bob", Revolute([1.0, 0.0, 0.0]), Body("tail"))
    assert_finite(
        compiled(jax.value_and_grad(lambda *x: jnp.sum(jaxdyn.forward_dynamics(*x)), (0, 1, 2, 3)))(
            mechanism, jnp.ones(2), jnp.ones(2), jnp.ones(2)
        )
    )


@pytest.mark.long
def test_many_states_with_exact_zeros_and_half_turns():
    """Of 256 states of a floating robot, not one gradient of a step is NaN."""
    mechanism = ALL_MODELS["floating_tree"]
    generator = np.random.default_rng(3)
    exact = np.array([0.0, np.pi / 2, -np.pi / 2, np.pi, -np.pi, 1.0])
    q, v = (
        np.where(generator.random((256, n)) < 0.4, generator.choice(exact, (256, n)), generator.normal(size=(256, n)))
        for n in (mechanism.num_positions, mechanism.num_velocities)
    )

    def number(mechanism, q, v, tau):
        return sum(jnp.sum(x) for x in step(mechanism, q, v, tau))

    gradients = compiled(jax.vmap(jax.grad(number, (0, 1, 2, 3)), (None, 0, 0, 0)))(
        mechanism, jnp.asarray(q), jnp.asarray(v), jnp.zeros_like(v)
    )
    assert_finite(gradients)


@pytest.mark.long
def test_no_nan_appears_on_the_way():
    """Without compilation, every intermediate result of inverse dynamics and its gradient is looked at."""
    mechanism, *states = arguments(jnp.float64)
    with jax.debug_nans(True):
        forces = jax.grad(lambda *x: jnp.sum(jaxdyn.inverse_dynamics(*x)), (0, 1, 2, 3))
        assert_finite(forces(mechanism, *(x[5] for x in states)))
