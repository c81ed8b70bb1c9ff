"""Geometry and spatial algebra: rotations, transforms, motions, forces and inertias. It knows no robots.

All functions take leading batch axes; operands of one call share them. Six-vectors are angular first, quaternions
scalar first.
"""

from ._arrays import as_floats
from ._force import Force
from ._inertia import SpatialInertia
from ._motion import Motion
from ._rigid_motion import (
    transform_exp,
    transform_left_jacobian,
    transform_left_jacobian_inverse,
    transform_log,
    transform_log_rate,
    transform_right_jacobian,
    transform_right_jacobian_inverse,
)
from ._rotation import (
    axis_angle_to_matrix,
    axis_sine_cosine_to_matrix,
    matrix_to_quaternion,
    normalize_quaternion,
    quaternion_conjugate,
    quaternion_exp,
    quaternion_log,
    quaternion_multiply,
    quaternion_to_matrix,
    rotation_exp,
    rotation_log,
    rpy_to_matrix,
    skew,
    stumpff,
    unskew,
)
from ._rotation_jacobians import (
    left_jacobian,
    left_jacobian_inverse,
    right_jacobian,
    right_jacobian_inverse,
    rotation_vector_rate,
)
from ._safe import safe_norm, safe_normalize
from ._transform import Transform

__all__ = [
    "Force",
    "Motion",
    "SpatialInertia",
    "Transform",
    "as_floats",
    "axis_angle_to_matrix",
    "axis_sine_cosine_to_matrix",
    "left_jacobian",
    "left_jacobian_inverse",
    "matrix_to_quaternion",
    "normalize_quaternion",
    "quaternion_conjugate",
    "quaternion_exp",
    "quaternion_log",
    "quaternion_multiply",
    "quaternion_to_matrix",
    "right_jacobian",
    "right_jacobian_inverse",
    "rotation_exp",
    "rotation_log",
    "rotation_vector_rate",
    "rpy_to_matrix",
    "safe_norm",
    "safe_normalize",
    "skew",
    "stumpff",
    "transform_exp",
    "transform_left_jacobian",
    "transform_left_jacobian_inverse",
    "transform_log",
    "transform_log_rate",
    "transform_right_jacobian",
    "transform_right_jacobian_inverse",
    "unskew",
]
