"""A mechanism as plain numbers, from which other programs' models are built body by body, without any loader."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import jax
import numpy as np
from jaxtyping import Float

from jaxdyn import Mechanism
from jaxdyn.joints import AbstractJoint, Planar, Reversed, Universal
from jaxdyn.spatial import SpatialInertia

Pose = Float[np.ndarray, "4 4"]


class Part(NamedTuple):
    """One body and its joint.

    Attributes:
        name: Name of the body.
        parent: Index of the predecessor, -1 for the world.
        joint_name: Name of the joint.
        joint: The joint; of a reversed one the joint inside.
        is_reversed: Whether the joint is reversed.
        before: Frame before the joint, in the predecessor.
        after: Frame after the joint, in the body.
        inertia: Inertia of the body.
        dofs: Entries of v.
    """

    name: str
    parent: int
    joint_name: str
    joint: AbstractJoint
    is_reversed: bool
    before: Pose
    after: Pose
    inertia: SpatialInertia
    dofs: np.ndarray


def parts_of(mechanism: Mechanism) -> list[Part]:
    """All bodies of a mechanism of NumPy arrays, predecessors first: indexing JAX arrays would take seconds."""
    befores, afters = _poses(mechanism.placements), _poses(mechanism.successor_placements)
    inertias = mechanism.spatial_inertias
    found = []
    for body, name in enumerate(mechanism.body_names):
        joint = mechanism.joint(body)
        is_reversed = isinstance(joint, Reversed)
        found.append(
            Part(
                name,
                mechanism.topology.parents[body],
                mechanism.joint_names[body],
                joint.joint if is_reversed else joint,
                is_reversed,
                befores[body],
                np.eye(4) if afters is None else afters[body],
                jax.tree.map(lambda leaf, body=body: leaf[body], inertias),
                mechanism.v_index(body),
            )
        )
    return found


def selected(parts: Sequence[Part], bodies: Sequence[int]) -> list[Part]:
    """Some bodies, renumbered; the world takes the place of predecessors that are left out."""
    place = {body: i for i, body in enumerate(bodies)}
    return [parts[body]._replace(parent=place.get(parts[body].parent, -1)) for body in bodies]


def own_axes(joint: AbstractJoint) -> Pose:
    """The frame in which a planar joint is in the xy plane, or the axes of a universal joint are x and y."""
    pose = np.eye(4)
    if isinstance(joint, Planar | Universal):
        x, y = (joint.x_axis, joint.y_axis) if isinstance(joint, Planar) else (joint.axis_1, joint.axis_2)
        x = unit(x)
        y = unit(y - (x @ np.asarray(y)) * x)
        pose[:3, :3] = np.stack([x, y, np.cross(x, y)], axis=1)
    return pose


def unit(vector: Any) -> Float[np.ndarray, "3"]:
    """The unit vector along a vector."""
    return np.asarray(vector) / np.linalg.norm(vector)


def rotation(quaternion: np.ndarray) -> Float[np.ndarray, "3 3"]:
    """The matrix of a quaternion (w, x, y, z) of any norm."""
    w, *vector = quaternion / np.linalg.norm(quaternion)
    skew = np.cross(vector, np.eye(3), axisb=0, axisc=0)
    return np.eye(3) + 2 * w * skew + 2 * skew @ skew


def axis_of(part: Part) -> Float[np.ndarray, "3"]:
    """Unit axis of a hinge, a slider or a screw, the other way round if it is reversed."""
    axis: Any = part.joint
    return (-1 if part.is_reversed else 1) * unit(axis.axis)


def _poses(placements: Any) -> Any:
    if placements is None:
        return None
    quaternions = np.asarray(placements.quaternion)
    w, x, y, z = (quaternions / np.linalg.norm(quaternions, axis=1, keepdims=True)).T
    poses = np.tile(np.eye(4), (len(w), 1, 1))
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    poses[:, :3, :3], poses[:, :3, 3] = np.moveaxis(np.array(rows), -1, 0), placements.translation
    return poses
