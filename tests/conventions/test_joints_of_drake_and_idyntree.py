"""The rows of the table that says where Drake and iDynTree differ; jaxdyn's side of each is in test_joints.py."""

import numpy as np
import pytest

from conventions import cases, floating
from conventions.cases import ANGLE, PLANAR_RATES
from conventions.floating import OMEGA
from conventions.programs import (
    ABOUT_CENTER,
    ABOUT_ORIGIN,
    CENTER,
    MASS,
    QUATERNION,
    ROTATION,
    assert_near,
    builder,
    refused,
    skew_inertia,
    x_turn,
    y_turn,
    z_turn,
)
from jaxdyn import interop


class TestFloatingQ:
    def test_drake(self):
        floating.check_position("drake")

    def test_idyntree(self):
        floating.check_position("idyntree")


class TestFloatingV:
    def test_drake(self):
        floating.check_velocity("drake")

    def test_idyntree(self):
        floating.check_velocity("idyntree")


class TestFloatingVDot:
    def test_drake(self):
        """And MuJoCo."""
        floating.check_acceleration("drake")
        floating.check_acceleration("mujoco")

    def test_idyntree(self):
        floating.check_acceleration("idyntree")


class TestFloatingTau:
    def test_drake(self):
        floating.check_force("drake")

    def test_idyntree(self):
        floating.check_force("idyntree")


class TestBallJoints:
    def test_drake(self):
        """By the angles of z_turn(yaw) y_turn(pitch) x_turn(roll), which is the rotation."""
        pitch = -np.arcsin(ROTATION[2, 0])
        yaw, roll = np.arctan2(ROTATION[1, 0], ROTATION[0, 0]), np.arctan2(ROTATION[2, 1], ROTATION[2, 2])
        assert_near(z_turn(yaw) @ y_turn(pitch) @ x_turn(roll), ROTATION)
        cases.SPHERICAL.check("drake", [roll, pitch, yaw], ROTATION @ OMEGA)
        cases.RPY.check("drake", cases.RPY.q, cases.RPY.velocity[0])

    def test_idyntree(self):
        cases.SPHERICAL.check("idyntree", QUATERNION, OMEGA)


class TestPlanar:
    def test_drake(self):
        cases.PLANAR.check("drake", cases.PLANAR.q, [*PLANAR_RATES, 3])

    def test_idyntree(self):
        refused("idyntree", cases.PLANAR.mechanism, cases.PLANAR.q)


class TestHelical:
    def test_drake(self):
        """Given 1 m per turn, a whole turn goes 1 m; 0.4 m per radian backwards are 0.8 π m per turn backwards."""
        drake = builder("drake")
        plant = drake.MultibodyPlant(time_step=0.0)
        body = plant.AddRigidBody("body", drake.tree.SpatialInertia.SolidSphereWithMass(1.0, 1.0))
        world = plant.world_frame()
        plant.AddJoint(drake.tree.ScrewJoint("joint", world, body.body_frame(), np.array([0.0, 0.0, 1.0]), 1.0, 0.0))
        plant.Finalize()
        context = plant.CreateDefaultContext()
        plant.SetPositions(context, [2 * np.pi])
        assert_near(plant.EvalBodyPoseInWorld(context, body).translation(), [0, 0, 1])
        cases.HELICAL.check("drake", [ANGLE], [3])

    def test_idyntree(self):
        refused("idyntree", cases.HELICAL.mechanism, [ANGLE])


class TestUniversal:
    def test_drake(self):
        """The axes are x and y of the joint's own frames."""
        cases.CROSSED.check("drake", cases.CROSSED.q, cases.CROSSED.v)
        tree = builder("drake").tree
        with pytest.raises(TypeError, match="incompatible constructor arguments"):
            tree.UniversalJoint("joint", None, None, [1.0, 0.0, 0.0], [0.6, 0.8, 0.0])
        refused("drake", cases.SKEW.mechanism, cases.SKEW.q)

    def test_idyntree(self):
        refused("idyntree", cases.CROSSED.mechanism, cases.CROSSED.q)


class TestReversed:
    def test_drake(self):
        for turned in (cases.REVERSED_HINGE, cases.REVERSED_SLIDER, cases.REVERSED_SCREW):
            turned.check("drake", [ANGLE], [3])
        refused("drake", cases.REVERSED_BALL.mechanism, QUATERNION)

    def test_idyntree(self):
        for turned in (cases.REVERSED_HINGE, cases.REVERSED_SLIDER):
            turned.check("idyntree", [ANGLE], [3])
        refused("idyntree", cases.REVERSED_BALL.mechanism, QUATERNION)


class TestInertia:
    def test_drake(self):
        tree = builder("drake").tree
        xx_yy_zz_xy_xz_yz = ABOUT_ORIGIN[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]] / MASS
        theirs = tree.SpatialInertia(MASS, CENTER, tree.UnitInertia(*xx_yy_zz_xy_xz_yz))
        about_center = theirs.Shift(CENTER).CalcRotationalInertia().CopyToFullMatrix3()
        assert_near(about_center, ABOUT_CENTER)
        assert_near(theirs.get_com(), CENTER)
        assert_near(interop.inertia_to_drake(skew_inertia()), [MASS, *CENTER, *xx_yy_zz_xy_xz_yz])

    def test_idyntree(self):
        """The same as jaxdyn's: mass, first moment, and moment about the origin in rows."""
        idyntree = builder("idyntree").idyntree
        about_center = idyntree.RotationalInertia()
        for (row, column), moment in np.ndenumerate(ABOUT_CENTER):
            about_center.setVal(row, column, moment)
        theirs = idyntree.SpatialInertia()
        theirs.fromRotationalInertiaWrtCenterOfMass(MASS, idyntree.Position(*CENTER), about_center)
        ten = [MASS, *MASS * CENTER, *ABOUT_ORIGIN[np.triu_indices(3)]]
        assert_near(theirs.asVector().toNumPy(), ten)
        assert_near(interop.inertia_to_idyntree(skew_inertia()), ten)
