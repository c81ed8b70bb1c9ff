"""What conversions obey whatever the program, and rules about names.

The programs themselves are asked in tests/engines and, for one convention after the other, in tests/conventions.
"""

import jax.numpy as jnp
import numpy as np
import pytest

from engines.engine import random_states
from engines.engine_models import BALL, COMPOUND, HINGE, SCREW, SIMPLE, tree_of
from jaxdyn import Body, Mechanism, add_mimic, attach, interop
from jaxdyn.joints import Fixed, Prismatic, QuaternionFloating, Revolute, SPQuatFloating
from jaxdyn.spatial import SpatialInertia
from models import Numbers

# For each program the joints below a floating base that it holds.
JOINTS = {
    "pinocchio": (*SIMPLE, BALL, *COMPOUND, SCREW),
    "mujoco": (*SIMPLE, BALL, *COMPOUND),
    "drake": (*SIMPLE, BALL, *COMPOUND[:3], SCREW),
    "idyntree": (*SIMPLE, BALL),
}
PROGRAMS = pytest.mark.parametrize("program", JOINTS)


def converters(program: str):
    return getattr(interop, f"to_{program}"), getattr(interop, f"from_{program}")


def listed(mechanism: Mechanism, program: str) -> list[str]:
    """The joints in an order that is not the mechanism's; iDynTree lists no root joint."""
    names = [name for name in mechanism.joint_names if program != "idyntree" or name != "root"]
    return names[::-1]


def robot(program: str) -> Mechanism:
    return tree_of(SPQuatFloating(), JOINTS[program], seed=30)


def arm() -> Mechanism:
    """A hinge without limits, one with, and a slider, on a body that is fixed to the world, off its origin."""
    numbers = Numbers(31)
    mechanism = attach(Mechanism.empty(), "world", Fixed(), numbers.body("mount"), placement=numbers.placement())
    mechanism = attach(mechanism, "mount", HINGE, numbers.body("a"), name="wheel")
    mechanism = attach(mechanism, "a", HINGE, numbers.body("b"), name="elbow", position_lower=-1.0)
    return attach(mechanism, "b", Prismatic([0.0, 0.0, 1.0]), numbers.body("c"), name="slide")


@PROGRAMS
def test_power_is_the_same(program: str):
    mechanism = robot(program)
    to, _ = converters(program)
    states = random_states(mechanism)
    theirs = to(mechanism, listed(mechanism, program), **states)
    power = np.sum(states["tau"] * states["v"], axis=-1)
    np.testing.assert_allclose(np.sum(theirs.tau * theirs.v, axis=-1), power, rtol=1e-12)


@PROGRAMS
def test_leading_axes_are_broadcast(program: str):
    mechanism = robot(program)
    to, back = converters(program)
    names, states = listed(mechanism, program), random_states(mechanism)
    q, v, v_dot = states["q"], states["v"], states["v_dot"]
    grid = to(mechanism, names, q[:, None], v[None], v_dot[None])
    for i in range(3):
        for j in range(3):
            single = to(mechanism, names, q[i], v[j], v_dot[j])
            np.testing.assert_allclose(grid.v_dot[i, j], single.v_dot, rtol=1e-13, atol=1e-13)
            assert single.tau is None
    again = back(mechanism, names, *grid)
    np.testing.assert_allclose(again.v_dot, np.broadcast_to(v_dot, (3, 3, v_dot.shape[1])), atol=1e-11)


@PROGRAMS
def test_precision_is_that_of_the_numbers(program: str):
    mechanism = robot(program).astype(jnp.float32)
    to, back = converters(program)
    states = {name: jnp.asarray(x[0], jnp.float32) for name, x in random_states(mechanism).items()}
    theirs = to(mechanism, listed(mechanism, program), **states)
    again = back(mechanism, listed(mechanism, program), *theirs)
    for x in (*theirs[1:], *again):
        assert isinstance(x, np.ndarray)
        assert x.dtype == np.float32
    np.testing.assert_allclose(again.v, states["v"], atol=1e-4)


def test_lists_and_integers_are_taken():
    state = interop.to_mujoco(arm(), ["slide", "wheel", "elbow"], [1, 2, 3], v=[4, 5, 6])
    np.testing.assert_array_equal(state[:2], [[3.0, 1.0, 2.0], [6.0, 4.0, 5.0]])


def test_pinocchio_writes_a_hinge_without_limits_as_a_circle():
    names, q = ["wheel", "elbow", "slide"], np.array([0.3, 0.2, 0.1])
    circle = [np.cos(0.3), np.sin(0.3)]
    np.testing.assert_allclose(interop.to_pinocchio(arm(), names, q).q, [*circle, 0.2, 0.1])
    np.testing.assert_allclose(interop.to_pinocchio(arm(), names, q, unbounded=()).q, q)
    named = interop.to_pinocchio(arm(), names, q, unbounded=["elbow"]).q
    np.testing.assert_allclose(named, [0.3, np.cos(0.2), np.sin(0.2), 0.1])
    np.testing.assert_allclose(interop.from_pinocchio(arm(), names, named, unbounded=["elbow"]).q, q)


