"""Configurations by the names of joints, and joints that are put at a pose."""

from collections.abc import Mapping
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array

from .._errors import InvalidValueError, ShapeError
from .._shapes import Configuration, ConfigurationLike
from .._tracing import is_traced
from ..joints import AbstractJoint, Reversed
from ..spatial import Transform, transform_log
from ._arguments import as_array, as_configuration
from ._checks import require_rotation
from ._configuration import zero_configuration
from ._joint_states import independent_joints
from ._mechanism import Mechanism
from ._part_poses import in_dtype


def configuration_from(
    mechanism: Mechanism, values: Mapping[str, Any], *, default: ConfigurationLike | None = None
) -> Configuration:
    """A configuration by names: `configuration_from(mechanism, {"knee": 0.3, "root_joint": X_WB})`.

    Args:
        mechanism: Any mechanism.
        values: For each joint that is named its entries of q [rad or m], a number where it has one. Where the motion
            subspace is constant, as for floating, spherical, planar and revolute joints, also a `Transform`: the pose
            of the frame after the joint in the frame before it, which the joint must be able to take.
        default: Configuration of all other joints, by default the zero configuration.

    Returns:
        The configuration. That of a `Transform` is normalised, with w ≥ 0 for a quaternion.

    Raises:
        UnknownNameError: There is no such joint.
        ShapeError: A joint is given the wrong number of entries, or another dtype.
        InvalidValueError: A joint cannot take the pose it is given, or follows another joint.

    Differentiability: smooth in the values, except for a `Transform` that is turned by π.
    """
    q = zero_configuration(mechanism) if default is None else as_configuration(mechanism, default, "default")
    for name, value in values.items():
        entries = mechanism.q_index(name)
        leader = mechanism.topology.leaders[mechanism.joint_index(name)]
        if leader != mechanism.joint_index(name):
            raise InvalidValueError(
                f"A joint must move on its own to be given values, but `{name}` follows "
                f"`{mechanism.joint_names[leader]}`. Give the value of that joint."
            )
        if isinstance(value, Transform):
            require_rotation(value, f"joint `{name}`")
            of_joint = configuration_at(mechanism.joint(name), in_dtype(value, mechanism.dtype), f"joint `{name}`")
        else:
            of_joint = as_array(mechanism, value, f"values[{name!r}]")
        if of_joint.shape != entries.shape and (of_joint.ndim > 0 or entries.size != 1):
            raise ShapeError(
                f"Joint `{name}` must be given {entries.size} numbers, but is given an array of shape "
                f"{of_joint.shape}. Its class is {type(mechanism.joint(name)).__name__}; its documentation names them."
            )
        q = q.at[entries].set(of_joint)
    return q


def configuration_to_dict(mechanism: Mechanism, q: ConfigurationLike) -> dict[str, Array]:
    """A configuration by names: for each joint with entries of q these entries, a number where it has one.

    The inverse of `configuration_from`.

    Args:
        mechanism: Any mechanism.
        q: Configuration [rad or m].

    Returns:
        A dictionary in the order of the joints.

    Raises:
        ShapeError: q has the wrong length or dtype.

    Differentiability: linear.
    """
    q = as_configuration(mechanism, q)
    entries = {name: mechanism.q_index(name) for name in independent_joints(mechanism)}
    return {name: q[own[0] if own.size == 1 else own] for name, own in entries.items() if own.size > 0}


def configuration_at(joint: AbstractJoint, X_FA: Transform, what: str) -> Array:
    """Configuration of a joint whose frame after is at a pose in the frame before.

    Where the motion subspace is constant, `integrate` is the exponential of the twist, so that the configuration is
    the one to which the logarithm of the pose leads from zero.

    Args:
        joint: The joint.
        X_FA: The pose.
        what: Name of the joint, for the message.

    Returns:
        The configuration [rad or m].

    Raises:
        InvalidValueError: The joint cannot take the pose.
    """
    is_reversed = isinstance(joint, Reversed)
    inner, X = (joint.joint, X_FA.inverse()) if is_reversed else (joint, X_FA)
    zero = inner.zero_configuration().astype(X.translation.dtype)
    if inner.has_fixed_subspaces:
        S = inner.motion_subspace(zero)
        q = inner.integrate(zero, jnp.linalg.solve(S.T @ S, S.T @ transform_log(X)))
        reached = inner.joint_transform(q)
        if inner.is_floating or is_traced((q, X)) or _is_close(reached, X):
            return q
    raise InvalidValueError(
        f"The pose must be one that {what} can take, a joint of class {type(inner).__name__}, but is not: "
        f"rotation {np.asarray(X_FA.rotation).tolist()}, translation {np.asarray(X_FA.translation).tolist()}. "
        f"Give a pose between the frames before and after the joint, or the joint's {zero.size} numbers."
    )


def _is_close(actual: Transform, expected: Transform) -> bool:
    tolerance = np.sqrt(np.finfo(expected.translation.dtype).eps)
    scale = 1 + np.abs(np.asarray(expected.translation)).max()
    differences = jax.tree.map(lambda a, b: np.abs(np.asarray(a - b)).max(), actual, expected)
    return all(difference <= tolerance * scale for difference in jax.tree.leaves(differences))
