"""Joints that close loops: the tree stays as it is, and no edit moves the two frames of a loop joint."""

from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxdyn
from comparison import assert_close
from jaxdyn import Mechanism, attach
from jaxdyn.joints import Fixed, Helical, Reversed, Revolute, Universal
from jaxdyn.spatial import Transform
from models import ALL_MODELS, Numbers

from .edit_laws import OPERATIONS, calm_floating_tree, carried_over, gripper, same_leaves, state, statics

LOOPS = {
    "hinge": (Revolute([0.1, 0.2, 1.0]), "hand", "mount"),
    "weld": (Fixed(), "left_finger", "right_finger"),
    "anchor": (Universal([1.0, 0.0, 0.2], [0.0, 1.0, 0.1]), "world", "hand"),
    "nut": (Reversed(Helical([0.1, 1.0, 0.2], 0.3)), "left_finger", "world"),
    "pin": (Revolute([1.0, 0.2, 0.3]), "right_finger", "mount"),
}


def with_loops(mechanism: Mechanism, loops=LOOPS) -> Mechanism:
    numbers = Numbers(61)
    for name, (joint, predecessor, successor) in loops.items():
        placements = {"placement": numbers.placement(), "successor_placement": numbers.placement()}
        mechanism = attach(mechanism, predecessor, joint, successor, name=name, **placements)
    return mechanism


def joint_of(mechanism: Mechanism, name: str) -> Any:
    return mechanism.joint(name)


def loops_of(mechanism: Mechanism) -> Any:
    assert mechanism.loops is not None
    return mechanism.loops


@jax.jit
def gaps(mechanism: Mechanism, q: jax.Array) -> dict:
    """Pose of the frame after each loop joint in the frame before it."""
    poses = jaxdyn.body_transforms(mechanism, q)

    def pose(body: int) -> Transform:
        return jax.tree.map(lambda x: x[body], poses) if body >= 0 else Transform.identity()

    found = {}
    for row, (predecessor, successor) in enumerate(mechanism.topology.loop_bodies):
        before = pose(predecessor) @ loops_of(mechanism).placements.row(row).transform()
        after = pose(successor) @ loops_of(mechanism).successor_placements.row(row).transform()
        found[mechanism.loop_joint_names[row]] = before.inverse() @ after
    return found


@pytest.fixture(scope="module")
def closed() -> Mechanism:
    return with_loops(ALL_MODELS["branching_arm"])


def assert_gaps_close(actual: dict, expected: dict) -> None:
    assert actual.keys() == expected.keys() and actual
    for name, gap in actual.items():
        assert_close(gap, expected[name], OPERATIONS)


class TestTheTreeStays:
    def test_tree_and_numbers(self, closed):
        tree = ALL_MODELS["branching_arm"]
        assert closed.loop_joint_names == tuple(LOOPS)
        assert closed.joint_names == tree.joint_names and closed.num_positions == tree.num_positions
        for leaf, other in zip(
            jax.tree.leaves(tree), jax.tree.leaves(eqx.tree_at(lambda m: m.loops, closed, None)), strict=True
        ):
            assert np.array_equal(leaf, other)

    def test_joints_as_they_were_given(self, closed):
        for name, (joint, *ends) in LOOPS.items():
            assert jax.tree.all(jax.tree.map(np.array_equal, closed.joint(name), joint))
            bodies = closed.topology.loop_bodies[closed.loop_joint_names.index(name)]
            assert [closed.body_names[body] if body >= 0 else "world" for body in bodies] == ends
        numbers = Numbers(61)
        for row in range(len(LOOPS)):
            for placements in (loops_of(closed).placements, loops_of(closed).successor_placements):
                assert_close(placements.row(row).transform(), numbers.placement(), OPERATIONS)

    def test_text(self, closed):
        assert "  loop anchor: Universal from world to hand" in repr(closed).splitlines()

    def test_default_name_and_placements(self):
        tree = ALL_MODELS["branching_arm"]
        by_name = attach(tree, "mount", Fixed(), "hand")
        assert by_name.loop_joint_names == ("hand_loop",)
        assert same_leaves(attach(tree, "mount", Fixed(), tree.body_index("hand")), by_name)
        assert attach(tree, "mount", Fixed(), "world").loop_joint_names == ("world_loop",)
        assert_close(
            gaps(by_name, state(tree)[0])["hand_loop"],
            jaxdyn.relative_transform(tree, state(tree)[0], "hand", relative_to="mount"),
            OPERATIONS,
        )

    def test_what_holds_for_the_tree(self, closed):
        """Kinematics, mass matrix and bias are those of the tree, which constrained dynamics starts from."""
        q, v, _ = state(closed)
        tree = ALL_MODELS["branching_arm"]
        for quantities in (
            lambda m: jaxdyn.mass_matrix(m, q),
            lambda m: jaxdyn.dynamics_bias(m, q, v),
            lambda m: jaxdyn.momentum(m, q, v).vector,
        ):
            assert np.array_equal(jax.jit(quantities)(closed), jax.jit(quantities)(tree))

    def test_no_loop_supports_a_body(self, closed):
        assert [closed.supports("turret_joint", body) for body in ("mount", "hand")] == [False, True]
        assert closed.ancestors("hand").tolist() == ALL_MODELS["branching_arm"].ancestors("hand").tolist()


