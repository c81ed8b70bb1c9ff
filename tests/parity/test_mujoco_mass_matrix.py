"""MuJoCo as a second oracle for the mass matrix, with the armature that Pinocchio's URDF reader does not set."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxdyn
from parity.comparison import VALUE_BOUND, random_states, relative_error
from parity.error_table import require
from parity.robot_files import load, robot, scene_text

mujoco = pytest.importorskip("mujoco", reason="`mujoco` is not installed")


@pytest.mark.parametrize("name", ["iiwa/iiwa14", "unitree_g1/g1_29dof_rev_1_0"])
def test_mass_matrix_with_armature_agrees_with_mujoco(name: str, record_row):
    text = scene_text([robot(name, "frax")], is_floating=False)
    mechanism = load(text, is_floating=False)
    armature = 0.01 * (1 + np.arange(mechanism.num_velocities))
    mechanism = eqx.tree_at(lambda m: m.armature, mechanism, jnp.asarray(armature))
    q = random_states(mechanism, name)["q"]
    M = jax.jit(jax.vmap(jaxdyn.mass_matrix, (None, 0)))(mechanism, jnp.asarray(q))

    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    joints = [model.joint(joint_name) for joint_name in mechanism.joint_names if mechanism.v_index(joint_name).size]
    theirs = np.array([joint.dofadr[0] for joint in joints])
    model.dof_armature[theirs] = armature
    expected = []
    for configuration in q:
        data.qpos[[joint.qposadr[0] for joint in joints]] = configuration
        mujoco.mj_forward(model, data)
        full = np.zeros((model.nv, model.nv))
        mujoco.mj_fullM(model, data, full)
        expected.append(full[np.ix_(theirs, theirs)])
    errors = {"mass matrix": (relative_error(np.asarray(M), np.array(expected)), VALUE_BOUND)}
    record_row(f"{name} with armature", "fixed", mechanism.num_velocities, errors, program="MuJoCo")
    require(errors, name)
