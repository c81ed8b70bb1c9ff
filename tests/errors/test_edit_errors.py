"""What edits, masks, batches, files and random mechanisms refuse: what is wrong, where, and what to do."""

import json
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxdyn
from jaxdyn import Body, Mechanism, add_frame, attach
from jaxdyn._errors import InvalidValueError, MechanismError, ModelDescriptionError, ShapeError, UnknownNameError
from jaxdyn.joints import (
    AbstractVectorSpaceJoint,
    Fixed,
    Prismatic,
    QuaternionFloating,
    QuaternionSpherical,
    Revolute,
    RPYSpherical,
    Translation,
)
from jaxdyn.spatial import SpatialInertia, Transform
from user_joints import Cam

X = [1.0, 0.0, 0.0]
POSE = Transform(np.eye(3), [0.1, 0.2, 0.3])
LOAD = SpatialInertia.point_mass(1.0, [0.0, 0.0, 0.1])


def leg() -> Mechanism:
    """A thigh and a shin on two hinges, `hip` and `knee`, and a frame `toe`."""
    mechanism = attach(Mechanism.empty(), "world", Revolute(X), Body("thigh"), name="hip")
    return add_frame(attach(mechanism, "thigh", Revolute(X), Body("shin"), name="knee"), "toe", "shin")


def coupled() -> Mechanism:
    """The same, with a knee that follows the hip."""
    return jaxdyn.add_mimic(leg(), "knee", "hip", ratio=2.0)


class TestUnknownNames:
    @pytest.mark.parametrize("edit", [jaxdyn.submechanism, jaxdyn.remove_subtree, jaxdyn.reroot, jaxdyn.clear_load])
    def test_bodies(self, edit):
        with pytest.raises(UnknownNameError, match=r"no body named `shinn`. The nearest names are: `shin`.*print"):
            edit(leg(), "shinn")

    @pytest.mark.parametrize("ask", [Mechanism.ancestors, Mechanism.subtree, lambda m, b: m.path("toe", b)])
    def test_frames(self, ask):
        with pytest.raises(UnknownNameError, match=r"no frame named `too`. The nearest names are: `toe`.*print"):
            ask(leg(), "too")

    @pytest.mark.parametrize(
        "edit",
        [
            jaxdyn.remove_joint,
            lambda m, joint: jaxdyn.lock_joints(m, [joint], at=[0.0, 0.0]),
            lambda m, joint: jaxdyn.replace(m, joint=joint, damping=0.1),
            lambda m, joint: jaxdyn.configuration_from(m, {joint: 0.3}),
            lambda m, joint: jaxdyn.leaf_mask(m, joints=joint),
            lambda m, joint: m.supports(joint, "shin"),
        ],
    )
    def test_joints(self, edit):
        with pytest.raises(UnknownNameError, match=r"no joint named `kne`. The nearest names are: `knee`.*print"):
            edit(leg(), "kne")

    def test_fields(self):
        with pytest.raises(UnknownNameError, match=r"no field named `masses`.*Its fields are: .*`mass`, `moment`"):
            jaxdyn.leaf_mask(leg(), fields=["masses", "damping"])


class TestMimics:
    @pytest.mark.parametrize(
        "edit",
        [
            lambda m: jaxdyn.submechanism(m, "shin"),
            lambda m: jaxdyn.remove_joint(m, "hip"),
            lambda m: jaxdyn.remove_joint(m, "knee"),
            lambda m: jaxdyn.lock_joints(m, "hip", at=[0.0]),
            lambda m: jaxdyn.lock_joints(m, "knee", at=[0.0]),
        ],
    )
    def test_leader_and_follower_are_edited_together(self, edit):
        with pytest.raises(
            MechanismError,
            match=r"`knee` follows joint `hip`.*Take both, or release .*remove_mimic\(mechanism, 'knee'\)",
        ):
            edit(coupled())

    def test_a_joint_that_cannot_follow(self):
        with pytest.raises(MechanismError, match=r"`knee` is a QuaternionSpherical. Choose another joint"):
            jaxdyn.replace_joint(coupled(), "knee", QuaternionSpherical())


