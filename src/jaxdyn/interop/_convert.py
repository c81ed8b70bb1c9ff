"""Conversion of whole states, joint by joint, matched by names."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float

from .._errors import InvalidValueError, MechanismError, ShapeError, UnknownNameError
from .._shapes import Numbers
from ..joints import AbstractJoint, Reversed
from ..mechanism import Mechanism, Placement
from ._joint_maps import JointMap, Pose

Rows = Float[np.ndarray, "... _"]


class Coordinates(NamedTuple):
    """A state in the coordinates of one program; what was not given is None.

    Attributes:
        q: Positions; for iDynTree an `IDynTreePosition`.
        v: Velocities.
        v_dot: Their time derivatives.
        tau: Generalized forces, with the same power τ·v in every program.
    """

    q: Any
    v: Rows | None
    v_dot: Rows | None
    tau: Rows | None


class MappedJoint(NamedTuple):
    """One joint of the other program, at its place in the program's order.

    Attributes:
        name: Name in jaxdyn.
        q_index: Entries of our q; of a joint that follows another one, those of its leader.
        v_index: Entries of our v, likewise.
        map: How the other program writes them.
        follows: Ratio and offset of a joint that follows another one here; there it is a joint like the others.
    """

    name: str
    q_index: np.ndarray
    v_index: np.ndarray
    map: JointMap
    follows: tuple[float, float] | None = None


class Program(NamedTuple):
    """Another program.

    Attributes:
        name: As its authors write it.
        joint_map: From a mechanism, the index of a body, and the group of joints that its joint belongs to (the inner
            ones if they are reversed), to the map of the coordinates, or to a text that says why the program cannot
            hold them.
        holds_reversed: Which reversed joints it can hold; their numbers are those of the inner joint.
        hint: What else may be wrong where q has a wrong length.
    """

    name: str
    joint_map: Callable[[Mechanism, int, AbstractJoint], JointMap | str]
    holds_reversed: tuple[type, ...]
    hint: str = "Check `joint_names`: those of the model that `q` is of, in its order."


def to_theirs(layout: Sequence[MappedJoint], mechanism: Mechanism, state: Sequence[Numbers | None]) -> Coordinates:
    """Our q, v, v_dot and tau in the other program's coordinates."""
    widths = (mechanism.num_positions, *[mechanism.num_velocities] * 3)
    remedy = "Pass jaxdyn's coordinates of this mechanism, states on leading axes."
    q, v, v_dot, tau = given = _checked(state, widths, remedy)
    parts: dict[str, list[Rows]] = {"q": [], "v": [], "v_dot": [], "tau": []}
    for joint in layout:
        ratio, offset = joint.follows or (1, 0)
        q_joint = q[..., joint.q_index] * ratio + offset
        parts["q"].append(joint.map.to_theirs(q_joint))
        own = [None if x is None else x[..., joint.v_index] for x in (v, v_dot, tau)]
        T, T_dot = _velocity_matrices(joint, q_joint, own[0])
        if own[0] is not None:
            parts["v"].append(_times(T, own[0] * ratio))
            if own[1] is not None:
                parts["v_dot"].append(_times(T, own[1] * ratio) + _of_moving_axes(T_dot, own[0]))
        if own[2] is not None:
            # What moves a leader moves its followers too: all of the force is the leader's.
            parts["tau"].append(np.zeros_like(own[2]) if joint.follows else _solve(_transposed(T), own[2]))
    return Coordinates(*(_joined(parts[name], x) for name, x in zip(Coordinates._fields, given, strict=True)))


