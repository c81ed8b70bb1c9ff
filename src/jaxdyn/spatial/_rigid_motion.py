r"""Exponential, logarithm and their Jacobians for SE(3), by differentiating those of SO(3).

The cross product of motions, as a matrix, is $\mathrm{ad}(\omega, v) = [[\hat\omega, 0], [\hat v, \hat\omega]]$. Such
block matrices add and multiply like dual numbers $\hat\omega + \varepsilon \hat v$ with $\varepsilon^2 = 0$, so every
power series of them is the series of SO(3) taken at the dual vector $\omega + \varepsilon v$, and a function of a dual
number is its value plus $\varepsilon$ times its derivative:

$$f(\mathrm{ad}(\omega, v)) = [[f(\hat\omega), 0], [\mathrm{D}f(\hat\omega)[\hat v], f(\hat\omega)]].$$

This is the principle of transference of Kotelnikov and Study. With $f(x) = (e^x - 1) / x$ the block off the diagonal is
the Q of Barfoot (2017), State estimation for robotics, eq. 7.86. It needs no formula of its own here: it is the
derivative of the left Jacobian of SO(3) in the direction v.
"""

from collections.abc import Callable

import jax
import jax.numpy as jnp

from .._shapes import Matrix3, Matrix6, Vector3, Vector6
from ._arrays import block_matrix, matvec
from ._rotation import rotation_exp, rotation_log
from ._rotation_jacobians import left_jacobian, left_jacobian_inverse
from ._transform import Transform


def transform_exp(vector: Vector6) -> Transform:
    """Transform reached by moving for unit time with a constant twist.

    Args:
        vector: Twist times time, (rotation vector [rad], linear part [m]).

    Returns:
        Transform from the frame after the motion to the frame before it.

    Differentiability: smooth everywhere.
    Reference: Lynch and Park (2017), Modern robotics, eq. 3.88.
    """
    angular, linear = vector[..., :3], vector[..., 3:]
    return Transform(rotation_exp(angular), matvec(left_jacobian(angular), linear))


def transform_log(transform: Transform) -> Vector6:
    """Constant twist times time that reaches a transform by the shortest rotation: inverse of `transform_exp`.

    Args:
        transform: Rigid transform.

    Returns:
        (rotation vector [rad], of length at most π; linear part [m]).

    Differentiability: smooth up to and including angle π, where the value jumps.
    Reference: Lynch and Park (2017), Modern robotics, section 3.3.3.2.
    """
    angular = rotation_log(transform.rotation)
    return jnp.concatenate([angular, matvec(left_jacobian_inverse(angular), transform.translation)], axis=-1)


def transform_left_jacobian(vector: Vector6) -> Matrix6:
    """Matrix from the rate of a log of a transform to the twist in the frame before the transform.

    Args:
        vector: Log of the transform, (rotation vector [rad], linear part [m]).

    Returns:
        Jacobian, angular rows and columns first [1, m].

    Differentiability: smooth everywhere.
    Reference: Barfoot (2017), State estimation for robotics, eq. 7.86; for the derivation see the head of this module.
    """
    return _at_dual_vector(left_jacobian, vector)


def transform_left_jacobian_inverse(vector: Vector6) -> Matrix6:
    """Matrix from the twist in the frame before a transform to the rate of the log of the transform.

    Args:
        vector: Log of the transform, (rotation vector [rad], linear part [m]), the first shorter than 2π.

    Returns:
        Inverse Jacobian, angular rows and columns first [1, m].

    Differentiability: smooth below angle 2π, where it is singular.
    """
    return _at_dual_vector(left_jacobian_inverse, vector)


def transform_right_jacobian(vector: Vector6) -> Matrix6:
    """Matrix from the rate of a log of a transform to the twist in the frame after the transform.

    Args:
        vector: Log of the transform, (rotation vector [rad], linear part [m]).

    Returns:
        Jacobian, angular rows and columns first [1, m].

    Differentiability: smooth everywhere.
    """
    return transform_left_jacobian(-vector)


def transform_right_jacobian_inverse(vector: Vector6) -> Matrix6:
    """Matrix from the twist in the frame after a transform to the rate of the log of the transform.

    Args:
        vector: Log of the transform, (rotation vector [rad], linear part [m]), the first shorter than 2π.

    Returns:
        Inverse Jacobian, angular rows and columns first [1, m].

    Differentiability: smooth below angle 2π, where it is singular.
    """
    return transform_left_jacobian_inverse(-vector)


def transform_log_rate(vector: Vector6, body_twist: Vector6) -> Vector6:
    """Time derivative of the log of a transform.

    Args:
        vector: Log of the transform, (rotation vector [rad], linear part [m]), the first shorter than 2π.
        body_twist: Twist (angular [rad/s], linear [m/s]) in the frame after the transform.

    Returns:
        Rate of the log [rad/s, m/s].

    Differentiability: smooth below angle 2π, where it is singular.
    Reference: Bullo and Murray (1995), Proportional derivative control on the Euclidean group, lemma 4.
    """
    return matvec(transform_right_jacobian_inverse(vector), body_twist)


def _at_dual_vector(function: Callable[[Vector3], Matrix3], vector: Vector6) -> Matrix6:
    """A matrix function of SO(3), of the cross-product matrix of its argument, taken at a dual vector."""
    value, derivative = jax.jvp(function, (vector[..., :3],), (vector[..., 3:],))
    return block_matrix([[value, jnp.zeros_like(value)], [derivative, value]])
