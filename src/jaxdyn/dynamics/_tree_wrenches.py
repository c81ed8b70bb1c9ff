"""Wrenches on the moving bodies, in world axes about each body's own origin, and what they do at the joints."""

from collections.abc import Mapping, Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax
from jaxtyping import Array, Float, Real

from .._errors import InvalidValueError, ShapeError
from .._shapes import ConfigurationLike, GeneralizedForce
from .._stacked import StackedVector, bodies_last, columns, cross, dot, rotate
from ..kinematics import TreeFrames, all_body_poses, body_arms, frame_pose, tree_frames
from ..mechanism import Forest, Mechanism, as_array, as_configuration, descendant_sum, on_independent
from ..spatial import Force, Transform

WRENCH_FRAMES = ("body_origin", "world", "body")

# What public functions take and convert: a wrench per body, and a wrench or force at one frame.
WrenchesLike = Force | Real[Array | np.ndarray, "num_bodies 6"] | Sequence[Any]
WrenchLike = Force | Real[Array | np.ndarray, "3"] | Sequence[Any]


def transmitted_wrenches(
    forest: Forest, offset: StackedVector, moment: StackedVector, force: StackedVector
) -> tuple[StackedVector, StackedVector]:
    """Wrench that each joint passes on to its body when these act on the bodies: sums over the subtrees.

    Forces add up as they are; a moment also collects each descendant's force at its offset from the one before.
    """
    total_force = force + descendant_sum(forest, force)
    carried_over = moment + cross(offset, total_force)
    return moment + descendant_sum(forest, carried_over), total_force


def joint_forces(
    mechanism: Mechanism, frames: TreeFrames, moment: StackedVector, force: StackedVector
) -> GeneralizedForce:
    """Generalized force Sᵀ W of wrenches that the joints pass on."""
    bodies = mechanism.topology.dof_bodies
    of_moment, of_force = columns(moment, bodies), columns(force, bodies)
    return on_independent(mechanism, dot(frames.subspace_angular, of_moment) + dot(frames.subspace_linear, of_force))


def balanced_joint_forces(
    mechanism: Mechanism, frames: TreeFrames, moment: StackedVector, force: StackedVector
) -> GeneralizedForce:
    """Generalized forces that balance wrenches on the bodies: Σ Jᵀ W."""
    return joint_forces(mechanism, frames, *transmitted_wrenches(frames.forest, frames.offset, moment, force))


def wrenches_on_bodies(
    mechanism: Mechanism, poses: Transform, external_wrenches: WrenchesLike, wrench_frame: str
) -> tuple[Float[Array, "3 num_bodies"], Float[Array, "3 num_bodies"]]:
    """External wrenches in world axes about each body's origin.

    Args:
        mechanism: Any mechanism.
        poses: Poses of all bodies.
        external_wrenches: One wrench per body, or an array of shape (num_bodies, 6).
        wrench_frame: "body_origin": world axes, about each body's origin; "world": about the world's origin; "body":
            in each body's frame.

    Returns:
        Moment and force on each body [N m, N].

    Raises:
        ShapeError: There is not one wrench per body, or the dtype differs.
        InvalidValueError: The keyword is unknown.
    """
    moment, force = _moments_and_forces(mechanism, external_wrenches)
    if wrench_frame == "body":
        R_WB = bodies_last(poses.rotation)
        return rotate(R_WB, moment), rotate(R_WB, force)
    if wrench_frame == "world":
        return moment - cross(bodies_last(poses.translation), force), force
    if wrench_frame != "body_origin":
        raise InvalidValueError(
            f"`wrench_frame` must be one of {', '.join(WRENCH_FRAMES)}, but is `{wrench_frame}`. "
            "Use `wrench_at` for wrenches at other frames."
        )
    return moment, force


