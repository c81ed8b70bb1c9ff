"""The part of q and v that belongs to one joint; of a joint that follows another one, what its leader's amounts to."""

from jaxtyping import Array

from .._shapes import Configuration, Velocity
from ._mechanism import Mechanism


def independent_joints(mechanism: Mechanism) -> list[str]:
    """Names of the joints that follow no other one: those that own entries of q and v, or do not move."""
    names = enumerate(mechanism.joint_names)
    return [name for body, name in names if mechanism.topology.leaders[body] == body]


def position_of(mechanism: Mechanism, body: int, q: Configuration) -> Array:
    """Configuration of a body's joint."""
    own = q[mechanism.topology.q_indices(body)]
    row = _follower_row(mechanism, body)
    if mechanism.mimics is None or row is None:
        return own
    return mechanism.mimics.ratio[row] * own + mechanism.mimics.offset[row]


def velocity_of(mechanism: Mechanism, body: int, v: Velocity) -> Array:
    """Velocity of a body's joint."""
    own = v[mechanism.topology.v_indices(body)]
    row = _follower_row(mechanism, body)
    if mechanism.mimics is None or row is None:
        return own
    return mechanism.mimics.ratio[row] * own


def _follower_row(mechanism: Mechanism, body: int) -> int | None:
    followers = [follower for follower, _ in mechanism.topology.mimics]
    return followers.index(body) if body in followers else None
