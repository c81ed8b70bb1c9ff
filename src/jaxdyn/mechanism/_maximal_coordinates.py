"""Every body floats, and the joints hold them together as loop joints."""

from dataclasses import replace

import jax.numpy as jnp
from jaxtyping import Array, Float

from .._errors import MechanismError
from .._shapes import ConfigurationLike, VelocityLike
from ..joints import QuaternionFloating
from ._arguments import as_configuration, as_velocity
from ._assembly import assemble, disassemble
from ._body_states import poses_and_twists
from ._checks import check_names, require_no_forces
from ._mechanism import Mechanism
from ._parts import LoopPart, Part, identity_placement, part
from ._reroot import StateMap


def maximal_coordinates(mechanism: Mechanism) -> tuple[Mechanism, StateMap]:
    """The same bodies, all of them floating from the world, with their joints as loop joints.

        maximal, state = maximal_coordinates(mechanism)
        q_maximal, v_maximal = state(q, v)

    Each joint keeps its name and both of its frames, but has no entries in q and v any more. Body "hand" floats on
    joint "hand_floating", from the world's frame to the body's frame, so that q holds the poses of the bodies in the
    world and v their twists. A joint that floats constrains nothing and is left out. Frames, inertias and loop joints
    stay; position limits have no joint left to belong to and are dropped.

    Args:
        mechanism: The whole.

    Returns:
        The mechanism, and the map of (q, v) of the given mechanism to (q, v) of this one. The map may be compiled,
        mapped over a batch and differentiated, except where a body is turned by π.

    Raises:
        MechanismError: A joint follows another one, has damping, armature or springs, which no loop joint can have, or
            has the name of a floating joint that comes.

    Differentiability: the map is smooth in q, v and the mechanism's numbers.

    Reference: Featherstone, Rigid Body Dynamics Algorithms (2008), chapter 8 for loop joints.
    """
    parts = disassemble(mechanism)
    for old in parts.bodies:
        _require_independent(old)
        require_no_forces(old, "to become a loop joint")
    loops = [_loop(old, body) for body, old in enumerate(parts.bodies) if not old.joint.is_floating]
    parts = replace(parts, bodies=[_floating(old) for old in parts.bodies], loops=[*loops, *parts.loops])
    check_names(parts)
    maximal = assemble(parts)

    def state(q: ConfigurationLike, v: VelocityLike) -> tuple[Float[Array, " poses"], Float[Array, " twists"]]:
        """Poses and twists of the bodies, as configuration and velocity of the floating joints."""
        q, v = as_configuration(mechanism, q), as_velocity(mechanism, v)
        states = poses_and_twists(mechanism, range(mechanism.num_bodies), q, v).values()
        empty = jnp.zeros(0, dtype=mechanism.dtype)
        poses = [jnp.concatenate([X_WB.quaternion(), X_WB.translation]) for X_WB, _ in states]
        twists = [V_B.vector for _, V_B in states]
        return jnp.concatenate([empty, *poses]), jnp.concatenate([empty, *twists])

    return maximal, state


def _floating(old: Part) -> Part:
    """A body on a floating joint from the world's frame to its own."""
    name = f"{old.body_name}_floating"
    return part(old.body_name, name, -1, QuaternionFloating(), spatial_inertia=old.spatial_inertia)


def _loop(old: Part, body: int) -> LoopPart:
    """The joint of a body as one that closes a loop."""
    after = old.successor_placement or identity_placement()
    return LoopPart(old.joint_name, old.parent, body, old.joint, old.placement, after)


def _require_independent(old: Part) -> None:
    if old.mimic is not None:
        raise MechanismError(
            f"Each joint must move on its own to become a loop joint, but `{old.joint_name}` follows another one. "
            f"Release it first: `remove_mimic(mechanism, {old.joint_name!r})`."
        )
