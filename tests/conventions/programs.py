"""One body on one joint, in jaxdyn and in the other programs, each asked in its own numbers.

The numbers are written down in the tests. `Case.check` demands that the program, given its own numbers, does what they
are said to mean, and that the converters of `jaxdyn.interop` lead from jaxdyn's numbers to these, and back.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any

import jax
import numpy as np
import pytest

from jaxdyn import Body, Mechanism, MechanismError, attach, interop
from jaxdyn.joints import AbstractJoint, QuaternionFloating, SPQuatFloating
from jaxdyn.spatial import SpatialInertia, Transform

STEP = 1e-4
"""Time [s] of the central differences, which are exact to about 1e-7."""

MOMENTS = np.array([2.0, 3.0, 4.0])
BODY = Body("body", SpatialInertia.from_center_of_mass(2.0, [0.0, 0.0, 0.0], [2.0, 0.0, 0.0, 3.0, 0.0, 4.0]))
"""2 kg, centre of mass at the origin of the body, principal moments along its axes."""

MASS, CENTER = 2.0, np.array([0.1, 0.2, 0.3])
ABOUT_CENTER = np.array([[1.0, -0.2, -0.3], [-0.2, 1.1, -0.4], [-0.3, -0.4, 1.2]])
ABOUT_ORIGIN = np.array([[1.26, -0.24, -0.36], [-0.24, 1.3, -0.52], [-0.36, -0.52, 1.3]])
"""Moments about the centre of mass and, by the theorem of parallel axes, about the origin."""

QUATERNION = np.array([2.0, 4.0, 5.0, 6.0]) / 9
ROTATION = np.array([[-41.0, 16.0, 68.0], [64.0, -23.0, 44.0], [28.0, 76.0, -1.0]]) / 81
"""The rotation of this (w, x, y, z): w² + x² - y² - z² and so on, by Hamilton's rules."""


def x_turn(angle: float) -> np.ndarray:
    """Right-handed turn about x."""
    return np.array([[1, 0, 0], [0, np.cos(angle), -np.sin(angle)], [0, np.sin(angle), np.cos(angle)]])


def y_turn(angle: float) -> np.ndarray:
    """Right-handed turn about y."""
    return np.array([[np.cos(angle), 0, np.sin(angle)], [0, 1, 0], [-np.sin(angle), 0, np.cos(angle)]])


def z_turn(angle: float) -> np.ndarray:
    """Right-handed turn about z."""
    return np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])


def assert_near(actual: Any, expected: Any, atol: float = 1e-12) -> None:
    """Two arrays of one shape are equal but for rounding."""
    assert np.shape(actual) == np.shape(expected)
    np.testing.assert_allclose(np.asarray(actual), np.asarray(expected), rtol=0, atol=atol)


def skew_inertia() -> SpatialInertia:
    """2 kg in general position."""
    return SpatialInertia.from_center_of_mass(MASS, CENTER, ABOUT_CENTER[np.triu_indices(3)])


def builder(program: str) -> Any:
    """The module that builds a mechanism in a program; the test is skipped where the program is not installed."""
    return import_module(f"engines.{program}_builder")


