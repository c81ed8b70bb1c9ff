"""Another body at the root of a floating tree."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import jax.numpy as jnp
import numpy as np

from .._errors import MechanismError
from .._shapes import Configuration, ConfigurationLike, Velocity, VelocityLike
from ..joints import AbstractJoint, Fixed, Reversed
from ._arguments import as_configuration, as_velocity
from ._assembly import assemble, disassemble
from ._body_states import poses_and_twists
from ._checks import require_no_forces
from ._joint_states import independent_joints
from ._mechanism import Mechanism
from ._named_configuration import configuration_at
from ._parts import Part, identity_placement
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
    parts = disassemble(mechanism)
    bodies, old = parts.bodies, list(parts.bodies)
    if root != target:
        require_no_forces(old[root], "to choose another root")
    for predecessor, successor in pairwise(path):
        joint = old[successor]
        bodies[predecessor] = replace(
            _with_joint_of(old[predecessor], joint),
            parent=successor,
            joint=_reversed(joint.joint),
            placement=joint.successor_placement or identity_placement(),
            successor_placement=joint.placement,
        )
    if root != target:
        bodies[target] = replace(_with_joint_of(old[target], old[root]), parent=-1, successor_placement=None)
    place_of_joint = {body: body for body in range(len(bodies))} | dict(zip(path, path[-1:] + path[:-1], strict=True))
    rerooted = assemble(replace(parts, bodies=following(bodies, place_of_joint)))
    floating, new_root = mechanism.joint_names[root], mechanism.body_names[target]

    def state(q: ConfigurationLike, v: VelocityLike) -> tuple[Configuration, Velocity]:
        """Configuration and velocity of the mechanism with another root, at the same poses and twists."""
        q, v = as_configuration(mechanism, q), as_velocity(mechanism, v)
        q_rerooted, v_rerooted = _by_names(mechanism, rerooted, q, v)
        if root == target:
            return q_rerooted, v_rerooted
        X_WB, V_B = poses_and_twists(mechanism, path, q, v)[target]
        X_FB = mechanism.placements.row(root).transform().inverse() @ X_WB
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


def _with_joint_of(body: Part, joint: Part) -> Part:
    """A body with the joint of another one, and all numbers of that joint."""
    return replace(joint, body_name=body.body_name, spatial_inertia=body.spatial_inertia)


def _reversed(joint: AbstractJoint) -> AbstractJoint:
    if isinstance(joint, Fixed):
        return joint
    return joint.joint if isinstance(joint, Reversed) else Reversed(joint)