class TestEditsMoveNoFrame:
    def test_opened_again(self, closed):
        opened = closed
        for name in LOOPS:
            opened = jaxdyn.remove_joint(opened, name)
        assert same_leaves(opened, ALL_MODELS["branching_arm"])
        assert opened.topology == ALL_MODELS["branching_arm"].topology

    def test_the_tree_cut(self, closed):
        """What floats after a cut is still held by its loops."""
        q, *_ = state(closed)
        cut = jaxdyn.remove_joint(closed, "forearm_joint")
        pose = jaxdyn.relative_transform(closed, q, "forearm")
        known = {
            name: q[closed.q_index(name)]
            for name in cut.joint_names
            if name != "forearm_joint" and closed.joint(name).num_positions
        }
        q_cut = jaxdyn.configuration_from(cut, known | {"forearm_joint": pose})
        assert_gaps_close(gaps(cut, q_cut), gaps(closed, q))

    def test_merged_and_locked(self, closed):
        q, *_ = state(closed)
        assert_gaps_close(gaps(jaxdyn.merge_fixed_joints(closed), q), gaps(closed, q))
        locked = jaxdyn.merge_fixed_joints(jaxdyn.lock_joints(closed, ["left_finger_joint", "turret_joint"], at=q))
        assert_gaps_close(gaps(locked, carried_over(closed, locked, state(closed))[0]), gaps(closed, q))

    def test_another_root(self):
        whole = with_loops(
            calm_floating_tree(), {"a": (Fixed(), "shank", "world"), "b": (Revolute([0, 0, 1.0]), "floater", "shank")}
        )
        rerooted, moved = jaxdyn.reroot(whole, "shank")
        q, v, _ = state(whole)
        assert_gaps_close(gaps(rerooted, moved(q, v)[0]), gaps(whole, q))

    def test_parts_of_a_mechanism(self):
        q, *_ = state(ALL_MODELS["branching_arm"])
        whole = with_loops(ALL_MODELS["branching_arm"], {"weld": LOOPS["weld"]})
        part = jaxdyn.submechanism(whole, "hand")
        assert part.loop_joint_names == ("weld",)
        # Bodies before the loop's: its numbers of bodies change.
        both = jaxdyn.attach_mechanism(gripper(), "rail", part, placement=Numbers(62).placement(), prefix="second_")
        assert both.loop_joint_names == ("second_weld",)
        q_part = carried_over(whole, part, state(whole))[0]
        known = {
            f"second_{name}": q_part[part.q_index(name)] for name in part.joint_names if part.joint(name).num_positions
        }
        q_both = jaxdyn.configuration_from(both, known)
        assert_close(gaps(both, q_both)["second_weld"], gaps(whole, q)["weld"], OPERATIONS)
        left = jaxdyn.remove_subtree(both, "second_hand")
        assert left.loop_joint_names == () and left.loops is None

    @pytest.mark.parametrize("predecessor", ["world", "rail"])
    def test_a_world_with_loops(self, closed, predecessor):
        """The ends on the attached mechanism's world move with that world."""
        X = Numbers(63).placement()
        both = jaxdyn.attach_mechanism(gripper(), predecessor, closed, placement=X)
        q_both, *_ = state(both)
        q = carried_over(both, closed, (q_both, jnp.zeros(both.num_velocities), jnp.zeros(both.num_velocities)))[0]
        assert_gaps_close(gaps(both, q_both), gaps(closed, q))

    def test_file_and_dtype(self, closed, tmp_path):
        jaxdyn.save(tmp_path / "loops.npz", closed)
        again = jaxdyn.load(tmp_path / "loops.npz")
        assert same_leaves(again, closed) and again.topology == closed.topology
        assert loops_of(closed.astype(jnp.float32)).placements.translation.dtype == jnp.float32


