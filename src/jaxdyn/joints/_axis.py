"""An axis as a number of a joint: any length, normalised where it is used."""

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from .._errors import InvalidValueError
from .._shapes import Numbers
from .._tracing import is_traced
from ..spatial import safe_normalize


def to_axis(axis: Numbers) -> Float[Array, "..."]:
    """The numbers of an axis as an array, neither checked nor normalised."""
    dtype = jnp.result_type(axis) if hasattr(axis, "dtype") else jnp.result_type(float)
    return jnp.asarray(axis, dtype=dtype if jnp.issubdtype(dtype, jnp.floating) else jnp.result_type(float))


def check_axis(axis: Float[Array, "..."], joint_class: str) -> None:
    """Refuse an axis that gives no direction; traced axes are not looked at.

    Args:
        axis: The axis as authored.
        joint_class: Name of the joint class, for the message.

    Raises:
        InvalidValueError: The axis is not three finite numbers, or is zero.
    """
    if axis.shape != (3,):
        raise InvalidValueError(
            f"The axis of a {joint_class} joint must have 3 components, but has shape {axis.shape}. "
            f"Write for example `{joint_class}([0.0, 0.0, 1.0])`."
        )
    if is_traced(axis):
        return
    values = np.asarray(axis)
    if not np.all(np.isfinite(values)) or not np.any(values):
        raise InvalidValueError(
            f"The axis of a {joint_class} joint must be finite and not zero, but is {values.tolist()}. "
            "Give any non-zero vector along the axis; its length does not matter."
        )


def check_not_parallel(first: Float[Array, "3"], second: Float[Array, "3"], joint_class: str) -> None:
    """Refuse two axes of one direction, to half the digits; traced ones are not looked at.

    Args:
        first: A checked axis.
        second: Another one.
        joint_class: Name of the joint class, for the message.

    Raises:
        InvalidValueError: The axes are parallel.
    """
    if is_traced((first, second)):
        return
    across = np.cross(np.asarray(unit_axis(first)), np.asarray(unit_axis(second)))
    if not np.abs(across).max() > np.sqrt(np.finfo(across.dtype).eps):
        raise InvalidValueError(
            f"The two axes of a {joint_class} joint must not be parallel, but are {np.asarray(first).tolist()} and "
            f"{np.asarray(second).tolist()}. Turn one of them, or use a joint with one axis."
        )


def unit_axis(axis: Float[Array, "3"]) -> Float[Array, "3"]:
    """The unit vector along an axis."""
    return safe_normalize(axis)


def orthonormal_complement(axis: Float[Array, "3"]) -> Float[Array, "3 2"]:
    """Two unit columns that complete the axis to a right-handed orthonormal frame.

    Smooth in the axis except where it turns into the negative z half space, where the construction changes branch.
    Reference: Duff et al. (2017), "Building an orthonormal basis, revisited".

    Args:
        axis: A non-zero vector of any length.

    Returns:
        The two columns [1].
    """
    x, y, z = unit_axis(axis)
    sign = jnp.where(z < 0, -1.0, 1.0).astype(axis.dtype)
    scale = -1.0 / (sign + z)
    shear = x * y * scale
    first = jnp.stack([1.0 + sign * x * x * scale, sign * shear, -sign * x])
    second = jnp.stack([shear, sign + y * y * scale, -y])
    return jnp.stack([first, second], axis=1)
