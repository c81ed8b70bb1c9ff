"""The rows of the table "Joints" for jaxdyn, Pinocchio and MuJoCo."""

import jax
import numpy as np
import pytest

import jaxdyn
from conventions import floating
from conventions.cases import (
    ANGLE,
    COSINE,
    CROSSED,
    HELICAL,
    HINGE,
    PLANAR,
    PLANAR_RATES,
    REVERSED_BALL,
    REVERSED_HINGE,
    REVERSED_SCREW,
    REVERSED_SLIDER,
    RPY,
    SINE,
    SINE_COSINE,
    SKEW,
    SPHERICAL,
    X,
    Y,
    Z,
)
from conventions.floating import OMEGA, P, V
from conventions.programs import BODY, MOMENTS, QUATERNION, ROTATION, assert_near, builder, check_joint, refused, z_turn
from jaxdyn import Body, Mechanism, add_mimic, attach, load_urdf
from jaxdyn.joints import Fixed, QuaternionFloating, Revolute, SPQuatFloating

LINK = """<link name="%s"><inertial><mass value="2"/>
  <inertia ixx="2" iyy="3" izz="4" ixy="0" ixz="0" iyz="0"/></inertial></link>"""
JOINT = '<joint name="%s" type="%s"><parent link="%s"/><child link="%s"/><axis xyz="0 0 1"/>%s</joint>'
LIMIT = '<limit lower="-3" upper="3" effort="1" velocity="1"/>'


def robot(*joints: tuple[str, str, str, str, str], links: str = "a b") -> str:
    """A URDF."""
    parts = [*(LINK % name for name in links.split()), *(JOINT % joint for joint in joints)]
    return f'<robot name="robot">{"".join(parts)}</robot>'


class TestFloatingQ:
    def test_jaxdyn(self):
        here = floating.case()
        pose = jax.jit(jaxdyn.body_transforms)(here.mechanism, here.q)[0]
        assert_near(pose.rotation, floating.R_BEFORE @ ROTATION)
        assert_near(pose.translation, floating.R_BEFORE @ P + floating.P_BEFORE)

    def test_pinocchio(self):
        floating.check_position("pinocchio")

    def test_mujoco(self):
        floating.check_position("mujoco")


class TestFloatingV:
    def test_jaxdyn(self):
        velocity = ROTATION @ OMEGA, ROTATION @ V
        check_joint(QuaternionFloating(), [*QUATERNION, *P], [*OMEGA, *V], pose=(ROTATION, P), velocity=velocity)

    def test_pinocchio(self):
        floating.check_velocity("pinocchio")

    def test_mujoco(self):
        floating.check_velocity("mujoco")


class TestFloatingTau:
    def test_jaxdyn(self):
        here, zero = floating.case(), np.zeros(6)
        tau = jax.jit(jaxdyn.inverse_dynamics)(
            here.mechanism, here.q, zero, np.array([*floating.MOMENT / MOMENTS, *floating.FORCE / 2])
        )
        assert_near(tau, [*floating.MOMENT, *floating.FORCE])

    def test_pinocchio(self):
        floating.check_force("pinocchio")

    def test_mujoco(self):
        floating.check_force("mujoco")


class TestSpherical:
    def test_jaxdyn(self):
        SPHERICAL.check_jaxdyn()

    def test_pinocchio(self):
        SPHERICAL.check("pinocchio", QUATERNION[[1, 2, 3, 0]], OMEGA)

    def test_mujoco(self):
        SPHERICAL.check("mujoco", QUATERNION, OMEGA)


class TestPlanar:
    def test_jaxdyn(self):
        PLANAR.check_jaxdyn()
        q_dot = PLANAR.joint.velocity_to_configuration_derivative(np.array(PLANAR.q), np.array(PLANAR.v, float))
        assert_near(q_dot, [*PLANAR_RATES, 3])

    def test_pinocchio(self):
        PLANAR.check("pinocchio", [1, 2, COSINE, SINE], [4, 5, 3])
        with pytest.raises(Exception, match="did not match C"):
            builder("pinocchio").pin.JointModelPlanar(X, Z)

    def test_mujoco(self):
        engine = PLANAR.check("mujoco", [1, 2, ANGLE], [*PLANAR_RATES, 3])
        kinds = builder("mujoco").mujoco.mjtJoint
        assert list(engine.model.jnt_type) == [kinds.mjJNT_SLIDE, kinds.mjJNT_SLIDE, kinds.mjJNT_HINGE]
        assert_near(engine.model.jnt_axis, np.eye(3))


