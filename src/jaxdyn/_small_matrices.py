"""Factors, solutions and pseudoinverses of one small matrix or of many, in a form that cannot lock up a CPU.

Some versions of jaxlib (0.10.2 among them) split a large batch of small matrices among the threads of XLA's pool, and
let the thread that asked wait for the others. Where as many such calls run at once as there are threads, all wait for
ever: two evaluations of forward dynamics in one program, mapped over a thousand states, on two cores. So on a CPU a
batch goes to LAPACK in pieces that are too small to be split. See docs/decisions/0004-batched-lapack.md.
"""

from collections.abc import Callable

import jax
import jax.numpy as jnp
from jax import lax
from jax.custom_batching import custom_vmap
from jaxtyping import Array, Float, PyTree

# Pieces of less work than this, where factorising one matrix counts n³. Batches of 1.5 million are split by jaxlib.
_LARGEST_PIECE = 2**19

# Work of the others by that measure, with a margin: solutions counted as n² per column locked up at half a million.
_WORK_PER_COLUMN = 4
_WORK_OF_PSEUDOINVERSE = 32


@custom_vmap
def cholesky(matrices: Float[Array, "*batch n n"]) -> Float[Array, "*batch n n"]:
    """Lower Cholesky factors; NaN where a matrix is not positive definite."""
    return lax.linalg.cholesky(matrices, symmetrize_input=False)


@cholesky.def_vmap
def _cholesky_of_many(axis_size: int, in_batched: PyTree, matrices: Float[Array, "*batch n n"]):
    flat = matrices.reshape(-1, *matrices.shape[-2:])
    return _in_pieces(cholesky, matrices.shape[-1] ** 3, flat).reshape(matrices.shape), True


@custom_vmap
def solve_cholesky(
    factors: Float[Array, "*batch n n"], columns: Float[Array, "*batch n columns"]
) -> Float[Array, "*batch n columns"]:
    """Solutions x of L Lᵀ x = b, for each column b."""
    half = lax.linalg.triangular_solve(factors, columns, left_side=True, lower=True)
    return lax.linalg.triangular_solve(factors, half, left_side=True, lower=True, transpose_a=True)


@solve_cholesky.def_vmap
def _solve_many(
    axis_size: int,
    in_batched: PyTree,
    factors: Float[Array, "*matrices n n"],
    columns: Float[Array, "*vectors n columns"],
):
    factors_batched, columns_batched = in_batched
    if factors.ndim == 2:  # one matrix, many right-hand sides: they become its columns
        n, width = columns.shape[-2:]
        side_by_side = jnp.moveaxis(columns, -2, 0).reshape(n, axis_size * width)
        solutions = solve_cholesky(factors, side_by_side).reshape(n, axis_size, width)
        return jnp.moveaxis(solutions, 0, 1), True
    if not factors_batched:
        factors = jnp.broadcast_to(factors, (axis_size, *factors.shape))
    if not columns_batched:
        columns = jnp.broadcast_to(columns, (axis_size, *columns.shape))
    flat = (factors.reshape(-1, *factors.shape[-2:]), columns.reshape(-1, *columns.shape[-2:]))
    n, width = columns.shape[-2:]
    return _in_pieces(solve_cholesky, n**2 * max(n, _WORK_PER_COLUMN * width), *flat).reshape(columns.shape), True


@jax.custom_jvp
def pseudoinverse(matrix: Float[Array, "rows columns"]) -> Float[Array, "columns rows"]:
    """The Moore-Penrose inverse A⁺: what has no counterpart in the matrix, to working precision, becomes zero.

    Differentiability: where the rank stays. dA⁺ = -A⁺ dA A⁺ + A⁺ A⁺ᵀ dAᵀ (1 - A A⁺) + (1 - A⁺ A) dAᵀ A⁺ᵀ A⁺.
    Reference: Golub and Pereyra (1973), The differentiation of pseudo-inverses, equation 4.12.
    """
    return _pseudoinverses(matrix)


@pseudoinverse.defjvp
def _pseudoinverse_rule(primals: tuple[Array], tangents: tuple[Array]) -> tuple[Array, Array]:
    (A,), (dA,) = primals, tangents
    P = pseudoinverse(A)
    outside, inside = (
        jnp.eye(A.shape[0], dtype=A.dtype) - _product(A, P),
        jnp.eye(A.shape[1], dtype=A.dtype) - _product(P, A),
    )
    return P, _product(P, P.T, dA.T, outside) + _product(inside, dA.T, P.T, P) - _product(P, dA, P)


@custom_vmap
def _pseudoinverses(matrices: Float[Array, "*batch rows columns"]) -> Float[Array, "*batch columns rows"]:
    return jnp.linalg.pinv(matrices)


@_pseudoinverses.def_vmap
def _pseudoinverses_of_many(axis_size: int, in_batched: PyTree, matrices: Float[Array, "*batch rows columns"]):
    flat = matrices.reshape(-1, *matrices.shape[-2:])
    inverses = _in_pieces(_pseudoinverses, _WORK_OF_PSEUDOINVERSE * max(matrices.shape[-2:]) ** 3, flat)
    return inverses.reshape(*matrices.shape[:-2], *inverses.shape[-2:]), True


def _in_pieces(
    function: Callable[..., Array], work: int, *stacks: Float[Array, "batch _ _"]
) -> Float[Array, "batch _ _"]:
    """`function(*stacks)`, on a CPU piece by piece; `work` is that of one matrix."""
    piece = max(_LARGEST_PIECE // max(work, 1), 1)
    if len(stacks[0]) <= piece:
        return function(*stacks)

    def on_cpu(*stacks: Float[Array, "batch _ _"]) -> Float[Array, "batch _ _"]:
        return lax.map(lambda rows: function(*rows), stacks, batch_size=piece)

    return lax.platform_dependent(*stacks, cpu=on_cpu, default=function)


def _product(*matrices: Float[Array, "_ _"]) -> Float[Array, "_ _"]:
    first, *others = matrices
    for matrix in others:
        first = jnp.matmul(first, matrix, precision=lax.Precision.HIGHEST)
    return first
