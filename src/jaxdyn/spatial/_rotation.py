"""Rotations: quaternions, rotation matrices and rotation vectors.

Quaternions are scalar first, (w, x, y, z), with Hamilton's product. A rotation vector is axis times angle [rad].
Whatever becomes 0/0 at angle 0 is one of four even functions of the angle (`stumpff`), taken as functions of the
*squared* angle, which is smooth in the rotation vector where the angle itself is not.
"""

import math
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from .._shapes import Matrix3, Quaternion, Vector3
from ._arrays import dot, identity_like, outer
from ._safe import safe_normalize

# Below this squared angle `stumpff` sums its series: the first term left out is 4^13 / 26!. The limit is large on
# purpose: just above it, the closed forms lose a digit to cancellation (two or more with the limit 1).
_SERIES_LIMIT = 4.0
_NUM_SERIES_TERMS = 13

# Below this squared sine of half the angle `quaternion_log` sums the series of arctan(x) / x, where x² = 1/15 at most
# and the first term left out is x²⁸ / 29. Above it, arctan2; never arccos, which is blind to small angles.
_ARCTANGENT_SERIES_LIMIT = 1 / 16
_NUM_ARCTANGENT_TERMS = 14


@partial(jax.custom_jvp, nondiff_argnums=(0,))
def stumpff(order: int, squared_angle: Float[Array, "*batch"]) -> Float[Array, "*batch"]:
    r"""Stumpff's function $c_k(s) = \sum_i (-s)^i / (k + 2i)!$.

    With $s = \theta^2$ the first four are $\cos\theta$, $\sin\theta / \theta$, $(1 - \cos\theta) / \theta^2$ and
    $(\theta - \sin\theta) / \theta^3$; each is $c_{k+2} = (1 / k! - c_k) / s$. The derivative is again made of them,
    $c_k' = (k\, c_{k+2} - c_{k+1}) / 2$, so that derivatives of any order stay accurate.

    Reference: Danby (1992), Fundamentals of celestial mechanics, section 6.9.
    """
    is_small = squared_angle < _SERIES_LIMIT
    small = jnp.where(is_small, squared_angle, 0)
    series = jnp.ones_like(small)
    for i in reversed(range(order + 1, order + 2 * _NUM_SERIES_TERMS - 1, 2)):
        series = 1 - small / (i * (i + 1)) * series
    large = jnp.where(is_small, _SERIES_LIMIT, squared_angle)
    angle = jnp.sqrt(large)
    closed_form = jnp.sin(angle) / angle if order % 2 else jnp.cos(angle)
    for k in range(order % 2, order, 2):
        closed_form = (1 / math.factorial(k) - closed_form) / large
    return jnp.where(is_small, series / math.factorial(order), closed_form)


@stumpff.defjvp
def _stumpff_jvp(order, primals, tangents):
    (squared_angle,), (rate,) = primals, tangents
    slope = (order * stumpff(order + 2, squared_angle) - stumpff(order + 1, squared_angle)) / 2
    return stumpff(order, squared_angle), slope * rate


# The matrices of e_x ×, e_y × and e_z ×.
SKEW_BASIS = -np.array(
    [[[0, 0, 0], [0, 0, 1], [0, -1, 0]], [[0, 0, -1], [0, 0, 0], [1, 0, 0]], [[0, 1, 0], [-1, 0, 0], [0, 0, 0]]]
)


def skew(vector: Vector3) -> Matrix3:
    """Matrix of the cross product: `skew(a) @ b` is a × b. Its unit is that of the vector; linear."""
    # A sum over constant matrices, not a stack of nine entries: XLA fuses the one and makes nine kernels of the other.
    x, y, z = (vector[..., i, None, None] for i in range(3))
    of_x, of_y, of_z = (jnp.asarray(matrix, vector.dtype) for matrix in SKEW_BASIS)
    shape = (1,) * (vector.ndim - 1) + (3, 3)
    return x * of_x.reshape(shape) + y * of_y.reshape(shape) + z * of_z.reshape(shape)


def unskew(matrix: Matrix3) -> Vector3:
    """Vector whose `skew` is the skew-symmetric part (S - Sᵀ) / 2 of a matrix. Its unit is the matrix's; linear."""
    pairs = ((2, 1), (0, 2), (1, 0))
    return jnp.stack([(matrix[..., i, j] - matrix[..., j, i]) / 2 for i, j in pairs], axis=-1)