class TestAttaching:
    def test_another_dtype(self):
        with pytest.raises(ShapeError, match=r"float64 and float32. Convert one of them: `other.astype\(jnp.float64"):
            jaxdyn.attach_mechanism(leg(), "shin", leg().astype(jnp.float32))

    def test_names_in_both(self):
        with pytest.raises(MechanismError, match=r"is used twice. Choose another name"):
            jaxdyn.attach_mechanism(leg(), "shin", leg())

    def test_other_kinds(self):
        with pytest.raises(InvalidValueError, match=r"`other` must be a `Mechanism`.*Write for example"):
            jaxdyn.attach_mechanism(leg(), "shin", "gripper.urdf")
        with pytest.raises(InvalidValueError, match=r"`new` must be a `AbstractJoint`, but is the class Fixed"):
            jaxdyn.replace_joint(leg(), "knee", Fixed)
        with pytest.raises(InvalidValueError, match=r"`placement` must be a `Transform`"):
            jaxdyn.replace(leg(), joint="knee", placement=3.0)

    def test_limits_of_a_follower(self):
        with pytest.raises(InvalidValueError, match=r"`knee` follows another one, whose position limits.*Leave them"):
            jaxdyn.replace_joint(coupled(), "knee", Prismatic(X), position_upper=1.0)

    def test_numbers_that_a_fixed_joint_does_not_have(self):
        mechanism = attach(leg(), "shin", Fixed(), Body("sole"), name="weld")
        with pytest.raises(InvalidValueError, match=r"There is no number `damping` of joint `weld`.*Name one of them"):
            jaxdyn.replace(mechanism, joint="weld", damping=1.0)

    def test_a_second_load_without_mass(self):
        loaded = jaxdyn.add_load(leg(), "shin", SpatialInertia.point_mass(3.0, X))
        with pytest.raises(InvalidValueError, match=r"mass of body `shin_load` must not be negative"):
            jaxdyn.add_load(loaded, "shin", SpatialInertia.point_mass(-1.0, X))

    def test_other_kinds_of_loads(self):
        with pytest.raises(InvalidValueError, match=r"`load` must be a `SpatialInertia`.*Write for example"):
            jaxdyn.add_load(leg(), "shin", 2.0)
        with pytest.raises(InvalidValueError, match=r"rotation of `placement` must be an orthonormal"):
            jaxdyn.add_load(leg(), "shin", LOAD, placement=Transform(2 * np.eye(3), np.zeros(3)))

    def test_wrong_numbers(self):
        with pytest.raises(InvalidValueError, match=r"damping of joint `knee` must not be negative"):
            jaxdyn.replace_joint(leg(), "knee", Prismatic(X), damping=-1.0)
        with pytest.raises(InvalidValueError, match=r"mass of body `shin_load` must not be negative"):
            jaxdyn.add_load(leg(), "shin", SpatialInertia.point_mass(-1.0, [0.0, 0.0, 0.0]))
        with pytest.raises(ShapeError, match=r"`at` must have shape \(num_positions,\) = \(2,\)"):
            jaxdyn.lock_joints(leg(), "knee", at=[0.0])

    def test_what_is_not_finite(self):
        nowhere = Transform(np.eye(3), [np.nan, 0.0, 0.0])
        with pytest.raises(InvalidValueError, match=r"`placement` must be finite.*Correct the number"):
            jaxdyn.attach_mechanism(leg(), "shin", leg(), prefix="other/", placement=nowhere)
        with pytest.raises(InvalidValueError, match=r"placement of frame `heel` must be finite.*Correct the number"):
            add_frame(leg(), "heel", "shin", nowhere)
        with pytest.raises(InvalidValueError, match=r"position of joint `knee` in `at` must be finite.*Correct"):
            jaxdyn.lock_joints(leg(), "knee", at=[0.0, np.nan])


class TestLoads:
    def test_no_load(self):
        with pytest.raises(MechanismError, match=r"`shin` carries none. Put one on with `add_load`"):
            jaxdyn.clear_load(leg(), "shin")

    @pytest.mark.parametrize("edit", [jaxdyn.add_load, jaxdyn.replace_load, lambda m, b, load: jaxdyn.clear_load(m, b)])
    def test_name_of_another_body(self, edit):
        mechanism = attach(leg(), "shin", Revolute(X), Body("shin_load"))
        with pytest.raises(MechanismError, match=r"must be a body named `shin_load` that is fixed.*Rename that body"):
            edit(mechanism, "shin", LOAD)
        mechanism = attach(jaxdyn.add_load(leg(), "shin", LOAD), "shin_load", Fixed(), Body("more"))
        with pytest.raises(MechanismError, match=r"carries nothing.*Rename that body"):
            edit(mechanism, "shin", LOAD)


