"""What joints and mechanisms refuse: each message says what is wrong, where, and what to do."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxdyn
from jaxdyn import Body, Mechanism, add_frame, attach
from jaxdyn._errors import InvalidValueError, MechanismError, ShapeError, UnknownNameError
from jaxdyn.joints import Helical, Planar, Prismatic, QuaternionSpherical, Reversed, Revolute, SinCosRevolute, Universal
from jaxdyn.mechanism import Topology
from jaxdyn.spatial import SpatialInertia, Transform

X = [1.0, 0.0, 0.0]
X3 = jnp.array(X)


def knee(inertia: SpatialInertia | None = None, **options) -> Mechanism:
    """One hinge, `knee`, with one body, `shin`."""
    body = Body("shin", SpatialInertia.zero() if inertia is None else inertia)
    return attach(Mechanism.empty(), "world", Revolute(X), body, name="knee", **options)


class TestAxes:
    @pytest.mark.parametrize("joint", [Revolute, Prismatic])
    def test_wrong_shape(self, joint):
        with pytest.raises(InvalidValueError, match=rf"has shape \(2,\)\. Write for example `{joint.__name__}\("):
            joint([1.0, 0.0])

    @pytest.mark.parametrize("axis", [[0.0, 0.0, 0.0], [1.0, np.nan, 0.0], [np.inf, 0.0, 0.0]])
    @pytest.mark.parametrize("joint", [Revolute, Prismatic])
    def test_no_direction(self, joint, axis):
        with pytest.raises(InvalidValueError, match=rf"{joint.__name__} joint must be finite.*Give any non-zero"):
            joint(axis)

    @pytest.mark.parametrize("second", [[2.0, 0.0, 0.0], [-1.0, 1e-10, 0.0]])
    @pytest.mark.parametrize("joint", [Universal, Planar])
    def test_parallel(self, joint, second):
        with pytest.raises(
            InvalidValueError, match=rf"two axes of a {joint.__name__} joint.*parallel.*Turn one of them"
        ):
            joint(X, second)

    @pytest.mark.parametrize("pitch", [np.nan, np.inf, [0.1, 0.2]])
    def test_pitch(self, pitch):
        with pytest.raises(
            InvalidValueError, match=r"pitch of a Helical joint.*one finite number.*Divide the thread's"
        ):
            Helical(X, pitch)

    def test_traced_axes_are_not_looked_at(self):
        assert jnp.all(jnp.isfinite(jax.jit(lambda x, y: Universal(x, y).motion_subspace(x[:2]))(X3, X3)))
        assert jnp.all(jnp.isfinite(jax.jit(lambda axis: Revolute(axis).motion_subspace(jnp.zeros(1)))(jnp.zeros(3))))


class TestMimics:
    @pytest.mark.parametrize(
        "joint", [QuaternionSpherical(), SinCosRevolute(X)], ids=lambda joint: type(joint).__name__
    )
    def test_kinds_of_joints(self, joint):
        arm = attach(knee(), "shin", joint, Body("foot"), name="ankle")
        for pair, what in (("ankle", "knee"), "follow another joint"), (("knee", "ankle"), "lead another joint"):
            with pytest.raises(MechanismError, match=rf"To {what}.*`ankle` is a {type(joint).__name__}. Choose"):
                jaxdyn.add_mimic(arm, *pair)

    def test_circles(self):
        arm = attach(knee(), "shin", Revolute(X), Body("foot"), name="ankle")
        with pytest.raises(MechanismError, match=r"circle, but `knee` → `knee` do. Let one of them"):
            jaxdyn.add_mimic(arm, "knee", "knee")
        with pytest.raises(MechanismError, match=r"circle, but `knee` → `ankle` → `knee` do. Let one of them"):
            jaxdyn.add_mimic(jaxdyn.add_mimic(arm, "knee", "ankle"), "ankle", "knee")

    def test_a_circle_that_another_joint_follows(self):
        arm = attach(knee(), "shin", Revolute(X), Body("foot"), name="ankle")
        arm = attach(arm, "foot", Revolute(X), Body("toes"), name="toe")
        arm = jaxdyn.add_mimic(jaxdyn.add_mimic(arm, "knee", "toe"), "ankle", "toe")
        with pytest.raises(MechanismError, match=r"but `knee` → `toe` → `ankle` → `toe` do. Let one of them"):
            jaxdyn.add_mimic(arm, "toe", "ankle")

    @pytest.mark.parametrize("numbers", [{"ratio": np.nan}, {"offset": [1.0, 2.0]}], ids=["nan", "wrong_shape"])
    def test_numbers(self, numbers):
        arm = attach(knee(), "shin", Revolute(X), Body("foot"), name="ankle")
        with pytest.raises(InvalidValueError, match=rf"The {next(iter(numbers))} of joint `ankle`.*one finite number"):
            jaxdyn.add_mimic(arm, "ankle", "knee", **numbers)

    def test_springs(self):
        arm = attach(knee(), "shin", Revolute(X), Body("foot"), name="ankle", stiffness=1.0)
        with pytest.raises(MechanismError, match=r"`ankle` has a spring, so it cannot.*Give the spring to the leader"):
            jaxdyn.add_mimic(arm, "ankle", "knee")

    def test_twice_and_never(self):
        arm = attach(knee(), "shin", Revolute(X), Body("foot"), name="ankle")
        with pytest.raises(MechanismError, match=r"`ankle` moves on its own already. `print"):
            jaxdyn.remove_mimic(arm, "ankle")
        arm = jaxdyn.add_mimic(arm, "ankle", "knee")
        with pytest.raises(MechanismError, match=r"`ankle` follows another joint already. Release it first"):
            jaxdyn.add_mimic(arm, "ankle", "knee")


class TestNames:
    def test_a_body_twice(self):
        with pytest.raises(MechanismError, match=r"`shin` is used twice. Choose another name"):
            attach(knee(), "world", Revolute(X), Body("shin"), name="ankle")

    def test_a_joint_twice(self):
        with pytest.raises(
            MechanismError, match=r"Each joint must have a name of its own.*`knee`.*Choose another name"
        ):
            attach(knee(), "shin", Revolute(X), Body("foot"), name="knee")

    def test_a_frame_like_a_body(self):
        with pytest.raises(MechanismError, match=r"`shin` is used twice. Choose another name"):
            add_frame(knee(), "shin", "world")

    def test_the_world_again(self):
        with pytest.raises(MechanismError, match=r"`world` is used twice. Choose another name"):
            attach(Mechanism.empty(), "world", Revolute(X), Body("world"))

    @pytest.mark.parametrize("ask", [Mechanism.q_index, Mechanism.v_index, Mechanism.joint_index, Mechanism.joint])
    def test_unknown_joint(self, ask):
        with pytest.raises(UnknownNameError, match=r"no joint named `kne`. The nearest names are: `knee`.*print"):
            ask(knee(), "kne")

    @pytest.mark.parametrize("index", [1.7, True, None])
    def test_indices_of_other_kinds(self, index):
        with pytest.raises(UnknownNameError, match=r"A body must be given by its name or its index.*print\(mechanism"):
            knee().body_index(index)

    def test_unknown_body(self):
        with pytest.raises(UnknownNameError, match=r"no body named `chin`. The nearest names are: `shin`.*print"):
            knee().body_index("chin")
        with pytest.raises(UnknownNameError, match="no body named `thigh`"):
            attach(knee(), "thigh", Revolute(X), Body("foot"))
        with pytest.raises(UnknownNameError, match="no body named `thigh`"):
            add_frame(knee(), "tool", "thigh")

    def test_without_a_similar_name_all_are_listed(self):
        with pytest.raises(UnknownNameError, match="The nearest names are: `shin`"):
            knee().body_index("q")

    @pytest.mark.parametrize(("name", "nearest"), [("toool", "tool"), ("worl", "world")])
    def test_unknown_frame(self, name, nearest):
        mechanism = add_frame(knee(), "tool", "shin")
        with pytest.raises(UnknownNameError, match=f"no frame named `{name}`. The nearest names are: `{nearest}`"):
            jaxdyn.relative_transform(mechanism, [0.0], name)

    @pytest.mark.parametrize("index", [1, -2])
    def test_index_out_of_range(self, index):
        with pytest.raises(UnknownNameError, match=rf"must lie in \[-1, 1\), but is {index}.*print"):
            knee().body_index(index)

    def test_parents_after_their_children(self):
        mechanism = knee()
        topology = Topology(("a",), ("j",), (0,), ((0,),), ((1, 1),))
        numbers = {name: getattr(mechanism, name) for name in mechanism.__dataclass_fields__ if name != "topology"}
        with pytest.raises(MechanismError, match=r"body 0 has parent 0. Build the mechanism with `attach`"):
            Mechanism(topology=topology, **numbers)


class TestKinds:
    """A class, a string or a matrix where an object is wanted."""

    def test_joint(self):
        with pytest.raises(InvalidValueError, match=r"`joint` must be.*but is the class Revolute. Write for example"):
            attach(Mechanism.empty(), "world", Revolute, Body("shin"))  # pyright: ignore[reportArgumentType]

    def test_body(self):
        with pytest.raises(InvalidValueError, match=r"`body` must be a `Body`, but is of type float. Write for"):
            attach(Mechanism.empty(), "world", Revolute(X), 1.5)  # pyright: ignore[reportArgumentType]

    def test_placement(self):
        with pytest.raises(InvalidValueError, match=r"`placement` must be a `Transform`.*`Transform.from_rpy"):
            knee(placement=np.eye(4))

    @pytest.mark.parametrize("joint", [Revolute, Reversed(Revolute(X))])
    def test_reversed(self, joint):
        with pytest.raises(InvalidValueError, match=r"not reversed itself, but gets.*Use `joint.joint`"):
            Reversed(joint)

    @pytest.mark.parametrize("rotation", [2 * np.eye(3), -np.eye(3), np.full((3, 3), np.nan), np.eye(4)])
    def test_rotation(self, rotation):
        with pytest.raises(InvalidValueError, match=r"rotation of `placement` must be an orthonormal.*Build it with"):
            add_frame(knee(), "tool", "shin", Transform(jnp.asarray(rotation), jnp.zeros(3)))

    def test_gravity(self):
        with pytest.raises(ShapeError, match=r"`gravity` must be three numbers, but has shape \(\). Write for example"):
            Mechanism.empty(gravity=-9.81)


class TestNumbers:
    @pytest.mark.parametrize("name", ["damping", "armature", "stiffness"])
    def test_negative(self, name):
        with pytest.raises(InvalidValueError, match=rf"{name} of joint `knee` must not be negative.*Correct the"):
            knee(**{name: -1.0})

    def test_negative_mass(self):
        with pytest.raises(InvalidValueError, match=r"mass of body `shin` must not be negative.*Correct the number"):
            knee(inertia=SpatialInertia(-1.0, [0.0, 0.0, 0.0], [0.0] * 6))

    @pytest.mark.parametrize("name", ["damping", "armature", "stiffness", "rest_configuration"])
    def test_not_finite(self, name):
        with pytest.raises(InvalidValueError, match=r"of joint `knee` must be finite.*Correct the number"):
            knee(**{name: [np.nan]})

    def test_inertia_not_finite(self):
        with pytest.raises(InvalidValueError, match=r"inertia of body `shin` must be finite.*Correct the number"):
            knee(inertia=SpatialInertia(1.0, [0.0, np.inf, 0.0], [0.0] * 6))

    @pytest.mark.parametrize("name", ["placement", "successor_placement"])
    def test_placement_not_finite(self, name):
        with pytest.raises(InvalidValueError, match=r"placement of joint `knee` must be finite.*Correct the number"):
            knee(**{name: Transform(np.eye(3), [np.nan, 0.0, 0.0])})

    def test_rest_configuration_of_a_wrong_length(self):
        with pytest.raises(InvalidValueError, match=r"must have 1 entries, but has shape \(2,\). Leave it out"):
            knee(rest_configuration=[0.0, 0.0])

    @pytest.mark.parametrize("name", ["damping", "armature", "stiffness", "position_lower", "position_upper"])
    def test_too_many_numbers(self, name):
        with pytest.raises(InvalidValueError, match=rf"{name} of joint `knee` must be one number or 1, .*Give one"):
            knee(**{name: [0.0, 0.0]})

    @pytest.mark.parametrize("limits", [(1.0, -1.0), (np.nan, 1.0), (0.0, np.nan)])
    def test_limits(self, limits):
        with pytest.raises(InvalidValueError, match=r"lower <= upper.*Exchange them, or leave out a limit"):
            knee(position_lower=limits[0], position_upper=limits[1])

    @pytest.mark.parametrize("name", ["position_lower", "position_upper"])
    def test_limits_of_a_ball_joint(self, name):
        with pytest.raises(
            InvalidValueError, match=r"but joint `ball_joint` is a QuaternionSpherical. Leave the limits out"
        ):
            attach(Mechanism.empty(), "world", QuaternionSpherical(), Body("ball"), **{name: 0.5})

    def test_traced_numbers_are_not_looked_at(self):
        @jax.jit
        def build(number):
            inertia = SpatialInertia(number, jnp.zeros(3), jnp.zeros(6))
            return knee(inertia, damping=number, position_upper=number, position_lower=-number)

        assert build(-1.0).damping == -1.0


class TestArguments:
    @pytest.mark.parametrize("q", [[0.0, 0.0], 0.0, jnp.zeros((1, 1))])
    def test_wrong_shape(self, q):
        with pytest.raises(ShapeError, match=r"`q` must have shape \(num_positions,\) = \(1,\).*jax.vmap"):
            jaxdyn.body_transforms(knee(), q)

    def test_other_names_of_arguments(self):
        with pytest.raises(ShapeError, match=r"`q1` must have shape \(num_positions,\)"):
            jaxdyn.difference(knee(), [0.0], [])
        with pytest.raises(ShapeError, match=r"`q_dot` must have shape \(num_positions,\)"):
            jaxdyn.configuration_derivative_to_velocity(knee(), [0.0], [])
        with pytest.raises(ShapeError, match=r"`v` must have shape \(num_velocities,\)"):
            jaxdyn.integrate(knee(), [0.0], [])

    def test_single_precision(self):
        with pytest.raises(ShapeError, match=r"dtype float64, but has float32.*`mechanism.astype\(jnp.float32\)`"):
            jaxdyn.body_transforms(knee(), jnp.zeros(1, jnp.float32))
        with pytest.raises(ShapeError, match=r"dtype float32, but has float64.*`q.astype\(jnp.float32\)`"):
            jaxdyn.body_transforms(knee().astype(jnp.float32), jnp.zeros(1))
