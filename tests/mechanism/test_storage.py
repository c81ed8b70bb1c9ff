"""A saved mechanism comes back to the last bit, from one file."""

import jax.numpy as jnp
import numpy as np
import pytest

import jaxdyn
from jaxdyn import Mechanism
from models import ALL_MODELS
from user_joints import Cam, Cardan

from .edit_laws import gripper, same_leaves

OWN = {"Cam": Cam, "Cardan": Cardan}


@pytest.mark.parametrize("name", ALL_MODELS)
def test_round_trip(name, tmp_path):
    mechanism, file = ALL_MODELS[name], tmp_path / "robot.npz"
    jaxdyn.save(file, mechanism)
    loaded = jaxdyn.load(file, joint_classes=OWN)
    assert same_leaves(loaded, mechanism)
    assert loaded.topology == mechanism.topology
    assert hash(loaded.topology) == hash(mechanism.topology)
    assert repr(loaded) == repr(mechanism)


def test_empty_single_precision_followers_and_batches(tmp_path):
    single = ALL_MODELS["floating_tree"].astype(jnp.float32)
    odd = jaxdyn.replace(ALL_MODELS["pendulum"], joint="hinge", damping=np.nextafter(0.1, 1))
    batch = jaxdyn.stack_mechanisms([ALL_MODELS["pendulum"], odd])
    for mechanism in (Mechanism.empty(), single, odd, gripper(), batch):
        jaxdyn.save(str(tmp_path / "robot"), mechanism)  # the name is taken as it is
        assert same_leaves(jaxdyn.load(str(tmp_path / "robot")), mechanism)


def test_names_in_any_language(tmp_path):
    mechanism = jaxdyn.add_frame(ALL_MODELS["pendulum"], 'le "bout" 先端', "bob")
    jaxdyn.save(tmp_path / "robot.npz", mechanism)
    assert jaxdyn.load(tmp_path / "robot.npz").frame_names == mechanism.frame_names


def test_the_file_holds_no_pickle(tmp_path):
    jaxdyn.save(tmp_path / "robot.npz", ALL_MODELS["user_joints"])
    with np.load(tmp_path / "robot.npz", allow_pickle=False) as archive:
        assert all(archive[name].dtype != object for name in archive.files)