class TestReplace:
    @pytest.mark.parametrize(
        "options",
        [
            {},
            {"damping": 1.0},
            {"joint": "knee"},
            {"joint": "knee", "body": "shin", "damping": 1.0},
            {"gravity": X, "a": 1},
        ],
    )
    def test_not_one_thing(self, options):
        with pytest.raises(MechanismError, match=r"must get one of `body`, `joint` and `frame`.*Write for example"):
            jaxdyn.replace(leg(), **options)

    @pytest.mark.parametrize(
        ("options", "known"),
        [
            ({"joint": "knee", "dampng": 1.0}, "`damping`.*`axis`"),
            ({"joint": "knee", "num_positions": 1}, "`damping`.*`axis`"),
            ({"body": "shin", "mass": 1.0}, "`inertia`"),
            ({"frame": "toe", "inertia": LOAD}, "`placement`"),
        ],
    )
    def test_unknown_number(self, options, known):
        with pytest.raises(InvalidValueError, match=rf"There is no number .*Its numbers are: .*{known}.*Name one"):
            jaxdyn.replace(leg(), **options)

    def test_limits_of_a_follower(self):
        with pytest.raises(InvalidValueError, match=r"no number `position_lower` of joint `knee`.*`ratio`, `offset`"):
            jaxdyn.replace(coupled(), joint="knee", position_lower=0.0)

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"damping": -1.0}, "damping of joint `knee` must not be negative"),
            ({"position_lower": 1.0, "position_upper": 0.0}, "lower <= upper"),
            ({"rest_configuration": [np.nan]}, "rest configuration of joint `knee` must be finite"),
            ({"axis": [0.0, 0.0, 0.0]}, "axis of a Revolute joint must be finite and not zero"),
            ({"axis": [0.0, 0.0, np.inf]}, "numbers of joint `knee` must be finite"),
            ({"placement": Transform(np.eye(3), [np.nan, 0.0, 0.0])}, "placement of joint `knee` must be finite"),
        ],
    )
    def test_what_attach_refuses(self, options, message):
        with pytest.raises(InvalidValueError, match=message):
            jaxdyn.replace(leg(), joint="knee", **options)

    def test_inertia_frame_and_gravity(self):
        with pytest.raises(InvalidValueError, match=r"`inertia` must be a `SpatialInertia`"):
            jaxdyn.replace(leg(), body="shin", inertia=2.0)
        with pytest.raises(InvalidValueError, match=r"mass of body `shin` must not be negative"):
            jaxdyn.replace(leg(), body="shin", inertia=SpatialInertia.point_mass(-1.0, [0.0, 0.0, 0.0]))
        with pytest.raises(InvalidValueError, match=r"placement of frame `toe` must be finite"):
            jaxdyn.replace(leg(), frame="toe", placement=Transform(np.eye(3), [np.nan, 0.0, 0.0]))
        with pytest.raises(InvalidValueError, match=r"gravity must be finite"):
            jaxdyn.replace(leg(), gravity=[0.0, 0.0, np.nan])

    @pytest.mark.parametrize("frame", ["shin", "world"])
    def test_frames_that_do_not_move(self, frame):
        with pytest.raises(
            MechanismError, match=rf"`{frame}` is the frame of a body.*Name one of `mechanism.frame_names`"
        ):
            jaxdyn.replace(leg(), frame=frame, placement=POSE)

    @pytest.mark.parametrize(
        "options", [{"joint": "knee", "damping": [1.0, 2.0]}, {"joint": "knee", "axis": 1.0}, {"gravity": -9.81}]
    )
    def test_wrong_number_of_numbers(self, options):
        with pytest.raises(ShapeError, match=r"must have shape \(\d,\), but has shape .*Give as many numbers"):
            jaxdyn.replace(leg(), **options)

    def test_base_placement(self):
        two = attach(leg(), "world", Fixed(), Body("rock"))
        with pytest.raises(MechanismError, match=r"none is named. On the world are: `hip`, `rock_joint`. Name one"):
            jaxdyn.set_base_placement(two, POSE)
        with pytest.raises(MechanismError, match=r"but `knee` is not. On the world are: `hip`. Name one"):
            jaxdyn.set_base_placement(leg(), POSE, joint="knee")
        with pytest.raises(MechanismError, match=r"On the world are: no joints"):
            jaxdyn.set_base_placement(Mechanism.empty(), POSE)