class TestNumbers:
    def test_by_name(self, closed):
        X = Numbers(64).placement()
        changed = jaxdyn.replace(closed, joint="pin", placement=X, axis=[0.0, 1.0, 0.0])
        changed = jaxdyn.replace(changed, joint="nut", pitch=0.7, successor_placement=None)
        assert changed.topology == closed.topology
        rows = {name: row for row, name in enumerate(LOOPS)}
        assert_close(loops_of(changed).placements.row(rows["pin"]).transform(), X, OPERATIONS)
        assert joint_of(changed, "pin").axis.tolist() == [0.0, 1.0, 0.0]
        assert np.array_equal(joint_of(changed, "hinge").axis, joint_of(closed, "hinge").axis)
        assert joint_of(changed, "nut").joint.pitch == 0.7
        assert loops_of(changed).successor_placements.row(rows["nut"]).translation.tolist() == [0, 0, 0]
        kept = np.array([name != "pin" for name in LOOPS])
        assert np.array_equal(
            loops_of(changed).placements.quaternion[kept], loops_of(closed).placements.quaternion[kept]
        )

    def test_masks(self, closed):
        rows = jaxdyn.row_mask(closed, joints=["pin", "turret_joint"])
        assert loops_of(rows).placements.translation[:, 0].tolist() == [name == "pin" for name in LOOPS]
        hinges = closed.topology.loop_groups.index((0, 4))
        assert loops_of(rows).joint_groups[hinges].axis[:, 0].tolist() == [False, True]
        assert rows.placements.translation[:, 0].tolist() == [name == "turret_joint" for name in closed.joint_names]
        everything = jaxdyn.leaf_mask(closed)
        assert all(jax.tree.leaves(everything)) and jax.tree.structure(everything) == jax.tree.structure(closed)

    def test_loops_differ_in_a_batch(self, closed):
        other = jaxdyn.replace(closed, joint="pin", axis=[0.0, 1.0, 0.0])
        stacked = jaxdyn.stack_mechanisms([closed, other])
        axes = jax.vmap(lambda m: joint_of(m, "pin").axis)(stacked)
        assert_close(axes, jnp.stack([joint_of(closed, "pin").axis, joint_of(other, "pin").axis]), OPERATIONS)


def calm(mechanism: Mechanism) -> Mechanism:
    """Without dampers, rotors and springs."""
    where = lambda m: (m.damping, m.armature, m.stiffness)  # noqa: E731
    return eqx.tree_at(where, mechanism, jax.tree.map(jnp.zeros_like, where(mechanism)))


@pytest.mark.long
@pytest.mark.parametrize("name", ["floating_tree", "rare_joints"])
def test_maximal_coordinates(name):
    """Every body is where it was and moves as it did, and each joint is satisfied as a loop joint."""
    whole = calm(ALL_MODELS[name])
    maximal, to_maximal = jaxdyn.maximal_coordinates(whole)
    q, v, _ = state(whole)
    q_maximal, v_maximal = jax.jit(to_maximal)(q, v)
    assert maximal.num_velocities == 6 * whole.num_bodies and maximal.body_names == whole.body_names
    poses, poses_maximal = statics(whole, q)[0], statics(maximal, q_maximal)[0]
    assert poses.keys() == poses_maximal.keys()
    for body, pose in poses.items():
        assert_close(poses_maximal[body], pose, OPERATIONS)

    def motion(mechanism, q, v):
        energies = jaxdyn.kinetic_energy(mechanism, q, v), jaxdyn.gravitational_potential_energy(mechanism, q)
        return jaxdyn.body_twists(mechanism, q, v).vector, jaxdyn.momentum(mechanism, q, v).vector, energies

    moves, moves_maximal = jax.jit(motion)(whole, q, v), jax.jit(motion)(maximal, q_maximal, v_maximal)
    jax.tree.map(lambda a, b: assert_close(a, b, OPERATIONS), moves_maximal, moves)
    constraining = [joint for joint in whole.joint_names if not whole.joint(joint).is_floating]
    assert maximal.loop_joint_names == tuple(constraining)
    expected = {joint: whole.joint(joint).joint_transform(q[whole.q_index(joint)]) for joint in constraining}
    assert_gaps_close(gaps(maximal, q_maximal), expected)


def test_maximal_coordinates_keep_loops_and_can_be_mapped():
    whole = calm(with_loops(ALL_MODELS["branching_arm"], {"weld": LOOPS["weld"]}))
    maximal, to_maximal = jaxdyn.maximal_coordinates(whole)
    assert maximal.loop_joint_names == (*whole.joint_names, "weld")
    q, v, _ = state(whole)
    to_maximal = jax.jit(to_maximal)
    assert_close(gaps(maximal, to_maximal(q, v)[0])["weld"], gaps(whole, q)["weld"], OPERATIONS)
    many = jax.vmap(to_maximal)(jnp.stack([q, 2 * q]), jnp.stack([v, -v]))
    for row, one in enumerate((to_maximal(q, v), to_maximal(2 * q, -v))):
        assert_close(jax.tree.map(lambda x, row=row: x[row], many), one, OPERATIONS)
    rate = jax.jvp(lambda q: to_maximal(q, v)[0], (q,), (jaxdyn.velocity_to_configuration_derivative(whole, q, v),))[1]
    expected = jaxdyn.velocity_to_configuration_derivative(maximal, *to_maximal(q, v))
    assert_close(rate, expected, OPERATIONS)
    nothing, state_of_nothing = jaxdyn.maximal_coordinates(Mechanism.empty())
    assert nothing.num_bodies == 0 and [x.size for x in state_of_nothing([], [])] == [0, 0]
