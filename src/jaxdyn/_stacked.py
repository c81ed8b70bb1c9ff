"""Vectors and matrices of many bodies at once: small axes first, the stacking axis last.

Inside the algorithms a vector per body has shape (3, bodies) and a matrix (3, 3, bodies). How the small products are
spelled is decided here and nowhere else, by measurement (docs/decisions/0001-data-layout.md): values are written out
component by component, because a float32 reduction over an axis of length 3 may go to a library that is ten times
slower; derivatives are sums of products, because the transposes of written-out components are slow pads.
"""

from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
from jax.custom_derivatives import SymbolicZero
from jaxtyping import Array, Float

StackedScalar = Float[Array, " bodies"]
StackedVector = Float[Array, "3 bodies"]
StackedMatrix = Float[Array, "3 3 bodies"]


def _bilinear(value: Callable, products: Callable) -> Callable:
    """A function that is linear in each of two arguments: computed one way, differentiated in another."""
    function = jax.custom_jvp(value)

    def rule(primals, tangents):
        (a, b), (a_dot, b_dot) = primals, tangents
        parts = []
        if not isinstance(a_dot, SymbolicZero):
            parts.append(products(a_dot, b))
        if not isinstance(b_dot, SymbolicZero):
            parts.append(products(a, b_dot))
        return function(a, b), sum(parts[1:], start=parts[0])

    function.defjvp(rule, symbolic_zeros=True)
    return function


def _cross_components(a: Float[Array, "3 *rest"], b: Float[Array, "3 *rest"]) -> Float[Array, "3 *rest"]:
    return jnp.stack([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def _cross_products(a: Float[Array, "3 *rest"], b: Float[Array, "3 *rest"]) -> Float[Array, "3 *rest"]:
    signs = jnp.asarray(_LEVI_CIVITA, a.dtype).reshape(3, 3, 3, *(1,) * (a.ndim - 1))
    return jnp.sum(signs * a[None, :, None] * b[None, None], axis=(1, 2))


# The components e_ijk of a × b.
_LEVI_CIVITA = np.array(
    [[[0, 0, 0], [0, 0, 1], [0, -1, 0]], [[0, 0, -1], [0, 0, 0], [1, 0, 0]], [[0, 1, 0], [-1, 0, 0], [0, 0, 0]]]
)
_cross = _bilinear(_cross_components, _cross_products)
_rotate = _bilinear(
    lambda m, x: m[:, 0] * x[0][None] + m[:, 1] * x[1][None] + m[:, 2] * x[2][None],
    lambda m, x: jnp.sum(m * x[None], axis=1),
)
_compose = _bilinear(
    lambda a, b: a[:, 0, None] * b[None, 0] + a[:, 1, None] * b[None, 1] + a[:, 2, None] * b[None, 2],
    lambda a, b: jnp.sum(a[:, :, None] * b[None], axis=1),
)


def cross(a: Float[Array, "3 *rest"], b: Float[Array, "3 *rest"]) -> Float[Array, "3 *rest"]:
    """Cross product a × b."""
    return _cross(a, b)


def dot(a: Float[Array, "3 *rest"], b: Float[Array, "3 *rest"]) -> Float[Array, "*rest"]:
    """Scalar product over the first axis.

    A reduction: XLA computes it once for all that use it. Written out, it is computed again inside each fusion that
    does, and articulated bodies take 1.5 times as long.
    """
    return jnp.sum(a * b, axis=0)


def triple_product(
    a: Float[Array, "3 *#rest"], b: Float[Array, "3 *#rest"], c: Float[Array, "3 *#rest"]
) -> Float[Array, "*#rest"]:
    """Scalar triple product a · (b × c), without forming the cross product."""
    x = a[0] * (b[1] * c[2] - b[2] * c[1])
    y = a[1] * (b[2] * c[0] - b[0] * c[2])
    return x + y + a[2] * (b[0] * c[1] - b[1] * c[0])


def rotate(matrix: StackedMatrix, vector: StackedVector) -> StackedVector:
    """Product of a matrix and a vector."""
    return _rotate(matrix, vector)


def rotate_back(matrix: Float[Array, "3 3 #bodies"], vector: StackedVector) -> StackedVector:
    """Product of a transposed matrix, which may be one for all, and a vector."""
    return _rotate(transpose(matrix), vector)


def compose(a: StackedMatrix, b: StackedMatrix) -> StackedMatrix:
    """Product of two matrices."""
    return _compose(a, b)


def transpose(matrix: StackedMatrix) -> StackedMatrix:
    """Transpose of the small axes."""
    return jnp.swapaxes(matrix, 0, 1)


def skew(vector: StackedVector) -> StackedMatrix:
    """The matrix of a cross product with the vector on the left."""
    # A sum over constant matrices, not a stack of entries: XLA fuses it, and its transpose has no pads.
    of_x, of_y, of_z = (jnp.asarray(-matrix, vector.dtype)[:, :, None] for matrix in _LEVI_CIVITA)
    return of_x * vector[None, None, 0] + of_y * vector[None, None, 1] + of_z * vector[None, None, 2]


def unskew(matrix: StackedMatrix) -> StackedVector:
    """The vector of the skew part of a matrix."""
    return jnp.sum(jnp.asarray(-0.5 * _LEVI_CIVITA, matrix.dtype)[..., None] * matrix[None], axis=(1, 2))


def symmetric(numbers: Float[Array, "6 bodies"]) -> StackedMatrix:
    """The symmetric matrix of the six numbers xx, xy, xz, yy, yz, zz."""
    xx, xy, xz, yy, yz, zz = numbers
    return jnp.stack([jnp.stack([xx, xy, xz]), jnp.stack([xy, yy, yz]), jnp.stack([xz, yz, zz])])


def identity_like(matrix: StackedMatrix) -> StackedMatrix:
    """The identity, once per body."""
    return jnp.broadcast_to(jnp.eye(3, dtype=matrix.dtype)[:, :, None], matrix.shape)


def columns(stacked: Float[Array, "*components bodies"], indices: np.ndarray) -> Float[Array, "*components chosen"]:
    """The entries of the stacking axis with these indices; nothing is computed where these are all, in order."""
    if np.array_equal(indices, np.arange(stacked.shape[-1])):
        return stacked
    return stacked.at[..., indices].get(mode="promise_in_bounds")


def bodies_first(stacked: Float[Array, "*components bodies"]) -> Float[Array, "bodies *components"]:
    """The public form of a result: one row per body."""
    return jnp.moveaxis(stacked, -1, 0)


def bodies_last(rows: Float[Array, "bodies *components"]) -> Float[Array, "*components bodies"]:
    """The inner form of a public array: one column per body."""
    return jnp.moveaxis(rows, 0, -1)
