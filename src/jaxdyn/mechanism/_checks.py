"""What is refused when a mechanism is built: wrong values and names that are taken. Traced values are not looked at."""

from collections import Counter
from typing import Any

import jax
import numpy as np
from jaxtyping import PyTree

from .._errors import InvalidValueError, MechanismError
from .._shapes import Numbers
from .._tracing import is_traced
from ..spatial import Transform
from ._mechanism import Mechanism
from ._parts import LoopPart, Part, Parts


def check_names(parts: Parts) -> None:
    """Refuse two bodies or frames of one name, two joints of one name, and a body or frame called "world".

    Args:
        parts: The whole mechanism.

    Raises:
        MechanismError: A name is taken.
    """
    body_and_frame_names = [part.body_name for part in parts.bodies] + [frame.name for frame in parts.frames]
    joint_names = [part.joint_name for part in parts.bodies] + [loop.name for loop in parts.loops]
    for kind, names in (("body or frame", [*body_and_frame_names, "world"]), ("joint", joint_names)):
        taken = [name for name, count in Counter(names).items() if count > 1]
        if taken:
            raise MechanismError(
                f"Each {kind} must have a name of its own, but `{taken[0]}` is used twice. Choose another name."
            )


def require_instance(value: Any, kind: type, what: str, example: str) -> None:
    """Refuse a value of another kind, such as a joint class where a joint is wanted.

    Args:
        value: What came.
        kind: The class that it must be an instance of.
        what: Name of the argument, for the message.
        example: What could be written instead.

    Raises:
        InvalidValueError: The value is not an instance of the class.
    """
    if not isinstance(value, kind):
        came = f"the class {value.__name__}" if isinstance(value, type) else f"of type {type(value).__name__}"
        raise InvalidValueError(f"{what} must be a `{kind.__name__}`, but is {came}. Write for example `{example}`.")


def require_rotation(transform: Transform, what: str) -> None:
    """Refuse a transform whose rotation is no rotation; traced ones are not looked at.

    Args:
        transform: What came.
        what: Name of the argument, for the message.

    Raises:
        InvalidValueError: The matrix is not 3x3, not orthonormal to half the digits, or a reflection.
    """
    R = transform.rotation
    if is_traced(R):
        return
    R = np.asarray(R)
    tolerance = np.sqrt(np.finfo(R.dtype).eps)
    if R.shape != (3, 3) or not (np.abs(R.T @ R - np.eye(3)).max() <= tolerance and np.linalg.det(R) > 0):
        raise InvalidValueError(
            f"The rotation of {what} must be an orthonormal 3x3 matrix without reflection, but is {R.tolist()}. "
            "Build it with `Transform.from_rpy` or `Transform.from_quaternion`."
        )


def check_part(part: Part) -> None:
    """Refuse numbers that no body or joint can have.

    Args:
        part: A body with its joint.

    Raises:
        InvalidValueError: A number is not finite, negative where it must not be, or limits are reversed or given for
            a joint without plain positions.
    """
    where = f"joint `{part.joint_name}`"
    for name in ("damping", "armature", "stiffness"):
        _require_not_negative(getattr(part, name), f"The {name} of {where}")
    _require_not_negative(part.spatial_inertia.mass, f"The mass of body `{part.body_name}`")
    require_finite(part.spatial_inertia, f"The inertia of body `{part.body_name}`")
    require_finite((part.placement, part.successor_placement), f"The placement of {where}")
    _check_rest(part, where)
    _check_limits(part, where)


def check_loop_numbers(loop: LoopPart) -> None:
    """Refuse numbers that no loop joint can have.

    Args:
        loop: A joint that closes a loop.

    Raises:
        InvalidValueError: A number is not finite.
    """
    require_finite((loop.placement, loop.successor_placement), f"The placement of joint `{loop.name}`")


def require_tree(mechanism: Mechanism, what: str) -> None:
    """Refuse loops where the forces that hold them together would be missing.

    Args:
        mechanism: Any mechanism.
        what: Name of the function, for the message.

    Raises:
        MechanismError: A joint closes a loop.
    """
    if mechanism.topology.loop_names:
        names = ", ".join(f"`{name}`" for name in mechanism.topology.loop_names)
        raise MechanismError(
            f"`{what}` is for trees, but loops are closed by {names}. Loops need constrained dynamics, which is not "
            'there yet. Open them, `remove_joint(mechanism, "...")`, to get the motion of the tree alone.'
        )


def require_no_forces(part: Part, purpose: str) -> None:
    """Refuse damping, armature and springs of a joint whose place another one takes; traced ones are not looked at.

    Args:
        part: A body with its joint.
        purpose: What they stand in the way of, for the message.

    Raises:
        MechanismError: One of them is not zero.
    """
    for name in ("damping", "armature", "stiffness"):
        numbers = getattr(part, name)
        if not is_traced(numbers) and np.any(np.asarray(numbers)):
            raise MechanismError(
                f"The {name} of joint `{part.joint_name}` must be zero {purpose}, but is "
                f"{np.asarray(numbers).tolist()}: it acts on this joint's own velocity. Leave it out first: "
                f"`replace(mechanism, joint={part.joint_name!r}, {name}=0.0)`."
            )


def _check_rest(part: Part, where: str) -> None:
    require_finite(part.rest_configuration, f"The rest configuration of {where}")
    if np.shape(part.rest_configuration) != (part.joint.num_positions,):
        raise InvalidValueError(
            f"The rest configuration of {where} must have {part.joint.num_positions} entries, but has shape "
            f"{np.shape(part.rest_configuration)}. Leave it out for the zero configuration."
        )


def _check_limits(part: Part, where: str) -> None:
    lower, upper = part.position_lower, part.position_upper
    if is_traced(lower) or is_traced(upper):
        return
    lower, upper = np.asarray(lower), np.asarray(upper)
    if np.any(np.isnan(lower)) or np.any(np.isnan(upper)) or np.any(lower > upper):
        raise InvalidValueError(
            f"The position limits of {where} must be numbers with lower <= upper, but are {lower.tolist()} and "
            f"{upper.tolist()}. Exchange them, or leave out a limit that is not there."
        )
    if not part.joint.has_plain_positions and np.any(np.isfinite([lower, upper])):
        raise InvalidValueError(
            f"Position limits must belong to a joint whose velocity is the rate of its positions, but {where} is a "
            f"{type(part.joint).__name__}. Leave the limits out."
        )


def _require_not_negative(value: Numbers, what: str) -> None:
    require_finite(value, what)
    if not is_traced(value) and np.any(np.asarray(value) < 0):
        raise InvalidValueError(
            f"{what} must not be negative, but is {np.asarray(value).tolist()}. Correct the number."
        )


def require_finite(values: PyTree, what: str) -> None:
    """Refuse numbers that are not finite; traced ones are not looked at.

    Args:
        values: Numbers of any structure.
        what: What they are, for the message.

    Raises:
        InvalidValueError: A number is infinite or not a number.
    """
    for value in jax.tree.leaves(values):
        if not is_traced(value) and not np.all(np.isfinite(np.asarray(value))):
            raise InvalidValueError(f"{what} must be finite, but is {np.asarray(value).tolist()}. Correct the number.")
