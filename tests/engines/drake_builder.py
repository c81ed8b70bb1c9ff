"""A mechanism in Drake, body by body."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import jax
import numpy as np
import pytest

from engines.engine import Answers
from engines.parts import Part, axis_of, own_axes, parts_of, unit
from jaxdyn import Mechanism
from jaxdyn.interop import inertia_to_drake
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
    Universal,
)

pytest.importorskip("pydrake", reason="`drake` is not installed")
tree: Any = import_module("pydrake.multibody.tree")
math: Any = import_module("pydrake.math")
MultibodyPlant: Any = import_module("pydrake.multibody.plant").MultibodyPlant

SIMPLE = {
    Fixed: lambda name, F, M: tree.WeldJoint(name, F, M, math.RigidTransform()),
    QuaternionFloating: tree.QuaternionFloatingJoint,
    SPQuatFloating: tree.QuaternionFloatingJoint,
    QuaternionSpherical: tree.BallRpyJoint,
    RPYSpherical: tree.BallRpyJoint,
    Planar: tree.PlanarJoint,
    Universal: tree.UniversalJoint,
}
WITH_AXIS = {Revolute: tree.RevoluteJoint, SinCosRevolute: tree.RevoluteJoint, Prismatic: tree.PrismaticJoint}


class DrakeEngine:
    """A plant, and its bodies in jaxdyn's order."""

    def __init__(self, plant: Any, bodies: list[Any]):
        plant.Finalize()
        self.plant, self.bodies, self.context = plant, bodies, plant.CreateDefaultContext()
        if plant.num_actuators():
            plant.get_actuation_input_port().FixValue(self.context, np.zeros(plant.num_actuators()))
        joints = sorted((plant.get_joint(i) for i in plant.GetJointIndices()), key=lambda joint: joint.velocity_start())
        self.joint_names = [joint.name() for joint in joints if joint.num_velocities()]

    def answers(self, q: np.ndarray, v: np.ndarray, v_dot: np.ndarray, tau: np.ndarray) -> Answers:
        plant, context = self.plant, self.context
        plant.SetPositions(context, q)
        plant.SetVelocities(context, v)
        forces = tree.MultibodyForces(plant)
        plant.CalcForceElementsContribution(context, forces)
        plant.get_applied_generalized_force_input_port().FixValue(context, tau)
        poses = [plant.EvalBodyPoseInWorld(context, body).GetAsMatrix34() for body in self.bodies]
        return {
            "mass matrix": plant.CalcMassMatrix(context),
            "inverse dynamics": plant.CalcInverseDynamics(context, v_dot, forces),
            "forward dynamics": plant.get_generalized_acceleration_output_port().Eval(context),
            "poses": np.array(poses),
        }


def engine_of_urdf(text: str, body_names: Sequence[str]) -> DrakeEngine:
    """A robot with a floating base and without dampers, loaded by Drake."""
    plant = MultibodyPlant(time_step=0.0)
    import_module("pydrake.multibody.parsing").Parser(plant).AddModelsFromString(text, "urdf")
    for i in plant.GetJointIndices():
        joint = plant.get_joint(i)
        joint.set_default_damping_vector(np.zeros(joint.num_velocities()))
    return DrakeEngine(plant, [plant.GetBodyByName(name) for name in body_names])


def engine_of(mechanism: Mechanism, parts: Sequence[Part] | None = None) -> DrakeEngine:
    """A mechanism, or some parts of it, without dampers and springs; rotors only on joints of one degree of freedom."""
    mechanism = jax.device_get(mechanism)
    plant = MultibodyPlant(time_step=0.0)
    plant.mutable_gravity_field().set_gravity_vector(mechanism.gravity)
    bodies: list[Any] = []
    for part in parts or parts_of(mechanism):
        body = plant.AddRigidBody(part.name, _inertia(part))
        predecessor = bodies[part.parent] if part.parent >= 0 else plant.world_body()
        axes = own_axes(part.joint)
        before, after = (
            plant.AddFrame(tree.FixedOffsetFrame(f"{part.joint_name} {end}", of, math.RigidTransform(pose @ axes)))
            for end, of, pose in (("before", predecessor, part.before), ("after", body, part.after))
        )
        # A reversed hinge or slider leads from the body to its predecessor; Drake turns no others round.
        is_turned = part.is_reversed and type(part.joint) in WITH_AXIS
        joint = plant.AddJoint(_joint(part, *((after, before) if is_turned else (before, after))))
        if len(part.dofs) == 1:
            actuator = plant.AddJointActuator(f"{part.joint_name} rotor", joint)
            actuator.set_default_rotor_inertia(float(mechanism.armature[part.dofs[0]]))
            actuator.set_default_gear_ratio(1.0)
        bodies.append(body)
    return DrakeEngine(plant, bodies)


def _inertia(part: Part) -> Any:
    numbers = inertia_to_drake(part.inertia)
    return tree.SpatialInertia(numbers[0], numbers[1:4], tree.UnitInertia(*numbers[4:]), skip_validity_check=True)


def _joint(part: Part, before: Any, after: Any) -> Any:
    joint, name = part.joint, part.joint_name
    if isinstance(joint, Helical):
        pitch = 2 * np.pi * float(joint.pitch)  # per turn
        return tree.ScrewJoint(name, before, after, axis_of(part), pitch, 0.0)
    if type(joint) in WITH_AXIS:
        axis: Any = joint
        return WITH_AXIS[type(joint)](name, before, after, unit(axis.axis))
    return SIMPLE[type(joint)](name, before, after)
