"""The rows of the table "Results": an arm that turns about z, 3 m off the world's origin along x, and its hand.

The arm is turned by the angle with the cosine 0.28 and the sine 0.96. The hand, 2 m ahead on the arm, has its y axis
along the arm's z and its z axis against the arm's y.
"""

from functools import cache
from typing import Any

import jax
import numpy as np

import jaxdyn
from conventions.programs import assert_near, builder
from jaxdyn import Body, Mechanism, add_frame, attach
from jaxdyn.joints import Fixed, Revolute
from jaxdyn.spatial import SpatialInertia, Transform

X, Y, Z = np.eye(3)
NOTHING = np.zeros(3)
Q, V, V_DOT = np.array([np.arctan2(0.96, 0.28)]), np.array([3.0]), np.array([5.0])
AHEAD, ASIDE = np.array([0.28, 0.96, 0.0]), np.array([-0.96, 0.28, 0.0])
"""The arm's axes x and y in the world."""
HINGE, HAND, CENTER = 3 * X, 3 * X + 2 * AHEAD, 3 * X + 4 / 3 * AHEAD
"""Places in the world: the arm's 2 kg are 1 m ahead, the hand's 1 kg 2 m."""
MOMENT = 4.0 + 0.5 + 2.0 / 3
"""About the common centre of mass, along z: of the parts about their own, and 2 kg at 1/3 m, 1 kg at 2/3 m."""
ARMATURE, DAMPING, WEIGHT = 0.1, 0.2, 9.81
ON_HAND = {
    "body_origin": np.array([np.zeros(6), [*NOTHING, *2 * ASIDE]]),
    "world": np.array([np.zeros(6), [*NOTHING, *2 * ASIDE]]),
    "body": np.array([np.zeros(6), [*NOTHING, *-Z]]),
}
"""Wrenches on the two bodies, angular part first, for each way to give them."""
LINEAR_FIRST = [3, 4, 5, 0, 1, 2]


@cache
def arm() -> Mechanism:
    arm = Body("arm", SpatialInertia.from_center_of_mass(2.0, [1.0, 0.0, 0.0], [2.0, 0.0, 0.0, 3.0, 0.0, 4.0]))
    hand = Body("hand", SpatialInertia.from_center_of_mass(1.0, [0.0, 0.0, 0.0], [0.5, 0.0, 0.0, 0.5, 0.0, 0.5]))
    mechanism = attach(
        Mechanism.empty(),
        "world",
        Revolute([0.0, 0.0, 1.0]),
        arm,
        name="hinge",
        placement=Transform(np.eye(3), HINGE),
        armature=ARMATURE,
        damping=DAMPING,
        position_lower=-3.0,
    )
    quarter_turn = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
    mechanism = attach(mechanism, "arm", Fixed(), hand, placement=Transform(quarter_turn, 2 * X))
    return add_frame(mechanism, "station", "world", Transform(np.eye(3), np.zeros(3)))


@cache
def ours() -> dict[str, Any]:
    """What jaxdyn says, in one program."""

    def at(mechanism, q, v, v_dot):
        found = {}
        for axes in ("world_aligned", "world", "body", "arm"):
            found[f"Jacobian, {axes}"] = jaxdyn.geometric_jacobian(mechanism, q, "hand", expressed_in=axes)[:, 0]
            found[f"twist, {axes}"] = jaxdyn.relative_twist(mechanism, q, v, "hand", expressed_in=axes).vector
            rate = jaxdyn.jacobian_derivative(mechanism, q, v, "hand", expressed_in=axes)
            found[f"rate, {axes}"] = rate[:, 0]
            accelerations = jaxdyn.frame_acceleration(mechanism, q, v, v_dot, "hand", expressed_in=axes)
            found[f"acceleration, {axes}"] = accelerations.vector
        seen = {"relative_to": "arm", "classical": True}
        along_joint = jaxdyn.joint_wrenches(mechanism, q, v, v_dot).angular[0, 2]
        for frame, wrench in ON_HAND.items():
            found[f"force, {frame}"] = jaxdyn.generalized_forces(mechanism, q, wrench, wrench_frame=frame)
        return found | {
            "Jacobian": jaxdyn.geometric_jacobian(mechanism, q, "hand")[:, 0],
            "acceleration": jaxdyn.body_accelerations(mechanism, q, v, v_dot).vector[1],
            "classical": jaxdyn.frame_acceleration(mechanism, q, v, v_dot, "hand", classical=True).vector,
            "hand seen": jaxdyn.frame_acceleration(mechanism, q, v, v_dot, "hand", **seen).vector,
            "world seen": jaxdyn.frame_acceleration(mechanism, q, v, v_dot, "station", **seen).vector,
            "momentum rate": jaxdyn.momentum_rate_bias(mechanism, q, v).vector,
            "point velocity": jaxdyn.point_velocity(mechanism, q, v, "arm", 2 * X),
            "centroidal momentum": jaxdyn.centroidal_momentum(mechanism, q, v).vector,
            "average velocity": jaxdyn.average_velocity(mechanism, q, v).vector,
            "wrenches at rest": jaxdyn.joint_wrenches(mechanism, q, 0 * v, 0 * v).vector,
            "along the joint": along_joint,
            "tau": jaxdyn.inverse_dynamics(mechanism, q, v, v_dot),
            "force": jaxdyn.generalized_forces(mechanism, q, ON_HAND["body_origin"]),
        }

    return jax.device_get(jax.jit(at)(arm(), Q, V, V_DOT))