class TestHelical:
    def test_jaxdyn(self):
        HELICAL.check_jaxdyn()

    def test_pinocchio(self):
        engine = HELICAL.check("pinocchio", [ANGLE], [3])
        assert engine.model.joints[1].shortname() == "JointModelHelicalUnaligned"

    def test_mujoco(self):
        kinds = {name for name in dir(builder("mujoco").mujoco.mjtJoint) if name.startswith("mjJNT_")}
        assert kinds == {"mjJNT_FREE", "mjJNT_BALL", "mjJNT_SLIDE", "mjJNT_HINGE"}
        refused("mujoco", HELICAL.mechanism, [ANGLE])


class TestUniversal:
    def test_jaxdyn(self):
        SKEW.check_jaxdyn()

    def test_pinocchio(self):
        """Only debug builds of Pinocchio look at the axes."""
        CROSSED.check("pinocchio", CROSSED.q, CROSSED.v)
        refused("pinocchio", SKEW.mechanism, SKEW.q)

    def test_mujoco(self):
        engine = SKEW.check("mujoco", SKEW.q, SKEW.v)
        assert list(engine.model.jnt_type) == 2 * [builder("mujoco").mujoco.mjtJoint.mjJNT_HINGE]


class TestRollPitchYaw:
    def test_jaxdyn(self):
        RPY.check_jaxdyn()
        q_dot = RPY.joint.velocity_to_configuration_derivative(np.array(RPY.q), np.array(RPY.v, float))
        assert_near(q_dot, RPY.v)

    def test_pinocchio(self):
        engine = RPY.check("pinocchio", RPY.q[::-1], RPY.v[::-1])
        assert engine.model.joints[1].shortname() == "JointModelSphericalZYX"

    def test_mujoco(self):
        engine = RPY.check("mujoco", RPY.q[::-1], RPY.v[::-1])
        assert_near(engine.model.jnt_axis, [Z, Y, X])


class TestModifiedRodriguesVector:
    """tan(angle / 4) is the sine of half the angle over 1 plus the cosine of it."""

    SIGMA = np.array([4.0, 5.0, 6.0]) / 11

    def test_jaxdyn(self):
        angle = 2 * np.arccos(QUATERNION[0])
        axis = QUATERNION[1:] / np.sin(angle / 2)
        assert_near(np.tan(angle / 4) * axis, self.SIGMA)
        velocity = ROTATION @ OMEGA, ROTATION @ V
        check_joint(SPQuatFloating(), [*self.SIGMA, *P], [*OMEGA, *V], pose=(ROTATION, P), velocity=velocity)

    def test_pinocchio(self):
        floating.check_velocity("pinocchio", joint=SPQuatFloating(), q=[*self.SIGMA, *P])

    def test_mujoco(self):
        floating.check_velocity("mujoco", joint=SPQuatFloating(), q=[*self.SIGMA, *P])


class TestSineAndCosine:
    def test_jaxdyn(self):
        SINE_COSINE.check_jaxdyn()

    def test_pinocchio(self):
        SINE_COSINE.check("pinocchio", [COSINE, SINE], [3])

    def test_mujoco(self):
        SINE_COSINE.check("mujoco", [ANGLE], [3])


class TestReversed:
    def test_jaxdyn(self):
        for turned in (REVERSED_HINGE, REVERSED_SLIDER, REVERSED_SCREW, REVERSED_BALL):
            turned.check_jaxdyn()

    def test_pinocchio(self):
        REVERSED_HINGE.check("pinocchio", [COSINE, SINE], [3])
        REVERSED_SLIDER.check("pinocchio", [ANGLE], [3])
        REVERSED_SCREW.check("pinocchio", [ANGLE], [3])
        refused("pinocchio", REVERSED_BALL.mechanism, QUATERNION)

    def test_mujoco(self):
        for turned in (REVERSED_HINGE, REVERSED_SLIDER):
            engine = turned.check("mujoco", [ANGLE], [3])
            assert_near(engine.model.jnt_axis, [-Z])
        refused("mujoco", REVERSED_BALL.mechanism, QUATERNION)


class TestRevoluteWithoutLimits:
    TEXT = robot(("wheel", "continuous", "a", "b", ""))

    def test_jaxdyn(self):
        mechanism = load_urdf(self.TEXT)
        assert isinstance(mechanism.joint("wheel"), Revolute)
        assert mechanism.num_positions == 1
        HINGE.check_jaxdyn()

    def test_pinocchio(self):
        pin = builder("pinocchio").pin
        model = pin.buildModelFromXML(self.TEXT)
        assert (model.nq, model.nv) == (2, 1)
        assert_near(pin.integrate(model, pin.neutral(model), np.array([ANGLE])), [COSINE, SINE])
        HINGE.check("pinocchio", [COSINE, SINE], [3])

    def test_mujoco(self):
        model = builder("mujoco").mujoco.MjModel.from_xml_string(self.TEXT)
        assert (model.nq, model.nv) == (1, 1)
        HINGE.check("mujoco", [ANGLE], [3])


