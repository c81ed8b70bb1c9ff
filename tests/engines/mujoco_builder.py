"""A mechanism in MuJoCo, body by body."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import jax
import numpy as np
import pytest

from engines.engine import Answers
from engines.parts import Part, Pose, axis_of, own_axes, parts_of, rotation, unit
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


def engine_of(mechanism: Mechanism, parts: Sequence[Part] | None = None) -> MuJoCoEngine:
    """A mechanism, or some parts of it.

    Joints of several degrees of freedom have no rotors, dampers or springs, except ball joints, which may have those
    that are equal in all directions.
    """
    mechanism = jax.device_get(mechanism)
    parts = parts or parts_of(mechanism)
    spec = mujoco.MjSpec()
    spec.option.gravity = mechanism.gravity
    bodies: list[Any] = []
    for part in parts:
        parent = bodies[part.parent] if part.parent >= 0 else spec.worldbody
        pose = part.before @ np.linalg.inv(part.after)
        body = parent.add_body(name=part.name, pos=pose[:3, 3], quat=_quaternion(pose))
        numbers = inertia_to_mujoco(part.inertia)
        body.explicitinertial = True
        # A stand-in until the model is compiled, see `_set_inertias`; turned, lest a body is taken for a simple one.
        body.mass, body.ipos, body.inertia, body.iquat = 1.0, numbers[1:4], np.ones(3), [0.5, 0.5, 0.5, 0.5]
        for name, kind, axis in _joints(part):
            place = np.zeros(3) if kind == FREE else part.after[:3, 3]
            body.add_joint(name=name, type=kind, axis=part.after[:3, :3] @ axis, pos=place)
        bodies.append(body)
    model = spec.compile()
    _set_inertias(model, parts)
    _set_dofs(model, parts, mechanism)
    return MuJoCoEngine(model, [part.name for part in parts])


def _set_inertias(model: Any, parts: Sequence[Part]) -> None:
    """Any inertias: the compiler refuses bodies without mass or with impossible moments, and rounds axes to 1e-12."""
    for part in parts:
        body = model.body(part.name).id
        mass, _, _, _, xx, yy, zz, xy, xz, yz = inertia_to_mujoco(part.inertia)
        moments, axes = np.linalg.eigh(np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))
        axes[:, 0] *= np.sign(np.linalg.det(axes))
        model.body_mass[body], model.body_inertia[body] = mass, moments
        mujoco.mju_mat2Quat(model.body_iquat[body], np.ascontiguousarray(axes).ravel())
    model.body_subtreemass[:] = model.body_mass
    for body in reversed(range(1, model.nbody)):
        model.body_subtreemass[model.body_parentid[body]] += model.body_subtreemass[body]


def _set_dofs(model: Any, parts: Sequence[Part], mechanism: Mechanism) -> None:
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
            turned[:3, :3] = part.after[:3, :3] @ rotation(rest) @ part.after[:3, :3].T
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
