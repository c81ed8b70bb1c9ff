"""Values and derivatives that users of other libraries found to be wrong, NaN or imprecise.

Each test names the report that has its input; docs/user-reports.md lists all reports and what shows the right value.
"""

from functools import partial

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxdyn
from comparison import assert_close
from jaxdyn import Body, Mechanism, RungeKutta4, SemiImplicitEuler, attach
from jaxdyn.joints import Fixed, QuaternionSpherical, Revolute
from jaxdyn.spatial import SpatialInertia, Transform, transform_log

ROD = SpatialInertia.from_center_of_mass(1.0, [0.0, 0.1, -0.25], [0.02, 0.0, 0.0, 0.02, 0.0, 0.01])


def no_forces(t, q, v):
    return jnp.zeros_like(v)


def quick(function, *arguments):
    """The results of a function that is compiled for these arguments only."""
    return jax.jit(function)(*arguments)


def at(*translation: float) -> Transform:
    return Transform(np.eye(3), np.array(translation))


def chain(inertias, axes=((0.0, 1.0, 0.0), (1.0, 0.0, 0.0)), length=0.5) -> Mechanism:
    """Hinges that hang one below the other, their axes in turn."""
    mechanism, predecessor = Mechanism.empty(), "world"
    for i, inertia in enumerate(inertias):
        hinge, body = Revolute(axes[i % len(axes)]), Body(f"link{i}", inertia)
        mechanism = attach(mechanism, predecessor, hinge, body, placement=at(0.0, 0.0, -length if i else 0.0))
        predecessor = body.name
    return mechanism


def test_centers_of_mass_with_massless_links():
    """MuJoCo 1349, Pinocchio 235: a flange and a finger without mass change no centre, and no derivative."""
    handed = attach(chain([ROD]), "link0", Fixed(), Body("flange"), placement=at(0.0, 0.0, -0.3))
    handed = attach(handed, "flange", Revolute([0.0, 0.0, 1.0]), Body("finger"), placement=at(0.1, 0.0, 0.0))
    finger = jaxdyn.submechanism(handed, "finger")
    q = jnp.array([0.4, 0.1])

    def results(handed, finger):
        center, derivatives = jaxdyn.center_of_mass(handed, q), jax.jacrev(jaxdyn.center_of_mass, (0, 1))(handed, q)
        nothing = jax.jacrev(jaxdyn.center_of_mass, (0, 1))(finger, q[1:])
        return center, jaxdyn.center_of_mass_jacobian(handed, q), derivatives, nothing

    center, J, derivatives, nothing = quick(results, handed, finger)
    s, c = np.sin(0.4), np.cos(0.4)
    slope = jnp.array([[-0.25 * c, 0.0], [0.0, 0.0], [0.25 * s, 0.0]])
    assert_close((center, J, derivatives[1]), (jnp.array([-0.25 * s, 0.1, -0.25 * c]), slope, slope))
    assert all(np.all(np.isfinite(leaf)) for leaf in jax.tree.leaves((derivatives, nothing)))


def swing(pendulum, numbers):
    """Squared angle after 50 steps."""
    q, v, torque, mass, length = numbers
    inertia = SpatialInertia(mass, mass * length * jnp.array([0.0, 0.0, -1.0]), mass * length**2 * ROD.moment)
    moved = eqx.tree_at(lambda m: m.spatial_inertias, pendulum, jax.tree.map(lambda x: x[None], inertia))
    return jaxdyn.rollout(moved, q[None], v[None], torque * jnp.ones((50, 1)), dt=0.01).q[-1, 0] ** 2


