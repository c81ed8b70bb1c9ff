"""Everything a URDF may say that shipped robots rarely say at once, against Pinocchio."""

import pytest

pytest.importorskip("pinocchio", reason="`pin` is not installed")

import jax
import jax.numpy as jnp
import numpy as np

import jaxdyn
from jaxdyn.spatial import Transform
from parity.comparison import METHODS, VALUE_BOUND, errors_of, random_states, relative_error
from parity.error_table import require
from parity.pinocchio_oracle import PinocchioOracle
from parity.robot_files import load
from parity.robot_parity import both_sides

# Axes neither unit nor positive, inertias turned and off-diagonal, joints listed child before parent, a massless moving
# link, rigidly attached chains below a moving link and below the root, damping, a branch, all five joint types.
NASTY = """
<robot name="nasty">
  <joint name="wrist" type="continuous">
    <origin xyz="0.1 -0.2 0.05" rpy="-2.1 1.4 0.3"/><parent link="slider"/><child link="hand"/>
    <axis xyz="0 0 -7"/><dynamics damping="0.3"/>
  </joint>
  <joint name="mount" type="fixed">
    <origin rpy="0.4 -1.1 2.9" xyz="0 0.3 -0.1"/><parent link="base"/><child link="plate"/></joint>
  <joint name="shoulder" type="revolute">
    <origin xyz="0.3 0.1 0.2" rpy="1.2 -0.7 2.5"/><parent link="plate"/><child link="arm"/>
    <axis xyz="-0.5 2 0.25"/><limit lower="-1" upper="2" effort="1" velocity="1"/><dynamics damping="1.7" friction="0"/>
  </joint>
  <joint name="elbow" type="revolute">
    <origin xyz="0 0.4 0" rpy="0 0 3.1"/><parent link="arm"/><child link="massless"/>
    <axis xyz="-1 0 0"/><limit lower="-1" upper="2" effort="1" velocity="1"/>
  </joint>
  <joint name="slide" type="prismatic">
    <origin xyz="-0.2 0 0.1" rpy="0.5 0.5 0.5"/><parent link="massless"/><child link="slider"/>
    <axis xyz="0.02 -0.03 0.06"/><limit lower="-1" upper="2" effort="1" velocity="1"/><dynamics damping="2"/>
  </joint>
  <joint name="rail" type="prismatic">
    <origin xyz="0 0 -0.3" rpy="3.1 0 -1"/><parent link="base"/><child link="cart"/>
    <axis xyz="0 -3 0"/><limit lower="-1" upper="2" effort="1" velocity="1"/>
  </joint>
  <joint name="thrown" type="floating">
    <origin xyz="0.5 0.5 1" rpy="1 2 3"/><parent link="cart"/><child link="ball"/></joint>
  <joint name="grip" type="fixed">
    <origin xyz="0.01 0.02 0.1" rpy="-3 1 1"/><parent link="hand"/><child link="tool"/></joint>
  <joint name="tip_mount" type="fixed">
    <origin xyz="0 0 0.2" rpy="0.1 0 0"/><parent link="tool"/><child link="tip"/></joint>
  <link name="base"><inertial><origin xyz="0.1 0.2 -0.3" rpy="0.3 0.2 0.1"/><mass value="12"/>
    <inertia ixx="0.9" ixy="0.1" ixz="-0.2" iyy="0.8" iyz="0.05" izz="0.7"/></inertial></link>
  <link name="plate"><inertial><origin xyz="0 0.05 0" rpy="1 1 1"/><mass value="0.5"/>
    <inertia ixx="0.01" ixy="0.001" ixz="0" iyy="0.02" iyz="0" izz="0.015"/></inertial></link>
  <link name="arm"><inertial><origin xyz="0 0.2 0.01" rpy="0 -2.5 0.7"/><mass value="4"/>
    <inertia ixx="0.2" ixy="-0.02" ixz="0.01" iyy="0.05" iyz="0.003" izz="0.21"/></inertial></link>
  <link name="massless"/>
  <link name="slider"><inertial><mass value="1.5"/>
    <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.03" iyz="0" izz="0.01"/></inertial></link>
  <link name="hand"><inertial><origin xyz="0.02 0 0.04"/><mass value="0.7"/>
    <inertia ixx="0.002" ixy="0" ixz="0" iyy="0.003" iyz="0" izz="0.001"/></inertial></link>
  <link name="tool"><inertial><origin xyz="0 0.01 0.1" rpy="0.2 0.9 -0.4"/><mass value="0.2"/>
    <inertia ixx="0.001" ixy="0.0002" ixz="0" iyy="0.001" iyz="0.0001" izz="0.0005"/></inertial></link>
  <link name="tip"><inertial><mass value="0.01"/>
    <inertia ixx="1e-6" ixy="0" ixz="0" iyy="1e-6" iyz="0" izz="1e-6"/></inertial></link>
  <link name="cart"><inertial><origin xyz="0 0 0.1" rpy="0 0.3 0"/><mass value="3"/>
    <inertia ixx="0.1" ixy="0" ixz="0.02" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
  <link name="ball"><inertial><origin xyz="0.1 0.1 0.1" rpy="2 0 0"/><mass value="0.4"/>
    <inertia ixx="0.004" ixy="0.0005" ixz="0" iyy="0.003" iyz="0" izz="0.002"/></inertial></link>
</robot>
"""
FRAMES = ("tip", "ball", "camera", "anchor")
_CONVENTIONS = ("world", "world_aligned", "body")


