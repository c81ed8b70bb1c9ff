"""One floating body, off the world's origin, at one state; its moments of inertia tell the axes of a moment apart."""

from typing import Any

import numpy as np

from conventions.programs import MOMENTS, QUATERNION, ROTATION, Case, assert_near, builder
from jaxdyn import interop
from jaxdyn.joints import AbstractJoint, QuaternionFloating
from jaxdyn.spatial import Transform

P = np.array([1.0, 2.0, 3.0])
OMEGA, V = np.array([1.0, 2.0, 3.0]), np.array([4.0, 5.0, 6.0])
"""Twist in the frame after."""
OMEGA_DOT = np.array([-3.0, 2.0, -0.5])
"""By Euler's equations for the moments 2, 3, 4, when nothing acts."""
MOMENT, FORCE = np.array([1.0, 2.0, 3.0]), np.array([4.0, 5.0, 6.0])

R_BEFORE, P_BEFORE = np.array([[0.28, 0.96, 0], [-0.96, 0.28, 0], [0, 0, 1]]), np.array([7.0, 8.0, 9.0])
"""The frame before the joint in the world, turned about z by (0.8, 0, 0, -0.6)."""
R_WORLD, P_WORLD = R_BEFORE @ ROTATION, R_BEFORE @ P + P_BEFORE
WORLD_QUATERNION = np.array([5.2, 6.2, 1.6, 3.6]) / 9
"""(0.8, 0, 0, -0.6) times (2, 4, 5, 6) / 9, by Hamilton's rules."""
WORLD_POSE = np.block([[R_WORLD, P_WORLD[:, None]], [np.zeros((1, 3)), np.ones((1, 1))]])

AT = {
    "pinocchio": np.array([*P, *QUATERNION[1:], QUATERNION[0]]),
    "mujoco": np.array([*P_WORLD, *WORLD_QUATERNION]),
    "drake": np.array([*QUATERNION, *P]),
    "idyntree": (WORLD_POSE, np.zeros(0)),
}
"""The configuration in each program."""
MOVING = {
    "pinocchio": np.array([*V, *OMEGA]),
    "mujoco": np.array([*R_WORLD @ V, *OMEGA]),
    "drake": np.array([*ROTATION @ OMEGA, *ROTATION @ V]),
    "idyntree": np.array([*R_WORLD @ V, *R_WORLD @ OMEGA]),
}
"""The velocity in each program."""
LOADED = {
    "pinocchio": np.array([*FORCE, *MOMENT]),
    "mujoco": np.array([*R_WORLD @ FORCE, *MOMENT]),
    "drake": np.array([*ROTATION @ MOMENT, *ROTATION @ FORCE]),
    "idyntree": np.array([*R_WORLD @ FORCE, *R_WORLD @ MOMENT]),
}
"""The generalized force in each program."""
PUSHED = {
    "pinocchio": np.array([*FORCE / 2, *MOMENT / MOMENTS]),
    "mujoco": np.array([*R_WORLD @ FORCE / 2, *MOMENT / MOMENTS]),
    "drake": np.array([*ROTATION @ (MOMENT / MOMENTS), *ROTATION @ FORCE / 2]),
    "idyntree": np.array([*R_WORLD @ FORCE / 2, *R_WORLD @ (MOMENT / MOMENTS)]),
}
"""The derivative of the velocity from rest under that force, of 2 kg."""
FLYING = {
    "pinocchio": np.array([*-np.cross(OMEGA, V), *OMEGA_DOT]),
    "mujoco": np.array([0, 0, 0, *OMEGA_DOT]),
    "drake": np.array([*ROTATION @ OMEGA_DOT, 0, 0, 0]),
    "idyntree": np.array([0, 0, 0, *R_WORLD @ OMEGA_DOT]),
}
"""The derivative of the velocity when nothing acts: the origin keeps its velocity in the world."""


def case(joint: AbstractJoint | None = None, q: Any = None, v: Any = None) -> Case:
    """The body at its configuration, at rest unless a velocity is given."""
    is_moving = v is not None
    return Case(
        joint or QuaternionFloating(),
        [*QUATERNION, *P] if q is None else q,
        v if is_moving else np.zeros(6),
        (R_WORLD, P_WORLD),
        (R_WORLD @ OMEGA, R_WORLD @ V) if is_moving else (np.zeros(3), np.zeros(3)),
        Transform.from_quaternion(np.array([0.8, 0.0, 0.0, -0.6]), P_BEFORE),
    )


def check_position(program: str) -> None:
    """The program's configuration places the body."""
    case().check(program, AT[program], np.zeros(6))


def check_velocity(program: str, **options: Any) -> None:
    """The program's velocity moves the body."""
    case(v=[*OMEGA, *V], **options).check(program, AT[program], MOVING[program])


def check_force(program: str) -> None:
    """The program's force accelerates the resting body; the converter writes it."""
    here, zero = case(), np.zeros(6)
    engine = builder(program).engine_of(here.mechanism)
    assert_near(engine.answers(AT[program], zero, zero, LOADED[program])["forward dynamics"], PUSHED[program])
    to, back = _converters(program)
    assert_near(to(here.mechanism, engine.joint_names, here.q, tau=[*MOMENT, *FORCE]).tau, LOADED[program])
    read = back(here.mechanism, engine.joint_names, AT[program], tau=LOADED[program]).tau
    assert_near(read, [*MOMENT, *FORCE])


def check_acceleration(program: str) -> None:
    """What the program says of a body on which nothing acts; the converter writes it."""
    here, v_dot = case(v=[*OMEGA, *V]), [*OMEGA_DOT, *-np.cross(OMEGA, V)]
    engine = builder(program).engine_of(here.mechanism)
    state = AT[program], MOVING[program]
    assert_near(engine.answers(*state, np.zeros(6), np.zeros(6))["forward dynamics"], FLYING[program])
    to, back = _converters(program)
    assert_near(to(here.mechanism, engine.joint_names, here.q, here.v, v_dot).v_dot, FLYING[program])
    assert_near(back(here.mechanism, engine.joint_names, *state, FLYING[program]).v_dot, v_dot)


def _converters(program: str) -> Any:
    return getattr(interop, f"to_{program}"), getattr(interop, f"from_{program}")