@pytest.mark.long
def test_a_swing_from_rest_and_one_that_diverges():
    """MuJoCo 1377: gradient by state, torque, mass and length of a pendulum that starts at rest at zero.

    mujoco_playground 240: beside it in the batch one that diverges, which changes neither its values nor its gradients.
    """
    pendulum, start, step = chain([ROD]), np.array([0.0, 0.0, 0.3, 1.0, 0.5]), 1e-4
    around, weights = np.array([-2, -1, 1, 2]), np.array([1, -8, 8, -1]) / 12
    rows = start + np.concatenate([np.zeros((2, 5)), np.kron(np.eye(5), step * around[:, None])])
    of_batch = jax.jit(jax.vmap(jax.value_and_grad(partial(swing, pendulum))))
    values, gradients = of_batch(jnp.asarray(rows))
    differences = values[2:].reshape(5, 4) @ weights / step
    assert np.max(np.abs(gradients[0] - differences)) < 1e-6 * np.max(np.abs(differences))
    rows[1, 1] = 1e200
    with_broken = of_batch(jnp.asarray(rows))
    assert not np.isfinite(with_broken[0][1])
    others = np.arange(len(rows)) != 1
    assert np.array_equal(with_broken[0][others], values[others])
    assert np.array_equal(with_broken[1][others], gradients[others])


def test_pose_error_at_the_goal():
    """kornia 4404: the error of forward kinematics has a zero gradient where the goal is met exactly."""
    arm = chain([ROD] * 2)

    def gradient(q):
        goal = jaxdyn.relative_transform(arm, q, "link1")

        def error(q):
            return jnp.sum(transform_log(goal.inverse() @ jaxdyn.relative_transform(arm, q, "link1")) ** 2)

        return jax.grad(error)(q)

    assert jnp.max(jnp.abs(quick(gradient, jnp.array([0.4, -0.3])))) < 1e-14


def test_a_ball_joint_does_not_feel_where_it_is():
    """RigidBodyDynamics.jl 617: two seconds of a ball pendulum, at the origin and elsewhere, are the same."""

    def end(mechanism, q, v):
        def advance(_, state):
            return SemiImplicitEuler().step(mechanism, jnp.zeros(()), state[0], state[1], no_forces, jnp.asarray(1e-3))

        return jax.lax.fori_loop(0, 2000, advance, (q, v))

    body = Body("bob", SpatialInertia.from_center_of_mass(1.0, [0.1, 0.0, 0.0], [1e-3, 0.0, 0.0, 2e-3, 0.0, 2e-3]))
    pendulums = [
        attach(Mechanism.empty(), "world", QuaternionSpherical(), body, placement=at(*shift))
        for shift in ((0.0, 0.0, 0.0), (0.0, -0.4, 0.2))
    ]
    both = jaxdyn.stack_mechanisms(pendulums)
    start = jnp.array([1.0, 0.0, 0.0, 0.0]), jnp.array([0.1, 0.0, 0.2])
    q, v = quick(jax.vmap(end, (0, None, None)), both, *start)
    assert jnp.all(jnp.isfinite(q))
    assert_close((q[0], v[0]), (q[1], v[1]))
    assert jnp.max(jnp.abs(v[0])) > 1


def test_a_light_finger_on_a_heavy_arm():
    """iDynTree 1028: inertias that differ by twelve orders of magnitude, in single precision."""
    mechanism = attach(
        Mechanism.empty(), "world", Revolute([0.0, 0.0, 1.0]), Body("arm", SpatialInertia.point_mass(1e3, [1.0, 0, 0]))
    )
    finger = Body("finger", SpatialInertia.point_mass(1e-3, [1e-3, 0.0, 0.0]))
    mechanism = attach(mechanism, "arm", Revolute([0.0, 0.0, 1.0]), finger)
    tau = jnp.array([1e3, 3e-9])
    # The finger's hinge is the arm's: I1 (a) = tau1 - tau2, I2 (a + b) = tau2
    first = (1e3 - 3e-9) / 1e3
    expected = jnp.array([first, 3e-9 / 1e-9 - first])

    @jax.jit
    def solve(mechanism, q, tau):
        methods = ("articulated_body", "mass_matrix")
        return [jaxdyn.forward_dynamics(mechanism, q, q, tau, method=method) for method in methods]

    for v_dot in solve(mechanism.astype(jnp.float32), jnp.zeros(2, jnp.float32), tau.astype(jnp.float32)):
        assert jnp.max(jnp.abs(v_dot.astype(float) - expected)) < 1e-5