def normalize_quaternion(quaternion: Quaternion) -> Quaternion:
    """Unit quaternion of the same direction; the identity (1, 0, 0, 0) for the zero quaternion.

    Args:
        quaternion: (w, x, y, z) of any norm.

    Returns:
        Unit quaternion.

    Differentiability: smooth, with derivatives tangent to the unit sphere; 0 by convention at the zero quaternion.
    """
    unit = safe_normalize(quaternion)
    is_zero = jnp.all(quaternion == 0, axis=-1, keepdims=True)
    return jnp.concatenate([jnp.where(is_zero, 1, unit[..., :1]), unit[..., 1:]], axis=-1)


def quaternion_multiply(left: Quaternion, right: Quaternion) -> Quaternion:
    """Hamilton's product: the rotation `right` followed by the rotation `left`.

    Args:
        left: (w, x, y, z) of any norm.
        right: (w, x, y, z) of any norm.

    Returns:
        Product; its norm is the product of the norms.

    Differentiability: bilinear.
    """
    w0, v0 = left[..., 0], left[..., 1:]
    w1, v1 = right[..., 0], right[..., 1:]
    vector = w0[..., None] * v1 + w1[..., None] * v0 + jnp.cross(v0, v1)
    return jnp.concatenate([(w0 * w1 - dot(v0, v1))[..., None], vector], axis=-1)


def quaternion_conjugate(quaternion: Quaternion) -> Quaternion:
    """Quaternion (w, -x, -y, -z): the inverse rotation. Linear."""
    return jnp.concatenate([quaternion[..., :1], -quaternion[..., 1:]], axis=-1)


def quaternion_to_matrix(quaternion: Quaternion) -> Matrix3:
    """Rotation matrix of a quaternion of any norm.

    Args:
        quaternion: (w, x, y, z). It is normalised here; the zero quaternion gives the identity.

    Returns:
        Rotation matrix: coordinates after it to coordinates before it.

    Differentiability: smooth. The derivative is tangent: 0 along the quaternion itself, and everything is 0 by
    convention at the zero quaternion.
    Reference: Diebel (2006), Representing attitude, eq. 125.
    """
    unit = safe_normalize(quaternion)  # a zero one stays zero, and is the identity below
    scalar = unit[..., 0]
    return skew_quadratic(unit[..., 1:], 2 * scalar, jnp.full_like(scalar, 2))


def matrix_to_quaternion(rotation: Matrix3) -> Quaternion:
    """Unit quaternion of a rotation matrix; of the two, the one whose largest component is positive.

    The entries of 4 q qᵀ are sums of entries of the matrix, and each row of it is a multiple of q. The row with the
    largest diagonal entry is normalised. No guard is needed: the four diagonal entries sum to 4 for every matrix,
    so the largest is at least 1.

    Args:
        rotation: Rotation matrix, up to rounding.

    Returns:
        Unit quaternion (w, x, y, z).

    Differentiability: smooth for rotations at every angle, up to the choice of sign.
    Reference: Shepperd (1978), Quaternion from rotation matrix.
    """
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = (jnp.moveaxis(row, -1, 0) for row in jnp.moveaxis(rotation, -2, 0))
    four_q_q = jnp.stack(
        [
            jnp.stack([1 + xx + yy + zz, zy - yz, xz - zx, yx - xy], axis=-1),
            jnp.stack([zy - yz, 1 + xx - yy - zz, xy + yx, xz + zx], axis=-1),
            jnp.stack([xz - zx, xy + yx, 1 - xx + yy - zz, yz + zy], axis=-1),
            jnp.stack([yx - xy, xz + zx, yz + zy, 1 - xx - yy + zz], axis=-1),
        ],
        axis=-2,
    )
    largest = jnp.argmax(jnp.diagonal(four_q_q, axis1=-2, axis2=-1), axis=-1)
    return safe_normalize(jnp.take_along_axis(four_q_q, largest[..., None, None], axis=-2)[..., 0, :])


def quaternion_exp(rotation_vector: Vector3) -> Quaternion:
    """Unit quaternion of a rotation vector.

    Args:
        rotation_vector: Axis times angle [rad].

    Returns:
        (cos θ/2, axis sin θ/2).

    Differentiability: smooth everywhere.
    """
    squared_half_angle = dot(rotation_vector, rotation_vector) / 4
    scalar = stumpff(0, squared_half_angle)[..., None]
    return jnp.concatenate([scalar, stumpff(1, squared_half_angle)[..., None] * rotation_vector / 2], axis=-1)