class Pinocchio:
    """The arm in Pinocchio, moving, with the hand as a frame."""

    def __init__(self):
        self.pin = builder("pinocchio").pin
        engine = builder("pinocchio").engine_of(arm())
        self.model = engine.model
        placement = self.pin.SE3(engine.carriers[1][1])
        self.hand = self.model.addFrame(self.pin.Frame("hand", 1, 0, placement, self.pin.FrameType.BODY))
        self.data = self.model.createData()
        self.frames = self.pin.ReferenceFrame
        self.pin.forwardKinematics(self.model, self.data, Q, V, V_DOT)
        self.pin.computeJointJacobiansTimeVariation(self.model, self.data, Q, V)
        self.pin.updateFramePlacements(self.model, self.data)

    def of_hand(self, function: str, frame: str) -> np.ndarray:
        """A function of the hand in one of the reference frames, angular part first."""
        found = getattr(self.pin, function)(self.model, self.data, self.hand, getattr(self.frames, frame))
        return np.ravel(found if isinstance(found, np.ndarray) else found.vector)[LINEAR_FIRST]


class MuJoCo:
    """The arm in MuJoCo, moving; it is body 1."""

    def __init__(self, *, gravity: bool = True):
        self.mujoco = builder("mujoco").mujoco
        engine = builder("mujoco").engine_of(arm())
        self.model, self.data = engine.model, engine.data
        self.model.opt.gravity[2] *= gravity
        tau = (4 + 2 + 0.5 + 4 + ARMATURE) * V_DOT + DAMPING * V
        self.data.qpos[:], self.data.qvel[:], self.data.qfrc_applied[:] = Q, V, tau
        self.mujoco.mj_forward(self.model, self.data)
        self.mujoco.mj_rnePostConstraint(self.model, self.data)
        assert_near(self.data.qacc, V_DOT)

    def jacobian(self, function: str) -> np.ndarray:
        """`mj_jac` or `mj_jacDot` at the hand, whose place is given in the world: linear part, angular part."""
        linear, angular = np.zeros((3, 1)), np.zeros((3, 1))
        getattr(self.mujoco, function)(self.model, self.data, linear, angular, HAND, 1)
        return np.array([linear[:, 0], angular[:, 0]])


class TestJacobianTwistOfAFrame:
    ALIGNED, WORLD, BODY = [*Z, *2 * ASIDE], [*Z, *-3 * Y], [*Y, *-2 * Z]

    def test_jaxdyn(self):
        expected = {"world_aligned": self.ALIGNED, "world": self.WORLD, "body": self.BODY, "arm": [*Z, *NOTHING]}
        for axes, numbers in expected.items():
            assert_near(ours()[f"Jacobian, {axes}"], numbers)
            assert_near(ours()[f"twist, {axes}"], 3 * np.array(numbers))
        assert_near(ours()["Jacobian"], self.ALIGNED)

    def test_pinocchio(self):
        arm = Pinocchio()
        expected = {"LOCAL_WORLD_ALIGNED": self.ALIGNED, "WORLD": self.WORLD, "LOCAL": self.BODY}
        for frame, numbers in expected.items():
            assert_near(arm.of_hand("getFrameJacobian", frame), numbers)
            assert_near(arm.of_hand("getFrameVelocity", frame), 3 * np.array(numbers))
        default = arm.pin.computeFrameJacobian(arm.model, arm.data, Q, arm.hand)
        assert_near(np.ravel(default)[LINEAR_FIRST], self.BODY)
        assert_near(
            arm.pin.getFrameVelocity(arm.model, arm.data, arm.hand).vector[LINEAR_FIRST], 3 * np.array(self.BODY)
        )

    def test_mujoco(self):
        assert_near(MuJoCo().jacobian("mj_jac"), [2 * ASIDE, Z])


