"""The wrenches that the joints pass on."""

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from .._shapes import Configuration, ConfigurationLike, VelocityLike
from .._stacked import bodies_first, bodies_last, rotate
from ..kinematics import all_body_poses, motions_of_bodies, tree_frames
from ..mechanism import Mechanism, as_configuration, as_velocity, joint_poses, require_tree
from ..spatial import Force, Transform
from ._tree_inertias import newton_euler, single_inertias
from ._tree_wrenches import WrenchesLike, transmitted_wrenches, wrenches_on_bodies


def joint_wrenches(
    mechanism: Mechanism,
    q: ConfigurationLike,
    v: VelocityLike,
    v_dot: VelocityLike,
    external_wrenches: WrenchesLike | None = None,
    *,
    wrench_frame: str = "body_origin",
) -> Force:
    """Wrench that each joint exerts on its successor, for every body: what bears the load, drives and constrains it.

    The rate of the momentum of all that hangs on the joint, less gravity and the external wrenches. Fixed joints carry
    load, too. Motors, dampers and springs act inside of the joint: τ = Sᵀ W + armature v_dot - passive forces.

    Args:
        mechanism: Any tree mechanism.
        q: Configuration [rad or m].
        v: Velocity [rad/s or m/s].
        v_dot: Derivative of the velocity [rad/s² or m/s²].
        external_wrenches: Wrench on each body, a `Force` or an array of shape (num_bodies, 6); None for none.
        wrench_frame: "body_origin": world axes, about each body's origin; "world": about the world's origin; "body":
            in each body's frame.

    Returns:
        One wrench per body, in body order, in the frame after its joint [N m, N].

    Raises:
        ShapeError: An argument has the wrong shape or another dtype.
        InvalidValueError: `wrench_frame` is unknown.
        MechanismError: A joint closes a loop, so that its wrench is not determined.

    Differentiability: smooth in all arguments and every leaf.
    Reference: recursive Newton-Euler, Featherstone (2008), chapter 5.
    """
    require_tree(mechanism, "joint_wrenches")
    q, v, v_dot = as_configuration(mechanism, q), as_velocity(mechanism, v), as_velocity(mechanism, v_dot, "v_dot")
    frames = tree_frames(mechanism, q)
    poses = all_body_poses(mechanism, frames)
    motions = motions_of_bodies(mechanism, frames, q, v, v_dot)
    felt = motions.linear_rate - mechanism.gravity[:, None]
    moment, force = newton_euler(single_inertias(mechanism, poses), motions.angular, motions.angular_rate, felt)
    if external_wrenches is not None:
        external = wrenches_on_bodies(mechanism, poses, external_wrenches, wrench_frame)
        moment, force = moment - external[0], force - external[1]
    forest, offsets = mechanism.topology.body_forest, _offsets_from_predecessors(mechanism, q, poses)
    moment, force = transmitted_wrenches(forest, offsets, moment, force)
    axes = Transform(poses.rotation, jnp.zeros_like(poses.translation))
    wrenches = axes.inverse().apply_force(Force(bodies_first(moment), bodies_first(force)))
    if mechanism.successor_placements is None:
        return wrenches
    return mechanism.successor_placements.transform().inverse().apply_force(wrenches)


def _offsets_from_predecessors(
    mechanism: Mechanism, q: Configuration, poses: Transform
) -> Float[Array, "3 num_bodies"]:
    """Origin of every body from that of its predecessor, in world axes [m]: no difference of long vectors."""
    topology = mechanism.topology
    kinds = (topology.moving_bodies, topology.attached_bodies)
    p_FB = jnp.concatenate([joint_poses(mechanism, q, bodies)[1] for bodies in kinds], axis=-1)
    R_PF, p_PF = mechanism.placements.stacked()
    offsets = p_PF + rotate(R_PF, p_FB[..., np.argsort(np.concatenate(kinds))])
    with_world = jnp.concatenate([poses.rotation, jnp.eye(3, dtype=mechanism.dtype)[None]])
    return rotate(bodies_last(with_world[np.array(topology.parents, dtype=int)]), offsets)
