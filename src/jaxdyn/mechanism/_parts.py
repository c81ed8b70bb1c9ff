"""The parts of a mechanism: what belongs to one body, one frame, one loop joint.

Concrete numbers stay in NumPy, so that building compiles nothing; traced ones are JAX's, so that building can be
differentiated.
"""

from dataclasses import dataclass

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array

from .._errors import InvalidValueError
from .._shapes import Numbers, OneNumber
from .._tracing import is_traced
from ..joints import AbstractJoint
from ..spatial import SpatialInertia
from ._placement import Placement


@dataclass(frozen=True)
class PartMimic:
    """That a part's joint follows another part's: `q = ratio * q_leader + offset`."""

    leader: int
    ratio: OneNumber
    offset: OneNumber


@dataclass(frozen=True)
class Part:
    """One body, its tree joint, and all numbers that belong to them."""

    body_name: str
    joint_name: str
    parent: int
    joint: AbstractJoint
    placement: Placement
    successor_placement: Placement | None
    spatial_inertia: SpatialInertia
    damping: Numbers
    armature: Numbers
    stiffness: Numbers
    rest_configuration: Numbers
    position_lower: Numbers
    position_upper: Numbers
    mimic: PartMimic | None = None


@dataclass(frozen=True)
class FramePart:
    """One additional frame."""

    name: str
    body: int
    placement: Placement


@dataclass(frozen=True)
class LoopPart:
    """One joint that closes a loop, between two bodies that the tree connects already."""

    name: str
    predecessor: int
    successor: int
    joint: AbstractJoint
    placement: Placement
    successor_placement: Placement


@dataclass(frozen=True)
class Parts:
    """A mechanism taken apart: edits change these lists, and `assemble` puts them together again.

    Attributes:
        bodies: Bodies with their tree joints; a body's number is its place in this list, and -1 is the world.
        frames: Additional frames.
        loops: Joints that close loops.
        gravity: Gravitational acceleration, whose dtype is that of the mechanism.
    """

    bodies: list[Part]
    frames: list[FramePart]
    loops: list[LoopPart]
    gravity: Array


def part(
    body_name: str,
    joint_name: str,
    parent: int,
    joint: AbstractJoint,
    *,
    spatial_inertia: SpatialInertia,
    placement: Placement | None = None,
    successor_placement: Placement | None = None,
    damping: Numbers = 0.0,
    armature: Numbers = 0.0,
    stiffness: Numbers = 0.0,
    rest_configuration: Numbers | None = None,
    position_lower: Numbers = -np.inf,
    position_upper: Numbers = np.inf,
    mimic: PartMimic | None = None,
) -> Part:
    """A part from numbers that may be given once for all degrees of freedom, or left out."""

    def per_dof(name: str, value: Numbers) -> Numbers:
        shape = (joint.num_velocities,)
        if np.shape(value) not in ((), (1,), shape):
            raise InvalidValueError(
                f"The {name} of joint `{joint_name}` must be one number or {shape[0]}, one per degree of freedom, but "
                f"has shape {np.shape(value)}. Give one number for all of them."
            )
        return (
            jnp.broadcast_to(jnp.asarray(value), shape)
            if is_traced(value)
            else np.broadcast_to(np.asarray(value), shape)
        )

    zero = concrete(joint.zero_configuration())
    return Part(
        body_name=body_name,
        joint_name=joint_name,
        parent=parent,
        joint=joint,
        placement=identity_placement() if placement is None else placement,
        successor_placement=successor_placement,
        spatial_inertia=spatial_inertia,
        damping=per_dof("damping", damping),
        armature=per_dof("armature", armature),
        stiffness=per_dof("stiffness", stiffness),
        rest_configuration=zero if rest_configuration is None else rest_configuration,
        position_lower=per_dof("position_lower", position_lower),
        position_upper=per_dof("position_upper", position_upper),
        mimic=mimic,
    )


def identity_placement() -> Placement:
    """The placement that changes nothing."""
    return Placement(jnp.array([1.0, 0.0, 0.0, 0.0]), jnp.zeros(3))


def concrete(leaf: Array) -> np.ndarray | Array:
    """A known array in NumPy; a traced one as it is."""
    return leaf if is_traced(leaf) else np.asarray(leaf)