def to_ours(
    layout: Sequence[MappedJoint], mechanism: Mechanism, state: Sequence[Numbers | None], program: Program
) -> Coordinates:
    """The other program's q, v, v_dot and tau in our coordinates."""
    num_positions = sum(joint.map.num_positions for joint in layout)
    sizes = ", ".join(f"`{joint.name}` {joint.map.num_positions}" for joint in layout)
    remedy = f"{program.name} writes the joints with these numbers of positions: {sizes}. {program.hint}"
    num_velocities = sum(len(joint.v_index) for joint in layout)
    theirs = _checked(state, (num_positions, *[num_velocities] * 3), remedy)
    q, v, v_dot, tau = theirs
    widths = (mechanism.num_positions, *[mechanism.num_velocities] * 3)
    ours: list[Any] = [
        None if x is None else np.zeros((*x.shape[:-1], n), x.dtype) for x, n in zip(theirs, widths, strict=True)
    ]
    q_start = v_start = 0
    for joint in layout:
        q_joint = joint.map.to_ours(q[..., q_start : q_start + joint.map.num_positions])
        put, take = joint.v_index, slice(v_start, v_start + len(joint.v_index))
        T, _ = _velocity_matrices(joint, q_joint, None)
        ratio = joint.follows[0] if joint.follows else 1
        if tau is not None:
            ours[3][..., put] += ratio * _times(_transposed(T), tau[..., take])
        q_start, v_start = q_start + joint.map.num_positions, v_start + len(joint.v_index)
        if joint.follows:
            continue
        ours[0][..., joint.q_index] = q_joint
        if v is not None:
            ours[1][..., put] = _solve(T, v[..., take])
            if v_dot is not None:
                _, T_dot = _velocity_matrices(joint, q_joint, ours[1][..., put])
                ours[2][..., put] = _solve(T, v_dot[..., take] - _of_moving_axes(T_dot, ours[1][..., put]))
    return Coordinates(*ours)


def layout_of(
    mechanism: Mechanism, joint_names: Sequence[str], program: Program, *, unlisted: tuple[int, ...] = ()
) -> list[MappedJoint]:
    """The joints of another program in its order.

    Args:
        mechanism: The mechanism.
        joint_names: Names of the program's joints in its order; joints without degrees of freedom may be among them,
            and those that follow another one, if the program gives them coordinates.
        program: The program.
        unlisted: Bodies whose joints come first and have no name in the program.

    Returns:
        One entry for each name and unlisted joint.

    Raises:
        UnknownNameError: A name is not one of the mechanism's.
        InvalidValueError: A name appears twice, or that of a moving joint is missing.
        MechanismError: The program cannot hold the coordinates of a joint.
    """
    topology = mechanism.topology
    bodies = [*unlisted, *(_joint_of(mechanism, name) for name in joint_names)]
    names = [topology.joint_names[body] for body in bodies]
    twice = sorted({name for name in names if names.count(name) > 1})
    leaders = [topology.joint_names[body] for body in topology.moving_bodies if topology.leaders[body] == body]
    missing = [name for name in leaders if name not in names]
    if twice or missing:
        wrong = [f"`{name}` twice" for name in twice] + [f"no `{name}`" for name in missing]
        raise InvalidValueError(
            f"`joint_names` must hold each moving joint once, but has {', '.join(wrong)}. List the joints of "
            f"{program.name}'s model in its order, under the names they have in the mechanism."
        )
    groups = zip(mechanism.joint_groups, topology.joint_groups, strict=True)
    joint_of = {body: group for group, bodies_of_group in groups for body in bodies_of_group}
    return [
        MappedJoint(
            topology.joint_names[body],
            topology.q_indices(body),
            topology.v_indices(body),
            _map_of(mechanism, body, joint_of[body], program),
            _ratio_and_offset(mechanism, body),
        )
        for body in bodies
    ]


def concrete_pose(placements: Placement | None, body: int) -> Pose | None:
    """One of many constant poses, as NumPy arrays; None for the identity."""
    if placements is None:
        return None
    return Pose(np.asarray(placements.quaternion)[body], np.asarray(placements.translation)[body])


