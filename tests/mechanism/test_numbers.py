"""New numbers by name, the choice of leaves, and batches of mechanisms: nothing of it compiles a program again."""

from collections.abc import Callable
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxdyn
from comparison import assert_close
from jaxdyn.joints import Helical, Reversed
from jaxdyn.spatial import SpatialInertia, Transform
from models import ALL_MODELS, Numbers

from .edit_laws import gripper, same_leaves

replace: Callable[..., Any] = jaxdyn.replace  # which leaves there are is known here, not to a checker of types
row_mask: Callable[..., Any] = jaxdyn.row_mask
leaf_mask: Callable[..., Any] = jaxdyn.leaf_mask

X = Numbers(61).placement()
I = Numbers(62).inertia()


def changed_leaves(mechanism, other) -> set[str]:
    """Paths of the leaves in which two mechanisms of one structure differ."""
    assert jax.tree.structure(mechanism) == jax.tree.structure(other)
    pairs = zip(jax.tree_util.tree_leaves_with_path(mechanism), jax.tree.leaves(other), strict=True)
    return {jax.tree_util.keystr(path) for (path, leaf), new in pairs if not np.array_equal(leaf, new)}


class TestReplace:
    def test_numbers_of_degrees_of_freedom(self):
        """The rows of one joint change, and nothing else."""
        mechanism = ALL_MODELS["floating_tree"]
        for name in ("damping", "armature", "stiffness"):
            changed = replace(mechanism, joint="head_joint", **{name: [5.0, 6.0, 7.0]})
            assert changed_leaves(mechanism, changed) == {f".{name}"}
            assert_close(getattr(changed, name), getattr(mechanism, name).at[6:9].set(jnp.array([5.0, 6.0, 7.0])))
        one = replace(mechanism, joint="head_joint", damping=3, rest_configuration=[1, 0, 0, 0])
        assert_close(one.damping[6:9], jnp.full(3, 3.0))
        assert_close(one.rest_configuration[7:11], jnp.array([1.0, 0.0, 0.0, 0.0]))
        limited = replace(mechanism, joint=-1, position_lower=-1.0, position_upper=2.0)
        assert changed_leaves(mechanism, limited) == {".position_lower", ".position_upper"}
        assert (limited.position_lower[-1], limited.position_upper[-1]) == (-1, 2)

    def test_numbers_of_the_class(self):
        mechanism = ALL_MODELS["rare_joints"]
        changed = replace(mechanism, joint="screw_joint", pitch=0.7, axis=[0, 0, 2])
        screw, nut = changed.joint("screw_joint"), changed.joint("nut_joint")
        assert isinstance(screw, Reversed)
        assert isinstance(screw.joint, Helical)
        assert_close((screw.joint.pitch, screw.joint.axis), (jnp.asarray(0.7), jnp.array([0.0, 0.0, 2.0])))
        assert eqx.tree_equal(nut, mechanism.joint("nut_joint"))
        assert len(changed_leaves(mechanism, changed)) == 2

    def test_placements_inertia_and_gravity(self):
        mechanism = ALL_MODELS["branching_arm"]
        changed = replace(mechanism, joint="hand_joint", placement=X, successor_placement=X)
        hand = mechanism.body_index("hand")
        assert_close(changed.placements.transform()[hand], X)
        assert_close(changed.successor_placements.transform()[hand], X)
        assert len(changed_leaves(mechanism, changed)) == 4
        changed = replace(replace(mechanism, body="hand", inertia=I), frame="tip", placement=X)
        assert_close(changed.spatial_inertias[hand], I)
        assert_close(changed.frame_placements.transform()[0], X)
        assert len(changed_leaves(mechanism, changed)) == 5
        moon = replace(mechanism, gravity=[0, 0, -1.62])
        assert changed_leaves(mechanism, moon) == {".gravity"}
        assert_close(moon.gravity, jnp.array([0.0, 0.0, -1.62]))

    def test_the_first_successor_placement(self):
        changed = replace(ALL_MODELS["two_trees"], joint="ba_joint", successor_placement=X)
        poses = changed.successor_placements.transform()
        ba = changed.body_index("ba")
        assert_close(poses[ba], X)
        assert_close(poses[ba - 1], Transform.identity())

    def test_numbers_of_a_follower(self):
        hand = gripper()
        changed = replace(hand, joint="right_joint", ratio=2.0, offset=0.5, damping=7.0, axis=[0.0, 0.0, 1.0])
        mimics = changed.mimics
        assert (mimics.ratio, mimics.offset, mimics.damping) == (2, 0.5, 7)
        assert changed.joint("right_joint").axis.tolist() == [0, 0, 1]
        assert eqx.tree_equal(changed.joint("left_joint"), hand.joint("left_joint"))
        assert_close(changed.damping, hand.damping)

    def test_new_numbers_do_not_recompile(self):
        traced = []

        @jax.jit
        def total_mass(mechanism):
            traced.append(mechanism)
            return jaxdyn.total_mass(mechanism)

        mechanism = ALL_MODELS["branching_arm"]
        heavier = replace(mechanism, body="hand", inertia=I)
        placed = jaxdyn.set_base_placement(heavier, X)
        masses = [total_mass(m) for m in (mechanism, heavier, placed, replace(placed, joint=1, damping=0.1))]
        assert len(traced) == 1
        assert masses[0] != masses[1] == masses[2] == masses[3]

    def test_traced_numbers_and_mechanisms(self):
        """Derivatives arrive at the row that was replaced, and leave the row that was there."""

        def numbers(mechanism, mass, pitch):
            inertia = SpatialInertia(mass, jnp.zeros(3), jnp.zeros(6))
            changed = replace(mechanism, body="nut", inertia=inertia)
            changed = replace(changed, joint="nut_joint", pitch=pitch, damping=pitch)
            return jnp.sum(changed.spatial_inertias.mass) + changed.joint("nut_joint").pitch + jnp.sum(changed.damping)

        mechanism = ALL_MODELS["rare_joints"]
        derivatives = jax.jit(jax.grad(numbers, argnums=(0, 1, 2)))
        of_mechanism, of_mass, of_pitch = derivatives(mechanism, 2.0, 0.3)
        assert (of_mass, of_pitch) == (1, 2)
        assert of_mechanism.spatial_inertias.mass.tolist() == [float(name != "nut") for name in mechanism.body_names]
        assert jax.jacfwd(lambda mass: numbers(mechanism, mass, 0.3))(2.0) == 1

    def test_no_placement_is_the_identity(self):
        """As in `attach` and `add_frame`."""
        placed = replace(ALL_MODELS["pendulum"], joint="hinge", placement=X, successor_placement=X)
        placed = replace(placed, joint="hinge", placement=None, successor_placement=None)
        assert_close(placed.placements.transform()[0].matrix(), jnp.eye(4))
        assert_close(placed.successor_placements.transform()[0].matrix(), jnp.eye(4))
        framed = replace(jaxdyn.add_frame(placed, "mark", "bob", X), frame="mark", placement=None)
        assert_close(framed.frame_placements.transform()[0].matrix(), jnp.eye(4))

    def test_single_precision(self):
        mechanism = ALL_MODELS["pendulum"].astype(jnp.float32)
        changed = replace(mechanism, body="bob", inertia=I)
        changed = replace(changed, joint="hinge", placement=X, damping=np.float64(0.1), axis=[0.0, 1.0, 1.0])
        assert {leaf.dtype for leaf in jax.tree.leaves(changed)} == {jnp.dtype(jnp.float32)}


