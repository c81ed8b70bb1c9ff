"""Wrenches on the moving bodies, in world axes about each body's own origin, and what they do at the joints."""

import jax.numpy as jnp
import numpy as np
from jax import lax

from .._errors import InvalidValueError, ShapeError
from .._shapes import GeneralizedForce
from .._stacked import StackedVector, bodies_last, columns, cross, dot, rotate
from ..kinematics import TreeFrames, all_body_poses
from ..mechanism import Mechanism, as_array, descendant_sum
from ..spatial import Force

WRENCH_FRAMES = ("body_origin", "world", "body")


def transmitted_wrenches(
    frames: TreeFrames, moment: StackedVector, force: StackedVector
) -> tuple[StackedVector, StackedVector]:
    """Wrench that each joint passes on to its body when these act on the bodies: sums over the subtrees.

    Forces add up as they are; a moment also collects each descendant's force at its offset.
    """
    total_force = force + descendant_sum(frames.forest, force)
    carried_over = moment + cross(frames.offset, total_force)
    return moment + descendant_sum(frames.forest, carried_over), total_force


def joint_forces(
    mechanism: Mechanism, frames: TreeFrames, moment: StackedVector, force: StackedVector
) -> GeneralizedForce:
    """Generalized force Sᵀ W of wrenches that the joints pass on."""
    bodies = mechanism.topology.dof_bodies
    return dot(frames.subspace_angular, columns(moment, bodies)) + dot(frames.subspace_linear, columns(force, bodies))


def balanced_joint_forces(
    mechanism: Mechanism, frames: TreeFrames, moment: StackedVector, force: StackedVector
) -> GeneralizedForce:
    """Generalized forces that balance wrenches on the bodies: Σ Jᵀ W."""
    return joint_forces(mechanism, frames, *transmitted_wrenches(frames, moment, force))


def wrenches_on_moving_bodies(
    mechanism: Mechanism, frames: TreeFrames, external_wrenches: Force, wrench_frame: str
) -> tuple[StackedVector, StackedVector]:
    """External wrenches on all bodies, collected on the moving bodies that carry them.

    Args:
        mechanism: Any mechanism.
        frames: Its frames.
        external_wrenches: One wrench per body, or an array of shape (num_bodies, 6).
        wrench_frame: "body_origin": world axes, about each body's origin; "world": about the world's origin; "body":
            in each body's frame.

    Raises:
        ShapeError: There is not one wrench per body, or the dtype differs.
        InvalidValueError: The keyword is unknown.
    """
    moment, force = _moments_and_forces(mechanism, external_wrenches)
    poses = all_body_poses(mechanism, frames)
    if wrench_frame == "body":
        R_WB = bodies_last(poses.rotation)
        moment, force = rotate(R_WB, moment), rotate(R_WB, force)
    elif wrench_frame == "world":
        moment = moment - cross(bodies_last(poses.translation), force)
    elif wrench_frame != "body_origin":
        raise InvalidValueError(
            f"`wrench_frame` must be one of {', '.join(WRENCH_FRAMES)}, but is `{wrench_frame}`. "
            "Use `wrench_at` for wrenches at other frames."
        )
    carriers = mechanism.topology.carriers
    if np.array_equal(carriers, np.arange(mechanism.num_bodies)):
        return moment, force
    R_WC = jnp.concatenate([frames.R_WB, jnp.eye(3, dtype=force.dtype)[:, :, None]], axis=-1)[..., carriers]
    moment = moment + cross(rotate(R_WC, frames.carried.p_CB), force)
    carries = jnp.asarray(carriers[:, None] == np.arange(frames.forest.size), dtype=force.dtype)

    def collected(x: StackedVector) -> StackedVector:
        return jnp.matmul(x, carries, precision=lax.Precision.HIGHEST)

    return collected(moment), collected(force)


def _moments_and_forces(mechanism: Mechanism, external_wrenches: Force) -> tuple[StackedVector, StackedVector]:
    wrenches = external_wrenches.vector if isinstance(external_wrenches, Force) else external_wrenches
    wrenches = as_array(mechanism, wrenches, "external_wrenches")
    if wrenches.shape != (mechanism.num_bodies, 6):
        raise ShapeError(
            f"`external_wrenches` must have shape (num_bodies, 6) = ({mechanism.num_bodies}, 6), but has shape "
            f"{wrenches.shape}. Give one wrench per body, or build them with `wrench_at`."
        )
    return bodies_last(wrenches[:, :3]), bodies_last(wrenches[:, 3:])