@pytest.fixture(params=[False, True], ids=["fixed", "floating"])
def robot(request) -> tuple[jaxdyn.Mechanism, PinocchioOracle, str]:
    """The robot with two more frames, one on a rigidly attached body and one on the root."""
    mechanism = load(NASTY, is_floating=request.param)
    oracle = PinocchioOracle(NASTY, mechanism, is_floating=request.param)
    rpy, p = np.array([[0.3, -1.2, 2.2], [-0.6, 0.1, 1.0]]), np.array([[0.1, -0.2, 0.3], [1.0, 0.5, -0.5]])
    for i, (name, body) in enumerate((("camera", "tool"), ("anchor", "base"))):
        placement = Transform.from_rpy(jnp.asarray(rpy[i]), jnp.asarray(p[i]))
        mechanism = jaxdyn.add_frame(mechanism, name, body, placement)
        oracle.add_frame(name, body, np.asarray(placement.matrix()))
    return mechanism, oracle, "floating" if request.param else "fixed"


def test_all_quantities_agree_with_pinocchio(robot, record_row):
    mechanism, oracle, base = robot
    assert oracle.model.nv == mechanism.num_velocities == (17 if base == "floating" else 11)
    errors = errors_of(*both_sides(mechanism, oracle, "nasty", METHODS), METHODS)
    record_row("nasty", base, mechanism.num_velocities, errors)
    require(errors, f"{base} base")
    assert sum(name.startswith("residual") for name in errors) == 2 * len(METHODS)


@jax.jit
def _frame_quantities(mechanism, q, v, wrenches):
    """What is asked of each frame, and what wrenches in body frames do."""

    def of_frame(name):
        J = {e: jaxdyn.geometric_jacobian(mechanism, q, name, expressed_in=e) for e in _CONVENTIONS}
        J["relative"] = jaxdyn.geometric_jacobian(mechanism, q, name, relative_to="arm", expressed_in="world")
        pose = jaxdyn.relative_transform(mechanism, q, name).matrix()
        return J, pose, jaxdyn.relative_twist(mechanism, q, v, name, expressed_in="body").vector

    bias = jaxdyn.dynamics_bias(mechanism, q, v)
    pushed = jaxdyn.dynamics_bias(mechanism, q, v, wrenches, wrench_frame="body")
    forces = jaxdyn.generalized_forces(mechanism, q, wrenches, wrench_frame="body")
    return {name: of_frame(name) for name in FRAMES}, (bias, pushed, forces)


def test_frames_agree_with_pinocchio(robot):
    mechanism, oracle, base = robot
    state = {k: x[0] for k, x in random_states(mechanism, "nasty").items()}
    ours, (bias, pushed, forces) = _frame_quantities(
        mechanism, *(jnp.asarray(state[k]) for k in ("q", "v", "wrenches"))
    )
    errors = {}
    for name, (J, pose, twist) in ours.items():
        theirs = oracle.answers(state, (*((name, e) for e in _CONVENTIONS), ("arm", "world")))
        errors |= {f"{name}, {e}": relative_error(J[e], theirs[f"jacobian {i}"]) for i, e in enumerate(_CONVENTIONS)}
        errors[f"{name}, relative"] = relative_error(J["relative"], theirs["jacobian 0"] - theirs["jacobian 3"])
        errors[f"{name}, pose"] = relative_error(pose, oracle.frame_pose(name))
        errors[f"{name}, twist"] = relative_error(twist, theirs["jacobian 2"] @ state["v"])
    theirs = oracle.answers(state, ())
    R = np.asarray(theirs["rotations"])
    turned = np.concatenate([np.einsum("bij,bj->bi", R, state["wrenches"][:, i : i + 3]) for i in (0, 3)], axis=1)
    push = oracle.answers({**state, "wrenches": turned}, ())
    by_wrenches = push["inverse dynamics"] - push["with wrenches"]
    errors["bias"] = relative_error(bias, theirs["bias"])
    errors["bias with wrenches in body frames"] = relative_error(pushed, theirs["bias"] - by_wrenches)
    errors["wrenches in body frames"] = relative_error(forces, by_wrenches)
    require({k: (error, VALUE_BOUND) for k, error in errors.items()}, f"{base} base")
