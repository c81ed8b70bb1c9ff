"""Pinocchio's coordinates."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np

from .._shapes import Numbers
from ..joints import (
    AbstractJoint,
    Helical,
    Planar,
    Prismatic,
    QuaternionFloating,
    QuaternionSpherical,
    Revolute,
    RPYSpherical,
    SinCosRevolute,
    SPQuatFloating,
    Translation,
    Universal,
)
from ..mechanism import Mechanism
from ._convert import Coordinates, Program, layout_of, to_ours, to_theirs
from ._joint_maps import (
    ANGLE_AS_CIRCLE,
    PLANAR_AS_CIRCLE,
    RPY_AS_YPR,
    SCALAR_LAST,
    SINE_COSINE_AS_ANGLE,
    SINE_COSINE_AS_CIRCLE,
    FloatingConvention,
    JointMap,
    are_orthogonal,
    floating,
    same,
)
from ._rotations import unit

_FREE_FLYER = FloatingConvention(
    7,
    write=lambda quaternion, position: np.concatenate([position, np.roll(quaternion, -1, axis=-1)], axis=-1),
    read=lambda q: (unit(np.roll(q[..., 3:], 1, axis=-1), 0), q[..., :3]),
    is_linear_first=True,
    is_angular_before=False,
    is_linear_before=False,
)
_MAPS: Mapping[type[AbstractJoint], JointMap] = MappingProxyType(
    {
        Prismatic: same(1),
        Helical: same(1),
        Universal: same(2),
        Translation: same(3),
        Planar: PLANAR_AS_CIRCLE,
        RPYSpherical: RPY_AS_YPR,
        QuaternionSpherical: SCALAR_LAST,
    }
)
_HINT = "Check `joint_names`, and name in `unbounded` the hinges that Pinocchio writes as (cos, sin)."


def to_pinocchio(
    mechanism: Mechanism,
    joint_names: Sequence[str],
    q: Numbers,
    v: Numbers | None = None,
    v_dot: Numbers | None = None,
    tau: Numbers | None = None,
    *,
    unbounded: Sequence[str] | None = None,
) -> Coordinates:
    """A state in Pinocchio's coordinates.

    Pinocchio's joint frames must be those of the mechanism, as they are when both load one URDF, except that its reader
    takes every planar joint to have the normal z. A floating base is (p, x, y, z, w) there, and its v, v_dot and tau
    are the same in the body's axes, linear part first; `Planar` is (x, y, cos θ, sin θ), `RPYSpherical` is a
    `SphericalZYX`. Runs on NumPy, outside of `jax.jit`.

    So, for example, `pin.rnea(model, data, *to_pinocchio(mechanism, joint_names, q, v, v_dot)[:3])`.

    Args:
        mechanism: The mechanism.
        joint_names: Pinocchio's joints in its order: `list(model.names[1:])`.
        q: Configuration; states may be stacked on leading axes, as of the other arguments.
        v: Velocity [m/s, rad/s].
        v_dot: Its derivative [m/s², rad/s²]; needs `v`.
        tau: Generalized force [N, N m].
        unbounded: Names of the hinges that Pinocchio writes as (cos, sin), by default those of class `SinCosRevolute`
            and those without position limits, which are the continuous ones of a URDF, unless they follow another one.

    Returns:
        The coordinates, NumPy arrays; None for what was not given.

    Raises:
        UnknownNameError: A name is not one of the mechanism's joints.
        InvalidValueError: A joint is missing or listed twice, or `v` is missing.
        MechanismError: Pinocchio has no joint with such coordinates.
        ShapeError: An argument has the wrong length.
    """
    layout = layout_of(mechanism, joint_names, _program(mechanism, unbounded))
    return to_theirs(layout, mechanism, (q, v, v_dot, tau))


def from_pinocchio(
    mechanism: Mechanism,
    joint_names: Sequence[str],
    q: Numbers,
    v: Numbers | None = None,
    v_dot: Numbers | None = None,
    tau: Numbers | None = None,
    *,
    unbounded: Sequence[str] | None = None,
) -> Coordinates:
    """A state of Pinocchio's in jaxdyn's coordinates: the inverse of `to_pinocchio`.

    Args:
        mechanism: The mechanism.
        joint_names: Pinocchio's joints in its order: `list(model.names[1:])`.
        q: Pinocchio's configuration; states may be stacked on leading axes, as of the other arguments.
        v: Pinocchio's velocity [m/s, rad/s].
        v_dot: Its derivative [m/s², rad/s²]; needs `v`.
        tau: Pinocchio's generalized force [N, N m].
        unbounded: As of `to_pinocchio`.

    Returns:
        The coordinates, NumPy arrays; None for what was not given.

    Raises:
        UnknownNameError: A name is not one of the mechanism's joints.
        InvalidValueError: A joint is missing or listed twice, or `v` is missing.
        MechanismError: Pinocchio has no joint with such coordinates.
        ShapeError: An argument has the wrong length.
    """
    program = _program(mechanism, unbounded)
    return to_ours(layout_of(mechanism, joint_names, program), mechanism, (q, v, v_dot, tau), program)


def _program(mechanism: Mechanism, unbounded: Sequence[str] | None) -> Program:
    named = None if unbounded is None else {mechanism.joint_index(name) for name in unbounded}

    def joint_map(mechanism: Mechanism, body: int, joint: AbstractJoint) -> JointMap | str:
        if isinstance(joint, Revolute | SinCosRevolute):
            is_angle = isinstance(joint, Revolute)
            if not (_is_unbounded(mechanism, body, joint) if named is None else body in named):
                return same(1) if is_angle else SINE_COSINE_AS_ANGLE
            return ANGLE_AS_CIRCLE if is_angle else SINE_COSINE_AS_CIRCLE
        if isinstance(joint, QuaternionFloating | SPQuatFloating):
            return floating(joint, _FREE_FLYER)
        if isinstance(joint, Universal) and not are_orthogonal(mechanism, body):
            return "its universal joints have orthogonal axes"
        return _MAPS.get(type(joint), "it has no such joint")

    # Turned round, these are the same joint about the negative axis.
    return Program("Pinocchio", joint_map, (Revolute, SinCosRevolute, Prismatic, Helical), _HINT)


def _is_unbounded(mechanism: Mechanism, body: int, joint: AbstractJoint) -> bool:
    if isinstance(joint, SinCosRevolute):
        return True
    if mechanism.topology.leaders[body] != body:
        return False  # a follower has no limits here
    dof = mechanism.topology.v_offsets[body]
    return all(np.isinf(np.asarray(limits)[dof]) for limits in (mechanism.position_lower, mechanism.position_upper))