ACCELERATIONS = {
    "world_aligned": np.array([*5 * Z, *10 * ASIDE]),
    "world": np.array([*5 * Z, *-15 * Y]),
    "body": np.array([*5 * Y, *-10 * Z]),
}


class TestAccelerationOfABodyOrFrame:
    """Of the twist's numbers in the hand, 3 (y, -2 z), the rate is 5 (y, -2 z); the point itself is pulled inwards."""

    INWARDS = -9 * 2 * AHEAD

    def test_jaxdyn(self):
        for axes, numbers in ACCELERATIONS.items():
            assert_near(ours()[f"acceleration, {axes}"], numbers)
        assert_near(ours()["acceleration"], ACCELERATIONS["world_aligned"])
        assert_near(ours()["classical"], [*5 * Z, *10 * ASIDE + self.INWARDS])
        assert_near(ours()["hand seen"], np.zeros(6))
        # For who rides on the arm, the world's origin goes round the hinge, 3 m away, the other way round.
        assert_near(ours()["world seen"], [*-5 * Z, *27 * X + 15 * Y])

    def test_pinocchio(self):
        arm = Pinocchio()
        for axes, frame in (("world_aligned", "LOCAL_WORLD_ALIGNED"), ("world", "WORLD"), ("body", "LOCAL")):
            assert_near(arm.of_hand("getFrameAcceleration", frame), ACCELERATIONS[axes])
        classical = arm.of_hand("getFrameClassicalAcceleration", "LOCAL_WORLD_ALIGNED")
        assert_near(classical, [*5 * Z, *10 * ASIDE + self.INWARDS])

    def test_mujoco(self):
        """About the common centre of mass, and upwards as if the arm was lifted with 9.81 m/s²."""
        lifted, floating = MuJoCo().data, MuJoCo(gravity=False).data
        for body in (1, 2):  # the hand's, too, is not about a point of its own
            assert_near(lifted.cacc[body], [*5 * Z, *5 * 4 / 3 * ASIDE + WEIGHT * Z])
            assert_near(floating.cacc[body], [*5 * Z, *5 * 4 / 3 * ASIDE])
            assert_near(floating.cvel[body], [*3 * Z, *3 * 4 / 3 * ASIDE])


class TestRateOfAJacobianOfAMomentum:
    """The numbers of the hand's Jacobian turn with the arm in the world's axes, and do not change in the hand's own."""

    TURNING = np.array([*NOTHING, *-3 * 2 * AHEAD])
    FORCE = -9 * 3 * 4 / 3 * AHEAD
    """What bends the path of 3 kg, 4/3 m off the axis."""

    def test_jaxdyn(self):
        assert_near(ours()["rate, world_aligned"], self.TURNING)
        for axes in ("world", "body", "arm"):
            assert_near(ours()[f"rate, {axes}"], np.zeros(6))
        assert_near(ours()["momentum rate"], [*np.cross(CENTER, self.FORCE), *self.FORCE])

    def test_pinocchio(self):
        arm = Pinocchio()
        assert_near(arm.of_hand("getFrameJacobianTimeVariation", "LOCAL_WORLD_ALIGNED"), self.TURNING)
        assert_near(arm.of_hand("getFrameJacobianTimeVariation", "LOCAL"), np.zeros(6))
        arm.pin.computeCentroidalMomentumTimeVariation(arm.model, arm.data, Q, V, np.zeros(1))
        assert_near(arm.data.dhg.vector, [*self.FORCE, *NOTHING])

    def test_mujoco(self):
        assert_near(MuJoCo().jacobian("mj_jacDot"), [self.TURNING[3:], NOTHING])


class TestPoints:
    def test_jaxdyn(self):
        assert_near(ours()["point velocity"], 6 * ASIDE)

    def test_mujoco(self):
        """Given in body coordinates, (2, 0, 0), it would be another point: 1 m from the hinge, on the other side."""
        arm, linear = MuJoCo(), np.zeros((3, 1))
        arm.mujoco.mj_jac(arm.model, arm.data, linear, None, 2 * X, 1)
        assert_near(linear[:, 0], -Y)
        assert_near(arm.jacobian("mj_jac")[0], 2 * ASIDE)


