"""What motions and forces share: two three-vectors, added and scaled as one."""

from typing import Any, TypeVar

import equinox as eqx
import jax.numpy as jnp
from jax.typing import ArrayLike

from .._shapes import Vector3, Vector6
from ._arrays import take

_Vector = TypeVar("_Vector", bound="AbstractSpatialVector")  # not `Self`, which checkers at run time refuse on methods


class AbstractSpatialVector(eqx.Module):
    """An angular and a linear three-vector at one reference point, in one set of axes, with any leading axes."""

    angular: eqx.AbstractVar[Vector3]
    linear: eqx.AbstractVar[Vector3]

    __array_ufunc__ = None  # a NumPy number on the left of `*` leaves the product to this class
    __iter__ = None  # else Python would index 0, 1, 2, ... for ever: JAX clamps an index past the end

    @classmethod
    def from_vector(cls: type[_Vector], vector: Vector6) -> _Vector:
        """From six numbers on the last axis, angular first."""
        return cls(vector[..., :3], vector[..., 3:])

    @classmethod
    def zero(cls: type[_Vector], shape: tuple[int, ...] = (), dtype: Any = float) -> _Vector:
        """Zeros, with leading axes of the given shape."""
        return cls(jnp.zeros((*shape, 3), dtype), jnp.zeros((*shape, 3), dtype))

    @property
    def vector(self) -> Vector6:
        """Six numbers on the last axis, angular first."""
        return jnp.concatenate([self.angular, self.linear], axis=-1)

    def __add__(self: _Vector, other: _Vector) -> _Vector:
        """Sum of two vectors of one kind, point and axes."""
        if type(other) is not type(self):
            return NotImplemented
        return type(self)(self.angular + other.angular, self.linear + other.linear)

    def __sub__(self: _Vector, other: _Vector) -> _Vector:
        """Difference of two vectors of one kind, point and axes."""
        if type(other) is not type(self):
            return NotImplemented
        return type(self)(self.angular - other.angular, self.linear - other.linear)

    def __neg__(self: _Vector) -> _Vector:
        """Opposite vector."""
        return type(self)(-self.angular, -self.linear)

    def __mul__(self: _Vector, factor: ArrayLike) -> _Vector:
        """Product with a number, or with one number for each entry of the leading axes."""
        factor = jnp.asarray(factor)
        if factor.ndim > 0:
            factor = factor[..., None]
        return type(self)(factor * self.angular, factor * self.linear)

    def __rmul__(self: _Vector, factor: ArrayLike) -> _Vector:
        """Product with a number on the left."""
        return self * factor

    def __getitem__(self: _Vector, index: Any) -> _Vector:
        """Entries of the leading axes."""
        return type(self)(take(self.angular, index, 1), take(self.linear, index, 1))
