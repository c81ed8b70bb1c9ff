"""The inverse of the mass matrix, and the dynamics of tasks: quantities that a matrix J from v to a task defines."""

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Real

from .._errors import ShapeError
from .._shapes import Configuration, ConfigurationLike
from .._small_matrices import pseudoinverse
from ..kinematics import jacobian_of, tree_frames
from ..mechanism import Mechanism, as_array, as_configuration, require_tree
from ._mass_matrix import mass_matrix_of
from ._mass_matrix_solve import product, solved_by_matrix
from ._tree_inertias import body_inertias

# A frame, of which the geometric Jacobian in world axes is meant, or any matrix from v to the velocity of a task.
TaskLike = str | int | np.integer | Real[Array | np.ndarray, "rows num_velocities"] | Sequence[Any]


def mass_matrix_inverse(mechanism: Mechanism, q: ConfigurationLike) -> Float[Array, "num_velocities num_velocities"]:
    """Inverse of `mass_matrix`: accelerations per unit of each generalized force.

    To solve for one acceleration, `forward_dynamics` is cheaper. A degree of freedom that moves no inertia has no
    acceleration: called with nothing traced, this function refuses such a mechanism; traced, its row and column are
    zero, and values and gradients stay finite.

    Args:
        mechanism: Any tree mechanism.
        q: Configuration [rad or m].

    Returns:
        Symmetric matrix [1/(kg m²), 1/(kg m) or 1/kg].

    Raises:
        ShapeError: `q` has the wrong length or another dtype.
        MechanismError: A joint closes a loop; or nothing is traced and a degree of freedom moves no inertia.

    Differentiability: smooth in `q` and every leaf where the mass matrix is regular.
    Reference: Featherstone (2008), section 6.5.
    """
    require_tree(mechanism, "mass_matrix_inverse")
    q = as_configuration(mechanism, q)
    inverse = solved_by_matrix(mechanism, _mass_matrix(mechanism, q), jnp.eye(mechanism.num_velocities, dtype=q.dtype))
    return (inverse + inverse.T) / 2


def operational_space_inertia(mechanism: Mechanism, q: ConfigurationLike, task: TaskLike) -> Float[Array, "rows rows"]:
    """Inertia of the mechanism as felt at a task: Λ = (J M⁻¹ Jᵀ)⁻¹.

    Where rows of J depend on each other the pseudoinverse is taken: along what the task cannot do, the inertia is 0.
    A motion counts as impossible where it gets less than 1e-7 times (in float32, 3e-3 times) the speed of the easiest
    one from the same kinetic energy: where forces accelerate it 1e-14 (1e-5) times as much.

    Args:
        mechanism: Any tree mechanism.
        q: Configuration [rad or m].
        task: A frame or body, of which `geometric_jacobian` with its default keywords is taken, angular rows first; or
            a matrix J with one column per degree of freedom, such as some rows of Jacobians on top of each other.

    Returns:
        Symmetric matrix: forces of the task per unit of its acceleration.

    Raises:
        UnknownNameError: There is no such frame.
        ShapeError: An argument has the wrong shape or another dtype.
        MechanismError: A joint closes a loop; or nothing is traced and a degree of freedom moves no inertia.

    Differentiability: smooth in `q`, the matrix and every leaf where the rank of J does not change; finite everywhere.
    Reference: Khatib (1987), A unified approach for motion and force control of robot manipulators.
    """
    require_tree(mechanism, "operational_space_inertia")
    return _task_quantities(mechanism, as_configuration(mechanism, q), task)[1]


def dynamically_consistent_inverse(
    mechanism: Mechanism, q: ConfigurationLike, task: TaskLike
) -> Float[Array, "num_velocities rows"]:
    """Inverse of J that moves with the least kinetic energy: M⁻¹ Jᵀ Λ.

    Where the rows of J are independent, J times it is the identity.

    Args:
        mechanism: Any tree mechanism.
        q: Configuration [rad or m].
        task: As for `operational_space_inertia`.

    Returns:
        The matrix: velocities per unit of each of the task's velocities.

    Raises:
        UnknownNameError: There is no such frame.
        ShapeError: An argument has the wrong shape or another dtype.
        MechanismError: A joint closes a loop; or nothing is traced and a degree of freedom moves no inertia.

    Differentiability: as `operational_space_inertia`.
    Reference: Khatib (1987), section V.
    """
    require_tree(mechanism, "dynamically_consistent_inverse")
    return _task_quantities(mechanism, as_configuration(mechanism, q), task)[2]


def null_space_projector(
    mechanism: Mechanism, q: ConfigurationLike, task: TaskLike
) -> Float[Array, "num_velocities num_velocities"]:
    """Matrix N = 1 - J̄ J whose velocities N v do not move the task, J̄ being the dynamically consistent inverse.

    Generalized forces Nᵀ τ do not accelerate the task: J M⁻¹ Nᵀ = 0.

    Args:
        mechanism: Any tree mechanism.
        q: Configuration [rad or m].
        task: As for `operational_space_inertia`.

    Returns:
        The projector: N N = N, J N = 0.

    Raises:
        UnknownNameError: There is no such frame.
        ShapeError: An argument has the wrong shape or another dtype.
        MechanismError: A joint closes a loop; or nothing is traced and a degree of freedom moves no inertia.

    Differentiability: as `operational_space_inertia`.
    Reference: Khatib (1987), section V.
    """
    require_tree(mechanism, "null_space_projector")
    J, _, inverse = _task_quantities(mechanism, as_configuration(mechanism, q), task)
    return jnp.eye(mechanism.num_velocities, dtype=J.dtype) - product(inverse, J)


def _task_quantities(
    mechanism: Mechanism, q: Configuration, task: TaskLike
) -> tuple[Float[Array, "rows num_velocities"], Float[Array, "rows rows"], Float[Array, "num_velocities rows"]]:
    """The Jacobian J, the inertia Λ and the inverse M⁻¹ Jᵀ Λ."""
    J = _jacobian(mechanism, q, task)
    accelerations = solved_by_matrix(mechanism, _mass_matrix(mechanism, q), J.T)
    mobility = product(J, accelerations)
    inertia = pseudoinverse((mobility + mobility.T) / 2)
    return J, inertia, product(accelerations, inertia)


def _jacobian(mechanism: Mechanism, q: Configuration, task: TaskLike) -> Float[Array, "rows num_velocities"]:
    if isinstance(task, str | int | np.integer):
        return jacobian_of(mechanism, tree_frames(mechanism, q), task if isinstance(task, str) else int(task))
    J = as_array(mechanism, task, "task")
    if J.ndim != 2 or J.shape[1] != mechanism.num_velocities:
        raise ShapeError(
            f"`task` must be a frame or a matrix of shape (rows, num_velocities) = (rows, {mechanism.num_velocities}), "
            f"but has shape {J.shape}. Stack Jacobians with `jnp.concatenate` along their rows."
        )
    return J


def _mass_matrix(mechanism: Mechanism, q: Configuration) -> Float[Array, "num_velocities num_velocities"]:
    frames = tree_frames(mechanism, q)
    return mass_matrix_of(mechanism, frames, body_inertias(mechanism, frames))
