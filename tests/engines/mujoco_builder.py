"""A mechanism in MuJoCo, body by body."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import jax
import numpy as np
import pytest

from engines.engine import Answers
from engines.parts import Part, Pose, axis_of, own_axes, parts_of, unit
from jaxdyn import Mechanism
from jaxdyn.interop import inertia_to_mujoco
from jaxdyn.joints import (
    Fixed,
    Planar,
    Prismatic,
    QuaternionFloating,
    QuaternionSpherical,
    RPYSpherical,
    SPQuatFloating,
    Translation,
    Universal,
)

pytest.importorskip("mujoco", reason="`mujoco` is not installed")
mujoco: Any = import_module("mujoco")

FREE, BALL, SLIDE, HINGE = (mujoco.mjtJoint(i) for i in range(4))
X, Y, Z = np.eye(3)


class MuJoCoEngine:
    """A model, and its bodies in jaxdyn's order."""

    def __init__(self, model: Any, body_names: Sequence[str]):
        self.model, self.data, self.body_names = model, mujoco.MjData(model), body_names
        self.joint_names = [model.joint(i).name for i in range(model.njnt)]

    def answers(self, q: np.ndarray, v: np.ndarray, v_dot: np.ndarray, tau: np.ndarray) -> Answers:
        model, data = self.model, self.data
        data.qpos[:], data.qvel[:], data.qfrc_applied[:] = q, v, tau
        mujoco.mj_forward(model, data)
        M = np.zeros((model.nv, model.nv))
        mujoco.mj_fullM(model, data, M)
        bodies = [data.body(name) for name in self.body_names]
        poses = [np.column_stack([body.xmat.reshape(3, 3), body.xpos]) for body in bodies]
        answers = {"mass matrix": M, "forward dynamics": data.qacc.copy(), "poses": np.array(poses)}
        data.qacc[:] = v_dot
        mujoco.mj_inverse(model, data)
        return {**answers, "inverse dynamics": data.qfrc_inverse.copy()}


def engine_of_urdf(text: str, body_names: Sequence[str]) -> MuJoCoEngine:
    """A robot with a floating base and without dampers, loaded by MuJoCo."""
    spec = mujoco.MjSpec.from_string(text)
    spec.compiler.fusestatic = False
    spec.body(body_names[0]).add_freejoint(name="root_joint")
    model = spec.compile()
    model.dof_damping[:] = 0
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT | mujoco.mjtDisableBit.mjDSBL_LIMIT
    return MuJoCoEngine(model, body_names)


def engine_of(mechanism: Mechanism) -> MuJoCoEngine:
    """A mechanism whose joints of several degrees of freedom have no rotors, dampers or springs, except ball joints,
    which may have those that are equal in all directions.
    """
    mechanism = jax.device_get(mechanism)
    parts = parts_of(mechanism)
    spec = mujoco.MjSpec()
    spec.option.gravity = mechanism.gravity
    bodies: list[Any] = []
    massless: list[str] = []
    for part in parts:
        parent = bodies[part.parent] if part.parent >= 0 else spec.worldbody
        pose = part.before @ np.linalg.inv(part.after)
        body = parent.add_body(name=part.name, pos=pose[:3, 3], quat=_quaternion(pose))
        numbers = inertia_to_mujoco(part.inertia)
        if numbers[0] == 0:  # MuJoCo refuses moving bodies without mass, until the model is compiled
            numbers = np.array([1.0, 0, 0, 0, 1, 1, 1, 0, 0, 0])
            massless.append(part.name)
        body.explicitinertial = True
        body.mass, body.ipos, body.fullinertia = numbers[0], numbers[1:4], numbers[4:]
        for name, kind, axis in _joints(part):
            place = np.zeros(3) if kind == FREE else part.after[:3, 3]
            body.add_joint(name=name, type=kind, axis=part.after[:3, :3] @ axis, pos=place)
        bodies.append(body)
    model = spec.compile()
    for name in massless:
        body = model.body(name).id
        model.body_mass[body], model.body_inertia[body] = 0, 0
    _set_dofs(model, parts, mechanism)
    engine = MuJoCoEngine(model, mechanism.body_names)
    mujoco.mj_setConst(model, engine.data)
    return engine


def _set_dofs(model: Any, parts: list[Part], mechanism: Mechanism) -> None:
    """Rotors, dampers and springs of joints that are one in MuJoCo, too."""
    for part in parts:
        if not len(part.dofs) or len(pieces := list(_joints(part))) > 1:
            continue
        joint = model.joint(pieces[0][0])
        entries = joint.dofadr[0] + np.arange(len(part.dofs))
        model.dof_armature[entries] = mechanism.armature[part.dofs]
        model.dof_damping[entries] = mechanism.damping[part.dofs]
        model.jnt_stiffness[joint.id] = mechanism.stiffness[part.dofs[0]]
        rest = mechanism.rest_configuration[mechanism.q_index(part.joint_name)]
        if len(rest) == 4:
            turned = part.after.copy()
            turned[:3, :3] = part.after[:3, :3] @ _rotation(rest) @ part.after[:3, :3].T
            rest = _quaternion(turned)
        if len(rest) in (1, 4):
            model.qpos_spring[joint.qposadr[0] + np.arange(len(rest))] = rest


def _joints(part: Part) -> list[tuple[str, Any, np.ndarray]]:
    """Name, kind and axis in the frame after of MuJoCo's joints in a row."""
    joint, name = part.joint, part.joint_name
    if isinstance(joint, Fixed):
        return []
    if isinstance(joint, QuaternionFloating | SPQuatFloating):
        return [(name, FREE, Z)]
    if isinstance(joint, QuaternionSpherical):
        return [(name, BALL, Z)]
    if isinstance(joint, Planar):
        x, y, normal = own_axes(joint)[:3, :3].T
        return [(f"{name}_TX", SLIDE, x), (f"{name}_TY", SLIDE, y), (f"{name}_RZ", HINGE, normal)]
    if isinstance(joint, Translation):
        return [(f"{name}_TX", SLIDE, X), (f"{name}_TY", SLIDE, Y), (f"{name}_TZ", SLIDE, Z)]
    if isinstance(joint, RPYSpherical):
        return [(f"{name}_RZ", HINGE, Z), (f"{name}_RY", HINGE, Y), (f"{name}_RX", HINGE, X)]
    if isinstance(joint, Universal):
        return [(f"{name}_R1", HINGE, unit(joint.axis_1)), (f"{name}_R2", HINGE, unit(joint.axis_2))]
    return [(name, SLIDE if isinstance(joint, Prismatic) else HINGE, axis_of(part))]


def _quaternion(pose: Pose) -> np.ndarray:
    quaternion = np.zeros(4)
    mujoco.mju_mat2Quat(quaternion, np.ascontiguousarray(pose[:3, :3]).ravel())
    return quaternion


def _rotation(quaternion: np.ndarray) -> np.ndarray:
    matrix = np.zeros(9)
    mujoco.mju_quat2Mat(matrix, quaternion / np.linalg.norm(quaternion))
    return matrix.reshape(3, 3)
