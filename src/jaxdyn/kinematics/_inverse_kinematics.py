"""Inverse kinematics: the configuration that brings frames to where they should be."""

from collections.abc import Mapping, Sequence
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jaxtyping import Array, Bool, Float, Real

from .._errors import InvalidValueError, ShapeError
from .._shapes import Configuration, ConfigurationLike, Velocity
from .._small_matrices import cholesky, pseudoinverse, solve_cholesky
from ..mechanism import (
    Mechanism,
    as_array,
    as_configuration,
    clamp_configuration,
    difference,
    integrate,
    require_rotation,
    require_tree,
)
from ..spatial import Transform, rotation_log, safe_norm
from ._poses import frame_pose
from ._tree_frames import tree_frames

TargetLike = Transform | Real[Array | np.ndarray, "3"] | Sequence[Any]
Target = Transform | Float[Array, "3"]
Targets = dict[str | int, Target]

# Damping relative to the mean square of the Jacobian's rows: at first, and when no step is short enough to help.
_FIRST_DAMPING = 1e-3
_LARGEST_DAMPING = 1e9

# A motion that is not lost in rounding, by which one sees whether a limit holds a joint back [rad or m].
_PROBE = 1e-3


class InverseKinematicsResult(eqx.Module):
    """What `inverse_kinematics` found.

    Attributes:
        q: The configuration, inside the position limits [rad or m].
        error: Root of the sum of all squared distances [m] and rotation angles [rad] that remain.
        converged: Whether `error` is within the tolerance.
    """

    q: Configuration
    error: Float[Array, ""]
    converged: Bool[Array, ""]


def inverse_kinematics(
    mechanism: Mechanism,
    targets: Mapping[str | int, TargetLike],
    q0: ConfigurationLike,
    *,
    tolerance: float = 1e-5,
    max_iterations: int = 100,
) -> InverseKinematicsResult:
    """Configuration near `q0`, inside the position limits, that brings frames to where they should be.

    Damped least squares on the configuration manifold. Where the targets cannot be reached it stops at a nearest
    configuration, which need not be the nearest of all; try other `q0`, side by side with `jax.vmap`.

    Args:
        mechanism: Any mechanism without loops.
        targets: For each frame (the name of a body or frame, or index of a body) its pose in the world, or three
            numbers: where its origin should be [m].
        q0: Where the search begins [rad or m].
        tolerance: Error at which it ends [m and rad together].
        max_iterations: Steps after which it ends at the latest.

    Returns:
        The configuration, the error that remains, and whether that is within the tolerance.

    Raises:
        UnknownNameError: There is no such frame.
        ShapeError: `q0` or a target has the wrong shape or another dtype.
        InvalidValueError: There are no targets, or a rotation is none.
        MechanismError: A joint closes a loop, which the search would tear apart.

    Differentiability: in the targets and every leaf, in both modes, by the implicit function theorem at the result:
    the least motion that follows the targets. So it is exact where it has converged and the frames' Jacobian keeps its
    rank, and zero in `q0`.
    Reference: Nocedal and Wright (2006), Numerical optimization, section 10.3.
    """
    require_tree(mechanism, "inverse_kinematics")
    q0 = as_configuration(mechanism, q0, "q0")
    goals = {frame: _target(mechanism, frame, target) for frame, target in targets.items()}
    if not goals:
        raise InvalidValueError(
            "`targets` must name at least one frame, but is empty. Write for example {'hand': Transform(...)}."
        )
    fixed_mechanism, fixed_goals, start = lax.stop_gradient((mechanism, goals, q0))
    q = _search(fixed_mechanism, fixed_goals, clamp_configuration(fixed_mechanism, start), tolerance, max_iterations)
    J = lax.stop_gradient(_free_jacobian(fixed_mechanism, fixed_goals, q)[1])
    is_free = jnp.any(J != 0, axis=0)
    # The root of Jᵀ r along free motions from the result; its value is no motion, its derivative follows the targets.
    motion = lax.custom_root(
        lambda motion: J.T @ _errors(mechanism, goals, integrate(mechanism, q, jnp.where(is_free, motion, 0))),
        jnp.zeros(mechanism.num_velocities, dtype=q.dtype),
        lambda _, guess: guess,
        lambda linear, y: pseudoinverse(jax.jacfwd(linear)(jnp.zeros_like(y))) @ y,
    )
    q = integrate(mechanism, q, motion)
    error = safe_norm(_errors(mechanism, goals, q))
    return InverseKinematicsResult(q, error, error <= tolerance)