class TestCentroidalQuantitiesAverageVelocity:
    def test_jaxdyn(self):
        assert_near(ours()["centroidal momentum"], [*3 * MOMENT * Z, *3 * 4 * ASIDE])
        assert_near(ours()["average velocity"], [*3 * Z, *4 * ASIDE])

    def test_pinocchio(self):
        arm = Pinocchio()
        arm.pin.ccrba(arm.model, arm.data, Q, V)
        assert_near(arm.data.hg.vector, [*3 * 4 * ASIDE, *3 * MOMENT * Z])
        average = np.linalg.solve(arm.data.Ig.matrix(), arm.data.hg.vector)
        assert_near(average, [*4 * ASIDE, *3 * Z])


class TestWrenchOfAJoint:
    """At rest, the hand's 1 kg and the arm's 2 kg are held up: z of the arm is y of the hand."""

    def test_jaxdyn(self):
        expected = [[*-4 * WEIGHT * Y, *3 * WEIGHT * Z], [*NOTHING, *WEIGHT * Y]]
        assert_near(ours()["wrenches at rest"], expected)
        assert_near(ours()["tau"][0], ours()["along the joint"] + ARMATURE * 5 + DAMPING * 3)
        assert_near(ours()["along the joint"], (4 + 2 + 0.5 + 4) * 5)

    def test_pinocchio(self):
        arm = Pinocchio()
        tau = arm.pin.rnea(arm.model, arm.data, Q, np.zeros(1), np.zeros(1))
        assert len(arm.data.f) == 2  # of the world and of the hinge
        assert_near(arm.data.f[1].vector, [*3 * WEIGHT * Z, *-4 * WEIGHT * Y])
        assert_near(tau, [0])

    def test_mujoco(self):
        """Moment first, in the world's axes, about the common centre of mass: 4/3 m from the hinge."""
        arm = MuJoCo()
        inertial = 3 * 4 / 3 * (5 * ASIDE - 9 * AHEAD)
        assert_near(arm.data.cfrc_int[1], [*MOMENT * 5 * Z, *inertial + 3 * WEIGHT * Z])
        on_hand = 2 * (5 * ASIDE - 9 * AHEAD) + WEIGHT * Z
        assert_near(arm.data.cfrc_int[2], [*0.5 * 5 * Z + np.cross(HAND - CENTER, on_hand), *on_hand])


class TestExternalWrenches:
    """A force of 2 N, aside, on the hand has a lever arm of 2 m; through the world's origin it has another one."""

    def test_jaxdyn(self):
        assert_near(ours()["force, body_origin"], [4.0])
        assert_near(ours()["force"], [4.0])
        assert_near(ours()["force, world"], [np.cross(-HINGE, 2 * ASIDE)[2]])
        assert_near(ours()["force, body"], [2.0])  # against z of the hand is aside, 1 N

    def test_pinocchio(self):
        """A force at the joint's origin has no lever arm; one along an axis of the joint's frame turns with the arm."""
        arm, zero = Pinocchio(), np.zeros(1)
        free, lifted = self._rnea(arm, zero, np.zeros(6)), self._rnea(arm, zero, np.array([1, 2, 3, 0, 0, 5.0]))
        assert_near(lifted[0] - free[0], [-5.0])
        assert_near(lifted[1] - free[1], [-1, -2, -3, 0, 0, -5])

    @staticmethod
    def _rnea(arm: Pinocchio, zero: np.ndarray, wrench: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        wrenches = arm.pin.StdVec_Force([arm.pin.Force.Zero(), arm.pin.Force(wrench)])
        tau = np.array(arm.pin.rnea(arm.model, arm.data, Q, zero, zero, wrenches))
        return tau, arm.data.f[1].vector.copy()

    def test_mujoco(self):
        """At the arm's own centre of mass, 1 m ahead, in the world's axes."""
        arm = MuJoCo()
        without = arm.data.qfrc_smooth.copy()
        for wrench, moment in (([*ASIDE, 0, 0, 0], 1.0), ([0, 1, 0, 0, 0, 0], 0.28), ([0, 0, 0, 0, 0, 5], 5.0)):
            arm.data.xfrc_applied[1] = wrench
            arm.mujoco.mj_forward(arm.model, arm.data)
            assert_near(arm.data.qfrc_smooth - without, [moment])