def rates(pose_at: Callable[[float], tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    """Angular velocity and velocity of the origin, in the axes in which poses are given, of a pose over time."""
    (R_1, p_1), (R, _), (R_0, p_0) = (pose_at(time) for time in (STEP, 0.0, -STEP))
    across = (R_1 - R_0) / (2 * STEP) @ R.T
    return np.array([across[2, 1], across[0, 2], across[1, 0]]), (p_1 - p_0) / (2 * STEP)


def joint_pose(joint: AbstractJoint, q: Any) -> tuple[np.ndarray, np.ndarray]:
    """Rotation and translation of a joint."""
    transform = jax.device_get(joint.joint_transform(np.asarray(q, float)))
    return transform.rotation, transform.translation


def joint_rates(joint: AbstractJoint, q: Any, v: Any) -> tuple[np.ndarray, np.ndarray]:
    """What a joint's velocity means in the frame before: along the derivative of q that belongs to it."""
    q, v = np.asarray(q, float), np.asarray(v, float)
    q_dot = np.asarray(joint.velocity_to_configuration_derivative(q, v))
    return rates(lambda time: joint_pose(joint, q + time * q_dot))


def check_joint(joint: AbstractJoint, q: Any, v: Any, *, pose: Any, velocity: Any) -> None:
    """A joint's numbers mean this pose, and this angular and linear velocity, both in the frame before."""
    for actual, expected in zip(joint_pose(joint, q), pose, strict=True):
        assert_near(actual, expected)
    for actual, expected in zip(joint_rates(joint, q, v), velocity, strict=True):
        assert_near(actual, expected, 1e-6)
    twist = joint.joint_twist(np.asarray(q, float), np.asarray(v, float))
    for actual, expected in zip((twist.angular, twist.linear), velocity, strict=True):
        assert_near(np.asarray(pose[0]) @ actual, expected)


@dataclass(frozen=True)
class Case:
    """One body on one joint, without gravity; for iDynTree a joint that does not float hangs on a floating base.

    Attributes:
        joint: The joint, between the frames of the body and of its predecessor.
        q: Configuration in jaxdyn.
        v: Velocity in jaxdyn.
        placement: Frame before the joint.
        pose: Rotation and translation of the body in the world.
        velocity: Angular velocity and velocity of the origin of the body, in the world's axes.
    """

    joint: AbstractJoint
    q: Sequence[float]
    v: Sequence[float]
    pose: tuple[Any, Any]
    velocity: tuple[Any, Any]
    placement: Transform | None = None

    @cached_property
    def mechanism(self) -> Mechanism:
        return self._on(Mechanism.empty(gravity=[0.0, 0.0, 0.0]), "world")

    @cached_property
    def mechanism_on_base(self) -> Mechanism:
        base = attach(Mechanism.empty(gravity=[0.0, 0.0, 0.0]), "world", QuaternionFloating(), Body("base"))
        return self._on(base, "base")

    def _on(self, mechanism: Mechanism, predecessor: str) -> Mechanism:
        placement = Transform.identity() if self.placement is None else self.placement
        return attach(mechanism, predecessor, self.joint, BODY, name="joint", placement=placement)

    def check_jaxdyn(self) -> None:
        """The joint's own numbers mean this pose and this velocity; its placement has no part in it."""
        check_joint(self.joint, self.q, self.v, pose=self.pose, velocity=self.velocity)

    def check(self, program: str, q: Any, v: Any) -> Any:
        """The program's q and v mean this pose and this velocity, and are what the converters write and read."""
        v = np.asarray(v, float)
        q = q if isinstance(q, tuple) else np.asarray(q, float)
        is_on_base = program == "idyntree" and not isinstance(self.joint, QuaternionFloating | SPQuatFloating)
        if is_on_base:
            mechanism = self.mechanism_on_base
            ours = [1.0, *np.zeros(6), *self.q], [*np.zeros(6), *self.v]
            theirs = (np.eye(4), q), np.concatenate([np.zeros(6), v])
        else:
            mechanism, ours, theirs = self.mechanism, (self.q, self.v), (q, v)
        engine = builder(program).engine_of(mechanism)
        R, p, angular, linear = MOTIONS[program](engine, *theirs)
        for actual, expected in zip((R, p), self.pose, strict=True):
            assert_near(actual, expected)
        for actual, expected in zip((angular, linear), self.velocity, strict=True):
            assert_near(actual, expected, 1e-6)
        to, back = (getattr(interop, f"{way}_{program}") for way in ("to", "from"))
        written = to(mechanism, engine.joint_names, *ours)
        for actual, expected in zip(jax.tree.leaves(written), jax.tree.leaves(theirs), strict=True):
            assert_near(actual, expected)
        read = back(mechanism, engine.joint_names, *theirs)
        assert_near(read.q, ours[0])
        assert_near(read.v, ours[1])
        return engine


# ---- pose and velocity of the last body in the world, as each program has them ---------------------------------------


def _pinocchio(engine: Any, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, ...]:
    pin = builder("pinocchio").pin

    def pose_at(time: float) -> tuple[np.ndarray, np.ndarray]:
        pin.forwardKinematics(engine.model, engine.data, pin.integrate(engine.model, q, time * v))
        joint, pose = engine.carriers[-1]
        found = engine.data.oMi[joint].homogeneous @ pose
        return found[:3, :3], found[:3, 3]

    return *pose_at(0.0), *rates(pose_at)


def _mujoco(engine: Any, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, ...]:
    mujoco = builder("mujoco").mujoco

    def pose_at(time: float) -> tuple[np.ndarray, np.ndarray]:
        engine.data.qpos[:] = q
        mujoco.mj_integratePos(engine.model, engine.data.qpos, v, time)
        mujoco.mj_kinematics(engine.model, engine.data)
        return engine.data.xmat[-1].reshape(3, 3).copy(), engine.data.xpos[-1].copy()

    return *pose_at(0.0), *rates(pose_at)


def _drake(engine: Any, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, ...]:
    plant, context = engine.plant, engine.context
    plant.SetPositions(context, q)
    q_dot = plant.MapVelocityToQDot(context, v)

    def pose_at(time: float) -> tuple[np.ndarray, np.ndarray]:
        plant.SetPositions(context, q + time * q_dot)
        pose = plant.EvalBodyPoseInWorld(context, engine.bodies[-1])
        return pose.rotation().matrix(), pose.translation()

    return *pose_at(0.0), *rates(pose_at)


def _idyntree(engine: Any, q: tuple[np.ndarray, np.ndarray], v: np.ndarray) -> tuple[np.ndarray, ...]:
    """The velocity from the momentum, which no choice of representation changes: the body is all there is."""
    base, joints = q[0].reshape(4, 4), q[1]
    kin_dyn = engine.kin_dyn
    assert kin_dyn.setRobotState(*map(np.ascontiguousarray, (base, joints, v[:6], v[6:], np.zeros(3))))
    pose = kin_dyn.getWorldTransform(engine.body_names[-1]).asHomogeneousTransform().toNumPy()
    momentum = kin_dyn.getCentroidalTotalMomentum().toNumPy()
    linear = kin_dyn.getCenterOfMassVelocity().toNumPy()
    R = pose[:3, :3]
    return R, pose[:3, 3], R @ ((R.T @ momentum[3:]) / MOMENTS), linear


MOTIONS: dict[str, Callable[..., tuple[np.ndarray, ...]]] = {
    "pinocchio": _pinocchio,
    "mujoco": _mujoco,
    "drake": _drake,
    "idyntree": _idyntree,
}


def refused(program: str, mechanism: Mechanism, q: Any) -> None:
    """The converter says that the program has no such joint."""
    names = [name for name in mechanism.joint_names if name != "base_joint"]
    with pytest.raises(MechanismError, match="the joint `joint`"):
        getattr(interop, f"to_{program}")(mechanism, names, np.asarray(q, float))
