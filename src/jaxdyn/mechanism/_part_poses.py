"""Poses inside a list of parts, for edits that move a joint or an inertia to another body."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import jax
import jax.numpy as jnp
from jaxtyping import PyTree

from ..spatial import Transform
from ._parts import FramePart, LoopPart, Part
from ._placement import Placement

Rows = TypeVar("Rows")

Base = Callable[[int, Placement], tuple[int, Placement]]
"""Which body takes the place of a body, and where what sat on that body at a placement sits on this one."""


def in_dtype(numbers: PyTree, dtype: Any) -> PyTree:
    """What a user gave, in a mechanism's dtype, so that it can be combined with the mechanism's own numbers."""
    return jax.tree.map(lambda leaf: jnp.asarray(leaf, dtype=dtype), numbers)


def arrays(rows: Rows) -> Rows:
    """Rows of a part, which are kept in NumPy where they are known, as arrays to compute with."""
    return jax.tree.map(jnp.asarray, rows)


def placed(X: Transform | None, placement: Placement) -> Placement:
    """A placement in the coordinates that X leads to; it stays exactly as it is where X is None."""
    if X is None:
        return placement
    pose = X @ arrays(placement).transform()
    return Placement(pose.quaternion(), pose.translation)


def frame_on(frame: FramePart, base: Base) -> FramePart:
    """A frame on the body that takes its body's place."""
    body, placement = base(frame.body, frame.placement)
    return replace(frame, body=body, placement=placement)


def loop_on(loop: LoopPart, base: Base) -> LoopPart:
    """A loop joint between the bodies that take its bodies' places."""
    predecessor, before = base(loop.predecessor, loop.placement)
    successor, after = base(loop.successor, loop.successor_placement)
    return replace(loop, predecessor=predecessor, successor=successor, placement=before, successor_placement=after)


def pose_in_predecessor(part: Part) -> Transform:
    """Pose of a body's frame in its predecessor's frame, where the joint does not move."""
    nothing = jnp.zeros(0, dtype=part.placement.translation.dtype)
    X_PA = arrays(part.placement).transform() @ arrays(part.joint).joint_transform(nothing)
    return X_PA if part.successor_placement is None else X_PA @ arrays(part.successor_placement).transform().inverse()