def test_base_placement():
    """The whole robot moves with it, whatever its world joint is."""
    mechanism = jaxdyn.set_base_placement(ALL_MODELS["floating_tree"], X)
    assert_close(mechanism.placements.transform()[0], X)
    assert changed_leaves(ALL_MODELS["floating_tree"], mechanism) == {
        ".placements.quaternion",
        ".placements.translation",
    }
    two = jaxdyn.set_base_placement(ALL_MODELS["two_trees"], X, joint="b_joint")
    assert_close(two.placements.transform()[two.body_index("b")], X)


class TestMasks:
    def test_fields_for_partition(self):
        mechanism = ALL_MODELS["branching_arm"]
        trained, kept = eqx.partition(mechanism, leaf_mask(mechanism, fields=["spatial_inertias", "damping"]))
        assert len(jax.tree.leaves(trained)) == 4
        assert len(jax.tree.leaves(trained)) + len(jax.tree.leaves(kept)) == len(jax.tree.leaves(mechanism))
        assert same_leaves(eqx.combine(trained, kept), mechanism)
        gradient = jax.grad(lambda trained: jnp.sum(eqx.combine(trained, kept).damping ** 2))(trained)
        assert_close(gradient.damping, 2 * mechanism.damping)

    @pytest.mark.parametrize(("fields", "count"), [(None, 17), ("mass", 1), ("axis", 2), ("placements", 2)])
    def test_names_at_any_depth(self, fields, count):
        mask = jax.tree.leaves(leaf_mask(ALL_MODELS["branching_arm"], fields=fields))
        assert {type(chosen) for chosen in mask} == {bool}
        assert sum(mask) == (len(mask) if fields is None else count)

    def test_rows_of_bodies_and_joints(self):
        mechanism = ALL_MODELS["floating_tree"]
        rows = row_mask(mechanism, bodies=["head", "hat"])
        assert rows.spatial_inertias.mass.tolist() == [False, False, True, True, False, False]
        assert rows.spatial_inertias.moment[2].all()
        assert rows.frame_placements.translation.all()  # the eye is on the hat
        assert not rows.damping.any() | rows.placements.translation.any() | rows.gravity.any()
        for indices in (mechanism.subtree("head"), [2, "hat"]):
            assert eqx.tree_equal(row_mask(mechanism, bodies=indices), rows)
        assert row_mask(mechanism, bodies=mechanism.subtree("world")[0]).spatial_inertias.mass.sum() == 1
        rows = row_mask(mechanism, joints="head_joint", fields=["damping", "rest_configuration", "placements"])
        assert np.flatnonzero(rows.damping).tolist() == [6, 7, 8]
        assert np.flatnonzero(rows.rest_configuration).tolist() == [7, 8, 9, 10]
        assert np.flatnonzero(rows.placements.quaternion.all(axis=1)).tolist() == [2]
        assert not rows.stiffness.any() | rows.spatial_inertias.mass.any()
        mask = leaf_mask(mechanism, bodies="head", fields="spatial_inertias")
        assert (mask.spatial_inertias.mass, mask.spatial_inertias.moment, mask.damping, mask.gravity) == (
            True,
            True,
            False,
            False,
        )

    def test_joints_of_a_group_and_followers(self):
        mechanism = ALL_MODELS["rare_joints"]
        rows = row_mask(mechanism, joints=["screw_joint"], fields="axis")
        reversed_groups: list[Any] = [group for group in rows.joint_groups if isinstance(group, Reversed)]
        assert [group.joint.axis.all() for group in reversed_groups] == [True]
        assert sum(bool(np.any(leaf)) for leaf in jax.tree.leaves(rows)) == 1
        rows = row_mask(gripper(), joints="right_joint")
        assert rows.mimics.ratio.tolist() == [True]
        assert not rows.damping.any()


