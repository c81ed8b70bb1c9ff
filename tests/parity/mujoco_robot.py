"""One robot in MuJoCo."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from engines import mujoco_builder
from engines.parts import Part
from jaxdyn import Mechanism
from parity.other_program import Push, Robot

mujoco: Any = mujoco_builder.mujoco

# What the quantities need of `mj_forward`; its factorisation would warn of robots with a singular mass matrix.
_STAGES = (mujoco.mj_kinematics, mujoco.mj_comPos, mujoco.mj_makeM, mujoco.mj_comVel, mujoco.mj_passive)


class MuJoCoRobot(Robot):
    is_angular_in_body = True

    def __init__(self, mechanism: Mechanism, parts: Sequence[Part], G: np.ndarray):
        super().__init__(mechanism, parts, G, mujoco_builder.engine_of(mechanism, parts))
        self.model, self.data = self.engine.model, self.engine.data
        self.ids = [self.model.body(part.name).id for part in parts]
        self.damping = np.zeros_like(self.damping)  # the model has it

    def set_state(self, quaternion, p, R, joint_positions, v) -> None:
        base = [*p, *quaternion] if self.is_floating else []
        self.data.qpos[:], self.data.qvel[:] = [*base, *joint_positions], v
        for function in _STAGES:
            function(self.model, self.data)

    def poses(self) -> np.ndarray:
        rotations, positions = self.data.xmat[self.ids].reshape(-1, 3, 3), self.data.xpos[self.ids]
        return np.concatenate([rotations, positions[:, :, None]], axis=2)

    def twists(self) -> np.ndarray:
        found = np.zeros((len(self.ids), 6))
        for row, body in zip(found, self.ids, strict=True):
            mujoco.mj_objectVelocity(self.model, self.data, mujoco.mjtObj.mjOBJ_XBODY, body, row, 0)
        return found

    def mass_matrix(self) -> np.ndarray:
        M = np.zeros((self.model.nv, self.model.nv))
        mujoco.mj_fullM(self.model, self.data, M)
        return M

    def inverse_dynamics(self, rate: np.ndarray, push: Push) -> np.ndarray:
        needed = np.zeros(self.model.nv)
        self.data.qacc[:] = rate
        mujoco.mj_rne(self.model, self.data, 1, needed)
        return needed - self.data.qfrc_passive - self.generalized_forces(push)

    def gravity(self) -> np.ndarray:
        v, self.data.qvel[:] = self.data.qvel.copy(), 0
        needed = np.zeros(self.model.nv)
        mujoco.mj_comVel(self.model, self.data)
        mujoco.mj_rne(self.model, self.data, 0, needed)
        self.data.qvel[:] = v
        mujoco.mj_comVel(self.model, self.data)
        return needed

    def generalized_forces(self, push: Push) -> np.ndarray:
        target = np.zeros(self.model.nv)
        if push.forces.any():
            for body, moment, force, point in zip(self.ids, *push, strict=True):
                mujoco.mj_applyFT(self.model, self.data, force, moment, point, body, target)
        return target

    def jacobian(self, body: int) -> np.ndarray:
        linear, angular = np.zeros((3, self.model.nv)), np.zeros((3, self.model.nv))
        mujoco.mj_jacBody(self.model, self.data, linear, angular, self.ids[body])
        return np.concatenate([angular, linear])

    def sums(self) -> dict[str, Any]:
        for function in (mujoco.mj_subtreeVel, mujoco.mj_energyPos, mujoco.mj_energyVel):
            function(self.model, self.data)
        mass, center = self.model.body_subtreemass[0], self.data.subtree_com[0]
        linear = mass * self.data.subtree_linvel[0]
        return {
            "mass": mass,
            "center of mass": center.copy(),
            "momentum": np.concatenate([self.data.subtree_angmom[0] + np.cross(center, linear), linear]),
            "kinetic energy": self.data.energy[1],
            "potential energy": self.data.energy[0],
        }