class TestFixed:
    TEXT = robot(("hinge", "revolute", "a", "b", LIMIT), ("weld", "fixed", "b", "c", ""), links="a b c")

    def test_jaxdyn(self):
        mechanism = load_urdf(self.TEXT)
        assert mechanism.body_names == ("a", "b", "c")
        assert isinstance(mechanism.joint("weld"), Fixed)
        assert mechanism.num_velocities == 1
        assert mechanism.topology.moving_bodies == (1,)  # the recursions visit these alone

    def test_pinocchio(self):
        model = builder("pinocchio").pin.buildModelFromXML(self.TEXT)
        assert list(model.names) == ["universe", "hinge"]
        assert model.frames[model.getFrameId("c")].parentJoint == 1
        assert model.inertias[1].mass == 4.0

    def test_mujoco(self):
        mujoco = builder("mujoco").mujoco
        text = self.TEXT.replace("<link", '<mujoco><compiler fusestatic="false"/></mujoco><link', 1)
        model = mujoco.MjModel.from_xml_string(text)
        assert (model.body("c").jntnum[0], model.body("c").mass[0]) == (0, 2.0)


class TestMimic:
    """The follower turns by -2 times the leader's angle and 0.5; both have 4 kg m² about their axis."""

    RULE = '<mimic joint="%s" multiplier="-2" offset="0.5"/>'

    def test_jaxdyn(self):
        mechanism = Mechanism.empty()
        for name, lower in (("leader", -1.0), ("follower", -9.0), ("last", -9.0)):
            options = {"name": name, "armature": 0.1, "damping": 0.3, "position_lower": lower}
            body = Body(f"{name} body", BODY.spatial_inertia)
            mechanism = attach(mechanism, "world", Revolute([0.0, 0.0, 1.0]), body, **options)
        mechanism = add_mimic(mechanism, "follower", "leader", ratio=-2.0, offset=0.5)
        mechanism = add_mimic(mechanism, "last", "follower", ratio=3.0, offset=0.1)
        assert (mechanism.num_positions, mechanism.num_velocities) == (1, 1)
        np.testing.assert_array_equal(mechanism.position_lower, [-1.0])

        def at(mechanism, q, v):
            poses = jaxdyn.body_transforms(mechanism, q).rotation
            return poses, jaxdyn.mass_matrix(mechanism, q), jaxdyn.passive_forces(mechanism, q, v)

        rotations, M, forces = jax.jit(at)(mechanism, np.array([0.3]), np.array([1.0]))
        assert_near(rotations, [z_turn(angle) for angle in (0.3, -2 * 0.3 + 0.5, 3 * (-2 * 0.3 + 0.5) + 0.1)])
        assert_near(M, [[(4 + 0.1) * (1 + 4 + 36)]])
        assert_near(forces, [-0.3 * (1 + 4 + 36)])

    def test_pinocchio(self):
        """Pinocchio orders siblings by name; what the names are decides whether it can read the robot."""
        pin = builder("pinocchio").pin
        text = {
            leader: robot(
                (leader, "revolute", "a", "b", LIMIT),
                ("follower", "revolute", "a", "c", LIMIT + self.RULE % leader),
                links="a b c",
            )
            for leader in ("an_earlier_one", "the_next_one")
        }
        model = pin.buildModelFromXML(text["an_earlier_one"], mimic=True)
        data = model.createData()
        assert (model.nq, model.nv) == (1, 1)
        pin.forwardKinematics(model, data, np.array([0.3]))
        assert_near(data.oMi[model.getJointId("follower")].rotation, z_turn(-2 * 0.3 + 0.5))
        assert_near(pin.crba(model, data, np.array([0.3])), [[4 * (1 + 4)]])
        with pytest.raises(ValueError, match="mimic joint is not in the kinematic tree"):
            pin.buildModelFromXML(text["the_next_one"], mimic=True)

    def test_mujoco(self):
        mujoco = builder("mujoco").mujoco
        body = '<body><joint name="%s" axis="0 0 1"/><geom size="1"/></body>'
        rule = '<equality><joint joint1="follower" joint2="leader" polycoef="0.5 -2 0 0 0"/></equality>'
        text = f"<mujoco><worldbody>{body % 'leader'}{body % 'follower'}</worldbody>{rule}</mujoco>"
        model = mujoco.MjModel.from_xml_string(text)
        data = mujoco.MjData(model)
        assert (model.nq, model.neq) == (2, 1)
        data.qpos[:] = 0.3, 0.2
        mujoco.mj_forward(model, data)
        equality = data.efc_type == mujoco.mjtConstraint.mjCNSTR_EQUALITY
        assert_near(data.efc_pos[equality], [0.2 - (-2 * 0.3 + 0.5)])
