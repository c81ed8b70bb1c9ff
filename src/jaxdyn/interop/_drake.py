"""Drake's coordinates."""

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
    Universal,
)
from ..mechanism import Mechanism
from ._convert import Coordinates, Program, layout_of, to_ours, to_theirs
from ._joint_maps import (
    PLANAR_WITH_RATES,
    QUATERNION_AS_RPY,
    RPY_WITH_ANGULAR_VELOCITY,
    SINE_COSINE_AS_ANGLE,
    FloatingConvention,
    JointMap,
    are_orthogonal,
    floating,
    same,
)
from ._rotations import unit

_QUATERNION_FLOATING = FloatingConvention(
    7,
    write=lambda quaternion, position: np.concatenate([quaternion, position], axis=-1),
    read=lambda q: (unit(q[..., :4], 0), q[..., 4:]),
    is_linear_first=False,
    is_angular_before=True,
    is_linear_before=True,
)
_MAPS: Mapping[type[AbstractJoint], JointMap] = MappingProxyType(
    {
        Revolute: same(1),
        SinCosRevolute: SINE_COSINE_AS_ANGLE,
        Prismatic: same(1),
        Helical: same(1),
        Universal: same(2),
        Planar: PLANAR_WITH_RATES,
        RPYSpherical: RPY_WITH_ANGULAR_VELOCITY,
        QuaternionSpherical: QUATERNION_AS_RPY,
    }
)


def to_drake(
    mechanism: Mechanism,
    joint_names: Sequence[str],
    q: Numbers,
    v: Numbers | None = None,
    v_dot: Numbers | None = None,
    tau: Numbers | None = None,
) -> Coordinates:
    """A state in Drake's coordinates.

    Drake's frames on the parent and on the child of a joint must be those before and after it in the mechanism, as they
    are when both load one URDF, except that of a planar joint whose normal has a negative z the two readers choose
    other axes in the plane. A floating base is (w, x, y, z, p) as here, but its v, v_dot and tau are in the axes of
    the frame before: angular velocity and velocity of the origin, their derivatives, moment and force. So are v, v_dot
    and tau of both kinds of ball joints, whose positions are roll, pitch and yaw, and the linear ones of `Planar`. In
    these coordinates a ball joint is singular at a pitch of ±π/2. Runs on NumPy, outside of `jax.jit`.

    So, for example, `plant.SetPositions(context, to_drake(mechanism, joint_names, q).q)`.

    Args:
        mechanism: The mechanism.
        joint_names: Drake's joints in the order of their velocities: `[joint.name() for joint in sorted(map(
            plant.get_joint, plant.GetJointIndices()), key=lambda j: j.velocity_start()) if joint.num_velocities()]`. A
            floating joint may be listed under the name of its body, as Drake calls it.
        q: Configuration; states may be stacked on leading axes, as of the other arguments.
        v: Velocity [m/s, rad/s].
        v_dot: Its derivative [m/s², rad/s²]; needs `v`.
        tau: Generalized force [N, N m].

    Returns:
        The coordinates, NumPy arrays; None for what was not given.

    Raises:
        UnknownNameError: A name is not one of the mechanism's joints.
        InvalidValueError: A joint is missing or listed twice, or `v` is missing.
        MechanismError: Drake has no joint with such coordinates.
        ShapeError: An argument has the wrong length.
    """
    return to_theirs(layout_of(mechanism, joint_names, _PROGRAM), mechanism, (q, v, v_dot, tau))


def from_drake(
    mechanism: Mechanism,
    joint_names: Sequence[str],
    q: Numbers,
    v: Numbers | None = None,
    v_dot: Numbers | None = None,
    tau: Numbers | None = None,
) -> Coordinates:
    """A state of Drake's in jaxdyn's coordinates: the inverse of `to_drake`.

    Args:
        mechanism: The mechanism.
        joint_names: Drake's joints in the order of their velocities, as of `to_drake`.
        q: Drake's positions; states may be stacked on leading axes, as of the other arguments.
        v: Drake's velocities [m/s, rad/s].
        v_dot: Their derivatives [m/s², rad/s²]; needs `v`.
        tau: Drake's generalized force [N, N m].

    Returns:
        The coordinates, NumPy arrays; None for what was not given.

    Raises:
        UnknownNameError: A name is not one of the mechanism's joints.
        InvalidValueError: A joint is missing or listed twice, or `v` is missing.
        MechanismError: Drake has no joint with such coordinates.
        ShapeError: An argument has the wrong length.
    """
    return to_ours(layout_of(mechanism, joint_names, _PROGRAM), mechanism, (q, v, v_dot, tau), _PROGRAM)


def _joint_map(mechanism: Mechanism, body: int, joint: AbstractJoint) -> JointMap | str:
    if isinstance(joint, QuaternionFloating | SPQuatFloating):
        return floating(joint, _QUATERNION_FLOATING)
    if isinstance(joint, Universal) and not are_orthogonal(mechanism, body):
        return "its universal joints have orthogonal axes"
    return _MAPS.get(type(joint), "it has no such joint")


# Turned round, these are the same joint about the negative axis; Drake's hinges and sliders may also lead from a body
# towards the world.
_PROGRAM = Program("Drake", _joint_map, (Revolute, SinCosRevolute, Prismatic, Helical))