@pytest.mark.long
def test_an_arm_that_falls():
    """newton 4269: two seconds of seven hinges without any force stay finite, and the energy is what it was."""
    arm = jaxdyn.remove_subtree(jaxdyn.load_example("arm"), "finger")
    arm = eqx.tree_at(lambda m: m.damping, arm, jnp.zeros_like(arm.damping))

    def run(q, v):
        def advance(_, state):
            return RungeKutta4().step(arm, jnp.zeros(()), state[0], state[1], no_forces, jnp.asarray(1e-3))

        state = jax.lax.fori_loop(0, 2000, advance, (q, v))
        energies = jax.vmap(partial(jaxdyn.mechanical_energy, arm))(
            *(jnp.stack(x) for x in zip((q, v), state, strict=True))
        )
        return state, energies[1] - energies[0]

    state, change = quick(run, jaxdyn.zero_configuration(arm), 0.3 * jnp.ones(arm.num_velocities))
    assert all(jnp.all(jnp.isfinite(x)) for x in state)
    assert jnp.max(jnp.abs(state[1])) > 10
    assert jnp.abs(change) < 1e-3


def test_no_absolute_thresholds():
    """MuJoCo 1086: a worm of a millimetre accelerates as one of a metre whose gravity is a thousand times larger."""

    def worm(length, mass):
        inertia = SpatialInertia(
            mass * jnp.ones(()), mass * length * jnp.array([0.1, 0.0, -0.2]), mass * length**2 * ROD.moment
        )
        mechanism = chain([inertia] * 4, length=0.5 * length)
        return jaxdyn.replace(mechanism, gravity=jnp.array([0.0, 0.0, -9.81]) * length)

    def results(mechanism, tau):
        q, v = jnp.array([0.3, -0.2, 0.5, 0.1]), jnp.array([1.0, -2.0, 0.5, 0.3])
        v_dot = jaxdyn.forward_dynamics(mechanism, q, v, tau, method="articulated_body")
        return v_dot, jaxdyn.mass_matrix(mechanism, q), jaxdyn.center_of_mass(mechanism, q)

    tau = jnp.array([0.1, 0.2, -0.3, 0.4])
    v_dot, M, center = quick(results, worm(1.0, 1.0), tau)
    small_v_dot, small_M, small_center = quick(results, worm(1e-3, 1e-9), 1e-15 * tau)
    assert_close((small_v_dot, 1e15 * small_M, 1e3 * small_center), (v_dot, M, center), operations=10**5)


def test_a_chain_of_light_links_in_single_precision():
    """Brax 386: twenty links of 5 g hang and swing for two seconds; the tip is where double precision has it."""
    link = SpatialInertia.from_center_of_mass(5e-3, [0.0, 0.0, -0.025], [1.1e-6, 0.0, 0.0, 1.1e-6, 0.0, 1e-7])
    hanging = chain([link] * 20, axes=((0.0, 1.0, 0.0),), length=0.05)

    @jax.jit
    def tip(mechanism, q):
        def advance(_, state):
            dt = jnp.asarray(1e-3, q.dtype)
            return SemiImplicitEuler().step(mechanism, 0 * dt, state[0], state[1], no_forces, dt)

        state = jax.lax.fori_loop(0, 2000, advance, (q, 0 * q))
        return jaxdyn.relative_transform(mechanism, state[0], "link19").translation

    q = jnp.zeros(20).at[0].set(0.3)
    double, single = tip(hanging, q), tip(hanging.astype(jnp.float32), q.astype(jnp.float32))
    assert jnp.max(jnp.abs(double - single.astype(float))) < 1e-3
