"""MuJoCo's coordinates."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np

from .._shapes import Numbers
from ..joints import (
    AbstractJoint,
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
from ._convert import Coordinates, Program, concrete_pose, layout_of, to_ours, to_theirs
from ._joint_maps import (
    PLANAR_WITH_RATES,
    RPY_AS_YPR,
    SCALAR_FIRST,
    SINE_COSINE_AS_ANGLE,
    FloatingConvention,
    JointMap,
    ball_between,
    floating,
    same,
)
from ._rotations import unit

_FREE = FloatingConvention(
    7,
    write=lambda quaternion, position: np.concatenate([position, quaternion], axis=-1),
    read=lambda q: (unit(q[..., 3:], 0), q[..., :3]),
    is_linear_first=True,
    is_angular_before=False,
    is_linear_before=True,
)
_MAPS: Mapping[type[AbstractJoint], JointMap] = MappingProxyType(
    {
        Revolute: same(1),
        SinCosRevolute: SINE_COSINE_AS_ANGLE,
        Prismatic: same(1),
        Universal: same(2),
        Translation: same(3),
        Planar: PLANAR_WITH_RATES,
        RPYSpherical: RPY_AS_YPR,
    }
)
# A joint that is several of MuJoCo's: the ends of their names, from the predecessor to the successor. MuJoCo's URDF
# reader names the pieces of a planar joint so, and the others follow suit.
_PIECES: Mapping[type[AbstractJoint], tuple[str, ...]] = MappingProxyType(
    {
        Planar: ("_TX", "_TY", "_RZ"),
        Translation: ("_TX", "_TY", "_TZ"),
        RPYSpherical: ("_RZ", "_RY", "_RX"),
        Universal: ("_R1", "_R2"),
    }
)


def to_mujoco(
    mechanism: Mechanism,
    joint_names: Sequence[str],
    q: Numbers,
    v: Numbers | None = None,
    v_dot: Numbers | None = None,
    tau: Numbers | None = None,
) -> Coordinates:
    """A state in MuJoCo's coordinates.

    MuJoCo's body frames must be those of the mechanism, as they are when both load one URDF; so must the axes of its
    joints, and they are, except that of a planar joint whose normal has a negative z the two readers choose other axes
    in the plane. A free body is (p, w, x, y, z) in the world; its v is the velocity of the body's origin in world axes
    and then the angular velocity in the body's axes, its tau a force and a moment in the same axes.

    A joint of several degrees of freedom other than a ball or a free one is several joints in a row: they are listed
    under the joint's name once, or under that name with the endings of MuJoCo's URDF reader, `_TX`, `_TY`, `_RZ` for
    `Planar`, `_TX`, `_TY`, `_TZ` for `Translation`, `_RZ`, `_RY`, `_RX` for `RPYSpherical`, `_R1`, `_R2` for
    `Universal`. Runs on NumPy, outside of `jax.jit`.

    So, for example, `data.qpos[:], data.qvel[:], *_ = to_mujoco(mechanism, joint_names, q, v)`.

    Args:
        mechanism: The mechanism.
        joint_names: MuJoCo's joints in its order: `[model.joint(i).name for i in range(model.njnt)]`.
        q: Configuration; states may be stacked on leading axes, as of the other arguments.
        v: Velocity [m/s, rad/s].
        v_dot: Its derivative [m/s², rad/s²]; needs `v`.
        tau: Generalized force [N, N m].

    Returns:
        The coordinates qpos, qvel, qacc and qfrc, NumPy arrays; None for what was not given.

    Raises:
        UnknownNameError: A name is not one of the mechanism's joints.
        InvalidValueError: A joint is missing or listed twice, or `v` is missing.
        MechanismError: MuJoCo has no joint with such coordinates.
        ShapeError: An argument has the wrong length.
    """
    layout = layout_of(mechanism, _without_pieces(mechanism, joint_names), _PROGRAM)
    return to_theirs(layout, mechanism, (q, v, v_dot, tau))


def from_mujoco(
    mechanism: Mechanism,
    joint_names: Sequence[str],
    q: Numbers,
    v: Numbers | None = None,
    v_dot: Numbers | None = None,
    tau: Numbers | None = None,
) -> Coordinates:
    """A state of MuJoCo's in jaxdyn's coordinates: the inverse of `to_mujoco`.

    Args:
        mechanism: The mechanism.
        joint_names: MuJoCo's joints in its order, as of `to_mujoco`.
        q: MuJoCo's qpos; states may be stacked on leading axes, as of the other arguments.
        v: MuJoCo's qvel [m/s, rad/s].
        v_dot: MuJoCo's qacc [m/s², rad/s²]; needs `v`.
        tau: A generalized force of MuJoCo's, such as qfrc_inverse [N, N m].

    Returns:
        The coordinates, NumPy arrays; None for what was not given.

    Raises:
        UnknownNameError: A name is not one of the mechanism's joints.
        InvalidValueError: A joint is missing or listed twice, or `v` is missing.
        MechanismError: MuJoCo has no joint with such coordinates.
        ShapeError: An argument has the wrong length.
    """
    layout = layout_of(mechanism, _without_pieces(mechanism, joint_names), _PROGRAM)
    return to_ours(layout, mechanism, (q, v, v_dot, tau), _PROGRAM)


def _joint_map(mechanism: Mechanism, body: int, joint: AbstractJoint) -> JointMap | str:
    after = concrete_pose(mechanism.successor_placements, body)
    if isinstance(joint, QuaternionFloating | SPQuatFloating):
        if mechanism.topology.parents[body] >= 0:
            return "its free joints hang on the world"
        return floating(joint, _FREE, concrete_pose(mechanism.placements, body), after)
    if isinstance(joint, QuaternionSpherical):
        return SCALAR_FIRST if after is None else ball_between(after)
    return _MAPS.get(type(joint), "it has no such joint")


# Turned round, these are the same joint about the negative axis.
_PROGRAM = Program("MuJoCo", _joint_map, (Revolute, SinCosRevolute, Prismatic))


def _without_pieces(mechanism: Mechanism, joint_names: Sequence[str]) -> list[str]:
    """The names with each row of pieces replaced by the one name of their joint."""
    names = list(joint_names)
    for group, bodies in zip(mechanism.joint_groups, mechanism.topology.joint_groups, strict=True):
        for name in (mechanism.joint_names[body] for body in bodies if type(group) in _PIECES):
            pieces = [f"{name}{end}" for end in _PIECES[type(group)]]
            start = names.index(pieces[0]) if pieces[0] in names else len(names)
            if names[start : start + len(pieces)] == pieces:
                names[start : start + len(pieces)] = [name]
    return names