class TestBatches:
    def test_stacked(self):
        light = ALL_MODELS["branching_arm"]
        heavy = replace(light, body="hand", inertia=I)
        masses = jax.vmap(jaxdyn.total_mass)(jaxdyn.stack_mechanisms([light, heavy]))
        assert_close(masses, jnp.stack([jaxdyn.total_mass(light), jaxdyn.total_mass(heavy)]))

    def test_shared_leaves(self):
        def where(mechanism):
            return mechanism.spatial_inertias.mass, mechanism.gravity

        mechanism = ALL_MODELS["branching_arm"]
        factors = jnp.array([1.0, 2.0, 3.0])
        numbers = [jnp.outer(factors, leaf) for leaf in where(mechanism)]
        axes = jaxdyn.batch_axes(mechanism, where)
        batch = eqx.tree_at(where, mechanism, numbers)
        assert len(jax.tree.leaves(axes)) == 2
        weight = jax.vmap(lambda m: jaxdyn.total_mass(m) * m.gravity, in_axes=(axes,))(batch)
        assert_close(weight, jnp.outer(factors**2, jaxdyn.total_mass(mechanism) * mechanism.gravity))
        only = jaxdyn.batch_axes(ALL_MODELS["two_trees"], lambda m: m.spatial_inertias)
        assert len(jax.tree.leaves(only)) == 3
