r"""Derivatives of the exponential of SO(3): how a rotation vector moves when the body rotates.

With $R = \exp(\phi)$, the angular velocity in the frame before is $J_l(\phi)\,\dot\phi$ and in the frame after
$J_r(\phi)\,\dot\phi$, where $J_r(\phi) = J_l(-\phi) = J_l(\phi)^T$.
"""

import jax.numpy as jnp

from .._shapes import Matrix3, Vector3
from ._arrays import dot, matvec
from ._rotation import skew_quadratic, stumpff


def left_jacobian(rotation_vector: Vector3) -> Matrix3:
    """Matrix from the rate of a rotation vector to the angular velocity in the frame before the rotation.

    Args:
        rotation_vector: Axis times angle [rad].

    Returns:
        Jacobian [1].

    Differentiability: smooth everywhere.
    Reference: Barfoot (2017), State estimation for robotics, eq. 7.77.
    """
    squared_angle = dot(rotation_vector, rotation_vector)
    return skew_quadratic(rotation_vector, stumpff(2, squared_angle), stumpff(3, squared_angle))


def left_jacobian_inverse(rotation_vector: Vector3) -> Matrix3:
    r"""Matrix from the angular velocity in the frame before the rotation to the rate of the rotation vector.

    The coefficient of the squared cross product, $(1 - \frac{\theta}{2} \cot\frac{\theta}{2}) / \theta^2$, is written
    with $u = \theta^2 / 4$ as $(c_1 - c_0) / (4 u\, c_1) = (c_2 - c_3) / (4 c_1)$: nothing vanishes at angle 0.

    Args:
        rotation_vector: Axis times angle [rad], shorter than 2π.

    Returns:
        Inverse Jacobian [1].

    Differentiability: smooth below angle 2π, where it is singular.
    Reference: Barfoot (2017), State estimation for robotics, eq. 7.76.
    """
    squared_half_angle = dot(rotation_vector, rotation_vector) / 4
    c1, c2, c3 = (stumpff(order, squared_half_angle) for order in (1, 2, 3))
    quadratic = (c2 - c3) / (4 * c1)
    return skew_quadratic(rotation_vector, jnp.full_like(quadratic, -0.5), quadratic)


def right_jacobian(rotation_vector: Vector3) -> Matrix3:
    """Matrix from the rate of a rotation vector to the angular velocity in the frame after the rotation.

    Args:
        rotation_vector: Axis times angle [rad].

    Returns:
        Jacobian [1]: the transpose of the left one.

    Differentiability: smooth everywhere.
    """
    return left_jacobian(-rotation_vector)


def right_jacobian_inverse(rotation_vector: Vector3) -> Matrix3:
    """Matrix from the angular velocity in the frame after the rotation to the rate of the rotation vector.

    Args:
        rotation_vector: Axis times angle [rad], shorter than 2π.

    Returns:
        Inverse Jacobian [1]: the transpose of the left one.

    Differentiability: smooth below angle 2π, where it is singular.
    """
    return left_jacobian_inverse(-rotation_vector)


def rotation_vector_rate(rotation_vector: Vector3, angular_velocity_body: Vector3) -> Vector3:
    """Time derivative of a rotation vector.

    Args:
        rotation_vector: Axis times angle [rad], shorter than 2π.
        angular_velocity_body: Angular velocity in the frame after the rotation [rad/s].

    Returns:
        Rate of the rotation vector [rad/s].

    Differentiability: smooth below angle 2π, where it is singular.
    Reference: Bortz (1971), A new mathematical formulation for strapdown inertial navigation.
    """
    return matvec(right_jacobian_inverse(rotation_vector), angular_velocity_body)