class TestReroot:
    def test_a_tree_that_does_not_float(self):
        with pytest.raises(
            MechanismError, match=r"`hip` is a Revolute. Make it float first: `replace_joint\(mechanism, 'hip', Q"
        ):
            jaxdyn.reroot(leg(), "shin")

    @pytest.mark.parametrize("number", ["damping", "armature", "stiffness"])
    def test_numbers_that_would_act_on_another_body(self, number):
        floating = jaxdyn.replace_joint(leg(), "hip", QuaternionFloating(), **{number: 1.0})
        with pytest.raises(MechanismError, match=rf"The {number} of joint `hip` must be zero to choose.*{number}=0.0"):
            jaxdyn.reroot(floating, "shin")
        assert jaxdyn.reroot(floating, "thigh")[0].topology == floating.topology


class TestConfigurations:
    def test_followers(self):
        with pytest.raises(InvalidValueError, match=r"`knee` follows `hip`. Give the value of that joint"):
            jaxdyn.configuration_from(coupled(), {"knee": 0.1})

    @pytest.mark.parametrize("value", [[0.1, 0.2], [[0.1]]])
    def test_wrong_number_of_entries(self, value):
        with pytest.raises(ShapeError, match=r"`knee` must be given 1 numbers.*Its class is Revolute"):
            jaxdyn.configuration_from(leg(), {"knee": value})

    @pytest.mark.parametrize("joint", [Revolute(X), QuaternionSpherical(), Translation(), RPYSpherical()])
    def test_a_pose_out_of_reach(self, joint):
        mechanism = jaxdyn.replace_joint(leg(), "knee", joint)
        pose = Transform.from_rpy([0.1, 0.2, 0.3], [0.1, 0.2, 0.3])
        with pytest.raises(
            InvalidValueError,
            match=rf"can take, a joint of class {type(joint).__name__}.*or the joint's {joint.num_positions} numbers",
        ):
            jaxdyn.configuration_from(mechanism, {"knee": pose})

    def test_no_rotation(self):
        with pytest.raises(InvalidValueError, match=r"rotation of joint `knee` must be an orthonormal"):
            jaxdyn.configuration_from(leg(), {"knee": Transform(2 * np.eye(3), np.zeros(3))})


class TestBatches:
    def test_nothing_to_stack(self):
        with pytest.raises(MechanismError, match=r"the list is empty. Put one in"):
            jaxdyn.stack_mechanisms([])

    @pytest.mark.parametrize(
        ("other", "difference"),
        [
            (add_frame(leg(), "heel", "shin"), "`topology.frame_names`"),
            (jaxdyn.replace_joint(leg(), "knee", Prismatic(X)), "`topology.joint_groups`"),
            (
                jaxdyn.replace(leg(), joint="knee", successor_placement=POSE),
                "the classes of their joints, or in having",
            ),
            (leg().astype(jnp.float32), "the dtype or the shape"),
        ],
    )
    def test_more_than_numbers(self, other, difference):
        with pytest.raises(MechanismError, match=rf"number 1 differs from the first one in {difference}.*same way"):
            jaxdyn.stack_mechanisms([leg(), other])

    @pytest.mark.parametrize("where", [lambda m: m.damping is None, lambda m: None, lambda m: m.topology])
    def test_no_leaves(self, where):
        with pytest.raises(MechanismError, match=r"`where` must return leaves.*Write for example `lambda m"):
            jaxdyn.batch_axes(leg(), where)


class Odd(AbstractVectorSpaceJoint):
    """A slider that holds something that cannot be saved."""

    what: Any = eqx.field(static=True)

    num_positions = 1
    num_velocities = 1

    def joint_transform(self, q):
        return Prismatic(X).joint_transform(q)

    def motion_subspace(self, q):
        return Prismatic(X).motion_subspace(q)

    def bias_acceleration(self, q, v):
        return Prismatic(X).bias_acceleration(q, v)

    def constraint_wrench_subspace(self, q):
        return Prismatic(X).constraint_wrench_subspace(q)


