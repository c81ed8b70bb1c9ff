"""Vectors and matrices of many bodies at once: small axes first, the stacking axis last.

Inside the algorithms a vector per body has shape (3, bodies) and a matrix (3, 3, bodies). Sums over the small axes are
written out, so that everything is elementwise over bodies (docs/decisions/0001-data-layout.md).
"""

import jax.numpy as jnp
from jaxtyping import Array, Float

StackedScalar = Float[Array, " bodies"]
StackedVector = Float[Array, "3 bodies"]
StackedMatrix = Float[Array, "3 3 bodies"]


def cross(a: StackedVector, b: StackedVector) -> StackedVector:
    """Cross product a × b."""
    return jnp.stack([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def dot(a: StackedVector, b: StackedVector) -> StackedScalar:
    """Scalar product over the first axis."""
    return jnp.sum(a * b, axis=0)


def rotate(matrix: StackedMatrix, vector: StackedVector) -> StackedVector:
    """Product of a matrix and a vector."""
    return jnp.sum(matrix * vector[None], axis=1)


def rotate_back(matrix: StackedMatrix, vector: StackedVector) -> StackedVector:
    """Product of a transposed matrix and a vector."""
    return jnp.sum(matrix * vector[:, None], axis=0)


def compose(a: StackedMatrix, b: StackedMatrix) -> StackedMatrix:
    """Product of two matrices."""
    return jnp.sum(a[:, :, None] * b[None], axis=1)


def transpose(matrix: StackedMatrix) -> StackedMatrix:
    """Transpose of the small axes."""
    return jnp.swapaxes(matrix, 0, 1)


def skew(vector: StackedVector) -> StackedMatrix:
    """The matrix of a cross product with the vector on the left."""
    zero = jnp.zeros_like(vector[0])
    x, y, z = vector
    return jnp.stack([jnp.stack([zero, -z, y]), jnp.stack([z, zero, -x]), jnp.stack([-y, x, zero])])


def unskew(matrix: StackedMatrix) -> StackedVector:
    """The vector of the skew part of a matrix."""
    halves = 0.5 * (matrix - transpose(matrix))
    return jnp.stack([halves[2, 1], halves[0, 2], halves[1, 0]])


def symmetric(numbers: Float[Array, "6 bodies"]) -> StackedMatrix:
    """The symmetric matrix of the six numbers xx, xy, xz, yy, yz, zz."""
    xx, xy, xz, yy, yz, zz = numbers
    return jnp.stack([jnp.stack([xx, xy, xz]), jnp.stack([xy, yy, yz]), jnp.stack([xz, yz, zz])])


def identity_like(matrix: StackedMatrix) -> StackedMatrix:
    """The identity, once per body."""
    return jnp.broadcast_to(jnp.eye(3, dtype=matrix.dtype)[:, :, None], matrix.shape)


def bodies_first(stacked: Float[Array, "*components bodies"]) -> Float[Array, "bodies *components"]:
    """The public form of a result: one row per body."""
    return jnp.moveaxis(stacked, -1, 0)


def bodies_last(rows: Float[Array, "bodies *components"]) -> Float[Array, "*components bodies"]:
    """The inner form of a public array: one column per body."""
    return jnp.moveaxis(rows, 0, -1)