def _search(
    mechanism: Mechanism, targets: Targets, q0: Configuration, tolerance: float, max_iterations: int
) -> Configuration:
    """Levenberg's and Marquardt's method with a step that stays inside the limits."""

    def goes_on(state):
        _, error, damping, count = state
        return (error > tolerance) & (damping < _LARGEST_DAMPING) & (count < max_iterations)

    def step(state):
        q, error, damping, count = state
        errors, J = _free_jacobian(mechanism, targets, q)
        normal = jnp.matmul(J, J.T, precision=lax.Precision.HIGHEST)
        scale = jnp.mean(jnp.diagonal(normal))
        # A floor keeps the matrix regular in working precision.
        load = jnp.maximum(damping, 100 * jnp.finfo(q.dtype).eps) * jnp.where(scale > 0, scale, 1)
        loaded = normal + load * jnp.eye(len(errors), dtype=q.dtype)
        motion = -J.T @ solve_cholesky(cholesky(loaded), errors[:, None])[:, 0]
        moved = clamp_configuration(mechanism, integrate(mechanism, q, motion))
        new_error = safe_norm(_errors(mechanism, targets, moved))
        better = new_error < error
        q, error = jnp.where(better, moved, q), jnp.where(better, new_error, error)
        return q, error, jnp.where(better, damping / 10, damping * 10), count + 1

    error = safe_norm(_errors(mechanism, targets, q0))
    first = (q0, error, jnp.asarray(_FIRST_DAMPING, q0.dtype), jnp.zeros((), int))
    return lax.while_loop(goes_on, step, first)[0]


def _free_jacobian(
    mechanism: Mechanism, targets: Targets, q: Configuration
) -> tuple[Float[Array, " rows"], Float[Array, "rows num_velocities"]]:
    """Errors, and their derivatives along each degree of freedom: zero for one that a limit holds back."""

    def errors_after(motion: Velocity) -> Float[Array, " rows"]:
        return _errors(mechanism, targets, integrate(mechanism, q, motion))

    at_rest = jnp.zeros(mechanism.num_velocities, dtype=q.dtype)
    errors, J = errors_after(at_rest), jax.jacfwd(errors_after)(at_rest)
    descent = jnp.sign(-J.T @ errors)
    probe = clamp_configuration(mechanism, integrate(mechanism, q, _PROBE * descent))
    is_held = (difference(mechanism, q, probe) == 0) & (descent != 0)
    return errors, jnp.where(is_held[None], 0, J)


def _errors(mechanism: Mechanism, targets: Targets, q: Configuration) -> Float[Array, " rows"]:
    """Distances in world axes [m] and rotation vectors in the frames [rad] between frames and their targets."""
    frames = tree_frames(mechanism, q)
    errors = []
    for frame, target in targets.items():
        pose = frame_pose(mechanism, frames, frame)
        if isinstance(target, Transform):
            errors.append(rotation_log(target.rotation.T @ pose.rotation))
        errors.append(pose.translation - (target.translation if isinstance(target, Transform) else target))
    return jnp.concatenate(errors)


def _target(mechanism: Mechanism, frame: str | int, target: TargetLike) -> Target:
    is_pose = isinstance(target, Transform)
    given, shapes = ((target.rotation, target.translation), [(3, 3), (3,)]) if is_pose else ((target,), [(3,)])
    parts = [as_array(mechanism, part, f"targets[{frame!r}]") for part in given]
    if [part.shape for part in parts] != shapes:
        raise ShapeError(
            f"The target of `{frame}` must be one `Transform` or three numbers, but has shape {parts[-1].shape}. "
            "Map over many targets with `jax.vmap`."
        )
    if not is_pose:
        return parts[0]
    pose = Transform(*parts)
    require_rotation(pose, f"the target of `{frame}`")
    return pose
