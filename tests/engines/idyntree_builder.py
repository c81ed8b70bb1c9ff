"""A mechanism in iDynTree, link by link."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import jax
import numpy as np
import pytest

from engines.engine import Answers
from engines.parts import Part, Pose, axis_of, parts_of
from jaxdyn import Mechanism
from jaxdyn.interop import IDynTreePosition, inertia_to_idyntree
from jaxdyn.joints import Fixed, Prismatic, QuaternionSpherical

pytest.importorskip("idyntree", reason="`idyntree` is not installed")
idyntree: Any = import_module("idyntree.swig")


class IDynTreeEngine:
    """A model with a floating base, and its links in jaxdyn's order."""

    def __init__(self, model: Any, body_names: Sequence[str], gravity: Sequence[float]):
        self.model, self.body_names, self.gravity = model, body_names, np.asarray(gravity, float)
        self.joint_names = [model.getJointName(i) for i in range(model.getNrOfJoints())]
        self.kin_dyn = idyntree.KinDynComputations()
        assert self.kin_dyn.loadRobotModel(model)

    def answers(self, q: IDynTreePosition, v: np.ndarray, v_dot: np.ndarray, tau: np.ndarray) -> Answers:
        assert self.kin_dyn.setRobotState(*map(np.ascontiguousarray, (*q, v[:6], v[6:], self.gravity)))
        M = idyntree.MatrixDynSize(len(v), len(v))
        assert self.kin_dyn.getFreeFloatingMassMatrix(M)
        bias = idyntree.FreeFloatingGeneralizedTorques(self.model)
        assert self.kin_dyn.generalizedBiasForces(bias)
        forces = idyntree.FreeFloatingGeneralizedTorques(self.model)
        wrenches = idyntree.LinkWrenches(self.model)
        wrenches.zero()
        base, joints = idyntree.Vector6.FromPython(v_dot[:6]), idyntree.JointDOFsDoubleArray(self.model)
        for i, rate in enumerate(v_dot[6:]):
            joints.setVal(i, rate)
        assert self.kin_dyn.inverseDynamics(base, joints, wrenches, forces)
        poses = [self.kin_dyn.getWorldTransform(name).asHomogeneousTransform().toNumPy() for name in self.body_names]
        return {
            "mass matrix": M.toNumPy(),
            "inverse dynamics": vector(forces),
            "forward dynamics": np.linalg.solve(M.toNumPy(), tau - vector(bias)),
            "poses": np.array(poses)[:, :3],
        }


def engine_of_urdf(text: str, body_names: Sequence[str]) -> IDynTreeEngine:
    """A robot with a floating base, loaded by iDynTree."""
    loader = idyntree.ModelLoader()
    assert loader.loadModelFromString(text)
    return IDynTreeEngine(loader.model().copy(), body_names, [0, 0, -9.81])


def engine_of(mechanism: Mechanism, parts: Sequence[Part] | None = None) -> IDynTreeEngine:
    """A mechanism, or some parts of it, without dampers, springs and rotors; the joint of the base is left out."""
    mechanism = jax.device_get(mechanism)
    parts = parts or parts_of(mechanism)
    model = idyntree.Model()
    for i, part in enumerate(parts):
        inertia = idyntree.SpatialInertia()
        inertia.fromVector(idyntree.Vector10.FromPython(inertia_to_idyntree(part.inertia)))
        link = idyntree.Link()
        link.setInertia(inertia)
        assert model.addLink(part.name, link) == i
        if part.parent >= 0:
            model.addJoint(parts[part.parent].name, part.name, part.joint_name, _joint(part, i))
    return IDynTreeEngine(model, [part.name for part in parts], mechanism.gravity)


def _joint(part: Part, link: int) -> Any:
    rest = _transform(part.before @ np.linalg.inv(part.after))
    if isinstance(part.joint, Fixed):
        return idyntree.FixedJoint(rest)
    if isinstance(part.joint, QuaternionSpherical):
        joint = idyntree.SphericalJoint(rest)
        joint.setAttachedLinks(part.parent, link)
        joint.setJointCenter(part.parent, idyntree.Position(*part.before[:3, 3]))
        return joint
    kind = idyntree.PrismaticJoint if isinstance(part.joint, Prismatic) else idyntree.RevoluteJoint
    direction = idyntree.Direction(*(part.before[:3, :3] @ axis_of(part)))
    return kind(part.parent, link, rest, idyntree.Axis(direction, idyntree.Position(*part.before[:3, 3])))


def _transform(pose: Pose) -> Any:
    rotation = idyntree.Rotation(*pose[:3, :3].ravel())
    return idyntree.Transform(rotation, idyntree.Position(*pose[:3, 3]))


def vector(forces: Any) -> np.ndarray:
    return np.concatenate([forces.baseWrench().toNumPy(), forces.jointTorques().toNumPy()])
