"""The leaves of a mechanism: which of them to train, which of them differ between the models of a batch."""

from collections.abc import Callable, Sequence
from dataclasses import fields as fields_of
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import PyTree

from .._errors import MechanismError, UnknownNameError
from ._mechanism import Mechanism
from ._topology import Topology

Names = str | int | np.integer | Sequence[str | int] | np.ndarray


def leaf_mask(
    mechanism: Mechanism,
    *,
    fields: str | Sequence[str] | None = None,
    bodies: Names | None = None,
    joints: Names | None = None,
) -> Mechanism:
    """Which leaves to train, as `eqx.partition` takes it: a mechanism whose leaves are True or False.

        trained, kept = eqx.partition(mechanism, leaf_mask(mechanism, fields=["spatial_inertias", "damping"]))
        gradient = jax.grad(lambda trained: loss(eqx.combine(trained, kept)))(trained)

    A leaf holds the numbers of all bodies or joints, and `eqx.partition` takes a leaf or leaves it. With `bodies` or
    `joints`, the mask is True for each leaf that holds numbers of theirs; `row_mask` then tells these numbers from
    those of the others in the same leaf. To train a few numbers only, `replace` is simpler:
    `jax.grad(lambda inertia: loss(replace(mechanism, body="hand", inertia=inertia)))`.

    Args:
        mechanism: Any mechanism.
        fields: Names of fields at any depth: "spatial_inertias" with all its parts, "mass", "damping", "axis". All
            fields by default.
        bodies: Bodies whose inertias and frames are chosen; by default all, unless joints are given.
        joints: Joints whose placements, numbers per degree of freedom and own numbers are chosen; by default all,
            unless bodies are given.

    Returns:
        A pytree of the mechanism's structure with truth values of Python.

    Raises:
        UnknownNameError: There is no such field, body or joint.
    """
    return jax.tree.map(lambda rows: bool(rows.any()), row_mask(mechanism, fields=fields, bodies=bodies, joints=joints))


def row_mask(
    mechanism: Mechanism,
    *,
    fields: str | Sequence[str] | None = None,
    bodies: Names | None = None,
    joints: Names | None = None,
) -> Mechanism:
    """Which numbers to train, of which bodies and joints: a mechanism whose leaves are arrays of truth values.

        rows = row_mask(mechanism, fields="mass", bodies=["hand", "tool"])
        gradient = jax.tree.map(lambda chosen, g: jnp.where(chosen, g, 0), rows, gradient)

    Args:
        mechanism: Any mechanism.
        fields: As for `leaf_mask`.
        bodies: As for `leaf_mask`.
        joints: As for `leaf_mask`.

    Returns:
        A pytree of the mechanism's structure with boolean arrays in NumPy, each of the shape of its leaf.

    Raises:
        UnknownNameError: There is no such field, body or joint.
    """
    rows = _chosen_rows(mechanism, bodies, joints)
    paths, structure = jax.tree_util.tree_flatten_with_path(mechanism)
    names = [[key.name for key in path if isinstance(key, jax.tree_util.GetAttrKey)] for path, _ in paths]
    wanted = None if fields is None else {fields} if isinstance(fields, str) else set(fields)
    known = {name for on_path in names for name in on_path}
    if wanted is not None and wanted - known:
        raise UnknownNameError(
            f"There is no field named `{min(wanted - known)}` in this mechanism. "
            f"Its fields are: {', '.join(f'`{name}`' for name in sorted(known))}."
        )

    def mask(path: Any, on_path: list[str], leaf: Any) -> np.ndarray:
        if wanted is not None and not wanted & set(on_path):
            return np.zeros(np.shape(leaf), dtype=bool)
        chosen: Any = rows
        for key in path:
            if not isinstance(chosen, np.ndarray):
                chosen = chosen[key.name] if isinstance(chosen, dict) else chosen[key.idx]
        return np.broadcast_to(chosen.reshape(-1, *[1] * (np.ndim(leaf) - 1)), np.shape(leaf))

    return jax.tree.unflatten(
        structure, [mask(path, on_path, leaf) for (path, leaf), on_path in zip(paths, names, strict=True)]
    )