def test_pieces_of_a_joint_are_listed_as_mujoco_names_them_or_once():
    mechanism = tree_of(QuaternionFloating(), COMPOUND, seed=32)
    q = random_states(mechanism)["q"]
    ends = {"joint0": ("_TX", "_TY", "_RZ"), "joint1": ("_R1", "_R2"), "joint2": ("_RZ", "_RY", "_RX")}
    ends["joint3"] = ("_TX", "_TY", "_TZ")
    names = ["root", *(f"{name}{end}" for name in ends for end in ends[name])]
    once = interop.to_mujoco(mechanism, ["root", *ends], q).q
    np.testing.assert_array_equal(interop.to_mujoco(mechanism, names, q).q, once)


def test_a_floating_joint_has_the_name_of_its_body_too():
    mechanism = tree_of(QuaternionFloating(), (), seed=33)
    q = random_states(mechanism)["q"]
    np.testing.assert_array_equal(
        interop.to_drake(mechanism, ["base"], q).q, interop.to_drake(mechanism, ["root"], q).q
    )


def test_idyntree_base_is_the_body_that_is_fixed_to_the_world():
    mechanism, q = arm(), np.array([[0.3, 0.2, 0.1]])
    theirs = interop.to_idyntree(mechanism, ["slide", "wheel", "elbow"], q, tau=[1.0, 2.0, 3.0])
    placement = mechanism.placements.transform()[0]
    expected = np.block([[np.asarray(placement.rotation), placement.translation[:, None]], [np.eye(4)[3]]])
    np.testing.assert_allclose(theirs.q.base_transform[0], expected, atol=1e-15)
    np.testing.assert_array_equal(theirs.q.joint_positions, [[0.1, 0.3, 0.2]])
    np.testing.assert_array_equal(theirs.tau, [[3.0, 1.0, 2.0]])
    np.testing.assert_array_equal(interop.from_idyntree(mechanism, ["slide", "wheel", "elbow"], theirs.q).q, q)


def test_idyntree_base_is_the_world_if_a_listed_joint_fixes_a_body_to_it():
    names = ["mount_joint", "slide", "wheel", "elbow"]
    theirs = interop.to_idyntree(arm(), names, np.arange(3.0))
    np.testing.assert_array_equal(theirs.q.base_transform, np.eye(4))
    np.testing.assert_array_equal(interop.from_idyntree(arm(), names, theirs.q).q, np.arange(3.0))


def test_idyntree_base_is_the_world_if_more_than_one_body_hangs_on_it():
    mechanism = attach(arm(), "world", Revolute([1.0, 0.0, 0.0]), Body("d"), name="crank")
    names = ["slide", "wheel", "elbow", "crank"]
    theirs = interop.to_idyntree(mechanism, names, np.arange(4.0))
    np.testing.assert_array_equal(theirs.q.base_transform, np.eye(4))
    np.testing.assert_array_equal(interop.from_idyntree(mechanism, names, theirs.q).q, np.arange(4.0))


@PROGRAMS
def test_a_follower_is_a_joint_like_the_others(program: str):
    free = arm()
    mechanism = add_mimic(free, "wheel", "elbow", ratio=-0.5, offset=0.1)
    to, back = converters(program)
    names = ["slide", "wheel", "elbow"]
    options = {"unbounded": ()} if program == "pinocchio" else {}
    motion = {name: np.array([3.0, 2.0]) for name in ("v", "v_dot")}
    theirs = to(mechanism, names, [0.2, 0.7], **motion, tau=[5.0, 7.0])
    moved = {name: np.array([-1.5, 3.0, 2.0]) for name in motion}
    expected = to(free, names, np.array([0.0, 0.2, 0.7]), **moved, tau=[0.0, 5.0, 7.0], **options)
    for x, other in zip(theirs[1:], expected[1:], strict=True):
        np.testing.assert_allclose(x, other)
    positions = theirs.q.joint_positions if program == "idyntree" else theirs.q
    np.testing.assert_allclose(positions, [0.7, 0.0, 0.2], atol=1e-15)
    again = back(mechanism, names, *theirs[:3], tau=[7.0, 4.0, 5.0])
    np.testing.assert_allclose(again.q, [0.2, 0.7])
    np.testing.assert_allclose(again.v_dot, [3.0, 2.0])
    np.testing.assert_allclose(again.tau, [5.0 - 0.5 * 4.0, 7.0])
    without = to(mechanism, ["slide", "elbow"], [0.2, 0.7], **motion)  # the program gives it no coordinates
    np.testing.assert_allclose(without.v, [2.0, 3.0])


def test_nothing_is_converted_to_nothing():
    for mechanism in (Mechanism.empty(), attach(Mechanism.empty(), "world", Fixed(), Body("a"))):
        for program in JOINTS:
            to, back = converters(program)
            state = to(mechanism, [], np.zeros((2, 0)), np.zeros((2, 0)), np.zeros((2, 0)), np.zeros((2, 0)))
            assert state.v.shape == (2, 0)
            assert back(mechanism, [], *state).q.shape == (2, 0)


# ---- inertia --------------------------------------------------------------------------------------------------------


@PROGRAMS
def test_inertia_there_and_back(program: str):
    to, back = (getattr(interop, f"inertia_{way}_{program}") for way in ("to", "from"))
    many = SpatialInertia(jnp.array([1.0, 2.0]), jnp.ones((2, 3)), jnp.arange(12.0).reshape(2, 6))
    again = back(to(many))
    np.testing.assert_allclose(again.mass, many.mass)
    np.testing.assert_allclose(again.first_moment, many.first_moment)
    np.testing.assert_allclose(again.moment, many.moment, atol=1e-14)
    np.testing.assert_array_equal(to(SpatialInertia.zero()), np.zeros(10))
