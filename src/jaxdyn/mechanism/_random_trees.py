"""Random mechanisms, for tests and benchmarks: always the same one for the same key and joints."""

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import PRNGKeyArray

from .._errors import InvalidValueError
from .._tracing import is_traced
from ..joints import (
    AbstractJoint,
    Helical,
    Planar,
    Prismatic,
    QuaternionFloating,
    Reversed,
    Revolute,
    SinCosRevolute,
    Universal,
)
from ..spatial import SpatialInertia
from ._assembly import assemble
from ._mechanism import GRAVITY, Mechanism
from ._parts import Part, Parts, part
from ._placement import Placement

JointTypes = Sequence[type[AbstractJoint] | AbstractJoint]


def random_chain(key: PRNGKeyArray, joint_types: JointTypes) -> Mechanism:
    """A chain of bodies: each hangs on the one before, the first one on the world.

    Inertias are those of some distribution of mass, about 1 kg and 0.2 m in size; placements and axes are arbitrary.
    There is no damping, no armature and no spring: add them with `replace`. Bodies are called body_0, body_1, ...,
    their joints joint_0, joint_1, ...

    Args:
        key: Random key.
        joint_types: For each body the class of its joint, with random numbers, or a joint, which is taken as it is.

    Returns:
        The mechanism, in JAX's float type.

    Raises:
        InvalidValueError: The key is traced, or something is neither a class of joints that can be made without
            arguments nor a joint.
    """
    return _random_mechanism(key, joint_types, lambda position, uniform: position - 1)


def random_tree(key: PRNGKeyArray, joint_types: JointTypes) -> Mechanism:
    """A tree of bodies: the first hangs on the world, each other one on any of those before. Else as `random_chain`.

    Args:
        key: Random key.
        joint_types: For each body the class of its joint, or a joint, in the order in which they are attached.

    Returns:
        The mechanism, in JAX's float type.

    Raises:
        InvalidValueError: As for `random_chain`.
    """
    return _random_mechanism(key, joint_types, lambda position, uniform: int(uniform * position) if position else -1)


def random_floating_tree(key: PRNGKeyArray, joint_types: JointTypes) -> Mechanism:
    """A tree as from `random_tree`, on a floating base, body_0, which is one body more.

    Args:
        key: Random key.
        joint_types: For each further body the class of its joint, or a joint.

    Returns:
        The mechanism, in JAX's float type.

    Raises:
        InvalidValueError: As for `random_chain`.
    """
    return random_tree(key, [QuaternionFloating, *joint_types])


def _random_mechanism(
    key: PRNGKeyArray, joint_types: JointTypes, predecessor: Callable[[int, float], int]
) -> Mechanism:
    if is_traced(key):
        raise InvalidValueError(
            "`key` must be known to draw a mechanism, because its tree is static, but is traced. "
            "Draw the mechanisms outside, and map over `stack_mechanisms([...])`."
        )
    number_key, tree_key = jax.random.split(key)
    numbers = np.asarray(jax.random.normal(number_key, (len(joint_types), 26)))
    uniform = np.asarray(jax.random.uniform(tree_key, (len(joint_types),)))
    parts = [
        _random_part(position, predecessor(position, float(uniform[position])), joint_type, numbers[position])
        for position, joint_type in enumerate(joint_types)
    ]
    return assemble(Parts(parts, [], [], jnp.asarray(GRAVITY, dtype=jnp.result_type(float))))


def _random_part(position: int, parent: int, joint_type: Any, numbers: np.ndarray) -> Part:
    mass = np.exp(0.3 * numbers[0])
    center, spread = 0.2 * numbers[1:4], 0.1 * numbers[4:13].reshape(3, 3)
    second_moments = mass * (spread @ spread.T + np.outer(center, center))  # the integral of r rᵀ over the mass
    moment = np.trace(second_moments) * np.eye(3) - second_moments
    return part(
        f"body_{position}",
        f"joint_{position}",
        parent,
        _random_joint(joint_type, numbers[13:19]),
        placement=Placement(jnp.asarray(numbers[19:23]), jnp.asarray(0.3 * numbers[23:26])),
        spatial_inertia=SpatialInertia(mass, mass * center, moment[np.triu_indices(3)]),
    )


def _random_joint(joint_type: Any, numbers: np.ndarray) -> AbstractJoint:
    if isinstance(joint_type, AbstractJoint):
        return joint_type
    joint = _with_axes(joint_type, numbers[:3], numbers[3:])
    try:
        joint = joint_type() if joint is None else joint
    except TypeError:
        joint = None
    if not isinstance(joint, AbstractJoint):
        raise InvalidValueError(
            f"Each joint type must be a joint, or a class of joints that can be made without arguments, but one is "
            f"{joint_type!r}. Give a joint of that class with its numbers, such as `Revolute([0.0, 0.0, 1.0])`."
        )
    return joint


def _with_axes(joint_type: Any, axis: np.ndarray, other: np.ndarray) -> AbstractJoint | None:
    """A joint of one of the classes that need axes."""
    if joint_type in (Revolute, Prismatic, SinCosRevolute):
        return joint_type(axis)
    if joint_type in (Planar, Universal):
        return joint_type(axis, other)
    if joint_type in (Helical, Reversed):
        screw = Helical(axis, 0.2 * other[0])
        return screw if joint_type is Helical else Reversed(screw)
    return None
