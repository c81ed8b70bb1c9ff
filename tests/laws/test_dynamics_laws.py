"""Inverse and forward dynamics of every model agree with Newton's law, with each other, and with energy."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxdyn
from comparison import assert_close
from jaxdyn.spatial import Force
from models import ALL_MODELS

from .definitions import random_arguments, rate
from .registry import Laws

laws = law = Laws()


@law
def inverse_dynamics_is_newton_and_euler(m, s):
    actual = [jaxdyn.inverse_dynamics(m, s.q, s.v, s.v_dot, **wrenches) for wrenches in s.wrenches]
    return actual, [s.inverse_dynamics] * 3


@law
def generalized_forces_do_the_work_of_the_wrenches(m, s):
    powers = [s.v @ jaxdyn.generalized_forces(m, s.q, **wrenches) for wrenches in s.wrenches]
    return powers, [s.external_power] * 3


@law
def equation_of_motion(m, s):
    """M v_dot + C v + g = τ + passive forces + Σ Jᵀ F, with C v quadratic in the velocity."""

    def coriolis(v):
        return jaxdyn.dynamics_bias(m, s.q, v) + jaxdyn.passive_forces(m, s.q, v) - jaxdyn.gravity_forces(m, s.q)

    left = jaxdyn.mass_matrix(m, s.q) @ s.v_dot + coriolis(s.v) + jaxdyn.gravity_forces(m, s.q)
    external = jaxdyn.generalized_forces(m, s.q, **s.wrenches[0])
    right = s.inverse_dynamics + jaxdyn.passive_forces(m, s.q, s.v) + external
    bias = jaxdyn.dynamics_bias(m, s.q, s.v, **s.wrenches[0])
    return (left, coriolis(3 * s.v), bias), (right, 9 * coriolis(s.v), jaxdyn.dynamics_bias(m, s.q, s.v) - external)


@law
def forward_dynamics_is_the_inverse_of_inverse_dynamics(m, s):
    pairs = zip(("articulated_body", "mass_matrix"), s.wrenches, strict=False)
    accelerations = [
        jaxdyn.forward_dynamics(m, s.q, s.v, s.inverse_dynamics, **wrenches, method=method)
        for method, wrenches in pairs
    ]
    return accelerations, [s.v_dot] * 2


@law
def inverse_dynamics_is_the_inverse_of_forward_dynamics(m, s):
    tau, wrenches = s.v_dot, s.wrenches[2]
    v_dot = jaxdyn.forward_dynamics(m, s.q, s.v, tau, **wrenches)
    return jaxdyn.inverse_dynamics(m, s.q, s.v, v_dot, **wrenches), tau


@law
def power_is_the_rate_of_the_energy(m, s):
    rate = s.rate_of_state(lambda q, v: jaxdyn.mechanical_energy(m, q, v))
    return rate, s.inverse_dynamics @ s.v + s.external_power - jnp.sum(m.damping * s.v**2)


@law
def coriolis_matrix_makes_the_coriolis_forces_and_half_the_rate_of_the_mass_matrix(m, s):
    """So these forces do half the work of the changing mass matrix."""
    C = jaxdyn.coriolis_matrix(m, s.q, s.v)
    C_v = jaxdyn.dynamics_bias(m, s.q, s.v) + jaxdyn.passive_forces(m, s.q, s.v) - jaxdyn.gravity_forces(m, s.q)
    return (C @ s.v, C + C.T), (C_v, s.rate(lambda q: jaxdyn.mass_matrix(m, q)))


@law
def momentum_changes_by_the_wrenches_from_outside(m, s):
    """Of a floating tree: by gravity, external wrenches, and what acts along the floating joint."""
    floating = [body for body, size in enumerate(m.topology.joint_sizes) if size[1] == 6]
    if not floating or any(parent < 0 for parent in m.topology.parents[1:]):
        return (), ()
    tau = jaxdyn.inverse_dynamics(m, s.q, s.v, s.v_dot, **s.wrenches[0])
    along_joint = (tau + jaxdyn.passive_forces(m, s.q, s.v) - m.armature * s.v_dot)[m.v_index(floating[0])]
    X_WA = s.poses[floating[0]] @ m.successor_placements.transform()[floating[0]]
    outside = s.weights + Force.from_vector(s.world_wrenches)
    expected = jnp.sum(outside.vector, axis=0) + X_WA.apply_force(Force.from_vector(along_joint)).vector
    return jnp.sum(s.momentum_rates.vector, axis=0), expected


@law
def momentum_rates_are_rates_of_momenta(m, s):
    """In a frame that moves, of which the world is a special case."""
    frame = (*m.frame_names, *m.body_names)[0]
    rate = s.rate_of_state(lambda q, v: jaxdyn.momentum(m, q, v, expressed_in=frame)).vector
    bias = jaxdyn.momentum_rate_bias(m, s.q, s.v, expressed_in=frame).vector
    return jaxdyn.momentum_matrix(m, s.q, expressed_in=frame) @ s.v_dot + bias, rate


@law
def joint_wrenches_move_what_hangs_on_the_joints(m, s):
    """The rate of momentum of the subtree, less gravity and external wrenches, in the frame after the joint."""
    carried = m.topology.body_forest.is_strict_ancestor | np.eye(m.num_bodies, dtype=bool)
    needed = (s.momentum_rates - s.weights).vector - s.world_wrenches
    X_WA = s.poses
    if m.successor_placements is not None:
        X_WA = X_WA @ m.successor_placements.transform()
    expected = X_WA.inverse().apply_force(Force.from_vector(carried.astype(float) @ needed))
    return jaxdyn.joint_wrenches(m, s.q, s.v, s.v_dot, **s.wrenches[2]), expected


@law
def what_a_task_feels_and_what_it_leaves_free(m, s):
    """Of a frame, whose Jacobian has dependent rows where there are few degrees of freedom."""
    frame = (*m.frame_names, *m.body_names)[0]
    J, M = jaxdyn.geometric_jacobian(m, s.q, frame), jaxdyn.mass_matrix(m, s.q)
    M_inverse = jaxdyn.mass_matrix_inverse(m, s.q)
    inertia = jaxdyn.operational_space_inertia(m, s.q, frame)
    inverse = jaxdyn.dynamically_consistent_inverse(m, s.q, J)
    N = jaxdyn.null_space_projector(m, s.q, J)
    mobility = J @ M_inverse @ J.T
    pairs = (
        (M_inverse @ M, jnp.eye(m.num_velocities)),
        (M_inverse, M_inverse.T),
        (inertia @ mobility @ inertia, inertia),
        (mobility @ inertia @ mobility, mobility),
        (M @ inverse, J.T @ inertia),
        (J @ inverse @ J, J),
        (N, jnp.eye(m.num_velocities) - inverse @ J),
        (J @ N, jnp.zeros_like(J)),
    )
    return tuple(zip(*pairs, strict=True))


@laws.for_every_model()
def test_law(model: str, law: str):
    laws.check(model, law)


@pytest.mark.parametrize("model", ["branching_arm", "user_joints", "massless_base"])
def test_mass_matrix_rate_less_twice_coriolis_is_skew(model: str):
    """With C = ½ ∂(C v)/∂v, where v = q_dot."""
    mechanism = ALL_MODELS[model]
    q, v, _, _ = random_arguments(mechanism, jax.random.key(3))

    def both(m, q, v):
        _, M_dot = rate(m, q, v, lambda q: jaxdyn.mass_matrix(m, q))
        C = jax.jacfwd(lambda v: jaxdyn.dynamics_bias(m, q, v) + jaxdyn.passive_forces(m, q, v))(v) / 2
        return M_dot, C, jaxdyn.coriolis_matrix(m, q, v)

    M_dot, C, coriolis = jax.jit(both)(mechanism, q, v)
    assert_close(coriolis, C, operations=20000)  # the Christoffel symbols are symmetric in their last two indices
    assert jnp.max(jnp.abs(C - C.T)) > 1e-3 or model == "massless_base"
    assert_close(M_dot - 2 * C, -(M_dot - 2 * C).T, operations=20000)
