"""Another body at the root of a floating tree."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import jax
import jax.numpy as jnp
import numpy as np

from .._errors import MechanismError
from .._shapes import Configuration, ConfigurationLike, Velocity, VelocityLike
from .._tracing import is_traced
from ..joints import AbstractJoint, Fixed, Reversed
from ..spatial import Motion, Transform
from ._arguments import as_configuration, as_velocity
from ._assembly import Part, assemble, disassemble, identity_placement
from ._joint_states import independent_joints, position_of, velocity_of
from ._mechanism import Mechanism
from ._named_configuration import configuration_at
from ._placement import Placement
from ._selection import following

StateMap = Callable[[ConfigurationLike, VelocityLike], tuple[Configuration, Velocity]]


def reroot(mechanism: Mechanism, body: str | int) -> tuple[Mechanism, StateMap]:
    """The same mechanism, in which another body of a floating tree hangs on the world.

        rerooted, state = reroot(mechanism, "left_foot")
        q_rerooted, v_rerooted = state(q, v)

    The floating joint leads to the given body instead, with the frame after it at the body's frame. The joints in
    between become `Reversed` (`Reversed` ones become what is inside, `Fixed` ones stay) and sit on the other body; q
    and v of all joints but the floating one keep their meaning. No body's frame moves, and all bodies accelerate alike.

    Args:
        mechanism: The whole.
        body: The body that shall hang on the world, or one that does.

    Returns:
        The mechanism, and the map of (q, v) of the given mechanism to (q, v) of this one. The map may be compiled,
        mapped over a batch and differentiated, except where the body is turned by π.

    Raises:
        UnknownNameError: There is no such body.
        MechanismError: The tree of the body does not float, or the floating joint has damping, armature or springs,
            which would act on another body afterwards.

    Differentiability: the map is smooth in q, v and the mechanism's numbers.
    """
    path = mechanism.topology.ancestors(mechanism.body_index(body)).tolist()
    root, target = path[0], path[-1]
    if not mechanism.joint(root).is_floating:
        raise MechanismError(
            f"Only a tree that floats can get another root, but joint `{mechanism.joint_names[root]}` is a "
            f"{type(mechanism.joint(root)).__name__}. Make it float first: "
            f"`replace_joint(mechanism, {mechanism.joint_names[root]!r}, QuaternionFloating())`."
        )
    parts, frames = disassemble(mechanism)
    if root != target:
        _require_free(parts[root])
    old = list(parts)
    for predecessor, successor in pairwise(path):
        joint = old[successor]
        parts[predecessor] = replace(
            _with_joint_of(old[predecessor], joint),
            parent=successor,
            joint=_reversed(joint.joint),
            placement=joint.successor_placement or identity_placement(),
            successor_placement=joint.placement,
        )
    if root != target:
        parts[target] = replace(_with_joint_of(old[target], old[root]), parent=-1, successor_placement=None)
    place_of_joint = {body: body for body in range(len(parts))} | dict(zip(path, path[-1:] + path[:-1], strict=True))
    rerooted = assemble(following(parts, place_of_joint), frames, mechanism.gravity)
    floating, new_root = mechanism.joint_names[root], mechanism.body_names[target]

    def state(q: ConfigurationLike, v: VelocityLike) -> tuple[Configuration, Velocity]:
        """Configuration and velocity of the mechanism with another root, at the same poses and twists."""
        q, v = as_configuration(mechanism, q), as_velocity(mechanism, v)
        q_rerooted, v_rerooted = _by_names(mechanism, rerooted, q, v)
        if root == target:
            return q_rerooted, v_rerooted
        X_FB, V_B = _pose_and_twist(mechanism, target, q, v)
        joint = rerooted.joint(floating)
        q_floating = configuration_at(joint, X_FB, f"joint `{floating}` of body `{new_root}`")
        v_floating = jnp.linalg.solve(joint.motion_subspace(q_floating), V_B.vector)
        return (
            q_rerooted.at[rerooted.q_index(floating)].set(q_floating),
            v_rerooted.at[rerooted.v_index(floating)].set(v_floating),
        )

    return rerooted, state


def _by_names(before: Mechanism, after: Mechanism, q: Configuration, v: Velocity) -> tuple[Configuration, Velocity]:
    """The entries of the same joints, in the order of another mechanism."""
    names = independent_joints(after)
    q_order, v_order = (np.concatenate([index(joint) for joint in names]) for index in (before.q_index, before.v_index))
    return q[q_order], v[v_order]


def _pose_and_twist(mechanism: Mechanism, body: int, q: Configuration, v: Velocity) -> tuple[Transform, Motion]:
    """Pose of a body in the frame before the joint at the root of its tree, and its twist, in its own frame."""
    root, *links = mechanism.topology.ancestors(body).tolist()
    X_FB, V_B = _over_joint(mechanism, root, q, v)
    for link in links:
        X_AB, V_PB = _over_joint(mechanism, link, q, v)
        X_PB = _row(mechanism.placements, link).transform() @ X_AB
        X_FB, V_B = X_FB @ X_PB, X_PB.inverse().apply_motion(V_B) + V_PB
    return X_FB, V_B


def _over_joint(mechanism: Mechanism, body: int, q: Configuration, v: Velocity) -> tuple[Transform, Motion]:
    """Pose of a body in the frame before its joint, and its twist with respect to that frame, in its own frame."""
    joint, q, v = mechanism.joint(body), position_of(mechanism, body, q), velocity_of(mechanism, body, v)
    X_FA, V_A = joint.joint_transform(q), joint.joint_twist(q, v)
    if mechanism.successor_placements is None:
        return X_FA, V_A
    X_BA = _row(mechanism.successor_placements, body).transform()
    return X_FA @ X_BA.inverse(), X_BA.apply_motion(V_A)


def _row(placements: Placement, body: int) -> Placement:
    return jax.tree.map(lambda leaf: leaf[body], placements)


def _with_joint_of(body: Part, joint: Part) -> Part:
    """A body with the joint of another one, and all numbers of that joint."""
    return replace(joint, body_name=body.body_name, spatial_inertia=body.spatial_inertia)


def _reversed(joint: AbstractJoint) -> AbstractJoint:
    if isinstance(joint, Fixed):
        return joint
    return joint.joint if isinstance(joint, Reversed) else Reversed(joint)


def _require_free(root: Part) -> None:
    for name in ("damping", "armature", "stiffness"):
        numbers = getattr(root, name)
        if not is_traced(numbers) and np.any(np.asarray(numbers)):
            raise MechanismError(
                f"The {name} of floating joint `{root.joint_name}` must be zero to choose another root, but is "
                f"{np.asarray(numbers).tolist()}: it would act on another body. Leave it out, "
                f"`replace(mechanism, joint={root.joint_name!r}, {name}=0.0)`, or keep the root."
            )
