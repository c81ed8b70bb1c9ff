"""Mimic joints: the free mechanism seen through q = G q + g and τ = Gᵀ τ, in every function."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.flatten_util import ravel_pytree

import jaxdyn
from comparison import assert_close
from jaxdyn import Mechanism, add_frame, add_mimic, attach, remove_mimic
from jaxdyn.joints import Fixed, Helical, Prismatic, QuaternionFloating, Revolute
from models import Numbers

pytestmark = pytest.mark.long

# Follower, leader, ratio, offset: a follower that comes before its leader, one in another branch, and a chain.
MIMICS = (("guide", "knuckle", -0.3, 0.05), ("screw", "tip", 0.5, -0.1), ("tip", "knuckle", 1.7, 0.2))


def free_gripper() -> Mechanism:
    """A floating palm with two fingers, in which nothing follows anything yet."""
    numbers = Numbers(11)
    mechanism = Mechanism.empty(gravity=[0.3, -2.0, -9.0])
    for predecessor, joint, body, options in (
        ("world", QuaternionFloating(), "palm", {"damping": 0.1}),
        ("palm", Fixed(), "cover", {}),
        ("palm", Prismatic([0.2, 1.0, 0.0]), "guide", {"damping": 0.3, "armature": 0.2}),
        ("guide", Revolute([1.0, 0.3, 0.2]), "free", {"stiffness": 2.0, "damping": 0.1}),
        ("palm", Revolute([0.0, 0.4, -1.0]), "knuckle", {"damping": 0.2, "armature": 0.1, "stiffness": 1.0}),
        ("knuckle", Revolute([1.0, 0.0, 0.1]), "tip", {"damping": 0.15, "armature": 0.05}),
        ("palm", Helical([0.0, 1.0, 0.3], 0.4), "screw", {"armature": 0.3}),
    ):
        options |= {"placement": numbers.placement(), "successor_placement": numbers.placement(), "name": body}
        mechanism = attach(mechanism, predecessor, joint, numbers.body(body), **options)
    return add_frame(mechanism, "camera", "tip", numbers.placement())


def gripper() -> Mechanism:
    mechanism = free_gripper()
    for follower, leader, ratio, offset in MIMICS:
        mechanism = add_mimic(mechanism, follower, leader, ratio=ratio, offset=offset)
    return mechanism


def expansion(mechanism: Mechanism) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """G for q, the offset of q, and G for v, from the table alone."""
    free, leads = free_gripper(), {follower: (leader, ratio, offset) for follower, leader, ratio, offset in MIMICS}
    G_q = np.zeros((free.num_positions, mechanism.num_positions))
    G_v = np.zeros((free.num_velocities, mechanism.num_velocities))
    g = np.zeros(free.num_positions)
    for name in free.joint_names:
        leader, ratio, offset = name, 1.0, 0.0
        while leader in leads:
            leader, r, o = leads[leader]
            ratio, offset = ratio * r, ratio * o + offset
        G_q[free.q_index(name), mechanism.q_index(leader)] = ratio
        G_v[free.v_index(name), mechanism.v_index(leader)] = ratio
        g[free.q_index(name)] = offset
    return G_q, g, G_v


def results(mechanism: Mechanism, q, v, v_dot, wrenches, keep):
    """What is the same, forces, columns and matrices; configurations and velocities through `keep`."""
    same = (
        jaxdyn.body_transforms(mechanism, q),
        jaxdyn.frame_transforms(mechanism, q),
        jaxdyn.body_twists(mechanism, q, v, relative_to="screw"),
        jaxdyn.relative_twist(mechanism, q, v, "camera", relative_to="guide"),
        jaxdyn.center_of_mass(mechanism, q),
        jaxdyn.center_of_mass_velocity(mechanism, q, v),
        jaxdyn.momentum(mechanism, q, v),
        jaxdyn.centroidal_momentum(mechanism, q, v),
        jaxdyn.kinetic_energy(mechanism, q, v),
        jaxdyn.gravitational_potential_energy(mechanism, q),
    )
    forces = (
        jaxdyn.inverse_dynamics(mechanism, q, v, v_dot, wrenches),
        jaxdyn.dynamics_bias(mechanism, q, v),
        jaxdyn.gravity_forces(mechanism, q),
        jaxdyn.passive_forces(mechanism, q, v),
        jaxdyn.generalized_forces(mechanism, q, wrenches, wrench_frame="body"),
    )
    columns = (
        jaxdyn.geometric_jacobian(mechanism, q, "camera", relative_to="free", expressed_in="body"),
        jaxdyn.momentum_matrix(mechanism, q),
        jaxdyn.centroidal_momentum_matrix(mechanism, q),
        jaxdyn.center_of_mass_jacobian(mechanism, q),
    )
    moved = jaxdyn.integrate(mechanism, q, v, 0.1)
    kept = (
        keep(moved),
        keep(jaxdyn.interpolate(mechanism, q, moved, 0.3)),
        keep(jaxdyn.normalize_configuration(mechanism, q)),
        keep(jaxdyn.principal_value(mechanism, q)),
    )
    return same, forces, columns, jaxdyn.mass_matrix(mechanism, q), kept


def test_every_function_is_that_of_the_free_mechanism():
    mechanism, free = gripper(), free_gripper()
    G_q, g, G_v = expansion(mechanism)
    assert G_v.shape == (11, 8)
    numbers = Numbers(12)
    q, v, v_dot = numbers.take(mechanism.num_positions), numbers.take(8), numbers.take(8)
    wrenches = numbers.take(mechanism.num_bodies, 6)

    @jax.jit
    def both(mechanism, free):
        free_arguments = (G_q @ q + g, G_v @ v, G_v @ v_dot)
        theirs = results(free, *free_arguments, wrenches, lambda q: q)
        same, forces, columns, M, moved = theirs
        theirs = same, [G_v.T @ f for f in forces], [J @ G_v for J in columns], G_v.T @ M @ G_v, moved
        return results(mechanism, q, v, v_dot, wrenches, lambda q: G_q @ q + g), theirs

    assert_close(*both(mechanism, free))


def test_motion():
    """Forward dynamics inverts inverse dynamics, power is the rate of the energy, difference inverts integrate."""
    mechanism, numbers = gripper(), Numbers(13)
    q, v, tau = numbers.take(mechanism.num_positions), numbers.take(8), numbers.take(8)
    q = jaxdyn.normalize_configuration(mechanism, q)

    @jax.jit
    def laws(mechanism, q, v, tau):
        v_dot = jaxdyn.forward_dynamics(mechanism, q, v, tau)
        q_dot = jaxdyn.velocity_to_configuration_derivative(mechanism, q, v)
        energy = lambda q, v: jaxdyn.mechanical_energy(mechanism, q, v)  # noqa: E731
        _, power = jax.jvp(energy, (q, v), (q_dot, v_dot))
        spring = jax.grad(lambda q: jaxdyn.elastic_potential_energy(mechanism, q))(q)
        damping = -(jaxdyn.passive_forces(mechanism, q, v) + jaxdyn.tangent_gradient(mechanism, q, spring))
        moved = jaxdyn.integrate(mechanism, q, v)
        return (
            (jaxdyn.inverse_dynamics(mechanism, q, v, v_dot), tau),
            (power, tau @ v - damping @ v),
            (jaxdyn.difference(mechanism, q, moved), v),
            (jaxdyn.configuration_derivative_to_velocity(mechanism, q, q_dot), v),
        )

    for actual, expected in laws(mechanism, q, v, tau):
        assert_close(actual, jnp.asarray(expected))


def test_derivatives_by_the_numbers_of_the_followers():
    """Forward, reverse and differences agree, through a rollout, and no number is without effect."""
    mechanism, numbers = gripper(), Numbers(14)
    q, v = jaxdyn.zero_configuration(mechanism), numbers.take(8)
    controls = np.zeros((5, mechanism.num_actuated))

    @jax.jit
    def derivatives(mimics):
        def loss(mimics):
            changed = eqx.tree_at(lambda m: m.mimics, mechanism, mimics)
            motion = jaxdyn.rollout(changed, q, v, controls, dt=0.02)
            return jnp.sum(motion.q[-1] * np.arange(1.0, 1 + motion.q.shape[1])) + jnp.sum(motion.v[-1] ** 2)

        flat, unflatten = ravel_pytree(mimics)
        step = 1e-5 * jnp.eye(flat.size)
        values = jax.vmap(lambda x: loss(unflatten(x)))(jnp.concatenate([flat[None] + step, flat[None] - step]))
        forward = jax.jacfwd(lambda x: loss(unflatten(x)))(flat)
        return forward, jax.grad(lambda x: loss(unflatten(x)))(flat), (values[: flat.size] - values[flat.size :]) / 2e-5

    forward, reverse, differences = derivatives(mechanism.mimics)
    assert_close(forward, reverse)
    np.testing.assert_allclose(forward, differences, rtol=1e-6, atol=1e-7)
    assert np.all(np.abs(forward) > 1e-6)


def test_sizes_names_and_numbers():
    mechanism = gripper()
    assert (mechanism.num_positions, mechanism.num_velocities, mechanism.num_actuated) == (9, 8, 2)
    assert len(jax.tree.leaves(mechanism)) <= 30
    for follower in ("guide", "tip", "screw"):
        assert mechanism.q_index(follower).tolist() == mechanism.q_index("knuckle").tolist()
        assert mechanism.v_index(follower).tolist() == mechanism.v_index("knuckle").tolist()
    assert "screw  <- screw: Helical, q[8] v[7] of knuckle" in repr(mechanism)
    assert mechanism.mimics is not None
    np.testing.assert_allclose(mechanism.mimics.ratio, [-0.3, 1.7, 0.85])
    np.testing.assert_allclose(mechanism.mimics.offset, [0.05, 0.2, 0.0], atol=1e-15)
    single = jnp.float32
    states = (jax.ShapeDtypeStruct((size,), single) for size in (9, 8, 8))
    tau = jax.eval_shape(jaxdyn.inverse_dynamics, mechanism.astype(single), *states)
    assert (tau.shape, tau.dtype) == ((8,), single)


def test_followers_keep_their_leader_where_bodies_come_in_between():
    mechanism = attach(gripper(), "guide", Revolute([1.0, 0.0, 0.0]), jaxdyn.Body("pad"))
    assert mechanism.joint_index("knuckle") == gripper().joint_index("knuckle") + 1
    for follower in ("guide", "tip", "screw"):
        assert mechanism.v_index(follower).tolist() == mechanism.v_index("knuckle").tolist()
    assert mechanism.mimics is not None
    np.testing.assert_allclose(mechanism.mimics.ratio, [-0.3, 1.7, 0.85])


def test_released_joints_move_on_their_own():
    mechanism, free = gripper(), free_gripper()
    for follower in ("screw", "guide", "tip"):
        mechanism = remove_mimic(mechanism, follower)
    assert jax.tree.structure(mechanism) == jax.tree.structure(free)
    assert_close(jax.tree.leaves(mechanism), jax.tree.leaves(free))


def test_followers_keep_to_the_limits_of_their_leader():
    mechanism = attach(
        free_gripper(), "world", Revolute([1.0, 0.0, 0.0]), jaxdyn.Body("x"), position_lower=-0.2, position_upper=0.1
    )
    mechanism = add_mimic(mechanism, "guide", "x_joint", ratio=-10.0)

    @jax.jit
    def samples(mechanism):
        q = jaxdyn.random_configuration(mechanism, jax.random.key(0))
        return q, jaxdyn.clamp_configuration(mechanism, q.at[mechanism.q_index("guide")].set(7.0))

    sample, clamped = (q[mechanism.q_index("x_joint")[0]] for q in samples(mechanism))
    assert -0.2 <= sample <= 0.1
    assert clamped == pytest.approx(0.1)
