"""The rows of the table "Numbers and their order"."""

import jax
import jax.numpy as jnp
import numpy as np

import jaxdyn
from conventions.cases import SPHERICAL
from conventions.programs import (
    ABOUT_CENTER,
    ABOUT_ORIGIN,
    BODY,
    CENTER,
    MASS,
    QUATERNION,
    ROTATION,
    assert_near,
    builder,
    joint_pose,
    skew_inertia,
)
from jaxdyn import Body, Mechanism, attach, interop
from jaxdyn.joints import Prismatic, QuaternionFloating, QuaternionSpherical, Revolute
from jaxdyn.spatial import Force, Motion, SpatialInertia, Transform

PLACE = np.array([1.0, 2.0, 3.0])
ONE, TWO = np.array([1.0, 2.0, 3.0]), np.array([4.0, 5.0, 6.0])


def arm() -> Mechanism:
    """A hinge along z at the world's origin; 2 kg, 1 m away along x; 6 kg m² about the axis."""
    inertia = SpatialInertia.from_center_of_mass(2.0, [1.0, 0.0, 0.0], [2.0, 0.0, 0.0, 3.0, 0.0, 4.0])
    mechanism = Mechanism.empty(gravity=[0.0, 0.0, 0.0])
    return attach(mechanism, "world", Revolute([0.0, 0.0, 1.0]), Body("arm", inertia), name="hinge")


class TestMotions:
    def test_jaxdyn(self):
        motion = Motion(jnp.asarray(ONE), jnp.asarray(TWO))
        np.testing.assert_array_equal(motion.vector, [1, 2, 3, 4, 5, 6])
        np.testing.assert_array_equal(motion.angular, ONE)
        np.testing.assert_array_equal(motion.linear, TWO)

    def test_pinocchio(self):
        pin = builder("pinocchio").pin
        motion = pin.Motion(linear=TWO, angular=ONE)
        np.testing.assert_array_equal(motion.vector, [4, 5, 6, 1, 2, 3])

    def test_mujoco(self):
        """The free joint: `TestFloatingV`. The arm's centre of mass moves along y where the body's origin rests."""
        mujoco, engine = builder("mujoco").mujoco, builder("mujoco").engine_of(arm())
        engine.data.qvel[:], engine.data.qfrc_applied[:] = 3.0, 6.0
        mujoco.mj_forward(engine.model, engine.data)
        mujoco.mj_rnePostConstraint(engine.model, engine.data)
        np.testing.assert_array_equal(engine.data.xpos[1], 0.0)
        assert_near(engine.data.cvel[1], [0, 0, 3, 0, 3, 0])
        assert_near(engine.data.cacc[1], [0, 0, 1, 0, 1, 0])


class TestForces:
    def test_jaxdyn(self):
        np.testing.assert_array_equal(Force(jnp.asarray(ONE), jnp.asarray(TWO)).vector, [1, 2, 3, 4, 5, 6])
        slider = attach(Mechanism.empty(), "world", Prismatic([0.0, 1.0, 0.0]), BODY)
        slider = attach(slider, "world", Revolute([0.0, 0.0, 1.0]), Body("wheel", BODY.spatial_inertia))
        matrix = jax.jit(jaxdyn.momentum_matrix)(slider, np.zeros(2))
        assert_near(matrix, np.transpose([[0, 0, 0, 0, 2.0, 0], [0, 0, 4.0, 0, 0, 0]]))

    def test_pinocchio(self):
        pin = builder("pinocchio").pin
        np.testing.assert_array_equal(pin.Force(TWO, ONE).vector, [4, 5, 6, 1, 2, 3])
        np.testing.assert_array_equal(pin.Force(TWO, ONE).linear, TWO)
        # 2 kg that move along x have the momentum (2, 0, 0, 0, 0, 0).
        momentum = pin.Inertia(2.0, np.zeros(3), np.eye(3)) * pin.Motion(np.eye(6)[0])
        assert_near(momentum.vector, 2 * np.eye(6)[0])

    def test_mujoco(self):
        """A force along y at the centre of mass has a lever arm of 1 m; the fourth to sixth numbers are a moment."""
        mujoco, engine = builder("mujoco").mujoco, builder("mujoco").engine_of(arm())
        for wrench, moment in (([0, 3, 0, 0, 0, 0], 3.0), ([0, 0, 0, 0, 0, 5], 5.0), ([0, 0, 7, 0, 0, 0], 0.0)):
            engine.data.xfrc_applied[1] = wrench
            mujoco.mj_forward(engine.model, engine.data)
            assert_near(engine.data.qfrc_smooth, [moment])


