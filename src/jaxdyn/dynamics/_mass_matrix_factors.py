"""The mass matrix factorised by the faster method: as a dense matrix for one state, as articulated bodies for many.

Whether there are many states is known only when `jax.vmap` comes by; `custom_vmap` is where it says so. Both factors
have the same pivots. See docs/decisions/0004-batched-lapack.md.
"""

from collections.abc import Callable
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
from jax.custom_batching import custom_vmap
from jaxtyping import Array, Bool, Float, PyTree

from .._shapes import GeneralizedForce, Velocity
from ..kinematics import TreeFrames
from ..mechanism import Mechanism
from ._articulated_bodies import ArticulatedFactors, factorize, solve
from ._dense_factors import DenseFactors, factorize_dense, solve_dense
from ._mass_matrix import mass_matrix_of
from ._tree_inertias import TreeInertias


class MassMatrixFactors(eqx.Module):
    """One factorisation, and zeros in the place of the other.

    Attributes:
        dense: The dense factors, for one state.
        articulated: The articulated bodies, for many.
        is_dense: Which of the two it is.
    """

    dense: DenseFactors
    articulated: ArticulatedFactors
    is_dense: Bool[Array, ""]


def factorize_either(mechanism: Mechanism, frames: TreeFrames, bodies: TreeInertias) -> MassMatrixFactors:
    """Factors of the mass matrix."""
    return _dense_if_one(factorize_dense(mass_matrix_of(mechanism, frames, bodies)), mechanism, frames, bodies)


@custom_vmap
def _dense_if_one(
    dense: DenseFactors, mechanism: Mechanism, frames: TreeFrames, bodies: TreeInertias
) -> MassMatrixFactors:
    # The dense factors are made outside: a branch that differs from state to state maps all arrays that are made
    # before it, and `custom_vmap` does not allow that for the constants of its function. Unused, they cost nothing.
    return MassMatrixFactors(dense, _zeros(factorize, mechanism, frames, bodies), jnp.ones((), bool))


@_dense_if_one.def_vmap
def _factorize_many(
    axis_size: int,
    in_batched: PyTree,
    dense: DenseFactors,
    mechanism: Mechanism,
    frames: TreeFrames,
    bodies: TreeInertias,
):
    arguments, in_batched = (mechanism, frames, bodies), in_batched[1:]
    articulated = _mapped(factorize, axis_size, in_batched, *arguments)
    dense = _zeros(lambda *one: factorize_dense(mass_matrix_of(*one)), *_one_of_many(in_batched, arguments))
    factors = MassMatrixFactors(dense, articulated, jnp.array(False))
    is_batched = jax.tree.map(lambda _: False, factors)
    return factors, eqx.tree_at(lambda f: f.articulated, is_batched, jax.tree.map(lambda _: True, articulated))


def solve_either(factors: MassMatrixFactors, forces: GeneralizedForce) -> Velocity:
    """Accelerations M⁻¹ b; 0 for a singular degree of freedom."""
    return _solve_columns(factors, forces[:, None])[:, 0]


@custom_vmap
def _solve_columns(
    factors: MassMatrixFactors, columns: Float[Array, "num_velocities columns"]
) -> Float[Array, "num_velocities columns"]:
    return jax.vmap(solve_dense, (None, 1), 1)(factors.dense, columns)


@_solve_columns.def_vmap
def _solve_many(axis_size: int, in_batched: PyTree, factors: MassMatrixFactors, columns: Float[Array, "..."]):
    factors_batched, _ = in_batched
    if not any(jax.tree.leaves(factors_batched)):  # one matrix, many right-hand sides: they become its columns
        n, width = columns.shape[1:]
        side_by_side = jnp.moveaxis(columns, 1, 0).reshape(n, axis_size * width)
        return jnp.moveaxis(_solve_columns(factors, side_by_side).reshape(n, axis_size, width), 1, 0), True

    def by_articulated_bodies(factors: MassMatrixFactors, columns: Array) -> Array:
        return jax.vmap(solve, (None, 1), 1)(factors.articulated, columns)

    def by_either(factors: MassMatrixFactors, columns: Array) -> Array:
        dense = jax.vmap(solve_dense, (None, 1), 1)(factors.dense, columns)
        return jnp.where(factors.is_dense, dense, by_articulated_bodies(factors, columns))

    is_known = not any(jax.tree.leaves((factors_batched.dense, factors_batched.is_dense)))
    method = by_articulated_bodies if is_known else by_either
    return _mapped(method, axis_size, in_batched, factors, columns), True


def _mapped(function: Callable[..., Any], axis_size: int, in_batched: PyTree, *arguments: Any) -> Any:
    """The function mapped over those leaves of its arguments that are batched."""
    leaves, structure = jax.tree.flatten(arguments)
    axes = [0 if is_batched else None for is_batched in jax.tree.leaves(in_batched)]
    one = jax.vmap(lambda *leaves: function(*jax.tree.unflatten(structure, leaves)), axes, axis_size=axis_size)
    return one(*leaves)


def _one_of_many(in_batched: PyTree, arguments: PyTree) -> PyTree:
    """Shapes of the arguments of one state."""

    def of_one(is_batched: bool, leaf: Array) -> jax.ShapeDtypeStruct:
        return jax.ShapeDtypeStruct(leaf.shape[1:] if is_batched else leaf.shape, leaf.dtype)

    return jax.tree.map(of_one, tuple(in_batched), arguments)


def _zeros(function: Callable[..., Any], *arguments: Any) -> Any:
    return jax.tree.map(lambda leaf: jnp.zeros(leaf.shape, leaf.dtype), jax.eval_shape(function, *arguments))
