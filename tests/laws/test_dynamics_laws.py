"""Inverse and forward dynamics of every model agree with Newton's and Euler's laws, with each other, and with energy."""

import jax
import jax.numpy as jnp
import pytest
from comparison import assert_close
from models import ALL_MODELS

import jaxdyn
from jaxdyn.spatial import Force, Transform

from . import definitions
from .registry import Laws

laws = law = Laws()


def in_every_frame(m, s) -> list[dict]:
    """The external wrenches as arguments, in each of the three frames."""
    poses = jaxdyn.body_transforms(m, s.q)
    world = Force.from_vector(s.wrenches)
    to_origins = Transform(jnp.broadcast_to(jnp.eye(3), poses.rotation.shape), -poses.translation)
    in_frames = {
        "world": world,
        "body_origin": to_origins.apply_force(world),
        "body": poses.inverse().apply_force(world).vector,  # an array is taken, too
    }
    return [{"external_wrenches": wrench, "wrench_frame": frame} for frame, wrench in in_frames.items()]


def external_power(m, s):
    """Power of the external wrenches."""
    return jnp.sum(jaxdyn.body_twists(m, s.q, s.v, expressed_in="world").dot(Force.from_vector(s.wrenches)))


@law
def inverse_dynamics_is_newton_and_euler(m, s):
    actual = [jaxdyn.inverse_dynamics(m, s.q, s.v, s.v_dot, **wrenches) for wrenches in in_every_frame(m, s)]
    return actual, [definitions.inverse_dynamics(m, s)] * 3


@law
def wrenches_are_about_the_origin_unless_told(m, s):
    wrench = in_every_frame(m, s)[1]["external_wrenches"]
    tau = jaxdyn.inverse_dynamics(m, s.q, s.v, s.v_dot, wrench)
    actual = (
        tau,
        jaxdyn.generalized_forces(m, s.q, wrench),
        jaxdyn.dynamics_bias(m, s.q, s.v, wrench),
        jaxdyn.forward_dynamics(m, s.q, s.v, tau, wrench),
    )
    (_, options, _), without = in_every_frame(m, s), jaxdyn.inverse_dynamics(m, s.q, s.v, s.v_dot)
    expected = (
        jaxdyn.inverse_dynamics(m, s.q, s.v, s.v_dot, **options),
        without - tau,
        jaxdyn.inverse_dynamics(m, s.q, s.v, jnp.zeros_like(s.v), **options),
        s.v_dot,
    )
    return actual, expected


@law
def generalized_forces_do_the_work_of_the_wrenches(m, s):
    powers = [s.v @ jaxdyn.generalized_forces(m, s.q, **wrenches) for wrenches in in_every_frame(m, s)]
    return powers, [external_power(m, s)] * 3


@law
def equation_of_motion(m, s):
    """M v_dot + C v + g = τ + passive forces + Σ Jᵀ F, with C v quadratic in the velocity."""

    def coriolis(v):
        return jaxdyn.dynamics_bias(m, s.q, v) + jaxdyn.passive_forces(m, s.q, v) - jaxdyn.gravity_forces(m, s.q)

    options = in_every_frame(m, s)[2]
    left = jaxdyn.mass_matrix(m, s.q) @ s.v_dot + coriolis(s.v) + jaxdyn.gravity_forces(m, s.q)
    tau = jaxdyn.inverse_dynamics(m, s.q, s.v, s.v_dot, **options)
    right = tau + jaxdyn.passive_forces(m, s.q, s.v) + jaxdyn.generalized_forces(m, s.q, **options)
    return (left, coriolis(3 * s.v)), (right, 9 * coriolis(s.v))


@law
def forward_dynamics_is_the_inverse_of_inverse_dynamics(m, s):
    options = in_every_frame(m, s)
    tau = jaxdyn.inverse_dynamics(m, s.q, s.v, s.v_dot, **options[0])
    methods = (None, "articulated_body", "mass_matrix")
    accelerations = [
        jaxdyn.forward_dynamics(m, s.q, s.v, tau, **wrenches, method=method)
        for method, wrenches in zip(methods, options, strict=True)
    ]
    return accelerations, [s.v_dot] * 3


@law
def inverse_dynamics_is_the_inverse_of_forward_dynamics(m, s):
    tau = s.v_dot
    accelerations = [jaxdyn.forward_dynamics(m, s.q, s.v, tau, method=name) for name in ("articulated_body", "mass_matrix")]
    return [jaxdyn.inverse_dynamics(m, s.q, s.v, v_dot) for v_dot in accelerations], [tau] * 2


@law
def power_is_the_rate_of_the_energy(m, s):
    tau = jaxdyn.inverse_dynamics(m, s.q, s.v, s.v_dot, **in_every_frame(m, s)[0])
    q_dot = jaxdyn.velocity_to_configuration_derivative(m, s.q, s.v)
    _, rate = jax.jvp(lambda q, v: jaxdyn.mechanical_energy(m, q, v), (s.q, s.v), (q_dot, s.v_dot))
    return rate, tau @ s.v + external_power(m, s) - jnp.sum(m.damping * s.v**2)


@law
def coriolis_forces_do_half_the_work_of_the_changing_mass_matrix(m, s):
    _, M_dot = definitions.rate(m, s.q, s.v, lambda q: jaxdyn.mass_matrix(m, q))
    C_v = jaxdyn.dynamics_bias(m, s.q, s.v) + jaxdyn.passive_forces(m, s.q, s.v) - jaxdyn.gravity_forces(m, s.q)
    return s.v @ C_v, s.v @ M_dot @ s.v / 2


@law
def momentum_changes_by_the_wrenches_from_outside(m, s):
    """Of a floating tree: by gravity, external wrenches, and what acts along the floating joint."""
    floating = [body for body, size in enumerate(m.topology.joint_sizes) if size[1] == 6]
    if not floating or any(parent < 0 for parent in m.topology.parents[1:]):
        return (), ()
    tau = jaxdyn.inverse_dynamics(m, s.q, s.v, s.v_dot, **in_every_frame(m, s)[0])
    along_joint = (tau + jaxdyn.passive_forces(m, s.q, s.v) - m.armature * s.v_dot)[m.v_index(floating[0])]
    X_WA = definitions.body_poses(m, s.q)[floating[0]] @ m.successor_placements.transform()[floating[0]]
    outside = definitions.weights(m, s.q) + Force.from_vector(s.wrenches)
    expected = jnp.sum(outside.vector, axis=0) + X_WA.apply_force(Force.from_vector(along_joint)).vector
    return jnp.sum(definitions.momentum_rates(m, s).vector, axis=0), expected


@laws.for_every_model()
def test_law(model: str, law: str):
    laws.check(model, law)


@pytest.mark.parametrize("model", ["branching_arm", "user_joints", "massless_base"])
def test_mass_matrix_rate_less_twice_coriolis_is_skew(model: str):
    """With C = ½ ∂(C v)/∂v, where v = q_dot."""
    mechanism = ALL_MODELS[model]
    state = definitions.random_state(mechanism, jax.random.key(3))

    @jax.jit
    def both(m, q, v):
        _, M_dot = definitions.rate(m, q, v, lambda q: jaxdyn.mass_matrix(m, q))
        C = jax.jacfwd(lambda v: jaxdyn.dynamics_bias(m, q, v) + jaxdyn.passive_forces(m, q, v))(v) / 2
        return M_dot, C

    M_dot, C = both(mechanism, state.q, state.v)
    assert jnp.max(jnp.abs(C - C.T)) > 1e-3 or model == "massless_base"
    assert_close(M_dot - 2 * C, -(M_dot - 2 * C).T, operations=20000)