def _joint_of(mechanism: Mechanism, name: str) -> int:
    """Index of a joint by its name, or by that of its body if the joint is floating, as some programs name it."""
    topology = mechanism.topology
    if name in topology.joint_names:
        return topology.joint_names.index(name)
    if name in topology.body_names:
        body = topology.body_names.index(name)
        if topology.joint_sizes[body][1] == 6:
            return body
    try:
        return mechanism.joint_index(str(name))
    except UnknownNameError as error:
        raise UnknownNameError(
            f"`joint_names`: {error} Where the other program has another name for a joint, write the mechanism's in "
            "its place; leave out what has no coordinates there, such as Pinocchio's `universe`."
        ) from None


def _map_of(mechanism: Mechanism, body: int, joint: AbstractJoint, program: Program) -> JointMap:
    """Map of one joint, which is given as the group of equal ones that it belongs to."""
    if mechanism.topology.joint_sizes[body][1] == 0:
        return JointMap(0, lambda q: q, lambda q: q)
    is_reversed = isinstance(joint, Reversed)
    inner = joint.joint if is_reversed else joint
    found = program.joint_map(mechanism, body, inner)
    if is_reversed and not isinstance(inner, program.holds_reversed):
        found = f"it has no reversed {type(inner).__name__}"
    if isinstance(found, str):
        name = mechanism.topology.joint_names[body]
        raise MechanismError(
            f"{program.name} cannot hold the coordinates of the joint `{name}`, a {type(joint).__name__}: {found}. "
            "Build both models with a joint that both programs have, such as hinges and sliders in a row."
        )
    return found


def _ratio_and_offset(mechanism: Mechanism, body: int) -> tuple[float, float] | None:
    if mechanism.mimics is None or mechanism.topology.leaders[body] == body:
        return None
    row = [follower for follower, _ in mechanism.topology.mimics].index(body)
    return float(mechanism.mimics.ratio[row]), float(mechanism.mimics.offset[row])


def _checked(state: Sequence[Numbers | None], widths: Sequence[int], remedy: str) -> list[Any]:
    """Floating arrays with common leading axes."""
    arrays: list[Any] = []
    for value, name, width in zip(state, Coordinates._fields, widths, strict=True):
        array = None if value is None else np.asarray(value)
        if array is not None:
            array = array if np.issubdtype(array.dtype, np.floating) else array.astype(float)
            if array.ndim == 0 or array.shape[-1] != width:
                raise ShapeError(f"`{name}` must have shape (..., {width}), but has shape {array.shape}. {remedy}")
        arrays.append(array)
    if arrays[2] is not None and arrays[1] is None:
        raise InvalidValueError(
            "`v_dot` was given without `v`, on which it depends where two programs measure a velocity in different "
            "axes. Pass `v` as well."
        )
    batch = np.broadcast_shapes(*[array.shape[:-1] for array in arrays if array is not None])
    return [None if array is None else np.broadcast_to(array, (*batch, array.shape[-1])) for array in arrays]


def _velocity_matrices(joint: MappedJoint, q: Rows, v: Rows | None) -> tuple[np.ndarray | None, np.ndarray | None]:
    """T and its rate (at rest without v); None stands for the identity and for zero."""
    if joint.map.velocity_matrices is None:
        return None, None
    at_rest = np.zeros((*q.shape[:-1], len(joint.v_index)), q.dtype)
    return joint.map.velocity_matrices(q, at_rest if v is None else v)


def _times(matrix: np.ndarray | None, vector: Rows) -> Rows:
    return vector if matrix is None else (matrix @ vector[..., None])[..., 0]


def _of_moving_axes(T_dot: np.ndarray | None, v: Rows) -> Rows | float:
    return 0.0 if T_dot is None else _times(T_dot, v)


def _solve(matrix: np.ndarray | None, vector: Rows) -> Rows:
    return vector if matrix is None else np.linalg.solve(matrix, vector[..., None])[..., 0]


def _transposed(matrix: np.ndarray | None) -> np.ndarray | None:
    return None if matrix is None else matrix.swapaxes(-1, -2)


def _joined(parts: list[Rows], given: Rows | None) -> Rows | None:
    if given is None:
        return None
    return np.concatenate([given[..., :0], *parts], axis=-1).astype(given.dtype)