class TestFiles:
    def test_traced(self, tmp_path):
        with pytest.raises(InvalidValueError, match=r"must hold numbers to be saved, but is traced.*save it outside"):
            jax.jit(lambda mechanism: jaxdyn.save(tmp_path / "a.npz", mechanism))(leg())

    def test_something_that_cannot_be_saved(self, tmp_path):
        mechanism = jaxdyn.replace_joint(leg(), "knee", Odd(frozenset([1])))
        with pytest.raises(InvalidValueError, match=r"`what` of class Odd is of type frozenset. Make it one of these"):
            jaxdyn.save(tmp_path / "a.npz", mechanism)
        assert not (tmp_path / "a.npz").exists()

    def test_a_class_that_is_not_given(self, tmp_path):
        file = tmp_path / "a.npz"
        jaxdyn.save(file, jaxdyn.replace_joint(leg(), "knee", Cam(0.3)))
        with pytest.raises(
            InvalidValueError, match=r"class `Cam`, which must be given. Pass `joint_classes={'Cam': Cam}`"
        ):
            jaxdyn.load(file)
        with pytest.raises(InvalidValueError, match=r"\['radius'\], but has \['what'\]. Use the class of that time"):
            jaxdyn.load(file, joint_classes={"Cam": Odd})

    @pytest.mark.parametrize("text", [b"<robot/>", b"", b"PK\x03\x04 not an archive"])
    def test_another_file(self, text, tmp_path):
        (tmp_path / "a.urdf").write_bytes(text)
        with pytest.raises(
            ModelDescriptionError, match=r"a.urdf: expected a mechanism written by `jaxdyn.save`.*load_urdf"
        ):
            jaxdyn.load(tmp_path / "a.urdf")

    def test_an_array_and_another_version(self, tmp_path):
        np.savez(tmp_path / "a.npz", numbers=np.zeros(3))
        np.save(tmp_path / "b.npy", np.zeros(3))
        np.savez(tmp_path / "c.npz", header=np.array(json.dumps({"format": "jaxdyn mechanism", "version": 99})))
        for name, found in (("a.npz", "header"), ("b.npy", ""), ("c.npz", "version 99")):
            with pytest.raises(ModelDescriptionError, match=rf"{name}: expected .* but found: .*{found}.*load_urdf"):
                jaxdyn.load(tmp_path / name)

    def test_double_precision_switched_off(self, tmp_path):
        jaxdyn.save(tmp_path / "a.npz", leg())
        jax.config.update("jax_enable_x64", False)
        try:
            with pytest.raises(
                InvalidValueError, match=r"type float64.*Call `jax.config.update\(\"jax_enable_x64\", True"
            ):
                jaxdyn.load(tmp_path / "a.npz")
        finally:
            jax.config.update("jax_enable_x64", True)


class TestRandomMechanisms:
    def test_traced_key(self):
        with pytest.raises(InvalidValueError, match=r"`key` must be known.*Draw the mechanisms outside"):
            jax.jit(lambda key: jaxdyn.random_chain(key, [Fixed]))(jax.random.key(0))

    @pytest.mark.parametrize("joint_type", [Cam, int, "revolute", 3])
    def test_joint_types_of_other_kinds(self, joint_type):
        with pytest.raises(
            InvalidValueError, match=r"Each joint type must be a joint, or a class.*Give a joint of that"
        ):
            jaxdyn.random_tree(jax.random.key(0), [Revolute, joint_type])


