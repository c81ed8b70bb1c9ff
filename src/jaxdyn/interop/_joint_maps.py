"""How other programs write a joint's coordinates: one map per pair of conventions, over leading axes."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import jax
import numpy as np
from jaxtyping import Float

from ..joints import SPQuatFloating
from ..mechanism import Mechanism
from ._rotations import (
    Quaternion,
    Vector,
    conjugate,
    matrix_of_quaternion,
    product,
    quaternion_of_rpy,
    rpy_of_quaternion,
    skew,
    unit,
)

Array = Float[np.ndarray, "..."]
Matrices = tuple[Array, Array]
"""T and its time derivative: (their velocity) = T(q) (our velocity)."""


class JointMap(NamedTuple):
    """The coordinates of one joint in jaxdyn ("ours") and in another program ("theirs").

    Attributes:
        num_positions: Number of their position coordinates; of velocities both have the same number.
        to_theirs: Their position coordinates of ours.
        to_ours: Our position coordinates of theirs.
        velocity_matrices: From our q and v to the matrix T with (their velocity) = T (our velocity), and to its time
            derivative. None where the velocities are the same.
    """

    num_positions: int
    to_theirs: Callable[[Array], Array]
    to_ours: Callable[[Array], Array]
    velocity_matrices: Callable[[Array, Array], Matrices] | None = None


class Pose(NamedTuple):
    """A constant pose: quaternion and translation."""

    quaternion: Quaternion
    translation: Vector


class FloatingConvention(NamedTuple):
    """How a program writes a floating base.

    Attributes:
        num_positions: Number of position coordinates.
        write: From a unit quaternion and a position to the coordinates.
        read: The inverse of `write`.
        is_linear_first: Whether the linear velocity comes before the angular one.
        is_angular_before: Whether the angular velocity is in the axes of the frame before the joint.
        is_linear_before: The same for the linear velocity.
    """

    num_positions: int
    write: Callable[[Quaternion, Vector], Array]
    read: Callable[[Array], tuple[Quaternion, Vector]]
    is_linear_first: bool
    is_angular_before: bool
    is_linear_before: bool


def same(num_positions: int) -> JointMap:
    """The same coordinates."""
    return JointMap(num_positions, lambda q: q, lambda q: q)


# ---- hinges: an angle, (sin, cos) or (cos, sin); (0, 0) counts as the angle 0 ----------------------------------------

ANGLE_AS_CIRCLE = JointMap(
    2, lambda q: np.concatenate([np.cos(q), np.sin(q)], axis=-1), lambda q: np.arctan2(q[..., 1:], q[..., :1])
)
SINE_COSINE_AS_CIRCLE = JointMap(2, lambda q: unit(q, 1)[..., ::-1], lambda q: unit(q, 0)[..., ::-1])
SINE_COSINE_AS_ANGLE = JointMap(
    1, lambda q: np.arctan2(q[..., :1], q[..., 1:]), lambda q: np.concatenate([np.sin(q), np.cos(q)], axis=-1)
)

# ---- motion in a plane -----------------------------------------------------------------------------------------------

PLANAR_AS_CIRCLE = JointMap(
    4,
    lambda q: np.concatenate([q[..., :2], ANGLE_AS_CIRCLE.to_theirs(q[..., 2:])], axis=-1),
    lambda q: np.concatenate([q[..., :2], ANGLE_AS_CIRCLE.to_ours(q[..., 2:])], axis=-1),
)


def _planar_rates(q: Array, v: Array) -> Matrices:
    """Our linear velocity is in the axes of the frame after, the rates of x and y are in those of the frame before."""
    sine, cosine, zero, one = np.sin(q[..., 2]), np.cos(q[..., 2]), np.zeros_like(q[..., 2]), np.ones_like(q[..., 2])
    T = _matrix([[cosine, -sine, zero], [sine, cosine, zero], [zero, zero, one]])
    T_dot = v[..., 2, None, None] * _matrix([[-sine, -cosine, zero], [cosine, -sine, zero], [zero, zero, zero]])
    return T, T_dot


PLANAR_WITH_RATES = same(3)._replace(velocity_matrices=_planar_rates)

# ---- ball joints -----------------------------------------------------------------------------------------------------


def _flipped(q: Array, v: Array) -> Matrices:
    T = np.broadcast_to(np.eye(3, dtype=q.dtype)[::-1], (*q.shape[:-1], 3, 3))
    return T, np.zeros_like(T)


RPY_AS_YPR = JointMap(3, lambda q: q[..., ::-1], lambda q: q[..., ::-1], _flipped)


def _rpy_angular_velocity(q: Array, v: Array) -> Matrices:
    """From the rates of roll, pitch and yaw to the angular velocity in the frame before: the three axes there."""
    (_, pitch, yaw), (_, pitch_rate, yaw_rate) = np.moveaxis(q, -1, 0), np.moveaxis(v, -1, 0)
    zero, one = np.zeros_like(pitch), np.ones_like(pitch)
    sine, cosine = np.sin(yaw), np.cos(yaw)
    up, ahead = np.sin(pitch), np.cos(pitch)
    T = _matrix([[cosine * ahead, -sine, zero], [sine * ahead, cosine, zero], [-up, zero, one]])
    roll_axis_rate = (
        -sine * ahead * yaw_rate - cosine * up * pitch_rate,
        cosine * ahead * yaw_rate - sine * up * pitch_rate,
        -ahead * pitch_rate,
    )
    T_dot = _matrix(
        [
            [roll_axis_rate[0], -cosine * yaw_rate, zero],
            [roll_axis_rate[1], -sine * yaw_rate, zero],
            [roll_axis_rate[2], zero, zero],
        ]
    )
    return T, T_dot


RPY_WITH_ANGULAR_VELOCITY = same(3)._replace(velocity_matrices=_rpy_angular_velocity)


def _turned_before(q: Array, v: Array) -> Matrices:
    R = matrix_of_quaternion(q)
    return R, R @ skew(v)


QUATERNION_AS_RPY = JointMap(3, rpy_of_quaternion, quaternion_of_rpy, _turned_before)
SCALAR_LAST = JointMap(4, lambda q: np.roll(unit(q, 0), -1, axis=-1), lambda q: unit(np.roll(q, 1, axis=-1), 0))
SCALAR_FIRST = JointMap(4, lambda q: unit(q, 0), lambda q: unit(q, 0))


def ball_between(after: Pose) -> JointMap:
    """A ball joint between frames with the axes of the body, where our frame after the joint is turned against it."""
    turn = unit(after.quaternion, 0)

    def turned(q: Array, v: Array) -> Matrices:
        T = np.broadcast_to(matrix_of_quaternion(turn), (*q.shape[:-1], 3, 3))
        return T, np.zeros_like(T)

    return JointMap(
        4,
        lambda q: product(product(turn, unit(q, 0)), conjugate(turn)),
        lambda q: product(product(conjugate(turn), unit(q, 0)), turn),
        turned,
    )


# ---- floating bases --------------------------------------------------------------------------------------------------


def floating(
    joint: Any, convention: FloatingConvention, before: Pose | None = None, after: Pose | None = None
) -> JointMap:
    """A floating joint.

    Args:
        joint: The joint, a `QuaternionFloating` or a `SPQuatFloating`.
        convention: How the other program writes it.
        before: Our frame before the joint in theirs; None where they are the same.
        after: Our frame after the joint in theirs; None where they are the same.

    Returns:
        The map.
    """
    nowhere = Pose(np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(3))
    before, after = before or nowhere, after or nowhere
    from_three_numbers = isinstance(joint, SPQuatFloating)
    R_after = matrix_of_quaternion(after.quaternion)
    # The twist of their frame after the joint from that of ours, both in their own axes; angular part first.
    to_their_twist = np.block([[R_after, np.zeros((3, 3))], [skew(after.translation) @ R_after, R_after]])

    def pose(q: Array) -> tuple[Quaternion, Vector]:
        ours = (_of_modified_rodrigues(q[..., :3]) if from_three_numbers else unit(q[..., :4], 0)), q[..., -3:]
        return compose(compose(before, ours), inverse(after))

    def to_ours(q: Array) -> Array:
        quaternion, position = compose(compose(inverse(before), convention.read(q)), after)
        rotation = _to_modified_rodrigues(quaternion) if from_three_numbers else quaternion
        return np.concatenate([rotation, position], axis=-1)

    def velocity_matrices(q: Array, v: Array) -> Matrices:
        R = matrix_of_quaternion(pose(q)[0])
        R_dot = R @ skew((to_their_twist @ v[..., None])[..., :3, 0])
        in_own_axes = np.broadcast_to(np.eye(3, dtype=R.dtype), R.shape), np.zeros_like(R)
        angular = (R, R_dot) if convention.is_angular_before else in_own_axes
        linear = (R, R_dot) if convention.is_linear_before else in_own_axes
        blocks = (_block_diagonal(a, b, convention.is_linear_first) for a, b in zip(angular, linear, strict=True))
        T, T_dot = (block @ to_their_twist.astype(R.dtype) for block in blocks)
        return T, T_dot

    return JointMap(convention.num_positions, lambda q: convention.write(*pose(q)), to_ours, velocity_matrices)


def _block_diagonal(angular: Array, linear: Array, is_linear_first: bool) -> Array:
    zero = np.zeros_like(angular)
    rows = [np.concatenate([angular, zero], axis=-1), np.concatenate([zero, linear], axis=-1)]
    return np.concatenate(rows[::-1] if is_linear_first else rows, axis=-2)


def compose(left: tuple[Quaternion, Vector], right: tuple[Quaternion, Vector]) -> tuple[Quaternion, Vector]:
    """The pose of a frame that is placed by `right` in a frame that is placed by `left`."""
    quaternion = product(unit(left[0], 0), unit(right[0], 0))
    return quaternion, left[1] + (matrix_of_quaternion(left[0]) @ right[1][..., None])[..., 0]


def inverse(pose: tuple[Quaternion, Vector]) -> tuple[Quaternion, Vector]:
    """The pose the other way round."""
    quaternion = conjugate(unit(pose[0], 0))
    return quaternion, -(matrix_of_quaternion(quaternion) @ pose[1][..., None])[..., 0]


def _of_modified_rodrigues(vector: Vector) -> Quaternion:
    squared_norm = np.sum(vector * vector, axis=-1, keepdims=True)
    return np.concatenate([1 - squared_norm, 2 * vector], axis=-1) / (1 + squared_norm)


def _to_modified_rodrigues(quaternion: Quaternion) -> Vector:
    """Of norm at most 1."""
    upper = np.where(quaternion[..., :1] < 0, -quaternion, quaternion)
    return upper[..., 1:] / (1 + upper[..., :1])


def are_orthogonal(mechanism: Mechanism, body: int) -> bool:
    """Whether the axes of a universal joint, reversed or not, are at right angles, to half the digits."""
    first, second = (unit(np.asarray(axis), 0) for axis in jax.tree.leaves(mechanism.joint(body)))
    return bool(abs(first @ second) <= np.sqrt(np.finfo(first.dtype).eps))


def _matrix(rows: Sequence[Sequence[Any]]) -> Array:
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)
