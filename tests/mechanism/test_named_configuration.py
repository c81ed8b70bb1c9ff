"""Configurations by the names of joints."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxdyn
from comparison import assert_close
from jaxdyn import Body, Mechanism, attach
from jaxdyn.joints import Planar, QuaternionFloating, QuaternionSpherical, Reversed, SPQuatFloating
from jaxdyn.spatial import Transform
from models import ALL_JOINTS, ALL_MODELS, Numbers

from .edit_laws import gripper

X = Numbers(71).placement()
TURNED = Transform(X.rotation, np.zeros(3))


def on_the_world(joint) -> Mechanism:
    """One body on a joint named `joint`."""
    return attach(Mechanism.empty(), "world", joint, Body("body"), name="joint")


def test_there_and_back():
    mechanism = ALL_MODELS["floating_tree"]
    q = jnp.asarray(Numbers(72).take(mechanism.num_positions))
    values = jaxdyn.configuration_to_dict(mechanism, q)
    assert list(values) == ["floater_joint", "head_joint", "thigh_joint", "shank_joint"]
    assert (values["head_joint"].shape, values["shank_joint"].shape) == ((4,), ())
    assert_close(jaxdyn.configuration_from(mechanism, values), q)


def test_joints_that_are_not_named():
    mechanism = ALL_MODELS["floating_tree"]
    q = jaxdyn.configuration_from(mechanism, {"thigh_joint": 0.3, "shank_joint": [1]})
    assert_close(q, jnp.array([1.0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0.3, 1]))
    assert_close(jaxdyn.configuration_from(mechanism, {"shank_joint": -2}, default=q), q.at[-1].set(-2))
    assert_close(jaxdyn.configuration_from(mechanism, {}), jaxdyn.zero_configuration(mechanism))
    assert jaxdyn.configuration_from(ALL_MODELS["fixed_body"], {"a_joint": []}).shape == (0,)


@pytest.mark.parametrize("joint", [QuaternionFloating(), SPQuatFloating(), Reversed(QuaternionFloating())])
def test_a_pose_of_a_floating_joint(joint):
    mechanism = on_the_world(joint)
    q = jaxdyn.configuration_from(mechanism, {"joint": X})
    assert_close(mechanism.joint("joint").joint_transform(q), X)
    assert_close(jaxdyn.normalize_configuration(mechanism, q), q)


@pytest.mark.parametrize("joint", [QuaternionSpherical(), Reversed(QuaternionSpherical())])
def test_a_turn_of_a_ball_joint(joint):
    q = jaxdyn.configuration_from(on_the_world(joint), {"joint": TURNED})
    assert_close(joint.joint_transform(q), TURNED)


@pytest.mark.parametrize("name", ["revolute", "prismatic", "helical", "planar", "sin_cos_revolute", "translation"])
def test_a_pose_that_another_joint_can_take(name):
    joint = ALL_JOINTS[name]
    q = 0.7 * jnp.asarray(Numbers(73).take(joint.num_positions))
    pose = joint.joint_transform(q)
    found = jaxdyn.configuration_from(on_the_world(joint), {"joint": pose})
    assert_close(joint.joint_transform(found), pose)


def test_followers_are_left_to_their_leaders():
    values = jaxdyn.configuration_to_dict(gripper(), jnp.array([0.1, 0.2]))
    assert {name: float(value) for name, value in values.items()} == {"palm_joint": 0.1, "left_joint": 0.2}


def test_derivatives_and_single_precision():
    """A floating body's position is part of its configuration, its orientation's derivative finite at the identity."""
    mechanism = on_the_world(QuaternionFloating())

    @jax.jit
    def q_of(rpy, position):
        return jaxdyn.configuration_from(mechanism, {"joint": Transform.from_rpy(rpy, position)})

    jacobians = jax.jit(jax.jacrev(q_of, argnums=(0, 1)))(jnp.zeros(3), jnp.ones(3))
    assert_close(jacobians[1], jnp.eye(7)[:, 4:])
    assert_close(jacobians[0], 0.5 * jnp.eye(7)[:, 1:4])
    single = mechanism.astype(jnp.float32)
    assert jaxdyn.configuration_from(single, {"joint": X}).dtype == jnp.float32
    assert jaxdyn.configuration_from(on_the_world(Planar([1.0, 0, 0], [0, 1.0, 0])), {"joint": [1, 2, 3]}).shape == (3,)
