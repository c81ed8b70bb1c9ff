"""One robot in Drake."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np

from engines import drake_builder
from engines.parts import Part
from jaxdyn import Mechanism
from parity.other_program import Push, Robot

tree: Any = drake_builder.tree
SpatialForce: Any = import_module("pydrake.multibody.math").SpatialForce


class DrakeRobot(Robot):
    is_linear_first = False

    def __init__(self, mechanism: Mechanism, parts: Sequence[Part], G: np.ndarray):
        super().__init__(mechanism, parts, G, drake_builder.engine_of(mechanism, parts))
        self.plant, self.context, self.bodies = self.engine.plant, self.engine.context, self.engine.bodies

    def set_state(self, quaternion, p, R, joint_positions, v) -> None:
        base = [*quaternion, *p] if self.is_floating else []
        self.plant.SetPositionsAndVelocities(self.context, [*base, *joint_positions, *v])

    def poses(self) -> np.ndarray:
        return np.array([self.plant.EvalBodyPoseInWorld(self.context, body).GetAsMatrix34() for body in self.bodies])

    def twists(self) -> np.ndarray:
        return np.array([body.EvalSpatialVelocityInWorld(self.context).get_coeffs() for body in self.bodies])

    def mass_matrix(self) -> np.ndarray:
        return self.plant.CalcMassMatrix(self.context)

    def inverse_dynamics(self, rate: np.ndarray, push: Push) -> np.ndarray:
        return self.plant.CalcInverseDynamics(self.context, rate, self._forces(push)) + self.gravity()

    def gravity(self) -> np.ndarray:
        return -self.plant.CalcGravityGeneralizedForces(self.context)

    def generalized_forces(self, push: Push) -> np.ndarray:
        return self.plant.CalcGeneralizedForces(self.context, self._forces(push))

    def _forces(self, push: Push) -> Any:
        forces = tree.MultibodyForces(self.plant)
        if push.forces.any():
            world = self.plant.world_frame()
            arms = push.points - self.poses()[:, :, 3]
            for body, arm, moment, force in zip(self.bodies, arms, push.moments, push.forces, strict=True):
                body.AddInForce(self.context, arm, SpatialForce(moment, force), world, forces)
        return forces

    def jacobian(self, body: int) -> np.ndarray:
        world, frame = self.plant.world_frame(), self.bodies[body].body_frame()
        return self.plant.CalcJacobianSpatialVelocity(
            self.context, tree.JacobianWrtVariable.kV, frame, np.zeros(3), world, world
        )

    def sums(self) -> dict[str, Any]:
        momentum = self.plant.CalcSpatialMomentumInWorldAboutPoint(self.context, np.zeros(3))
        mass = self.plant.CalcTotalMass(self.context)
        center = self.plant.CalcCenterOfMassPositionInWorld(self.context) if mass > 0 else np.zeros(3)
        return {
            "mass": mass,
            "center of mass": center,
            "momentum": momentum.get_coeffs(),
            "kinetic energy": self.plant.CalcKineticEnergy(self.context),
            "potential energy": self.plant.CalcPotentialEnergy(self.context),
        }
