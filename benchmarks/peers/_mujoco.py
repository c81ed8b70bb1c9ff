"""MuJoCo without contacts, limits and other constraints. Every call first writes the state, as a user would."""

import xml.etree.ElementTree as ET
from importlib import import_module
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ..coordinates import LinearFirst, jacobian_back
from ..models import Model
from ..quantities import States
from ._peer import LoopingPeer

_TRACE = 1e-12  # kg


class MujocoPeer(LoopingPeer):
    """One robot in MuJoCo."""

    quantities = frozenset({"ID", "M", "FD", "poses", "jacobian"})

    def __init__(self, model: Model):
        self.mujoco = mujoco = import_module("mujoco")
        self.model: Any = mujoco.MjModel.from_xml_string(_mujoco_text(model))
        flags = mujoco.mjtDisableBit
        self.model.opt.disableflags |= int(flags.mjDSBL_CONTACT) | int(flags.mjDSBL_CONSTRAINT)
        self.data = mujoco.MjData(self.model)
        names = [self.model.joint(i).name for i in range(self.model.njnt)]
        self.coordinates = LinearFirst(model.mechanism, names[int(model.is_floating) :], model.is_floating)
        self.mechanism, self.tool_placement = model.mechanism, model.tool_placement
        bodies = [self.model.body(i).name for i in range(1, self.model.nbody)]
        self.pose_bodies = np.array([model.mechanism.body_index(name) for name in bodies])
        self._tool_body = self.model.body(model.tool_body).id

    def native(self, states: States) -> list[tuple[np.ndarray, ...]]:
        """In double precision always."""
        q, v, v_dot, tau = (states[name] for name in ("q", "v", "v_dot", "tau"))
        convert = self.coordinates
        converted = (
            jax.vmap(convert.q)(q),
            jax.vmap(convert.v)(q, v),
            jax.vmap(convert.v_dot)(q, v, v_dot),
            jax.vmap(convert.v)(q, tau),
        )
        return list(zip(*(np.asarray(x, dtype=float) for x in converted), strict=True))

    def function(self, quantity: str) -> Any:
        mujoco, model, data = self.mujoco, self.model, self.data
        M = np.zeros((model.nv, model.nv))
        jacobian, tool = np.zeros((6, model.nv)), self._tool_body

        def inverse_dynamics(q, v, v_dot, tau):
            data.qpos, data.qvel, data.qacc = q, v, v_dot
            mujoco.mj_inverse(model, data)
            return data.qfrc_inverse

        def mass_matrix(q, v, v_dot, tau):
            data.qpos = q
            mujoco.mj_kinematics(model, data)
            mujoco.mj_comPos(model, data)
            mujoco.mj_makeM(model, data)
            mujoco.mj_fullM(model, data, M)
            return M

        def forward_dynamics(q, v, v_dot, tau):
            data.qpos, data.qvel, data.qfrc_applied = q, v, tau
            mujoco.mj_forward(model, data)
            return data.qacc

        def poses(q, v, v_dot, tau):
            data.qpos = q
            mujoco.mj_kinematics(model, data)

        def tool_jacobian(q, v, v_dot, tau):
            data.qpos = q
            mujoco.mj_kinematics(model, data)
            mujoco.mj_comPos(model, data)
            point = data.xpos[tool] + data.xmat[tool].reshape(3, 3) @ self.tool_placement[:3, 3]
            mujoco.mj_jac(model, data, jacobian[:3], jacobian[3:], point, tool)
            return jacobian

        functions = (inverse_dynamics, mass_matrix, forward_dynamics, poses, tool_jacobian)
        names = ["ID", "M", "FD", "poses", "jacobian"]
        return functions[names.index(quantity)]

    def answers(self, quantity: str, states: States) -> np.ndarray:
        function = self.function(quantity)
        rows = []
        for i, state in enumerate(self.native(states)):
            q, v = (states[name][i] for name in ("q", "v"))
            rows.append(self._ours(quantity, q, v, function(*state)))
        return np.array(rows)

    def _ours(self, quantity: str, q: jax.Array, v: jax.Array, result: Any) -> np.ndarray:
        if quantity == "poses":
            poses = np.tile(np.eye(4), (self.model.nbody - 1, 1, 1))
            poses[:, :3, :3] = self.data.xmat[1:].reshape(-1, 3, 3)
            poses[:, :3, 3] = self.data.xpos[1:]
            return poses
        T = np.asarray(self.coordinates.matrix(q))
        if quantity == "M":
            return T.T @ result @ T
        if quantity == "jacobian":
            return np.asarray(jacobian_back(jnp.asarray(result), jnp.asarray(T)))
        if quantity == "FD":
            return np.asarray(self.coordinates.v_dot_back(q, v, jnp.asarray(result, dtype=q.dtype)))
        return np.asarray(self.coordinates.v_back(q, jnp.asarray(result, dtype=q.dtype)))


def _mujoco_text(model: Model) -> str:
    """The URDF with a floating root link hung from the world, and a trace of mass where an inertia would be dropped."""
    robot = ET.fromstring(model.text)
    for mass in robot.iter("mass"):
        mass.set("value", str(max(float(mass.get("value", "0")), _TRACE)))
    if not model.is_floating:
        return ET.tostring(robot, encoding="unicode")
    ET.SubElement(robot, "link", name="world")
    joint = ET.SubElement(robot, "joint", name="floating_root", type="floating")
    ET.SubElement(joint, "parent", link="world")
    ET.SubElement(joint, "child", link=model.mechanism.body_names[0])
    return ET.tostring(robot, encoding="unicode")