class TestQuaternion:
    def test_jaxdyn(self):
        joint = QuaternionSpherical()
        assert_near(joint_pose(joint, QUATERNION)[0], ROTATION)
        assert_near(joint_pose(joint, 7 * QUATERNION)[0], ROTATION)
        assert_near(joint_pose(joint, np.zeros(4))[0], np.eye(3))

    def test_pinocchio(self):
        q = QUATERNION[[1, 2, 3, 0]]
        engine = SPHERICAL.check("pinocchio", q, [1, 2, 3])
        pin = builder("pinocchio").pin
        pin.forwardKinematics(engine.model, engine.data, 2 * q)
        stretched = engine.data.oMi[1].rotation
        assert np.max(np.abs(stretched.T @ stretched - np.eye(3))) > 1.0  # no rotation

    def test_mujoco(self):
        mujoco, engine = builder("mujoco").mujoco, SPHERICAL.check("mujoco", QUATERNION, [1, 2, 3])
        engine.data.qpos[:], engine.data.qvel[:] = 7 * QUATERNION, 0.0
        mujoco.mj_step(engine.model, engine.data)
        assert_near(engine.data.xmat[1].reshape(3, 3), ROTATION)
        assert_near(engine.data.qpos, QUATERNION)


class TestTransform:
    """A point at (1, 0, 0) in the frame after is at the first column of the rotation, past the translation."""

    AT = ROTATION[:, 0] + PLACE

    def test_jaxdyn(self):
        transform = Transform(jnp.asarray(ROTATION), jnp.asarray(PLACE))
        assert_near(transform.apply_point(np.array([1.0, 0.0, 0.0])), self.AT)
        mechanism = attach(Mechanism.empty(), "world", QuaternionFloating(), BODY)
        X_WB = jax.jit(jaxdyn.body_transforms)(mechanism, np.concatenate([QUATERNION, PLACE]))[0]
        assert_near(X_WB.rotation, ROTATION)
        assert_near(X_WB.translation, PLACE)

    def test_pinocchio(self):
        pin = builder("pinocchio").pin
        assert_near(pin.SE3(ROTATION, PLACE).act(np.array([1.0, 0.0, 0.0])), self.AT)

    def test_mujoco(self):
        mujoco = builder("mujoco").mujoco
        body = '<body><freejoint/><geom size="1"/><site pos="1 0 0"/></body>'
        model = mujoco.MjModel.from_xml_string(f"<mujoco><worldbody>{body}</worldbody></mujoco>")
        data = mujoco.MjData(model)
        data.qpos[:] = *PLACE, *QUATERNION
        mujoco.mj_forward(model, data)
        assert_near(data.site_xpos[0], self.AT)
        assert_near(data.xmat[1].reshape(3, 3) @ [1.0, 0.0, 0.0] + data.xpos[1], self.AT)


class TestInertia:
    def test_jaxdyn(self):
        """Of one particle of 2 kg the moment is 2 (r² - r rᵀ)."""
        particle = SpatialInertia.from_center_of_mass(2.0, [1.0, 2.0, 3.0], np.zeros(6))
        numbers = [np.ravel(part) for part in (particle.mass, particle.first_moment, particle.moment)]
        assert_near(np.concatenate(numbers), [2, 2, 4, 6, 26, -4, -6, 20, -12, 10])
        assert_near(skew_inertia().moment, ABOUT_ORIGIN[np.triu_indices(3)])

    def test_pinocchio(self):
        theirs = builder("pinocchio").pin.Inertia(MASS, CENTER, ABOUT_CENTER)
        xx_xy_yy_xz_yz_zz = ABOUT_ORIGIN[[0, 0, 1, 0, 1, 2], [0, 1, 1, 2, 2, 2]]
        assert_near(theirs.toDynamicParameters(), [MASS, *MASS * CENTER, *xx_xy_yy_xz_yz_zz])
        assert_near(theirs.inertia, ABOUT_CENTER)
        assert_near(interop.inertia_to_pinocchio(skew_inertia()), theirs.toDynamicParameters())

    def test_mujoco(self):
        mujoco, spec = builder("mujoco").mujoco, builder("mujoco").mujoco.MjSpec()
        body = spec.worldbody.add_body(name="body")
        body.add_freejoint()
        xx_yy_zz_xy_xz_yz = ABOUT_CENTER[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
        body.mass, body.ipos, body.fullinertia, body.explicitinertial = MASS, CENTER, xx_yy_zz_xy_xz_yz, True
        model = spec.compile()
        assert_near(model.body_ipos[1], CENTER)
        assert_near(np.sort(model.body_inertia[1]), np.linalg.eigvalsh(ABOUT_CENTER))
        axes = np.zeros(9)
        mujoco.mju_quat2Mat(axes, model.body_iquat[1])
        axes = axes.reshape(3, 3)
        assert_near(axes @ np.diag(model.body_inertia[1]) @ axes.T, ABOUT_CENTER)
        assert_near(interop.inertia_to_mujoco(skew_inertia()), [MASS, *CENTER, *xx_yy_zz_xy_xz_yz])


class TestGravity:
    def test_jaxdyn(self):
        np.testing.assert_array_equal(Mechanism.empty().gravity, [0, 0, -9.81])
        mechanism = attach(Mechanism.empty(gravity=[1.0, 2.0, 3.0]), "world", QuaternionFloating(), BODY)
        assert_near(jax.jit(jaxdyn.gravity_forces)(mechanism, [1.0, *np.zeros(6)]), [0, 0, 0, -2, -4, -6])

    def test_pinocchio(self):
        np.testing.assert_array_equal(builder("pinocchio").pin.Model().gravity.linear, [0, 0, -9.81])

    def test_mujoco(self):
        np.testing.assert_array_equal(builder("mujoco").mujoco.MjSpec().option.gravity, [0, 0, -9.81])
