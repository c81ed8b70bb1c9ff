"""Rollouts: rows and times, controls, batches, checkpoints, precision, compilations."""

from functools import cache

import jax
import jax.numpy as jnp
import pytest

import jaxdyn
from comparison import assert_close
from jaxdyn import RungeKutta4, SemiImplicitEuler
from jaxdyn.simulation import AbstractIntegrator
from models import ALL_MODELS

STEPS, DT = 7, 0.01
MODEL = "floating_tree"


@cache
def problem(batch: int = 12):
    """A floating robot, and a batch of states and controls."""
    mechanism = ALL_MODELS[MODEL]
    keys = jax.random.split(jax.random.key(1), batch + 2)
    q = jax.jit(jax.vmap(lambda key: jaxdyn.random_configuration(mechanism, key)))(keys[2:])
    v = jax.random.normal(keys[0], (batch, mechanism.num_velocities))
    return mechanism, q, v, jax.random.normal(keys[1], (batch, STEPS, mechanism.num_actuated))


@jax.jit
def run(mechanism, q, v, controls):
    return jaxdyn.rollout(mechanism, q, v, controls, dt=DT)


def test_rows_are_steps_and_the_first_is_the_start():
    mechanism, q, v, controls = problem()
    trajectory = run(mechanism, q[0], v[0], controls[0])
    assert trajectory.q.shape == (STEPS + 1, mechanism.num_positions)
    assert trajectory.v.shape == (STEPS + 1, mechanism.num_velocities)
    assert_close(trajectory.times, DT * jnp.arange(STEPS + 1.0))
    assert jnp.array_equal(trajectory.q[0], q[0])
    assert jnp.array_equal(trajectory.v[0], v[0])


@pytest.mark.parametrize("integrator", [SemiImplicitEuler(), RungeKutta4()])
def test_rows_are_those_of_the_integrator_and_controls_act_on_actuated_dofs_only(integrator):
    """An array of controls is a function that is constant over each step."""
    mechanism, qs, vs, all_controls = problem()
    q, v, controls = qs[0], vs[0], all_controls[0]
    num_floating = mechanism.num_velocities - mechanism.num_actuated
    assert num_floating == 6

    def rows_and_trajectories(q, v, controls):
        def at_time(t, q, v):
            return controls[jnp.clip(jnp.floor(t / DT + 0.25).astype(int), 0, STEPS - 1)]

        def advance(state, inputs):
            index, control = inputs
            tau = jnp.concatenate([jnp.zeros(num_floating), control])
            state = integrator.step(mechanism, index * DT, *state, lambda t, q, v: tau, jnp.asarray(DT))
            return state, state

        rows = jax.lax.scan(advance, (q, v), (jnp.arange(float(STEPS)), controls))[1]
        of_array = jaxdyn.rollout(mechanism, q, v, controls, dt=DT, steps=STEPS, integrator=integrator)
        if isinstance(integrator, RungeKutta4):  # asks at the end of the step, too
            return rows, of_array, of_array
        return rows, of_array, jaxdyn.rollout(mechanism, q, v, at_time, dt=DT, steps=STEPS, integrator=integrator)

    rows, *trajectories = jax.jit(rows_and_trajectories)(q, v, controls)
    for trajectory in trajectories:
        assert_close((trajectory.q[1:], trajectory.v[1:]), rows)


def test_function_is_asked_at_every_stage():
    """A force t on a mass: Runge-Kutta is exact, x = t³ / 6; and one that depends on the state."""
    mechanism = ALL_MODELS["massless_base"]
    mass = 5.0

    def run(function):
        def run(q, v):
            return jaxdyn.rollout(mechanism, q, v, function, dt=0.25, steps=4, integrator=RungeKutta4())

        return jax.jit(run)(jnp.zeros(3), jnp.array([0.0, 1.0, 0.0]))

    trajectory = run(lambda t, q, v: jnp.stack([mass * t, -mass * q[1], jnp.zeros_like(t)]))
    assert_close(trajectory.q[:, 0], trajectory.times**3 / 6)
    assert_close(trajectory.v[:, 0], trajectory.times**2 / 2)
    assert jnp.max(jnp.abs(trajectory.q[:, 1] - jnp.sin(trajectory.times))) < 1e-4


def test_batch_is_its_states():
    """With controls of each state and shared ones, as an array and as a function; more states than one block."""
    mechanism, q, v, controls = problem(140)
    one = [run(mechanism, q[i], v[i], controls[i]) for i in (0, 8, 139)]
    shared = [run(mechanism, q[i], v[i], controls[0]) for i in (0, 8, 139)]
    of_batch, of_shared = run(mechanism, q, v, controls), run(mechanism, q, v, controls[0])
    assert of_batch.q.shape == (140, STEPS + 1, mechanism.num_positions)
    assert of_batch.times.shape == (STEPS + 1,)
    for row, i in enumerate((0, 8, 139)):
        assert_close((of_batch.q[i], of_batch.v[i]), (one[row].q, one[row].v))
        assert_close((of_shared.q[i], of_shared.v[i]), (shared[row].q, shared[row].v))


