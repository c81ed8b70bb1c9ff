"""The mass matrix factorised as a dense matrix, with the same pivots as articulated bodies."""

import jax.numpy as jnp
from jax import lax
from jax.scipy.linalg import solve_triangular
from jaxtyping import Array, Float

from .._shapes import GeneralizedForce, Velocity
from ._articulated_bodies import singular_pivots

Square = Float[Array, "num_velocities num_velocities"]


def factorize_dense(M: Square) -> tuple[Square, Velocity]:
    """Factors of M = Lᵀ D L, L unit lower triangular, eliminating the last degree of freedom first.

    Reference: Featherstone (2008), section 6.5.
    """
    composites = jnp.diagonal(M)
    size = M.shape[0]

    def eliminate(remaining, k):
        row, pivot = remaining[k], remaining[k, k]
        singular = singular_pivots(pivot, composites[k])
        inverse = jnp.where(singular, 0, 1 / jnp.where(singular, 1, pivot))
        scaled = row * inverse
        is_before = jnp.arange(size) < k
        L_row = jnp.where(is_before, scaled, 0).at[k].set(1)
        return remaining - row[:, None] * scaled[None], (L_row, pivot)

    _, (rows, pivots) = lax.scan(eliminate, M, jnp.arange(size), reverse=True)
    return rows, pivots


def solve_dense(L: Square, pivots: Velocity, composites: Velocity, forces: GeneralizedForce) -> Velocity:
    """Accelerations M⁻¹ b by two triangular solves."""
    singular = singular_pivots(pivots, composites)
    inverse = jnp.where(singular, 0, 1 / jnp.where(singular, 1, pivots))
    halfway = solve_triangular(L, forces, trans=1, lower=True, unit_diagonal=True)
    return solve_triangular(L, inverse * halfway, lower=True, unit_diagonal=True)
