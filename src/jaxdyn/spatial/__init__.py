"""Geometry and spatial algebra: rotations, transforms, motions, forces and inertias. It knows no robots.

All functions take leading batch axes; operands of one call share them. Six-vectors are angular first, quaternions
scalar first.
"""

from ._force import Force as Force
from ._inertia import SpatialInertia as SpatialInertia
from ._motion import Motion as Motion
from ._rigid_motion import transform_exp as transform_exp
from ._rigid_motion import transform_left_jacobian as transform_left_jacobian
from ._rigid_motion import transform_left_jacobian_inverse as transform_left_jacobian_inverse
from ._rigid_motion import transform_log as transform_log
from ._rigid_motion import transform_log_rate as transform_log_rate
from ._rigid_motion import transform_right_jacobian as transform_right_jacobian
from ._rigid_motion import transform_right_jacobian_inverse as transform_right_jacobian_inverse
from ._rotation import axis_angle_to_matrix as axis_angle_to_matrix
from ._rotation import matrix_to_quaternion as matrix_to_quaternion
from ._rotation import normalize_quaternion as normalize_quaternion
from ._rotation import quaternion_conjugate as quaternion_conjugate
from ._rotation import quaternion_exp as quaternion_exp
from ._rotation import quaternion_log as quaternion_log
from ._rotation import quaternion_multiply as quaternion_multiply
from ._rotation import quaternion_to_matrix as quaternion_to_matrix
from ._rotation import rotation_exp as rotation_exp
from ._rotation import rotation_log as rotation_log
from ._rotation import rpy_to_matrix as rpy_to_matrix
from ._rotation import skew as skew
from ._rotation import unskew as unskew
from ._rotation_jacobians import left_jacobian as left_jacobian
from ._rotation_jacobians import left_jacobian_inverse as left_jacobian_inverse
from ._rotation_jacobians import right_jacobian as right_jacobian
from ._rotation_jacobians import right_jacobian_inverse as right_jacobian_inverse
from ._rotation_jacobians import rotation_vector_rate as rotation_vector_rate
from ._safe import safe_norm as safe_norm
from ._safe import safe_normalize as safe_normalize
from ._transform import Transform as Transform
