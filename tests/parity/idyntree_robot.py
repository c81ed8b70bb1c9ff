"""One robot in iDynTree."""

from collections.abc import Sequence
from typing import Any

import jax
import numpy as np

from engines import idyntree_builder
from engines.parts import Part
from jaxdyn import Mechanism
from jaxdyn.joints import Fixed
from jaxdyn.spatial import SpatialInertia
from parity.other_program import Push, Robot

idyntree: Any = idyntree_builder.idyntree

_NOTHING = jax.device_get(SpatialInertia.zero())
_NO_DOFS = np.zeros(0, dtype=int)


class IDynTreeRobot(Robot):
    joints_begin = 6
    lacks = ("kinetic energy", "potential energy")

    def __init__(self, mechanism: Mechanism, parts: Sequence[Part], G: np.ndarray):
        base = parts[0]
        self.base_pose, links = base.before @ np.linalg.inv(base.after), list(parts)
        if len(base.dofs) == 1:  # iDynTree's base has no joint of its own, so a link in the world carries this one
            self.base_pose = np.eye(4)
            links = [base._replace(name="world", joint_name="world", joint=Fixed(), inertia=_NOTHING, dofs=_NO_DOFS)]
            links += [part._replace(parent=part.parent + 1) for part in parts]
        super().__init__(mechanism, parts, G, idyntree_builder.engine_of(mechanism, links))
        self.kin_dyn, self.model = self.engine.kin_dyn, self.engine.model
        self.links = range(len(links) - len(parts), len(links))

    def set_state(self, quaternion, p, R, joint_positions, v) -> None:
        pose = self.base_pose.copy()
        if self.is_floating:
            pose[:3, :3], pose[:3, 3] = R, p
        velocities = (np.ascontiguousarray(part) for part in (v[:6], v[6:]))
        assert self.kin_dyn.setRobotState(pose, joint_positions, *velocities, self.engine.gravity)

    def poses(self) -> np.ndarray:
        transforms = [self.kin_dyn.getWorldTransform(i) for i in self.links]
        return np.array([X.asHomogeneousTransform().toNumPy()[:3] for X in transforms])

    def twists(self) -> np.ndarray:
        return np.array([self.kin_dyn.getFrameVel(i).toNumPy() for i in self.links])[:, [3, 4, 5, 0, 1, 2]]

    def mass_matrix(self) -> np.ndarray:
        M = idyntree.MatrixDynSize()
        assert self.kin_dyn.getFreeFloatingMassMatrix(M)
        return M.toNumPy().copy()

    def inverse_dynamics(self, rate: np.ndarray, push: Push) -> np.ndarray:
        base, joints = idyntree.Vector6.FromPython(rate[:6]), idyntree.JointDOFsDoubleArray(self.model)
        for i, value in enumerate(rate[6:]):
            joints.setVal(i, value)
        forces = idyntree.FreeFloatingGeneralizedTorques(self.model)
        assert self.kin_dyn.inverseDynamics(base, joints, self._wrenches(push), forces)
        return idyntree_builder.vector(forces)

    def gravity(self) -> np.ndarray:
        forces = idyntree.FreeFloatingGeneralizedTorques(self.model)
        assert self.kin_dyn.generalizedGravityForces(forces)
        return idyntree_builder.vector(forces)

    def generalized_forces(self, push: Push) -> np.ndarray:
        forces = idyntree.FreeFloatingGeneralizedTorques(self.model)
        assert self.kin_dyn.generalizedExternalForces(self._wrenches(push), forces)
        return -idyntree_builder.vector(forces)

    def _wrenches(self, push: Push) -> Any:
        wrenches = idyntree.LinkWrenches(self.model)
        wrenches.zero()
        if push.forces.any():
            moments = push.moments + np.cross(push.points - self.poses()[:, :, 3], push.forces)
            for i, force, moment in zip(self.links, push.forces, moments, strict=True):
                wrench = wrenches(i)
                for k, number in enumerate((*force, *moment)):
                    wrench.setVal(k, number)
        return wrenches

    def jacobian(self, body: int) -> np.ndarray:
        J = idyntree.MatrixDynSize(6, 6 + len(self.order))
        assert self.kin_dyn.getFrameFreeFloatingJacobian(self.links[body], J)
        return J.toNumPy()[[3, 4, 5, 0, 1, 2]]

    def sums(self) -> dict[str, Any]:
        center = self.kin_dyn.getCenterOfMassPosition().toNumPy().copy()
        momentum = self.kin_dyn.getCentroidalTotalMomentum().toNumPy()
        linear, angular = momentum[:3], momentum[3:]
        return {
            "mass": self.model.getTotalMass(),
            "center of mass": center,
            "momentum": np.concatenate([angular + np.cross(center, linear), linear]),
        }
