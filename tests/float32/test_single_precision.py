"""Single precision against double precision of the same numbers, near the world's origin and 100 m away.

Bounds are about 20 roundings of float32 (6e-8) of the largest entry, and about 100 of each inertia seen at a joint: a
light finger tip far from the root keeps its digits only if no inertia is taken about a distant point.
"""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxdyn
from parity.comparison import random_states, relative_error
from parity.error_table import Errors, require
from parity.robot_files import EXAMPLE_PACKAGE, LIGHT_PACKAGES, load, robot, without_mimic

PACKAGES = (*LIGHT_PACKAGES, EXAMPLE_PACKAGE)
FAR = np.array([100.0, 100.0, 10.0], dtype=np.float32)
OF_LARGEST = 2e-6
OF_EACH_INERTIA = 1e-5
RESIDUAL = 1e-5
METHODS = ("articulated_body", "mass_matrix")
ROBOTS = (
    ("franka_panda/panda", "fixed"),
    ("jvrc/jvrc1", "fixed"),
    ("jvrc/jvrc1", "floating"),
    ("g1/g1_29dof_with_hand_rev_1_0", "floating"),
    ("alex/alex_psyonic_hands", "floating"),
)


@jax.jit
def _quantities(mechanism, states):
    def at(state):
        q, v, v_dot, tau = (state[name] for name in ("q", "v", "v_dot", "tau"))
        return {
            "inverse dynamics": jaxdyn.inverse_dynamics(mechanism, q, v, v_dot),
            "mass matrix": jaxdyn.mass_matrix(mechanism, q),
            **{method: jaxdyn.forward_dynamics(mechanism, q, v, tau, method=method) for method in METHODS},
        }

    return jax.vmap(at)(states)


@jax.jit
def _inverse_dynamics(mechanism, states):
    def at(state):
        q, v, v_dot = (state[name] for name in ("q", "v", "v_dot"))
        return jaxdyn.inverse_dynamics(mechanism, q, v, v_dot), jaxdyn.mass_matrix(mechanism, q)

    return jax.vmap(at)(states)


def _moved_far(mechanism: jaxdyn.Mechanism, states: dict, *, is_floating: bool) -> tuple[jaxdyn.Mechanism, dict]:
    """The robot 100 m away: through its configuration if it floats, else through the placement of its root joint."""
    if is_floating:
        q = states["q"].copy()
        q[:, mechanism.q_index("root_joint")[4:]] += FAR
        return mechanism, {**states, "q": q}
    root = mechanism.joint_index("root_joint")
    translation = mechanism.placements.translation
    moved = translation.at[root].add(jnp.asarray(FAR))
    return eqx.tree_at(lambda m: m.placements.translation, mechanism, moved), states


def _errors(mechanism32: jaxdyn.Mechanism, states32: dict) -> Errors:
    """(error, bound) of each quantity; inputs and leaves are the same numbers in both precisions."""
    mechanism64 = mechanism32.astype(jnp.float64)
    states64 = {k: x.astype(np.float64) for k, x in states32.items()}
    expected, M = (np.asarray(x) for x in _inverse_dynamics(mechanism64, states64))
    tau32 = expected.astype(np.float32)  # forces that move the robot at a plausible rate
    single = {k: np.asarray(x) for k, x in _quantities(mechanism32, {**states32, "tau": tau32}).items()}
    assert all(x.dtype == np.float32 for x in single.values())
    diagonal, diagonal32 = (np.diagonal(x, axis1=1, axis2=2) for x in (M, single["mass matrix"]))
    residuals = {}
    for method in METHODS:
        tau, v_dot = tau32.astype(np.float64), single[method].astype(np.float64)
        again = np.asarray(_inverse_dynamics(mechanism64, {**states64, "v_dot": v_dot})[0])
        scale = np.abs(M).sum(axis=2).max(axis=1) * np.abs(v_dot).max(axis=1) + np.abs(tau).max(axis=1)
        residuals[f"residual, {method}"] = (float(np.max(np.abs(again - tau).max(axis=1) / scale)), RESIDUAL)
    return {
        "inverse dynamics": (relative_error(single["inverse dynamics"], expected), OF_LARGEST),
        "mass matrix": (relative_error(single["mass matrix"], M), OF_LARGEST),
        "each M_ii": (float(np.max(np.abs(diagonal32 / diagonal - 1))), OF_EACH_INERTIA),
        **residuals,
    }


@pytest.mark.long
@pytest.mark.parametrize(("name", "base"), ROBOTS)
def test_single_precision_agrees_with_double_precision(name, base, record_row):
    is_floating = base == "floating"
    text, _ = without_mimic(robot(name, *PACKAGES).text)
    mechanism = load(text, is_floating=is_floating).astype(jnp.float32)
    numbers = random_states(mechanism, name)
    states = {k: numbers[k].astype(np.float32) for k in ("q", "v", "v_dot")}
    for where, (placed, at) in {
        "near": (mechanism, states),
        "far": _moved_far(mechanism, states, is_floating=is_floating),
    }.items():
        errors = _errors(placed, at)
        record_row(f"{name}, {where}", base, mechanism.num_velocities, errors)
        require(errors, f"{name} ({base} base, {where} the world's origin) loses digits")
