"""Closed-form derivatives of inverse and forward dynamics, and the rule of forward dynamics that is made of them."""

from collections.abc import Callable
from functools import partial

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxdyn
from comparison import assert_close
from jaxdyn import Mechanism
from mechanism.edit_laws import gripper
from models import ALL_MODELS, Numbers
from parity.comparison import relative_error

OPERATIONS = 50000
"""For `assert_close`: 1e-11 in double precision. Of `rare_joints` the mass matrix is ill conditioned."""

MODELS = {
    "user_joints": lambda: ALL_MODELS["user_joints"],
    "rare_joints": lambda: ALL_MODELS["rare_joints"],
    "gripper": gripper,
}
WRENCH_FRAMES = ("body_origin", "world", "body")


def arguments(mechanism: Mechanism) -> tuple[jax.Array, ...]:
    """Configuration (quaternions of any norm), velocity, acceleration or forces, and wrenches on all bodies."""
    numbers = Numbers(81)
    sizes = (mechanism.num_positions, *[mechanism.num_velocities] * 2)
    q, v, last = (jnp.asarray(numbers.take(size)) for size in sizes)
    return q, v, last, jnp.asarray(numbers.take(mechanism.num_bodies, 6))


def along_manifold(mechanism: Mechanism, function: Callable, q: jax.Array) -> jax.Array:
    """Column j: the rate while degree of freedom j alone moves with unit velocity."""

    def rate(v: jax.Array) -> jax.Array:
        return jax.jvp(function, (q,), (jaxdyn.velocity_to_configuration_derivative(mechanism, q, v),))[1]

    return jax.vmap(rate, out_axes=-1)(jnp.eye(mechanism.num_velocities, dtype=q.dtype))


@pytest.mark.long
@pytest.mark.parametrize(("row", "name"), list(enumerate(MODELS)))
def test_against_derivatives_of_inverse_dynamics(row, name):
    """By `jax.jvp` through inverse dynamics alone: forward dynamics has a rule that is made of the closed form."""
    mechanism, wrench_frame = MODELS[name](), WRENCH_FRAMES[row]

    def pairs(q, v, tau, wrenches):
        def inverse(q, v, v_dot):
            return jaxdyn.inverse_dynamics(mechanism, q, v, v_dot, wrenches, wrench_frame=wrench_frame)

        def forward(q, v, tau):
            return jaxdyn.forward_dynamics(mechanism, q, v, tau, wrenches, wrench_frame=wrench_frame)

        v_dot = forward(q, v, tau)
        by_q = along_manifold(mechanism, lambda q: inverse(q, v, v_dot), q)
        by_v, M = jax.jacfwd(inverse, (1, 2))(q, v, v_dot)
        of_inverse = jaxdyn.inverse_dynamics_derivatives(mechanism, q, v, v_dot, wrenches, wrench_frame=wrench_frame)
        of_forward = jaxdyn.forward_dynamics_derivatives(mechanism, q, v, tau, wrenches, wrench_frame=wrench_frame)
        M_inverse = jnp.linalg.inv(M)
        forward_by_q, forward_by_v = -M_inverse @ by_q, -M_inverse @ by_v
        by_rule = jax.jacfwd(forward, (0, 1, 2))(q, v, tau)
        along = jaxdyn.configuration_derivative_to_velocity_jacobian(mechanism, q)
        return (
            ((of_inverse.q, of_inverse.v, of_inverse.v_dot), (by_q, by_v, M)),
            ((of_forward.q, of_forward.v, of_forward.tau), (forward_by_q, forward_by_v, M_inverse)),
            (by_rule, (forward_by_q @ along, forward_by_v, M_inverse)),
            (jax.jacrev(forward, (0, 1, 2))(q, v, tau), by_rule),
        )

    for found, expected in jax.jit(pairs)(*arguments(mechanism)):
        assert_close(found, expected, OPERATIONS)