def wrenches_on_moving_bodies(
    mechanism: Mechanism, frames: TreeFrames, external_wrenches: WrenchesLike, wrench_frame: str
) -> tuple[StackedVector, StackedVector]:
    """External wrenches on all bodies, collected on the moving bodies that carry them: `wrenches_on_bodies`."""
    poses = all_body_poses(mechanism, frames)
    moment, force = wrenches_on_bodies(mechanism, poses, external_wrenches, wrench_frame)
    carriers = mechanism.topology.carriers
    if np.array_equal(carriers, np.arange(mechanism.num_bodies)):
        return moment, force
    moment = moment + cross(body_arms(mechanism, frames), force)
    carries = jnp.asarray(carriers[:, None] == np.arange(frames.forest.size), dtype=force.dtype)

    def collected(x: StackedVector) -> Float[Array, "3 moving"]:
        return jnp.matmul(x, carries, precision=lax.Precision.HIGHEST)

    return collected(moment), collected(force)


def wrench_at(mechanism: Mechanism, q: ConfigurationLike, wrenches: Mapping[str | int, WrenchLike]) -> Force:
    """External wrenches on all bodies from wrenches at named frames.

    Args:
        mechanism: Any mechanism.
        q: Configuration [rad or m].
        wrenches: For each frame (the name of a body or an additional frame), a `Force` in world axes about the
            frame's origin, or three numbers: a force in world axes that acts at the frame's origin [N m, N].

    Returns:
        One wrench per body, in world axes about each body's origin, as `external_wrenches` takes them by default.

    Raises:
        UnknownNameError: There is no such frame.
        ShapeError: A wrench has the wrong shape or dtype, or `q` has.
        InvalidValueError: A frame is fixed to the world, which no wrench moves.

    Differentiability: smooth in `q`, the wrenches and every leaf.
    """
    frames = tree_frames(mechanism, as_configuration(mechanism, q))
    total = Force.zero((mechanism.num_bodies,), mechanism.dtype).vector
    for name, wrench in wrenches.items():
        body, _ = mechanism.frame_index(name)
        if body < 0:
            raise InvalidValueError(
                f"A wrench must act on a body, but frame `{name}` is fixed to the world. Leave it out."
            )
        moment, force = _moment_and_force(mechanism, wrench, name)
        arm = frame_pose(mechanism, frames, name).translation - frame_pose(mechanism, frames, body).translation
        total = total.at[body].add(jnp.concatenate([moment + jnp.cross(arm, force), force]))
    return Force.from_vector(total)


def _moment_and_force(
    mechanism: Mechanism, wrench: WrenchLike, name: str | int
) -> tuple[Float[Array, "3"], Float[Array, "3"]]:
    # Six bare numbers are refused: other programs put the force first.
    is_force = isinstance(wrench, Force)
    vector = as_array(mechanism, wrench.vector if is_force else wrench, f"wrenches[{name!r}]")
    if vector.shape != ((6,) if is_force else (3,)):
        raise ShapeError(
            f"The wrench at `{name}` must be a `Force` or three numbers, but has shape {vector.shape}. "
            "Give one wrench per frame, in world axes: `Force(moment, force)`."
        )
    return (vector[:3], vector[3:]) if is_force else (jnp.zeros_like(vector), vector)


def _moments_and_forces(mechanism: Mechanism, external_wrenches: WrenchesLike) -> tuple[StackedVector, StackedVector]:
    wrenches = external_wrenches.vector if isinstance(external_wrenches, Force) else external_wrenches
    wrenches = as_array(mechanism, wrenches, "external_wrenches")
    if wrenches.shape != (mechanism.num_bodies, 6):
        raise ShapeError(
            f"`external_wrenches` must have shape (num_bodies, 6) = ({mechanism.num_bodies}, 6), but has shape "
            f"{wrenches.shape}. Give one wrench per body, or build them with `wrench_at`."
        )
    return bodies_last(wrenches[:, :3]), bodies_last(wrenches[:, 3:])