class TestLoops:
    """What loop joints are refused, and what they are refused in."""

    def four_bar(self) -> Mechanism:
        return attach(leg(), "world", Revolute(X), "shin", name="pin")

    def test_ends(self):
        with pytest.raises(UnknownNameError, match=r"none named `shinn`. To attach a new one, write `Body\('shinn'"):
            attach(leg(), "world", Revolute(X), "shinn")
        with pytest.raises(UnknownNameError, match=r"index of a body must lie in \[-2, 2\).*print"):
            attach(leg(), "world", Revolute(X), 2)
        with pytest.raises(MechanismError, match=r"both ends of `shin_loop` are on one. Choose another body"):
            attach(leg(), "shin", Revolute(X), -1)
        with pytest.raises(MechanismError, match=r"`pin` is used twice. Choose another name"):
            attach(self.four_bar(), "thigh", Revolute(X), "world", name="pin")
        with pytest.raises(MechanismError, match=r"`knee` is used twice. Choose another name"):
            attach(leg(), "world", Revolute(X), "shin", name="knee")

    @pytest.mark.parametrize(
        "numbers",
        [{"damping": 0.1}, {"armature": [0.1]}, {"stiffness": 1}, {"rest_configuration": [0.0]}, {"position_lower": 0}],
    )
    def test_numbers_of_tree_joints(self, numbers):
        (name,) = numbers
        with pytest.raises(InvalidValueError, match=rf"have a {name}, but loop joint `shin_loop` gets.*Leave it out"):
            attach(leg(), "world", Revolute(X), "shin", **numbers)
        with pytest.raises(InvalidValueError, match=rf"no number `{name}` of joint `pin`.*Name one of them"):
            jaxdyn.replace(self.four_bar(), joint="pin", **numbers)

    def test_wrong_numbers(self):
        nowhere = Transform(np.eye(3), [np.nan, 0.0, 0.0])
        for edit in (
            lambda: attach(leg(), "world", Revolute(X), "shin", name="pin", successor_placement=nowhere),
            lambda: jaxdyn.replace(self.four_bar(), joint="pin", placement=nowhere),
        ):
            with pytest.raises(InvalidValueError, match=r"placement of joint `pin` must be finite"):
                edit()
        with pytest.raises(InvalidValueError, match=r"axis of a Revolute joint must be finite and not zero.*Give"):
            jaxdyn.replace(self.four_bar(), joint="pin", axis=[0.0, 0.0, 0.0])
        with pytest.raises(InvalidValueError, match=r"numbers of joint `pin` must be finite"):
            jaxdyn.replace(self.four_bar(), joint="pin", axis=[np.nan, 0.0, 0.0])

    @pytest.mark.parametrize(
        "edit",
        [
            lambda m: m.q_index("pin"),
            lambda m: m.supports("pin", "shin"),
            lambda m: jaxdyn.replace_joint(m, "pin", Fixed()),
            lambda m: jaxdyn.lock_joints(m, ["pin"], at=[0.0, 0.0]),
            lambda m: jaxdyn.add_mimic(m, "pin", "hip"),
        ],
    )
    def test_what_only_tree_joints_do(self, edit):
        with pytest.raises(UnknownNameError, match=r"`pin` closes a loop.*Name a joint of the tree"):
            edit(self.four_bar())

    def test_cut(self):
        with pytest.raises(MechanismError, match=r"Loop joint `pin` connects.*Open it first: `remove_joint"):
            jaxdyn.submechanism(self.four_bar(), "shin")
        with pytest.raises(MechanismError, match=r"Loop joint `pin` connects.*Open it first: `remove_joint"):
            jaxdyn.remove_subtree(self.four_bar(), "thigh")

    @pytest.mark.parametrize(
        "name, arguments",
        [
            ("forward_dynamics", (X[:2], X[:2], X[:2])),
            ("inverse_dynamics", (X[:2], X[:2], X[:2])),
            ("inverse_dynamics_derivatives", (X[:2], X[:2], X[:2])),
            ("joint_wrenches", (X[:2], X[:2], X[:2])),
            ("mass_matrix_inverse", (X[:2],)),
            ("operational_space_inertia", (X[:2], "shin")),
            ("dynamically_consistent_inverse", (X[:2], "shin")),
            ("null_space_projector", (X[:2], "shin")),
            ("inverse_kinematics", ({"shin": X}, X[:2])),
        ],
    )
    def test_dynamics_of_trees(self, name, arguments):
        with pytest.raises(MechanismError, match=rf"`{name}` is for trees.*`pin`.*constrained dynamics.*remove_joint"):
            getattr(jaxdyn, name)(self.four_bar(), *arguments)

    def test_rollouts(self):
        with pytest.raises(MechanismError, match=r"`forward_dynamics` is for trees.*remove_joint"):
            jaxdyn.rollout(self.four_bar(), X[:2], X[:2], jnp.zeros((1, 2)), dt=0.01)

    def test_maximal_coordinates(self):
        with pytest.raises(MechanismError, match=r"armature of joint `hip` must be zero to become a loop.*replace"):
            jaxdyn.maximal_coordinates(jaxdyn.replace(leg(), joint="hip", armature=0.1))
        with pytest.raises(MechanismError, match=r"`knee` follows another one. Release it first: `remove_mimic"):
            jaxdyn.maximal_coordinates(coupled())
        taken = attach(leg(), "world", Fixed(), Body("rock"), name="shin_floating")
        with pytest.raises(MechanismError, match=r"`shin_floating` is used twice. Choose another name"):
            jaxdyn.maximal_coordinates(taken)
