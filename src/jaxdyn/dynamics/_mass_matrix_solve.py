"""Products with the inverse of a mass matrix that is at hand, and the refusal of one that has none."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jaxtyping import Array, Bool, Float

from .._errors import MechanismError
from .._tracing import is_traced
from ..mechanism import Mechanism
from ._dense_factors import factorize_dense, solve_dense


def solved_by_matrix(
    mechanism: Mechanism,
    M: Float[Array, "num_velocities num_velocities"],
    forces: Float[Array, "num_velocities columns"],
) -> Float[Array, "num_velocities columns"]:
    """M⁻¹ times a matrix. Derivatives do not pass through the factorisation."""
    if mechanism.num_velocities == 0:
        return forces
    factors = factorize_dense(lax.stop_gradient(M))
    refuse_singular(mechanism, factors.singular)
    return lax.custom_linear_solve(
        lambda x: product(M, x),
        forces,
        lambda _, forces: jax.vmap(lambda force: solve_dense(factors, force), 1, 1)(forces),
        symmetric=True,
    )


def product(a: Float[Array, "rows inner"], b: Float[Array, "inner columns"]) -> Float[Array, "rows columns"]:
    """Matrix product in full precision, on accelerators too."""
    return jnp.matmul(a, b, precision=lax.Precision.HIGHEST)


def refuse_singular(mechanism: Mechanism, is_singular: Bool[Array, " num_velocities"]) -> None:
    """Name the joints that move no inertia, unless anything is traced."""
    if is_traced(is_singular):
        return
    singular = np.flatnonzero(np.asarray(is_singular))
    if singular.size == 0:
        return
    topology = mechanism.topology
    dof = int(np.flatnonzero(topology.velocity_of_dof == singular[0])[0])
    body = topology.leaders[topology.moving_bodies[topology.dof_bodies[dof]]]
    subtree = [body, *np.flatnonzero(topology.body_forest.is_strict_ancestor[body])]
    moved = ", ".join(f"`{topology.body_names[i]}`" for i in subtree)
    raise MechanismError(
        f"Accelerations need every joint to move some inertia, but joint `{topology.joint_names[body]}` moves none "
        f"(bodies {moved}). Give one of these bodies a mass, give the joint an armature, or make the joint fixed."
    )
