"""Inverse and forward dynamics of every model agree with Newton's law, with each other, and with energy."""

import jax
import jax.numpy as jnp
import pytest

import jaxdyn
from comparison import QUICK, assert_close
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
def coriolis_forces_do_half_the_work_of_the_changing_mass_matrix(m, s):
    M_dot = s.rate(lambda q: jaxdyn.mass_matrix(m, q))
    C_v = jaxdyn.dynamics_bias(m, s.q, s.v) + jaxdyn.passive_forces(m, s.q, s.v) - jaxdyn.gravity_forces(m, s.q)
    return s.v @ C_v, s.v @ M_dot @ s.v / 2


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
        return M_dot, C

    M_dot, C = jax.jit(both, compiler_options=QUICK)(mechanism, q, v)
    assert jnp.max(jnp.abs(C - C.T)) > 1e-3 or model == "massless_base"
    assert_close(M_dot - 2 * C, -(M_dot - 2 * C).T, operations=20000)
