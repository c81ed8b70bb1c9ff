"""Bodies and joints taken out, exchanged, put in: what is left stays in place, and the equations of motion agree."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxdyn
from comparison import assert_close
from jaxdyn.joints import Fixed, QuaternionSpherical, Revolute, SinCosRevolute
from jaxdyn.spatial import SpatialInertia, Transform
from models import ALL_MODELS

from .edit_laws import OPERATIONS, assert_shared_close, carried_over, entries, gripper, same_leaves, state, statics

pytestmark = pytest.mark.long

X = Transform.from_rpy([0.3, -0.2, 0.5], [0.1, 0.2, 0.3])


class TestTakingApart:
    def test_and_putting_together(self):
        """A part has its block of the mass matrix; put back, everything is as it was."""
        whole = ALL_MODELS["rare_joints"]
        arguments = state(whole)
        poses, M = statics(whole, arguments[0])
        part, rest = jaxdyn.submechanism(whole, "table"), jaxdyn.remove_subtree(whole, "table")
        assert part.body_names == ("table", "shaft", "nut")
        assert rest.body_names == ("base", "screw", "stage", "wheel", "knob")

        _, v = entries(whole, part)
        _, M_part = statics(part, carried_over(whole, part, arguments)[0])
        assert_close(M_part, M[np.ix_(v, v)], OPERATIONS)

        again = jaxdyn.attach_mechanism(rest, "base", part)
        assert again.body_names[-1] == "nut"
        _, v = entries(whole, again)
        poses_again, M_again = statics(again, carried_over(whole, again, arguments)[0])
        assert poses_again.keys() == poses.keys()
        assert_shared_close(poses_again, poses)
        assert_close(M_again, M[np.ix_(v, v)], OPERATIONS)

    def test_numbers_are_kept_to_the_last_bit(self):
        """All of `branching_arm` comes back, when its last branch is taken off and put on again."""
        whole = ALL_MODELS["branching_arm"]
        part, rest = (edit(whole, "counterweight") for edit in (jaxdyn.submechanism, jaxdyn.remove_subtree))
        assert (part.frame_names, rest.frame_names) == ((), ("tip", "station"))
        again = jaxdyn.attach_mechanism(rest, "turret", part)
        assert same_leaves(again, whole)
        assert_close((part.stiffness, part.position_lower), (jnp.array([7.0]), jnp.array([-0.4])))

    def test_frames_go_with_their_bodies(self):
        whole = ALL_MODELS["branching_arm"]
        assert jaxdyn.submechanism(whole, "adapter").frame_names == ("tip",)
        assert jaxdyn.remove_subtree(whole, "adapter").frame_names == ("station",)

    def test_everything_and_nothing(self):
        whole = ALL_MODELS["free_body"]
        assert same_leaves(jaxdyn.submechanism(whole, 0), whole)
        nothing = jaxdyn.remove_subtree(whole, 0)
        assert (nothing.num_bodies, nothing.num_positions, nothing.frame_names) == (0, 0, ())
        assert same_leaves(jaxdyn.attach_mechanism(nothing, "world", whole), whole)


class TestAttachMechanism:
    def test_mass_matrix_is_block_diagonal_on_the_world(self):
        free, pendulum = ALL_MODELS["free_body"], ALL_MODELS["pendulum"]
        both = jaxdyn.attach_mechanism(free, "world", pendulum, placement=X)
        q, _, _ = state(both)
        (_, M), (poses, M_pendulum), (_, M_free) = statics(both, q), statics(pendulum, q[7:]), statics(free, q[:7])
        assert_close(M, jax.scipy.linalg.block_diag(M_free, M_pendulum))
        assert_shared_close({"bob": X @ poses["bob"]}, statics(both, q)[0])
        other_gravity = jaxdyn.replace(pendulum, gravity=[0, 0, -1.62])
        assert same_leaves(jaxdyn.attach_mechanism(free, "world", other_gravity, placement=X), both)

    def test_order_does_not_matter(self):
        """Two of the same, told apart by a prefix, on two bodies of a third one."""
        sites = {"first/": "aa", "second/": "b"}
        made = []
        for prefixes in (list(sites), list(sites)[::-1]):
            mechanism = ALL_MODELS["two_trees"]
            for prefix in prefixes:
                mechanism = jaxdyn.attach_mechanism(
                    mechanism, sites[prefix], ALL_MODELS["pendulum"], placement=X, prefix=prefix
                )
            made.append(mechanism)
        assert same_leaves(*made)
        assert made[0].joint_names.count("first/hinge") == made[0].body_names.count("second/bob") == 1
        assert made[0].body_names[made[0].topology.parents[made[0].body_index("second/bob")]] == "b"

    def test_frames_of_its_world_come_along(self):
        other = jaxdyn.add_frame(ALL_MODELS["pendulum"], "mark", "world", X)
        both = jaxdyn.attach_mechanism(ALL_MODELS["fixed_body"], "b", other, placement=X)
        assert both.frame_index("mark") == (both.body_index("b"), 1)
        assert_close(both.frame_placements.transform()[1], X @ X)

    def test_single_precision(self):
        """A pose in double precision is converted, as by `attach`."""
        pendulum = ALL_MODELS["pendulum"].astype(jnp.float32)
        both = jaxdyn.attach_mechanism(pendulum, "bob", pendulum, placement=X, prefix="second/")
        assert {leaf.dtype for leaf in jax.tree.leaves(both)} == {jnp.dtype(jnp.float32)}


class TestJoints:
    def test_a_removed_joint_lets_the_rest_float(self):
        whole = ALL_MODELS["rare_joints"]
        cut = jaxdyn.remove_joint(whole, "shaft_joint")
        poses, _ = statics(whole, state(whole)[0])
        values = jaxdyn.configuration_to_dict(whole, state(whole)[0])
        q = jaxdyn.configuration_from(cut, values | {"shaft_joint": poses["shaft"]})
        assert (cut.num_bodies, cut.num_velocities) == (whole.num_bodies, whole.num_velocities + 4)
        poses_cut, M = statics(cut, q)
        assert poses_cut.keys() == poses.keys()
        assert_shared_close(poses_cut, poses)
        floats = np.concatenate([cut.v_index(joint) for joint in ("shaft_joint", "nut_joint")])
        assert not M[np.ix_(floats, np.setdiff1d(np.arange(cut.num_velocities), floats))].any()

    def test_a_replaced_joint_keeps_its_frames(self):
        whole = jaxdyn.replace(ALL_MODELS["pendulum"], joint="hinge", placement=X, successor_placement=X)
        hinge = whole.joint("hinge")
        assert isinstance(hinge, Revolute)
        other = jaxdyn.replace_joint(whole, "hinge", SinCosRevolute(hinge.axis))
        (poses_other, M_other), (poses, M) = (
            statics(other, jnp.sin(jnp.array([0.3, 0.3 + np.pi / 2]))),
            statics(whole, jnp.array([0.3])),
        )
        assert other.joint_names == whole.joint_names
        assert_shared_close(poses_other, poses)
        assert_close(M_other, M, OPERATIONS)
        assert same_leaves(jaxdyn.replace_joint(other, "hinge", hinge), whole)

    def test_numbers_of_the_old_joint_go_with_it(self):
        fixed = jaxdyn.replace_joint(ALL_MODELS["floating_tree"], "head_joint", Fixed())
        assert (fixed.num_velocities, fixed.damping.shape) == (8, (8,))
        free = jaxdyn.replace_joint(ALL_MODELS["floating_tree"], "shank_joint", QuaternionSpherical())
        assert not free.stiffness[free.v_index("shank_joint")].any()
        assert free.rest_configuration[free.q_index("shank_joint")].tolist() == [1, 0, 0, 0]


class TestMimics:
    """A joint that follows another one does so after every edit, with its ratio and offset."""

    def check(self, mechanism, follower="right_joint", leader="left_joint"):
        body = mechanism.joint_index(follower)
        assert mechanism.topology.mimics == ((body, mechanism.joint_index(leader)),)
        assert_close((mechanism.mimics.ratio, mechanism.mimics.offset), (jnp.array([-0.7]), jnp.array([0.2])))

    def test_renumbered(self):
        hand = gripper()
        self.check(hand)
        self.check(jaxdyn.submechanism(hand, "palm"))
        self.check(jaxdyn.merge_fixed_joints(hand))
        self.check(jaxdyn.add_load(hand, "palm", SpatialInertia.point_mass(1.0, [0.0, 0.0, 0.1])))
        self.check(jaxdyn.replace_joint(hand, "right_joint", Revolute([1.0, 0.0, 0.0])))
        on_arm = jaxdyn.attach_mechanism(ALL_MODELS["branching_arm"], "hand", hand, prefix="x/")
        names = "x/right_joint", "x/left_joint"
        self.check(on_arm, *names)
        self.check(jaxdyn.submechanism(on_arm, "hand"), *names)
        self.check(jaxdyn.remove_subtree(on_arm, "left_finger"), *names)
        self.check(jaxdyn.remove_joint(on_arm, "turret_joint"), *names)

    def test_removed_and_locked_together(self):
        hand = gripper()
        q = jnp.array([0.3, 0.4])
        locked = jaxdyn.lock_joints(hand, ["left_joint", "right_joint"], at=q)
        assert (locked.num_velocities, locked.mimics) == (1, None)
        assert_shared_close(statics(locked, q[:1])[0], statics(hand, q)[0])
        assert jaxdyn.remove_subtree(hand, "rail").mimics is None
