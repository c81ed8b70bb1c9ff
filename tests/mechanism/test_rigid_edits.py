"""Bodies that become one rigid body: merged at fixed joints, at locked ones, and by loads."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxdyn
from comparison import assert_close
from jaxdyn import Body, attach
from jaxdyn.joints import Fixed
from jaxdyn.spatial import SpatialInertia
from models import ALL_MODELS, Numbers

from .edit_laws import OPERATIONS, assert_shared_close, carried_over, entries, motion, same_leaves, state, statics

pytestmark = pytest.mark.long

LOADS = (Numbers(31).inertia(0.5), Numbers(32).inertia(2.0))
X = Numbers(33).placement()


def test_merging_fixed_joints_changes_no_equation():
    whole = ALL_MODELS["branching_arm"]
    merged = jaxdyn.merge_fixed_joints(whole)
    arguments = state(whole)
    moving = whole.topology.moving_bodies
    assert merged.body_names == tuple(whole.body_names[body] for body in moving)
    assert merged.joint_names == tuple(whole.joint_names[body] for body in moving)
    (poses_merged, M_merged), (poses, M) = statics(merged, arguments[0]), statics(whole, arguments[0])
    assert poses_merged.keys() == poses.keys()
    assert_shared_close(poses_merged, poses)
    assert_close(M_merged, M, OPERATIONS)
    (v_dot_merged, accelerations_merged), (v_dot, accelerations) = motion(merged, arguments), motion(whole, arguments)
    assert_shared_close(accelerations_merged, accelerations)
    assert_close(v_dot_merged, v_dot, OPERATIONS)


def test_bodies_fixed_to_the_world_become_its_frames():
    whole = ALL_MODELS["fixed_body"]
    merged = jaxdyn.merge_fixed_joints(whole)
    assert (merged.num_bodies, merged.frame_names) == (0, ("tool", "a", "b"))
    assert_shared_close(statics(merged, jnp.zeros(0))[0], statics(whole, jnp.zeros(0))[0])
    assert jaxdyn.merge_fixed_joints(ALL_MODELS["branching_arm"]).frame_index("mount")[0] == -1


def test_merging_where_no_joint_is_fixed():
    assert same_leaves(jaxdyn.merge_fixed_joints(ALL_MODELS["rare_joints"]), ALL_MODELS["rare_joints"])


def test_merging_can_be_differentiated():
    """The masses of merged bodies count on their carrier, those of a body on the world nowhere."""
    whole = jaxdyn.add_load(ALL_MODELS["pendulum"], "bob", LOADS[0])
    whole = attach(whole, "world", Fixed(), Body("rock", LOADS[1]))

    def mass(mechanism):
        return jnp.sum(jaxdyn.merge_fixed_joints(mechanism).spatial_inertias.mass)

    gradient = jax.jit(jax.grad(mass))(whole)
    assert gradient.spatial_inertias.mass.tolist() == [1, 1, 0]


def test_locked_joints_leave_the_rows_of_the_others():
    whole = ALL_MODELS["branching_arm"]
    locked_joints = ["link_joint", "left_finger_joint"]
    q, v, tau = state(whole)
    for joint in locked_joints:
        v = v.at[whole.v_index(joint)].set(0)
    locked = jaxdyn.lock_joints(whole, locked_joints, at=q)
    assert (locked.body_names, locked.joint_names) == (whole.body_names, whole.joint_names)
    assert isinstance(locked.joint("link_joint"), Fixed)
    _, rows = entries(whole, locked)
    q_locked, v_locked, _ = carried_over(whole, locked, (q, v, tau))
    (poses_locked, M_locked), (poses, M) = statics(locked, q_locked), statics(whole, q)
    assert_shared_close(poses_locked, poses)
    assert_close(M_locked, M[np.ix_(rows, rows)], OPERATIONS)
    bias = jax.jit(jaxdyn.dynamics_bias)
    assert_close(bias(locked, q_locked, v_locked), bias(whole, q, v)[rows], OPERATIONS)
    for number in ("damping", "armature", "stiffness", "position_lower"):
        assert np.array_equal(getattr(locked, number), getattr(whole, number)[rows])


def test_one_joint_by_its_index():
    whole = ALL_MODELS["pendulum"]
    locked = jaxdyn.lock_joints(whole, "hinge", at=[0.4])
    for index in ([-1], *whole.subtree("bob")):
        assert same_leaves(jaxdyn.lock_joints(whole, index, at=[0.4]), locked)


def test_loads_are_sums_of_inertias():
    arm = ALL_MODELS["branching_arm"]
    first, second = LOADS
    loaded = jaxdyn.add_load(arm, "hand", first, placement=X)
    both = jaxdyn.add_load(loaded, "hand", second)
    of_hand = arm.spatial_inertias[arm.body_index("hand")]
    heavy = jaxdyn.replace(arm, body="hand", inertia=of_hand + X.apply_inertia(first) + second)
    q, _, _ = state(arm)
    assert loaded.topology == both.topology
    assert both.body_names.count("hand_load") == 1
    (poses_both, M_both), (poses, M) = statics(both, q), statics(heavy, q)
    assert_shared_close(poses_both, poses)
    assert_close(M_both, M, OPERATIONS)


def test_loads_replaced_and_cleared():
    arm = ALL_MODELS["branching_arm"]
    first, second = LOADS
    only = jaxdyn.add_load(arm, "hand", second, placement=X)
    assert same_leaves(jaxdyn.replace_load(arm, "hand", second, placement=X), only)
    both = jaxdyn.add_load(jaxdyn.add_load(arm, "hand", first), "turret", first)
    replaced = jaxdyn.replace_load(both, "hand", second, placement=X)
    assert replaced.topology == both.topology
    assert same_leaves(jaxdyn.clear_load(replaced, "turret"), only)
    assert same_leaves(jaxdyn.clear_load(only, "hand"), arm)


def test_a_load_can_be_identified():
    """In single precision, with a pose in double precision."""
    arm = ALL_MODELS["branching_arm"].astype(jnp.float32)

    def loaded_mass(mass):
        load = SpatialInertia.point_mass(mass, jnp.array([0.0, 0.1, 0.2], dtype=jnp.float32))
        return jnp.sum(jaxdyn.add_load(arm, "hand", load, placement=X).spatial_inertias.mass)

    gradient = jax.jit(jax.grad(loaded_mass))(jnp.float32(2.0))
    assert (gradient, gradient.dtype) == (1, jnp.float32)
