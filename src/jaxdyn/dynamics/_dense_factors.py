"""The mass matrix factorised as a dense matrix, with the same pivots as articulated bodies."""

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float

from .._shapes import GeneralizedForce, Velocity
from .._small_matrices import cholesky, solve_cholesky


class DenseFactors(eqx.Module):
    """The factorised mass matrix: rows and columns in reverse order, so that the last one is eliminated first.

    Attributes:
        cholesky: Lower Cholesky factor of the matrix scaled to ones on its diagonal; the rows and columns of singular
            degrees of freedom are the identity's.
        scale: Root of the diagonal.
        moves: Whether each degree of freedom moves inertia.
    """

    cholesky: Float[Array, "num_velocities num_velocities"]
    scale: Float[Array, " num_velocities"]
    moves: Bool[Array, " num_velocities"]

    @property
    def singular(self) -> Bool[Array, " num_velocities"]:
        """Whether each degree of freedom, in its own order, moves no inertia of its own, to working precision."""
        return ~self.moves[::-1]


def factorize_dense(M: Float[Array, "num_velocities num_velocities"]) -> DenseFactors:
    """Factors of M = Lᵀ D L, L lower triangular; Featherstone (2008), section 6.5.

    The library that factorises returns nothing but NaN for a singular matrix. So a first factorisation of a slightly
    heavier matrix finds the singular pivots, and a second one leaves them out.
    """
    backwards = M[::-1, ::-1]
    composites = jnp.diagonal(backwards)
    scale = jnp.sqrt(jnp.where(composites > 0, composites, 1))
    # A division, not a product with inverses: XLA then computes the matrix once, not anew for each of its uses.
    unit = backwards / (scale[:, None] * scale[None])
    smallest = 100 * jnp.finfo(M.dtype).eps
    identity = jnp.eye(M.shape[0], dtype=M.dtype)
    loaded = cholesky(unit + identity * jnp.where(composites > 0, smallest, 1)[None])
    # Pivots are NaN where the matrix is not positive definite: then nothing moves. What is not finite gives NaN.
    moves = (jnp.diagonal(loaded) ** 2 > 2 * smallest) & (composites > 0) | ~jnp.isfinite(composites)
    kept = jnp.where(moves[:, None] & moves[None], unit, identity)
    return DenseFactors(cholesky(kept), scale, moves)


def solve_dense(factors: DenseFactors, forces: GeneralizedForce) -> Velocity:
    """Accelerations M⁻¹ b; 0 for a singular degree of freedom."""
    scaled = jnp.where(factors.moves, forces[::-1] / factors.scale, 0)
    solution = solve_cholesky(factors.cholesky, scaled[:, None])[:, 0] / factors.scale
    return solution[::-1]
