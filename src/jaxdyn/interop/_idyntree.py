"""iDynTree's coordinates: a base, and joints below it."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from .._shapes import Numbers
from ..joints import (
    AbstractJoint,
    Fixed,
    Prismatic,
    QuaternionFloating,
    QuaternionSpherical,
    Revolute,
    SinCosRevolute,
    SPQuatFloating,
)
from ..mechanism import Mechanism
from ._convert import Coordinates, MappedJoint, Program, concrete_pose, layout_of, to_ours, to_theirs
from ._joint_maps import (
    SCALAR_FIRST,
    SINE_COSINE_AS_ANGLE,
    FloatingConvention,
    JointMap,
    Pose,
    ball_between,
    compose,
    floating,
    inverse,
    same,
)
from ._rotations import Quaternion, Vector, matrix_of_quaternion, quaternion_of_matrix


class IDynTreePosition(NamedTuple):
    """Positions as `KinDynComputations.setRobotState` takes them.

    Attributes:
        base_transform: Pose of the base link in the world, homogeneous matrices.
        joint_positions: Positions of the joints.
    """

    base_transform: Float[np.ndarray, "... 4 4"]
    joint_positions: Float[np.ndarray, "... _"]


def _write(quaternion: Quaternion, position: Vector) -> Float[np.ndarray, "... 16"]:
    flat = np.zeros((*position.shape[:-1], 4, 4), position.dtype)
    flat[..., :3, :3], flat[..., :3, 3], flat[..., 3, 3] = matrix_of_quaternion(quaternion), position, 1
    return flat.reshape(*flat.shape[:-2], 16)


def _read(numbers: Float[np.ndarray, "... 16"]) -> tuple[Quaternion, Vector]:
    transform = numbers.reshape(*numbers.shape[:-1], 4, 4)
    return quaternion_of_matrix(transform[..., :3, :3]), transform[..., :3, 3]


_MAPS: Mapping[type[AbstractJoint], JointMap] = MappingProxyType(
    {Revolute: same(1), SinCosRevolute: SINE_COSINE_AS_ANGLE, Prismatic: same(1)}
)
_MIXED = FloatingConvention(16, _write, _read, is_linear_first=True, is_angular_before=True, is_linear_before=True)


def to_idyntree(
    mechanism: Mechanism,
    joint_names: Sequence[str],
    q: Numbers,
    v: Numbers | None = None,
    v_dot: Numbers | None = None,
    tau: Numbers | None = None,
) -> Coordinates:
    """A state in iDynTree's coordinates, in its default, the mixed representation.

    `state.q` is an `IDynTreePosition`. Where the base floats, the first six entries of `v`, `v_dot` and `tau` belong to
    it: velocity of the base link's origin and angular velocity, their derivatives, force and moment, all in world axes.
    Where it does not, there are no such entries. So, with a floating base,
    `kin_dyn.setRobotState(state.q.base_transform, state.q.joint_positions, state.v[:6], state.v[6:], gravity)`.

    iDynTree's base link is the body that hangs on the world alone, by a floating joint or a fixed one that is not
    listed; else it is the world. Runs on NumPy, outside of `jax.jit`.

    Args:
        mechanism: The mechanism.
        joint_names: iDynTree's joints in its order: `[model.getJointName(i) for i in range(model.getNrOfJoints())]`.
            There is no joint between the world and the base.
        q: Configuration; states may be stacked on leading axes, as of the other arguments.
        v: Velocity [m/s, rad/s].
        v_dot: Its derivative [m/s², rad/s²]; needs `v`.
        tau: Generalized force [N, N m].

    Returns:
        The coordinates, NumPy arrays; None for what was not given.

    Raises:
        UnknownNameError: A name is not one of the mechanism's joints.
        InvalidValueError: A joint is missing or listed twice, or `v` is missing.
        MechanismError: iDynTree has no joint with such coordinates.
        ShapeError: An argument has the wrong length.
    """
    layout = _layout(mechanism, joint_names)
    theirs = to_theirs(layout, mechanism, (q, v, v_dot, tau))
    base, joint_positions = np.split(theirs.q, [16], axis=-1)
    return theirs._replace(q=IDynTreePosition(base.reshape(*base.shape[:-1], 4, 4), joint_positions))


def from_idyntree(
    mechanism: Mechanism,
    joint_names: Sequence[str],
    q: IDynTreePosition | tuple[Numbers, Numbers],
    v: Numbers | None = None,
    v_dot: Numbers | None = None,
    tau: Numbers | None = None,
) -> Coordinates:
    """A state of iDynTree's in jaxdyn's coordinates: the inverse of `to_idyntree`.

    Args:
        mechanism: The mechanism.
        joint_names: iDynTree's joints in its order, as of `to_idyntree`.
        q: Pose of the base link in the world, a homogeneous matrix (not read where the base is fixed), and the
            positions of the joints; states may be stacked on leading axes, as of the other arguments.
        v: Velocity [m/s, rad/s], with the six entries of the base first if it floats.
        v_dot: Its derivative [m/s², rad/s²]; needs `v`.
        tau: Generalized force [N, N m].

    Returns:
        The coordinates, NumPy arrays; None for what was not given.

    Raises:
        UnknownNameError: A name is not one of the mechanism's joints.
        InvalidValueError: A joint is missing or listed twice, or `v` is missing.
        MechanismError: iDynTree has no joint with such coordinates.
        ShapeError: An argument has the wrong length.
    """
    base, joint_positions = (np.asarray(part) for part in q)
    base = base.reshape(*base.shape[:-2], 16)
    batch = np.broadcast_shapes(base.shape[:-1], joint_positions.shape[:-1])
    parts = [np.broadcast_to(part, (*batch, part.shape[-1])) for part in (base, joint_positions)]
    positions = np.concatenate(parts, axis=-1)
    return to_ours(_layout(mechanism, joint_names), mechanism, (positions, v, v_dot, tau), _PROGRAM)


def _layout(mechanism: Mechanism, joint_names: Sequence[str]) -> list[MappedJoint]:
    """The base and then the joints; a base that does not float is a joint without degrees of freedom."""
    on_world = [body for body, parent in enumerate(mechanism.topology.parents) if parent < 0]
    joint = mechanism.joint(on_world[0]) if len(on_world) == 1 else None
    if isinstance(joint, QuaternionFloating | SPQuatFloating):
        return layout_of(mechanism, joint_names, _PROGRAM, unlisted=(0,))
    nowhere = Pose(np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(3))
    before, after = nowhere, None
    if isinstance(joint, Fixed) and mechanism.topology.joint_names[0] not in joint_names:
        before, after = concrete_pose(mechanism.placements, 0), concrete_pose(mechanism.successor_placements, 0)
    pose = _write(*compose(before or nowhere, inverse(after or nowhere)))
    nothing = np.zeros(0, dtype=int)
    base = JointMap(16, lambda q: np.broadcast_to(pose, (*q.shape[:-1], 16)), lambda q: q[..., :0])
    return [MappedJoint("base", nothing, nothing, base), *layout_of(mechanism, joint_names, _PROGRAM)]


def _joint_map(mechanism: Mechanism, body: int, joint: AbstractJoint) -> JointMap | str:
    if isinstance(joint, QuaternionFloating | SPQuatFloating):
        if body > 0 or mechanism.topology.parents.count(-1) > 1:
            return "only its base floats, and there is one"
        before = concrete_pose(mechanism.placements, body)
        return floating(joint, _MIXED, before, concrete_pose(mechanism.successor_placements, body))
    if isinstance(joint, QuaternionSpherical):
        after = concrete_pose(mechanism.successor_placements, body)
        return SCALAR_FIRST if after is None else ball_between(after)
    return _MAPS.get(type(joint), "it has no such joint")


# Turned round, these are the same joint about the negative axis.
_PROGRAM = Program("iDynTree", _joint_map, (Revolute, SinCosRevolute, Prismatic))
