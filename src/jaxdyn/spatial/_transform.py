"""Rigid transforms: where a frame is, and how coordinates change between frames."""

from typing import Any

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float

from .._shapes import Matrix3, Matrix6, Quaternion, Vector3
from ._arrays import FloatsLike, as_floats, block_matrix, matmul, matvec, take, transpose
from ._force import Force
from ._inertia import SpatialInertia, parallel_axis, six_numbers
from ._motion import Motion
from ._rotation import matrix_to_quaternion, quaternion_to_matrix, rpy_to_matrix, skew


class Transform(eqx.Module):
    """A rigid transform. `X_WB` takes B coordinates to W coordinates, and so is the pose of B in W.

    Frames that touch must match: `X_WC = X_WB @ X_BC`. All methods are smooth in the transform and their arguments.

    Attributes:
        rotation: Rotation matrix [1].
        translation: Origin of the frame mapped from, in coordinates of the frame mapped to [m].

    Reference: Featherstone (2008), Rigid body dynamics algorithms, sections 2.8 and 2.13.
    """

    rotation: Matrix3
    translation: Vector3

    __iter__ = None  # see `AbstractSpatialVector`

    def __init__(self, rotation: FloatsLike, translation: FloatsLike):
        """From the two parts; lists and Python numbers take the dtype of the other part."""
        self.rotation, self.translation = as_floats(rotation, translation)

    @classmethod
    def identity(cls, shape: tuple[int, ...] = (), dtype: Any = float) -> "Transform":
        """Transform that changes nothing, with leading axes of the given shape."""
        return cls(jnp.broadcast_to(jnp.eye(3, dtype=dtype), (*shape, 3, 3)), jnp.zeros((*shape, 3), dtype))

    @classmethod
    def from_quaternion(cls, quaternion: FloatsLike, translation: FloatsLike) -> "Transform":
        """From a quaternion (w, x, y, z) of any norm and a translation [m]."""
        quaternion, translation = as_floats(quaternion, translation)
        return cls(quaternion_to_matrix(quaternion), translation)

    @classmethod
    def from_rpy(cls, rpy: FloatsLike, translation: FloatsLike) -> "Transform":
        """From roll, pitch and yaw about fixed axes [rad], as in URDF, and a translation [m]."""
        rpy, translation = as_floats(rpy, translation)
        return cls(rpy_to_matrix(rpy), translation)

    def __matmul__(self, other: "Transform") -> "Transform":
        """Composition, the right one first."""
        return type(self)(matmul(self.rotation, other.rotation), self.apply_point(other.translation))

    def __getitem__(self, index: Any) -> "Transform":
        """Entries of the leading axes."""
        return type(self)(take(self.rotation, index, 2), take(self.translation, index, 1))

    def inverse(self) -> "Transform":
        """Transform the other way."""
        return type(self)(transpose(self.rotation), -matvec(transpose(self.rotation), self.translation))

    def apply_point(self, point: Vector3) -> Vector3:
        """Coordinates of a point [m]: rotated and translated."""
        return self.apply_vector(point) + self.translation

    def apply_vector(self, vector: Vector3) -> Vector3:
        """Coordinates of a free vector, in any unit: rotated only."""
        return matvec(self.rotation, vector)

    def apply_motion(self, motion: Motion) -> Motion:
        """Coordinates of a twist or a spatial acceleration, also moved to the other origin."""
        angular = self.apply_vector(motion.angular)
        return Motion(angular, self.apply_vector(motion.linear) + jnp.cross(self.translation, angular))

    def apply_force(self, force: Force) -> Force:
        """Coordinates of a wrench or a momentum, also moved to the other origin."""
        linear = self.apply_vector(force.linear)
        return Force(self.apply_vector(force.angular) + jnp.cross(self.translation, linear), linear)

    def apply_inertia(self, inertia: SpatialInertia) -> SpatialInertia:
        """Coordinates of a spatial inertia, also moved to the other origin (parallel axes)."""
        first_moment = self.apply_vector(inertia.first_moment)
        shift = inertia.mass[..., None] * self.translation
        moment = matmul(matmul(self.rotation, inertia.moment_matrix), transpose(self.rotation))
        moment_of_shift = parallel_axis(first_moment + shift / 2, self.translation)
        return SpatialInertia(inertia.mass, first_moment + shift, six_numbers(moment + moment_of_shift))

    def motion_matrix(self) -> Matrix6:
        """Matrix of `apply_motion`, angular rows and columns first [1, m]."""
        zero = jnp.zeros_like(self.rotation)
        return block_matrix([[self.rotation, zero], [self._moment_arm(), self.rotation]])

    def force_matrix(self) -> Matrix6:
        """Matrix of `apply_force`, angular rows and columns first [1, m]: inverse transpose of the `motion_matrix`."""
        zero = jnp.zeros_like(self.rotation)
        return block_matrix([[self.rotation, self._moment_arm()], [zero, self.rotation]])

    def _moment_arm(self) -> Matrix3:
        return matmul(skew(self.translation), self.rotation)

    def matrix(self) -> Float[Array, "*batch 4 4"]:
        """Matrix of `apply_point` on homogeneous coordinates (x, y, z, 1)."""
        zero = jnp.zeros_like(self.translation)[..., None, :]
        column, one = self.translation[..., :, None], jnp.ones_like(zero[..., :1])
        return block_matrix([[self.rotation, column], [zero, one]])

    def quaternion(self) -> Quaternion:
        """Unit quaternion (w, x, y, z) of the rotation; its largest component is positive."""
        return matrix_to_quaternion(self.rotation)
