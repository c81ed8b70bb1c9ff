"""What conversions to other programs refuse: each message says what is wrong and what to do."""

import jax.numpy as jnp
import pytest

from jaxdyn import Body, Mechanism, attach, interop
from jaxdyn._errors import InvalidValueError, MechanismError, ShapeError, UnknownNameError
from jaxdyn.joints import (
    AbstractJoint,
    Helical,
    Planar,
    QuaternionFloating,
    Reversed,
    Revolute,
    Translation,
    Universal,
)
from user_joints import Cam

PROGRAMS = ("pinocchio", "mujoco", "drake", "idyntree")
X, Y = [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]


def with_joint(joint: AbstractJoint) -> Mechanism:
    """A hinge `hip` and another joint `knee` below it."""
    mechanism = attach(Mechanism.empty(), "world", Revolute(X), Body("thigh"), name="hip", position_lower=-1.0)
    return attach(mechanism, "thigh", joint, Body("shank"), name="knee", **_limits(joint))


def _limits(joint: AbstractJoint) -> dict:
    return {"position_lower": -1.0} if isinstance(joint, Revolute) else {}


def convert(program: str, joint: AbstractJoint, names: list[str] | None = None, **others):
    mechanism = with_joint(joint)
    q = jnp.zeros(mechanism.num_positions)
    return getattr(interop, f"to_{program}")(mechanism, names or ["hip", "knee"], q, **others)


def test_unknown_name():
    message = (
        r"`joint_names`: There is no joint named `kne`.*`knee`.*write the mechanism's in its place; leave out what"
    )
    with pytest.raises(UnknownNameError, match=message):
        convert("pinocchio", Revolute(Y), ["hip", "kne"])


@pytest.mark.parametrize(
    ("names", "wrong"),
    [(["hip"], "no `knee`"), (["hip", "knee", "hip"], "`hip` twice"), (["knee"] * 2, "`knee` twice")],
)
def test_wrong_list_of_names(names: list[str], wrong: str):
    with pytest.raises(
        InvalidValueError, match=rf"each moving joint once, but has .*{wrong}.* List the joints of Drake"
    ):
        convert("drake", Revolute(Y), names)


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize(
    ("joint", "reason"),
    [
        (Cam(0.7), "it has no such joint"),
        (Reversed(Planar(X, Y)), "it has no reversed Planar"),
        (Reversed(QuaternionFloating()), "it has no reversed|its free joints|only its base"),
    ],
)
def test_joint_that_no_program_has(program: str, joint: AbstractJoint, reason: str):
    message = (
        rf"cannot hold the coordinates of the joint `knee`, a {type(joint).__name__}: ({reason}).* Build both models"
    )
    with pytest.raises(MechanismError, match=message):
        convert(program, joint)


@pytest.mark.parametrize(
    ("program", "joint", "reason"),
    [
        ("pinocchio", Universal(X, [1.0, 1.0, 0.0]), "its universal joints have orthogonal axes"),
        ("drake", Universal(X, [1.0, 1.0, 0.0]), "its universal joints have orthogonal axes"),
        ("mujoco", QuaternionFloating(), "its free joints hang on the world"),
        ("mujoco", Helical(X, 0.1), "it has no such joint"),
        ("drake", Translation(), "it has no such joint"),
        ("idyntree", QuaternionFloating(), "only its base floats, and there is one"),
        ("idyntree", Planar(X, Y), "it has no such joint"),
    ],
)
def test_joint_that_one_program_lacks(program: str, joint: AbstractJoint, reason: str):
    with pytest.raises(MechanismError, match=rf"the joint `knee`.*{reason}. Build both models"):
        convert(program, joint)


def test_second_floating_base_of_idyntree():
    mechanism = attach(Mechanism.empty(), "world", QuaternionFloating(), Body("a"))
    mechanism = attach(mechanism, "world", QuaternionFloating(), Body("b"))
    with pytest.raises(MechanismError, match=r"only its base floats, and there is one\. Build both models"):
        interop.to_idyntree(mechanism, ["a", "b"], jnp.zeros(14))


def test_derivative_without_velocity():
    with pytest.raises(InvalidValueError, match=r"`v_dot` was given without `v`.*Pass `v` as well"):
        convert("mujoco", Revolute(Y), v_dot=jnp.zeros(2))


@pytest.mark.parametrize("name", ["v", "tau"])
def test_wrong_length(name: str):
    with pytest.raises(ShapeError, match=rf"`{name}` must have shape \(..., 2\), but has shape \(3,\). Pass jaxdyn's"):
        convert("mujoco", Revolute(Y), **{name: jnp.zeros(3)})


def test_wrong_length_of_the_other_program():
    mechanism = with_joint(Revolute(Y))
    message = (
        r"`q` must have shape \(..., 2\), but has shape \(3,\). Pinocchio writes.*`hip` 1, `knee` 1.*in `unbounded`"
    )
    with pytest.raises(ShapeError, match=message):
        interop.from_pinocchio(mechanism, ["hip", "knee"], jnp.zeros(3))
    with pytest.raises(ShapeError, match=r"`q` must have shape.*Drake writes.*Check `joint_names`"):
        interop.from_drake(mechanism, ["hip", "knee"], 1.0)


@pytest.mark.parametrize("program", PROGRAMS)
def test_inertia_of_not_ten_numbers(program: str):
    with pytest.raises(
        ShapeError, match=r"ten numbers, but came in the shape \(3, 6\). Give mass, three numbers for the"
    ):
        getattr(interop, f"inertia_from_{program}")(jnp.zeros((3, 6)))
