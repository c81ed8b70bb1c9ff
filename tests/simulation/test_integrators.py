"""What the integrators keep: speed, energy, unit quaternions; and how fast their errors vanish."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxdyn
from comparison import assert_close
from jaxdyn import Body, Mechanism, RungeKutta4, SemiImplicitEuler, attach
from jaxdyn.joints import AbstractJoint, Planar, QuaternionFloating, Reversed, Revolute, SPQuatFloating
from jaxdyn.spatial import SpatialInertia
from models import ALL_MODELS


def brick(joint: AbstractJoint | None = None) -> Mechanism:
    """A free body without gravity, its centre of mass at its origin, three different moments of inertia."""
    body = Body("brick", SpatialInertia.solid_box(2.0, [0.3, 0.2, 0.1]))
    return attach(Mechanism.empty(gravity=[0.0, 0.0, 0.0]), "world", joint or QuaternionFloating(), body)


def double_pendulum() -> Mechanism:
    inertia = SpatialInertia.from_center_of_mass(1.0, [0.0, 0.0, -0.25], [0.02, 0.0, 0.0, 0.02, 0.0, 0.01])
    mechanism = attach(Mechanism.empty(), "world", Revolute([0.0, 1.0, 0.0]), Body("upper", inertia))
    elbow = jaxdyn.spatial.Transform(np.eye(3), np.array([0.0, 0.0, -0.5]))
    return attach(mechanism, "upper", Revolute([0.0, 1.0, 0.0]), Body("lower", inertia), placement=elbow)


def damped_wheel(damping: float = 10.0) -> Mechanism:
    inertia = SpatialInertia.from_center_of_mass(1.0, [0.0, 0.0, 0.0], [1e-3, 0.0, 0.0, 1e-3, 0.0, 1e-3])
    return attach(Mechanism.empty(), "world", Revolute([0.0, 0.0, 1.0]), Body("wheel", inertia), damping=damping)


@jax.jit
def quick_rollout(mechanism, q, v, controls):
    return jaxdyn.rollout(mechanism, q, v, controls, dt=0.01)


SPINNING = jnp.array([6.0, -7.0, 3.87, 0.6, 0.0, 0.8])
"""Nearly 10 rad/s and 1 m/s."""


SLIDING = jnp.array([0.6, 0.8, 9.9])
"""The same in a plane."""


@pytest.mark.parametrize(
    ("joint", "v"),
    [
        (QuaternionFloating(), SPINNING),
        (SPQuatFloating(), SPINNING),
        (Planar([1.0, 0.0, 0.0], [0.0, 0.0, 1.0]), SLIDING),
        (Reversed(QuaternionFloating()), SPINNING),
        (Reversed(SPQuatFloating()), SPINNING),
        (Reversed(Planar([1.0, 0.0, 0.0], [0.0, 0.0, 1.0])), SLIDING),
    ],
)
def test_free_body_keeps_its_speed(joint, v):
    """Adding dt v_dot to components in turning axes would make it 2.7 times as fast."""
    mechanism, q = brick(joint), joint.zero_configuration()
    trajectory = quick_rollout(mechanism, q, v, jnp.zeros((200, mechanism.num_actuated)))
    linear = jax.vmap(lambda q, v: joint.joint_twist(q, v).linear)(trajectory.q, trajectory.v)
    assert jnp.max(jnp.abs(jnp.sum(linear**2, axis=1) - 1)) < 1e-12
    positions = jax.vmap(joint.joint_transform)(trajectory.q).translation
    assert jnp.max(jnp.abs(positions - jnp.outer(trajectory.times, linear[0]))) < 1e-12
    assert jnp.all(jax.vmap(partial(joint.is_configuration_normalized, relative_tolerance=1e-12))(trajectory.q))


@pytest.mark.long
@pytest.mark.parametrize(("integrator", "steps"), [(SemiImplicitEuler(), 100_000), (RungeKutta4(), 20_000)])
def test_quaternions_stay_unit_quaternions(integrator, steps):
    """Over very many steps, from a quaternion that is none."""
    mechanism = brick()
    q = jnp.array([1.001, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0])

    @jax.jit
    def last_state(q, v):
        def advance(state, t):
            state = integrator.step(mechanism, t, *state, lambda t, q, v: jnp.zeros(6), jnp.asarray(1e-3))
            return state, jnp.sum(state[0][:4] ** 2)

        return jax.lax.scan(advance, (q, v), jnp.arange(float(steps)) * 1e-3)

    (q, v), squares = last_state(q, SPINNING)
    assert jnp.max(jnp.abs(squares - 1)) < 1e-12
    assert jnp.all(jnp.isfinite(v))


def test_quaternion_that_is_no_unit_quaternion_is_the_same_start():
    q = jnp.array([0.8, 0.0, 0.6, 0.0, 1.0, 2.0, 3.0])
    scaled = q.at[:4].multiply(1.001)
    controls = jnp.zeros((200, 0))
    trajectory, expected = (quick_rollout(brick(), start, SPINNING, controls) for start in (scaled, q))
    assert_close((trajectory.q[1:], trajectory.v), (expected.q[1:], expected.v))
    assert jnp.array_equal(trajectory.q[0], scaled)


@pytest.mark.long
def test_energies_of_a_double_pendulum():
    """Runge-Kutta: fourth order, hardly any drift. Semi-implicit Euler: first order, bounded."""
    mechanism = double_pendulum()

    def two_seconds(integrator, steps):
        """State at the end and largest change of the energy."""
        dt = 2.0 / steps

        def energy(state):
            return jaxdyn.mechanical_energy(mechanism, *state)

        def advance(i, carry):
            state, drift = carry
            state = integrator.step(mechanism, i * dt, *state, lambda t, q, v: jnp.zeros(2), dt)
            return state, jnp.maximum(drift, jnp.abs(energy(state) - energy(start)))

        start = (jnp.array([1.5, -0.8]), jnp.array([0.5, 1.0]))
        state, drift = jax.lax.fori_loop(0.0, steps, advance, (start, 0.0))
        return jnp.concatenate(state), drift

    runge_kutta = partial(jax.jit(two_seconds, static_argnums=0), RungeKutta4())
    euler = partial(jax.jit(two_seconds, static_argnums=0), SemiImplicitEuler())
    exact, drift = runge_kutta(2000.0)
    assert drift < 1e-6
    coarse, fine = (jnp.max(jnp.abs(runge_kutta(steps)[0] - exact)) for steps in (100.0, 200.0))
    assert 3.5 < jnp.log2(coarse / fine) < 4.6
    results = [euler(steps) for steps in (2000.0, 4000.0)]
    coarse, fine = (jnp.max(jnp.abs(state - exact)) for state, _ in results)
    assert 0.8 < jnp.log2(coarse / fine) < 1.2
    assert results[0][1] < 0.2  # [J], of ten that go back and forth
    assert 0.8 < jnp.log2(results[0][1] / results[1][1]) < 1.2


def test_stiff_damping_is_implicit():
    """dt d / I = 10: an explicit damper would multiply the velocity by -9 in each step."""

    def velocities(damping, v):
        return jaxdyn.rollout(damped_wheel(damping), [0.0], v, jnp.zeros((30, 1)), dt=1e-3).v[:, 0]

    v = jax.jit(velocities)(10.0, jnp.ones(1))
    assert jnp.all(v > 0)
    assert_close(v[1:] / v[:-1], jnp.full(30, 1 / 11))
    derivatives = jax.jit(jax.jacrev(velocities, (0, 1)))(10.0, jnp.ones(1))
    assert all(jnp.all(jnp.isfinite(derivative)) for derivative in derivatives)
    assert_close(derivatives[1][:, 0], v)


def test_step_of_a_floating_base_is_mujocos():
    mujoco = pytest.importorskip("mujoco")
    model = mujoco.MjModel.from_xml_string("""
      <mujoco>
        <option timestep="0.01" gravity="0.3 -2 -9"/>
        <worldbody>
          <body>
            <freejoint/>
            <inertial pos="0.1 -0.2 0.3" mass="2" fullinertia="0.03 0.04 0.05 0.001 0.002 -0.003"/>
            <body pos="0.2 0.1 -0.3" quat="0.8 0.6 0 0">
              <joint axis="0 0.6 0.8" damping="0.7" armature="0.1"/>
              <inertial pos="0.2 0.1 0.1" mass="1" fullinertia="0.02 0.03 0.04 0.001 0.002 0.003"/>
            </body>
          </body>
        </worldbody>
      </mujoco>""")
    base = SpatialInertia.from_center_of_mass(2.0, [0.1, -0.2, 0.3], [0.03, 0.001, 0.002, 0.04, -0.003, 0.05])
    arm = SpatialInertia.from_center_of_mass(1.0, [0.2, 0.1, 0.1], [0.02, 0.001, 0.002, 0.03, 0.003, 0.04])
    elbow = jaxdyn.spatial.Transform.from_quaternion(np.array([0.8, 0.6, 0.0, 0.0]), np.array([0.2, 0.1, -0.3]))
    mechanism = attach(Mechanism.empty(gravity=[0.3, -2.0, -9.0]), "world", QuaternionFloating(), Body("base", base))
    mechanism = attach(
        mechanism, "base", Revolute([0.0, 0.6, 0.8]), Body("arm", arm), placement=elbow, damping=0.7, armature=0.1
    )
    q, v = jnp.array([0.5, 0.5, -0.5, 0.5, 1.0, 2.0, 3.0, 0.4]), jnp.array([3.0, -4.0, 5.0, 1.0, -2.0, 0.5, 2.0])
    steps = 5
    trajectory = quick_rollout(mechanism, q, v, jnp.full((steps, 1), 0.6))
    # MuJoCo: position before quaternion, linear velocity first and in world axes.
    data = mujoco.MjData(model)
    rotation = jaxdyn.spatial.quaternion_to_matrix(q[:4])
    data.qpos[:] = np.concatenate([q[4:7], q[:4], q[7:]])
    data.qvel[:] = np.concatenate([rotation @ v[3:6], v[:3], v[6:]])
    data.qfrc_applied[6] = 0.6
    for row in range(1, steps + 1):
        mujoco.mj_step(model, data)
        assert_close(trajectory.q[row], jnp.asarray(np.concatenate([data.qpos[3:7], data.qpos[:3], data.qpos[7:]])))
        rotation = jaxdyn.spatial.quaternion_to_matrix(trajectory.q[row, :4])
        linear = rotation.T @ data.qvel[:3]
        assert_close(trajectory.v[row], jnp.concatenate([jnp.asarray(data.qvel[3:6]), linear, data.qvel[6:]]))


@pytest.mark.parametrize("integrator", [SemiImplicitEuler(), RungeKutta4()])
def test_nothing_to_move(integrator):
    mechanism = ALL_MODELS["fixed_body"]
    trajectory = jaxdyn.rollout(mechanism, jnp.zeros(0), jnp.zeros(0), jnp.zeros((3, 0)), dt=0.1, integrator=integrator)
    assert trajectory.q.shape == trajectory.v.shape == (4, 0)
