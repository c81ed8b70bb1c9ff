"""A mechanism in Pinocchio, joint by joint."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import jax
import numpy as np
import pytest

from engines.engine import Answers
from engines.parts import Part, Pose, axis_of, own_axes, parts_of
from jaxdyn import Mechanism
from jaxdyn.interop import inertia_to_pinocchio
from jaxdyn.joints import (
    Fixed,
    Helical,
    Planar,
    Prismatic,
    QuaternionFloating,
    QuaternionSpherical,
    Revolute,
    RPYSpherical,
    SinCosRevolute,
    SPQuatFloating,
    Translation,
    Universal,
)

pytest.importorskip("pinocchio", reason="`pin` is not installed")
pin: Any = import_module("pinocchio")  # compiled, without type stubs

SIMPLE = {
    QuaternionFloating: pin.JointModelFreeFlyer,
    SPQuatFloating: pin.JointModelFreeFlyer,
    QuaternionSpherical: pin.JointModelSpherical,
    RPYSpherical: pin.JointModelSphericalZYX,
    Planar: pin.JointModelPlanar,
    Translation: pin.JointModelTranslation,
}


class PinocchioEngine:
    """A model, and for each body its joint in Pinocchio and its pose there."""

    def __init__(self, model: Any, carriers: list[tuple[int, Pose]]):
        self.model, self.data, self.carriers = model, model.createData(), carriers
        self.joint_names = list(model.names[1:])

    def answers(self, q: np.ndarray, v: np.ndarray, v_dot: np.ndarray, tau: np.ndarray) -> Answers:
        model, data = self.model, self.data
        M = np.triu(pin.crba(model, data, q))
        answers = {
            "mass matrix": M + np.triu(M, 1).T,
            "inverse dynamics": np.array(pin.rnea(model, data, q, v, v_dot)),
            "forward dynamics": np.array(pin.aba(model, data, q, v, tau)),
        }
        pin.forwardKinematics(model, data, q)
        poses = [data.oMi[joint].homogeneous @ pose for joint, pose in self.carriers]
        return {**answers, "poses": np.array(poses)[:, :3]}


def engine_of_urdf(text: str, body_names: Sequence[str]) -> PinocchioEngine:
    """A robot with a floating base, loaded by Pinocchio."""
    model = pin.buildModelFromXML(text, pin.JointModelFreeFlyer())
    frames = [model.frames[model.getFrameId(name, pin.FrameType.BODY)] for name in body_names]
    return PinocchioEngine(model, [(frame.parentJoint, frame.placement.homogeneous) for frame in frames])


def engine_of(mechanism: Mechanism) -> PinocchioEngine:
    """A mechanism without dampers and springs; hinges without limits are unbounded ones."""
    mechanism = jax.device_get(mechanism)
    model = pin.Model()
    model.gravity.linear = mechanism.gravity
    carriers: list[tuple[int, Pose]] = []
    armature: list[np.ndarray] = []
    for part in parts_of(mechanism):
        joint, pose = carriers[part.parent] if part.parent >= 0 else (0, np.eye(4))
        before, after = pose @ part.before, np.linalg.inv(part.after)
        if isinstance(part.joint, Fixed):
            carriers.append((joint, before @ after))
        else:
            limits = (mechanism.position_lower[part.dofs], mechanism.position_upper[part.dofs])
            theirs, axes = _joint_in(part, is_unbounded=bool(np.all(np.isinf(limits))))
            joint = model.addJoint(joint, theirs, pin.SE3(before @ axes), part.joint_name)
            carriers.append((joint, axes.T @ after))
            own = mechanism.armature[part.dofs]
            armature.append(np.roll(own, 3) if len(own) == 6 else own)
        joint, pose = carriers[-1]
        inertia = pin.Inertia.FromDynamicParameters(inertia_to_pinocchio(part.inertia))
        model.appendBodyToJoint(joint, inertia, pin.SE3(pose))
    model.armature = np.concatenate(armature)
    return PinocchioEngine(model, carriers)


def _joint_in(part: Part, *, is_unbounded: bool) -> tuple[Any, Pose]:
    """Pinocchio's joint, and the axes in which it is."""
    joint = part.joint
    if type(joint) in SIMPLE:
        return SIMPLE[type(joint)](), own_axes(joint)
    if isinstance(joint, Universal):
        return pin.JointModelUniversal(*own_axes(joint)[:3, :2].T), np.eye(4)
    axis = axis_of(part)
    if isinstance(joint, SinCosRevolute) or (isinstance(joint, Revolute) and is_unbounded):
        return pin.JointModelRUBZ(), _with_z_along(axis)
    if isinstance(joint, Helical):
        return pin.JointModelHelicalUnaligned(axis, float(joint.pitch)), np.eye(4)
    kind = pin.JointModelPrismaticUnaligned if isinstance(joint, Prismatic) else pin.JointModelRevoluteUnaligned
    return kind(axis), np.eye(4)


def _with_z_along(axis: np.ndarray) -> Pose:
    pose = np.eye(4)
    pose[:3, :3] = pin.Quaternion.FromTwoVectors(np.array([0.0, 0.0, 1.0]), axis).matrix()
    return pose