def test_batch_under_a_function_is_its_states():
    mechanism, q, v, _ = problem()

    @jax.jit
    def run(mechanism, q, v):
        def controls(t, q, v):
            return -v[6:] + t * q[: v.shape[0] - 6]

        return jaxdyn.rollout(mechanism, q, v, controls, dt=DT, steps=3)

    of_batch, of_one = run(mechanism, q, v), run(mechanism, q[5], v[5])
    assert_close((of_batch.q[5], of_batch.v[5]), (of_one.q, of_one.v))


@pytest.mark.parametrize("checkpoint", [3, 50])
def test_checkpoints_change_no_value_and_no_gradient(checkpoint):
    assert_close(value_and_gradient(checkpoint), value_and_gradient(None))


@cache
def small_problem():
    mechanism = ALL_MODELS["pendulum"]
    return mechanism, jnp.array([0.7]), jnp.array([-1.0]), jnp.linspace(-1.0, 1.0, STEPS)[:, None]


@cache
def value_and_gradient(checkpoint):
    mechanism, *arguments = small_problem()

    def loss(mechanism, q, v, controls, dt):
        trajectory = jaxdyn.rollout(mechanism, q, v, controls, dt=dt, checkpoint=checkpoint)
        weights = jnp.arange(1.0, STEPS + 2)[:, None]
        return jnp.sum(weights * jnp.sin(trajectory.q)) + jnp.sum(weights * trajectory.v), trajectory

    compiled = jax.jit(jax.value_and_grad(loss, (0, 1, 2, 3, 4), has_aux=True))
    return compiled(mechanism, *arguments, 0.01)


def test_single_precision_stays_single_precision():
    mechanism, q, v, controls = (x.astype(jnp.float32) for x in small_problem())
    trajectory = run(mechanism, q, v, controls)
    assert {leaf.dtype for leaf in jax.tree.leaves(trajectory)} == {jnp.dtype(jnp.float32)}
    expected = run(*small_problem())
    assert jnp.max(jnp.abs(trajectory.q.astype(jnp.float64) - expected.q)) < 1e-6


def test_other_numbers_do_not_compile_again():
    """Of the mechanism, the states, the controls and the step."""
    mechanism, q, v, controls = small_problem()
    traces = []

    @jax.jit
    def gradient(mechanism, q, v, controls, dt):
        traces.append(None)

        def loss(mechanism):
            trajectory = jaxdyn.rollout(mechanism, q, v, controls, dt=dt)
            return jnp.sum(trajectory.q[-1])

        return jax.grad(loss)(mechanism)

    first = gradient(mechanism, q, v, controls, 0.01)
    scaled = jax.tree.map(lambda leaf: 1.1 * leaf, mechanism)
    second = gradient(scaled, q + 1, v - 1, 2 * controls, 0.02)
    assert len(traces) == 1
    assert not jnp.allclose(first.gravity, second.gravity)


def test_calls_outside_of_any_transformation_compile_once():
    mechanism, q, v, controls = small_problem()
    traces = []

    class Counting(AbstractIntegrator):
        def step(self, mechanism, t, q, v, forces, dt):
            traces.append(None)
            return SemiImplicitEuler().step(mechanism, t, q, v, forces, dt)

    first = jaxdyn.rollout(mechanism, q, v, controls, dt=DT, integrator=Counting())
    num_traces = len(traces)
    scaled = jax.tree.map(lambda leaf: 1.1 * leaf, mechanism)
    second = jaxdyn.rollout(scaled, q, 2 * v, controls, dt=2 * DT, integrator=Counting())
    assert num_traces == len(traces) > 0
    assert not jnp.allclose(first.v[..., -1, :], second.v[..., -1, :])
    assert_close(first, run(mechanism, q, v, controls), operations=20000)


def test_a_function_of_controls_is_asked_anew_in_every_call():
    """It may look up what has changed since."""
    mechanism = ALL_MODELS["pendulum"]
    torque = 0.0

    def controls(t, q, v):
        return jnp.full(1, torque)

    def last_angle():
        return jaxdyn.rollout(mechanism, jnp.zeros(1), jnp.zeros(1), controls, dt=DT, steps=3).q[-1, 0]

    assert last_angle() == 0
    torque = 1.0
    assert last_angle() > 0
