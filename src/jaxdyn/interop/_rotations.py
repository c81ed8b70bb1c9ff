"""Rotations in NumPy, over leading axes; quaternions are (w, x, y, z), rotation matrices map after to before.

The functions of `jaxdyn.spatial` would compute in JAX's default precision, whatever the arrays that other programs hand
over.
"""

import numpy as np
from jaxtyping import Float

Vector = Float[np.ndarray, "... 3"]
Matrix = Float[np.ndarray, "... 3 3"]
Quaternion = Float[np.ndarray, "... 4"]


def skew(vector: Vector) -> Matrix:
    """Matrix of the cross product."""
    return np.cross(vector[..., None, :], np.eye(3, dtype=vector.dtype), axis=-1).swapaxes(-1, -2)


def unit(numbers: Float[np.ndarray, "... _"], zero_stands_for: int) -> Float[np.ndarray, "... _"]:
    """Numbers divided by their norm; all zero, they become the unit vector along one of the axes."""
    largest = np.max(np.abs(numbers), axis=-1, keepdims=True)
    axis = np.eye(numbers.shape[-1], dtype=numbers.dtype)[zero_stands_for]
    scaled = np.where(largest == 0, axis, numbers / np.where(largest == 0, 1, largest))
    return scaled / np.linalg.norm(scaled, axis=-1, keepdims=True)


def matrix_of_quaternion(quaternion: Quaternion) -> Matrix:
    """Rotation matrix of a quaternion of any norm."""
    w, r = np.split(unit(quaternion, 0), [1], axis=-1)
    across = skew(r)
    return np.eye(3, dtype=quaternion.dtype) + 2 * w[..., None] * across + 2 * across @ across


def quaternion_of_matrix(matrix: Matrix) -> Quaternion:
    """Unit quaternion of a rotation matrix, or of the rotation nearest to it; w is not negative.

    Reference: Bar-Itzhack (2000), New method for extracting the quaternion from a rotation matrix.
    """
    K = np.empty((*matrix.shape[:-2], 4, 4), matrix.dtype)
    trace = np.trace(matrix, axis1=-2, axis2=-1)[..., None, None]
    antisymmetric = matrix - matrix.swapaxes(-1, -2)
    K[..., 0, 0] = trace[..., 0, 0]
    K[..., 0, 1:] = np.stack([antisymmetric[..., 2, 1], antisymmetric[..., 0, 2], antisymmetric[..., 1, 0]], axis=-1)
    K[..., 1:, 0] = K[..., 0, 1:]
    K[..., 1:, 1:] = matrix + matrix.swapaxes(-1, -2) - trace * np.eye(3, dtype=matrix.dtype)
    quaternion = np.linalg.eigh(K)[1][..., -1]
    return np.where(quaternion[..., :1] < 0, -quaternion, quaternion)


def product(left: Quaternion, right: Quaternion) -> Quaternion:
    """Hamilton's product."""
    (w, r), (x, s) = np.split(left, [1], axis=-1), np.split(right, [1], axis=-1)
    return np.concatenate([w * x - np.sum(r * s, axis=-1, keepdims=True), w * s + x * r + np.cross(r, s)], axis=-1)


def conjugate(quaternion: Quaternion) -> Quaternion:
    """The inverse rotation."""
    return quaternion * np.array([1, -1, -1, -1], quaternion.dtype)


def quaternion_of_rpy(rpy: Vector) -> Quaternion:
    """Quaternion of Rz(yaw) Ry(pitch) Rx(roll)."""
    half, axes = rpy[..., None] / 2, np.eye(3, dtype=rpy.dtype)
    turns = np.concatenate([np.cos(half), np.sin(half) * axes], axis=-1)
    return product(product(turns[..., 2, :], turns[..., 1, :]), turns[..., 0, :])


def rpy_of_quaternion(quaternion: Quaternion) -> Vector:
    """Roll, pitch and yaw; where the pitch is ±π/2, rounding decides how a turn is shared between roll and yaw."""
    R = matrix_of_quaternion(quaternion)
    pitch = np.arctan2(-R[..., 2, 0], np.hypot(R[..., 0, 0], R[..., 1, 0]))
    return np.stack([np.arctan2(R[..., 2, 1], R[..., 2, 2]), pitch, np.arctan2(R[..., 1, 0], R[..., 0, 0])], axis=-1)