def stack_mechanisms(mechanisms: Sequence[Mechanism]) -> Mechanism:
    """Mechanisms of one topology as a batch: every leaf gets a leading axis, over which `jax.vmap` maps.

        jax.vmap(mass_matrix, in_axes=(0, None))(stack_mechanisms([light, heavy]), q)

    If only a few leaves differ, `batch_axes` shares the others.

    Args:
        mechanisms: At least one mechanism; they may differ in their numbers only.

    Returns:
        The batch. Only `jax.vmap` can use it.

    Raises:
        MechanismError: There is none, or they differ in more than numbers.
    """
    if not mechanisms:
        raise MechanismError("`stack_mechanisms` must get at least one mechanism, but the list is empty. Put one in.")
    first = mechanisms[0]
    for position, other in enumerate(mechanisms):
        difference = _difference(first, other)
        if difference:
            raise MechanismError(
                f"Mechanisms in a batch must differ in their numbers only, but number {position} differs from the "
                f"first one in {difference}. Build them all in the same way, with the same names."
            )
    return jax.tree.map(lambda *leaves: jnp.stack(leaves), *mechanisms)


def batch_axes(mechanism: Mechanism, where: Callable[[Mechanism], PyTree]) -> Mechanism:
    """Which leaves differ between the models of a batch, as `in_axes` of `jax.vmap` takes it; the others are shared.

        where = lambda m: m.spatial_inertias.mass
        batch = eqx.tree_at(where, mechanism, masses)  # (models, num_bodies)
        jax.vmap(mass_matrix, in_axes=(batch_axes(mechanism, where), None))(batch, q)

    Args:
        mechanism: Any mechanism of the topology.
        where: Takes a mechanism and returns one of its leaves, a part with several leaves, or a tuple of such, as for
            `eqx.tree_at`.

    Returns:
        A pytree of the mechanism's structure with 0 for the chosen leaves and None for the others.

    Raises:
        MechanismError: `where` returns something that is no leaf of the mechanism.
    """
    structure = jax.tree.structure(mechanism)
    tokens = [_Leaf() for _ in range(structure.num_leaves)]
    chosen = jax.tree.leaves(where(jax.tree.unflatten(structure, tokens)))
    if not chosen or not all(isinstance(leaf, _Leaf) for leaf in chosen):
        raise MechanismError(
            f"`where` must return leaves of the mechanism that it gets, but returns {chosen or 'none'}. "
            "Write for example `lambda m: m.spatial_inertias.mass`."
        )
    return jax.tree.unflatten(structure, [0 if token in chosen else None for token in tokens])


class _Leaf:
    """Stands for a leaf."""


def listed(names: Names) -> list[str | int]:
    """One name or index, or many, as a list of names and Python's integers."""
    many = [names] if isinstance(names, str | int | np.integer) else names
    return [name if isinstance(name, str) else int(name) for name in many]


def _chosen_rows(mechanism: Mechanism, bodies: Names | None, joints: Names | None) -> dict[str, Any]:
    """For each field of a mechanism, which of its rows are chosen; for the groups of joints, one array per group."""
    topology = mechanism.topology
    is_everything = bodies is None and joints is None
    of_body, of_joint = (np.full(topology.num_bodies, is_everything) for _ in range(2))
    of_loop = np.full(len(topology.loop_names), is_everything)
    for name in () if bodies is None else listed(bodies):
        of_body[mechanism.body_index(name)] = True
    for name in () if joints is None else listed(joints):
        if name in topology.loop_names:
            of_loop[topology.loop_names.index(name)] = True
        else:
            of_joint[mechanism.joint_index(name)] = True
    per_dof = np.repeat(of_joint, np.diff(topology.v_offsets))
    frames = [of_body[body] if body >= 0 else is_everything for body in topology.frame_bodies]
    return dict.fromkeys(("damping", "armature", "stiffness", "position_lower", "position_upper"), per_dof) | {
        "joint_groups": tuple(of_joint[list(group)] for group in topology.joint_groups),
        "placements": of_joint,
        "successor_placements": of_joint,
        "spatial_inertias": of_body,
        "frame_placements": np.array(frames, dtype=bool),
        "rest_configuration": np.repeat(of_joint, np.diff(topology.q_offsets)),
        "mimics": of_joint[np.array([follower for follower, _ in topology.mimics], dtype=int)],
        "loops": {
            "joint_groups": tuple(of_loop[list(group)] for group in topology.loop_groups),
            "placements": of_loop,
            "successor_placements": of_loop,
        },
        "gravity": np.full(3, is_everything),
    }


def _difference(first: Mechanism, other: Mechanism) -> str:
    """Where two mechanisms differ in more than numbers, in words."""
    for field in fields_of(Topology):
        if getattr(first.topology, field.name) != getattr(other.topology, field.name):
            return f"`topology.{field.name}`"
    if jax.tree.structure(first) != jax.tree.structure(other):
        return "the classes of their joints, or in having successor placements"
    leaves = zip(jax.tree.leaves(first), jax.tree.leaves(other), strict=True)
    if any((a.shape, a.dtype) != (b.shape, b.dtype) for a, b in leaves):
        return "the dtype or the shape of their numbers"
    return ""
