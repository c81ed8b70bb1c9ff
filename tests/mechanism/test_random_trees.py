"""Random mechanisms: of the asked joints, sound, and the same for the same key."""

import jax
import jax.numpy as jnp
import pytest

import jaxdyn
from jaxdyn.joints import AbstractJoint, Fixed, Prismatic, QuaternionFloating, Revolute, Universal
from models import ALL_JOINTS
from user_joints import Cam

from .edit_laws import same_leaves

TYPES = sorted({type(joint) for joint in ALL_JOINTS.values()} - {Cam}, key=lambda cls: cls.__name__)


@pytest.mark.parametrize("make", [jaxdyn.random_chain, jaxdyn.random_tree, jaxdyn.random_floating_tree])
def test_same_key_same_mechanism(make):
    first, second, other = (make(jax.random.key(seed), [Revolute, Prismatic, Universal]) for seed in (1, 1, 2))
    assert same_leaves(first, second)
    assert not same_leaves(first, other)


def test_all_joint_types():
    tree = jaxdyn.random_floating_tree(jax.random.key(3), [*TYPES, Cam(0.4)])
    classes = [type(tree.joint(f"joint_{position}")) for position in range(tree.num_bodies)]
    assert classes == [QuaternionFloating, *TYPES, Cam]
    cam = tree.joint(f"joint_{tree.num_bodies - 1}")
    assert isinstance(cam, Cam) and cam.radius == 0.4
    assert bool(jnp.all(tree.spatial_inertias.is_physically_consistent()))
    assert all(bool(jnp.all(jnp.isfinite(leaf))) for leaf in (tree.spatial_inertias.mass, tree.placements.quaternion))
    assert all(issubclass(cls, AbstractJoint) for cls in classes)


def test_shapes_of_the_trees():
    types = [Revolute] * 12
    chain, tree, floating = (
        make(jax.random.key(4), types)
        for make in (jaxdyn.random_chain, jaxdyn.random_tree, jaxdyn.random_floating_tree)
    )
    assert chain.topology.parents == tuple(range(-1, 11))
    assert tree.topology.parents.count(-1) == floating.topology.parents.count(-1) == 1
    assert len(set(tree.topology.parents)) > 3
    assert max(tree.topology.body_forest.depths) < 11
    assert (tree.num_velocities, floating.num_velocities) == (12, 18)
    assert jaxdyn.random_chain(jax.random.key(0), []).num_bodies == 0
    assert jaxdyn.random_tree(jax.random.key(0), [Fixed]).num_velocities == 0
