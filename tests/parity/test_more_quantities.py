"""Accelerations, rates of Jacobians, Coriolis forces, reaction wrenches and centroidal quantities of one robot."""

from importlib import import_module
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

pytest.importorskip("pinocchio", reason="`pin` is not installed")

import jaxdyn
from parity.comparison import VALUE_BOUND, random_states, relative_error
from parity.pinocchio_oracle import PinocchioOracle
from parity.robot_files import LIGHT_PACKAGES, load, robot, with_inertia_tags, without_mimic

pin: Any = import_module("pinocchio")

ROBOT = "franka_panda/panda"
ANGULAR_FIRST = [3, 4, 5, 0, 1, 2]
AXES = {
    "world_aligned": pin.ReferenceFrame.LOCAL_WORLD_ALIGNED,
    "world": pin.ReferenceFrame.WORLD,
    "body": pin.ReferenceFrame.LOCAL,
}


def ours(mechanism: jaxdyn.Mechanism, state: dict) -> dict:
    """What jaxdyn says, in one program."""
    q, v, v_dot, wrenches = (state[name] for name in ("q", "v", "v_dot", "wrenches"))
    tip = mechanism.body_names[-1]
    result = {}
    for axes in AXES:
        for kind in ("spatial", "classical"):
            options = {"expressed_in": axes, "classical": kind == "classical"}
            result[f"{kind}, {axes}"] = jaxdyn.body_accelerations(mechanism, q, v, v_dot, **options).vector
        result[f"jacobian derivative, {axes}"] = jaxdyn.jacobian_derivative(mechanism, q, v, tip, expressed_in=axes)
    moving = np.array(mechanism.topology.moving_bodies)
    inertia = jaxdyn.centroidal_inertia(mechanism, q)
    rate, center = jaxdyn.momentum_rate_bias(mechanism, q, v), jaxdyn.center_of_mass(mechanism, q)
    of_center = jnp.concatenate([rate.angular - jnp.cross(center, rate.linear), rate.linear])
    return result | {
        "subtree masses": jnp.stack([jaxdyn.subtree_mass(mechanism, int(body)) for body in moving]),
        "Coriolis forces": jaxdyn.coriolis_matrix(mechanism, q, v) @ v,
        "sum of Coriolis matrix and transpose": _with_transpose(jaxdyn.coriolis_matrix(mechanism, q, v)),
        "inverse of the mass matrix": jaxdyn.mass_matrix_inverse(mechanism, q),
        "joint wrenches": jaxdyn.joint_wrenches(mechanism, q, v, v_dot, wrenches).vector[moving],
        "centroidal moment of inertia": inertia.moment_matrix,
        "momentum rate bias": of_center,
    }


def _with_transpose(matrix):
    return matrix + matrix.T


def theirs(mechanism: jaxdyn.Mechanism, oracle: PinocchioOracle, state: dict) -> dict:
    """What Pinocchio says, in jaxdyn's order."""
    model, data, order = oracle.model, oracle.data, oracle.v_order
    q, v, v_dot = oracle.configuration(state["q"]), *(oracle.velocity(state[name]) for name in ("v", "v_dot"))
    frames = [model.getFrameId(name, pin.FrameType.BODY) for name in mechanism.body_names]
    moving = [model.getJointId(mechanism.joint_names[body]) for body in mechanism.topology.moving_bodies]
    pin.forwardKinematics(model, data, q, v, v_dot)
    pin.computeJointJacobiansTimeVariation(model, data, q, v)
    pin.updateFramePlacements(model, data)
    result = {}
    for axes, reference in AXES.items():
        for kind, function in (("spatial", pin.getFrameAcceleration), ("classical", pin.getFrameClassicalAcceleration)):
            result[f"{kind}, {axes}"] = np.array(
                [function(model, data, i, reference).vector[ANGULAR_FIRST] for i in frames]
            )
        J_dot = pin.getFrameJacobianTimeVariation(model, data, frames[-1], reference)
        result[f"jacobian derivative, {axes}"] = J_dot[ANGULAR_FIRST][:, order]
    poses = [data.oMf[i].copy() for i in frames]
    result["Coriolis forces"] = pin.computeCoriolisMatrix(model, data, q, v)[order][:, order] @ state["v"]
    result["sum of Coriolis matrix and transpose"] = _with_transpose(data.C[order][:, order])
    result["inverse of the mass matrix"] = _full(pin.computeMinverse(model, data, q))[order][:, order]
    pin.rnea(model, data, q, v, v_dot, oracle.joint_wrenches(state["wrenches"], poses, is_about_world=False))
    result["joint wrenches"] = np.array([data.f[i].vector[ANGULAR_FIRST] for i in moving])
    pin.computeSubtreeMasses(model, data)
    result["subtree masses"] = np.array([data.mass[i] for i in moving])
    dA = pin.computeCentroidalMapTimeVariation(model, data, q, v)
    result["momentum rate bias"] = (dA @ v)[ANGULAR_FIRST]
    pin.ccrba(model, data, q, v)
    result["centroidal moment of inertia"] = np.array(data.Ig.inertia)
    return result


def _full(upper: np.ndarray) -> np.ndarray:
    return np.triu(upper) + np.triu(upper, 1).T


def test_more_quantities_agree_with_pinocchio():
    text = with_inertia_tags(without_mimic(robot(ROBOT, *LIGHT_PACKAGES).text)[0])
    mechanism = load(text, is_floating=True)
    oracle = PinocchioOracle(text, mechanism, is_floating=True)
    states = random_states(mechanism, ROBOT)
    computed = jax.jit(jax.vmap(lambda state: ours(mechanism, state)))(states)
    expected = [theirs(mechanism, oracle, {k: x[i] for k, x in states.items()}) for i in range(len(states["q"]))]
    assert set(computed) == set(expected[0])
    wrong = {}
    for name, x in computed.items():
        error = relative_error(np.asarray(x), np.stack([row[name] for row in expected]))
        if not error < VALUE_BOUND:
            wrong[name] = error
    assert not wrong, f"different from Pinocchio: {wrong}"