def test_nothing_moves():
    mechanism = ALL_MODELS["fixed_body"]
    for derivatives in (jaxdyn.inverse_dynamics_derivatives, jaxdyn.forward_dynamics_derivatives):
        assert all(x.shape == (0, 0) for x in jax.tree.leaves(derivatives(mechanism, [], [], [])))


def test_known_numbers_stay_known():
    """Springs that are known to be absent are not compiled, though forward dynamics has a rule for its derivative."""
    stiff = ALL_MODELS["rare_joints"]
    slack = eqx.tree_at(lambda m: m.stiffness, stiff, jnp.zeros_like(stiff.stiffness))
    state = arguments(stiff)[:3]
    sizes = [jax.jit(partial(jaxdyn.forward_dynamics, m)).lower(*state).as_text().count("\n") for m in (slack, stiff)]
    assert sizes[0] < sizes[1]


def test_pendulum():
    """By hand: τ = (m l² + I) v̇ + d v + m g l sin q, from the numbers of the model."""
    mechanism = ALL_MODELS["pendulum"]
    q, v, v_dot = jnp.array([0.3]), jnp.array([0.5]), jnp.array([-0.2])
    derivatives = jax.jit(jaxdyn.inverse_dynamics_derivatives)(mechanism, q, v, v_dot)
    M = jaxdyn.mass_matrix(mechanism, q)
    stiffness = jax.hessian(lambda q: jaxdyn.mechanical_energy(mechanism, q, 0 * v))(q)
    assert_close(derivatives, jaxdyn.InverseDynamicsDerivatives(stiffness, mechanism.damping[None], M), OPERATIONS)


@pytest.mark.long
def test_derivatives_of_derivatives_batches_and_single_precision():
    """∂²τ/∂v∂v_dot is zero, ∂M/∂q as of the mass matrix; one state of a batch as alone; float32 stays float32."""
    mechanism = ALL_MODELS["floating_tree"]
    q, v, v_dot, wrenches = arguments(mechanism)

    def entries(mechanism: Mechanism, q: jax.Array, v: jax.Array, v_dot: jax.Array):
        return jaxdyn.inverse_dynamics_derivatives(mechanism, q, v, v_dot, wrenches.astype(q.dtype))

    def seconds(q, v, v_dot):
        of_matrix = jax.jacfwd(lambda q: entries(mechanism, q, v, v_dot).v_dot)(q)
        weights = jnp.sin(jnp.arange(mechanism.num_velocities**2, dtype=q.dtype)).reshape(mechanism.num_velocities, -1)
        backwards = jax.grad(lambda v, v_dot: jnp.sum(weights * entries(mechanism, q, v, v_dot).q), (0, 1))(v, v_dot)

        def twice(v, v_dot):
            def forces(q: jax.Array) -> jax.Array:
                return jaxdyn.inverse_dynamics(mechanism, q, v, v_dot, wrenches)

            return jnp.sum(weights * along_manifold(mechanism, forces, q))

        expected = jax.jacfwd(jaxdyn.mass_matrix, 1)(mechanism, q), jax.grad(twice, (0, 1))(v, v_dot)
        return (of_matrix, backwards), expected

    found, expected = jax.jit(seconds)(q, v, v_dot)
    assert_close(found, expected, OPERATIONS)
    many = jnp.stack([q, 2 * q]), jnp.stack([v, -v]), jnp.stack([v_dot, v])
    batch = jax.jit(jax.vmap(entries, (None, 0, 0, 0)))(mechanism, *many)
    alone = jax.jit(entries)(mechanism, q, v, v_dot)
    assert_close(jax.tree.map(lambda x: x[0], batch), alone, OPERATIONS)
    single = jax.jit(entries)(mechanism.astype(jnp.float32), *(x.astype(jnp.float32) for x in (q, v, v_dot)))
    for leaf, other in zip(jax.tree.leaves(single), jax.tree.leaves(alone), strict=True):
        assert leaf.dtype == jnp.float32
        assert relative_error(np.asarray(leaf), np.asarray(other)) < 1e-5