def quaternion_log(quaternion: Quaternion) -> Vector3:
    """Shortest rotation vector of a quaternion of any norm; q and -q give the same.

    Args:
        quaternion: (w, x, y, z). The zero quaternion counts as the identity.

    Returns:
        Axis times angle [rad], of length at most π.

    Differentiability: smooth up to and including angle π (w = 0), where the value jumps to the opposite vector.
    """
    unit = normalize_quaternion(quaternion)
    unit = jnp.where(unit[..., :1] < 0, -unit, unit)
    cosine, vector = unit[..., 0], unit[..., 1:]
    squared_sine = dot(vector, vector)
    is_small = squared_sine < _ARCTANGENT_SERIES_LIMIT
    squared_tangent = jnp.where(is_small, squared_sine, 0) / jnp.where(is_small, cosine, 1) ** 2
    series = jnp.zeros_like(squared_tangent)
    for i in reversed(range(_NUM_ARCTANGENT_TERMS)):
        series = 1 / (2 * i + 1) - squared_tangent * series
    sine = jnp.sqrt(jnp.where(is_small, 1, squared_sine))
    half_angle_by_sine = jnp.where(
        is_small,
        series / jnp.where(is_small, cosine, 1),
        jnp.arctan2(sine, cosine) / sine,
    )
    return 2 * half_angle_by_sine[..., None] * vector


def rotation_exp(rotation_vector: Vector3) -> Matrix3:
    """Rotation matrix of a rotation vector.

    Args:
        rotation_vector: Axis times angle [rad].

    Returns:
        Rotation matrix.

    Differentiability: smooth everywhere; at 0 the derivatives are `skew` of the unit vectors, exactly.
    Reference: Rodrigues' formula; Lynch and Park (2017), Modern robotics, eq. 3.51.
    """
    squared_angle = dot(rotation_vector, rotation_vector)
    return skew_quadratic(rotation_vector, stumpff(1, squared_angle), stumpff(2, squared_angle))


def rotation_log(rotation: Matrix3) -> Vector3:
    """Shortest rotation vector of a rotation matrix.

    Args:
        rotation: Rotation matrix, up to rounding.

    Returns:
        Axis times angle [rad], of length at most π.

    Differentiability: smooth up to and including angle π, where the value jumps to the opposite vector.
    """
    return quaternion_log(matrix_to_quaternion(rotation))


def skew_quadratic(vector: Vector3, linear: Float[Array, "*batch"], quadratic: Float[Array, "*batch"]) -> Matrix3:
    """The matrix 1 + linear w× + quadratic w×², where w×² = w wᵀ - |w|² 1."""
    cross = skew(vector)
    diagonal = 1 - quadratic * dot(vector, vector)
    return (
        diagonal[..., None, None] * identity_like(cross)
        + linear[..., None, None] * cross
        + quadratic[..., None, None] * outer(vector, vector)
    )


def axis_sine_cosine_to_matrix(axis: Vector3, sine: Float[Array, "*batch"], cosine: Float[Array, "*batch"]) -> Matrix3:
    """Rotation about a unit axis by the angle that has this sine and cosine.

    Args:
        axis: Unit vector [1]; it is not normalised here.
        sine: Sine of the angle.
        cosine: Its cosine; the two are not normalised here.

    Returns:
        Rotation matrix.

    Differentiability: a polynomial.
    Reference: Rodrigues' formula; Lynch and Park (2017), Modern robotics, eq. 3.51.
    """
    cross = skew(axis)
    cosine, sine = cosine[..., None, None], sine[..., None, None]
    return cosine * identity_like(cross) + sine * cross + (1 - cosine) * outer(axis, axis)


def axis_angle_to_matrix(axis: Vector3, angle: Float[Array, "*batch"]) -> Matrix3:
    """Rotation about a unit axis.

    Args:
        axis: Unit vector [1]; it is not normalised here.
        angle: Angle [rad].

    Returns:
        Rotation matrix.

    Differentiability: smooth everywhere.
    """
    return axis_sine_cosine_to_matrix(axis, jnp.sin(angle), jnp.cos(angle))


def rpy_to_matrix(rpy: Vector3) -> Matrix3:
    """Rotation by roll, pitch and yaw about fixed axes: Rz(yaw) Ry(pitch) Rx(roll).

    Args:
        rpy: (roll, pitch, yaw) [rad], the order of URDF.

    Returns:
        Rotation matrix.

    Differentiability: smooth everywhere (the inverse map is singular at pitch ±π/2, this one is not).
    """
    cr, cp, cy = jnp.moveaxis(jnp.cos(rpy), -1, 0)
    sr, sp, sy = jnp.moveaxis(jnp.sin(rpy), -1, 0)
    return _matrix3(
        *(cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr),
        *(sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr),
        *(-sp, cp * sr, cp * cr),
    )


def _matrix3(*entries: Float[Array, "*batch"]) -> Matrix3:
    """Matrix of nine entries, row by row."""
    flat = jnp.stack(entries, axis=-1)
    return flat.reshape(*flat.shape[:-1], 3, 3)
