"""The mechanism: a static topology and stacked numbers."""

import difflib
from collections.abc import Sequence
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from .._errors import MechanismError, ShapeError, UnknownNameError
from .._shapes import Numbers
from ..joints import AbstractJoint
from ..spatial import SpatialInertia
from ._placement import Placement
from ._text import tree_text
from ._topology import Topology

GRAVITY = (0.0, 0.0, -9.81)


class Mimics(eqx.Module):
    """Numbers of the joints that follow another one, in the order of `topology.mimics`.

    Attributes:
        ratio: Velocity of the follower per velocity of its leader.
        offset: Position of the follower where its leader's is zero [rad or m].
        damping: Viscous damping of the follower [N s/m or N m s/rad].
        armature: Inertia added to the follower [kg or kg m²].
    """

    ratio: Float[Array, " num_mimics"]
    offset: Float[Array, " num_mimics"]
    damping: Float[Array, " num_mimics"]
    armature: Float[Array, " num_mimics"]


class LoopJoints(eqx.Module):
    """Numbers of the joints that close loops, in the order of `topology.loop_names`.

    Attributes:
        joint_groups: Joints of equal structure, stacked on a leading axis; their positions are `topology.loop_groups`.
        placements: For each joint, its frame before, in the predecessor's frame.
        successor_placements: For each joint, its frame after, in the successor's frame.
    """

    joint_groups: tuple[AbstractJoint, ...]
    placements: Placement
    successor_placements: Placement


class Mechanism(eqx.Module):
    """A tree of rigid bodies connected by joints, perhaps with joints that close loops between them.

    A pytree: the topology is static, every number is an array leaf, stacked per group of equal joints, per body, per
    degree of freedom or per frame. So `jax.jit`, `jax.grad` and `jax.vmap` work on it directly, and new numbers never
    recompile. Nothing derived from a number is stored. Make one with `load_urdf`, `load_example`, or with
    `Mechanism.empty` and `attach`.

    Attributes:
        topology: Parents, names, ranges: what never changes under tracing.
        joint_groups: Joints of equal structure, stacked on a leading axis; their bodies are `topology.joint_groups`.
        placements: For each body, its joint's frame before, in the predecessor's frame.
        successor_placements: For each body, its joint's frame after, in the body's frame; None where all are identity.
        spatial_inertias: Inertia of each body about its frame's origin [kg, kg m, kg m²].
        frame_placements: Pose of each additional frame in its body's frame.
        damping: Viscous damping of each degree of freedom [N s/m or N m s/rad].
        armature: Inertia added to each degree of freedom [kg or kg m²], such as a geared rotor's.
        stiffness: Spring constant of each degree of freedom [N/m or N m/rad].
        rest_configuration: Configuration in which all springs are relaxed.
        position_lower: Lower position limit of each degree of freedom [m or rad], -inf where there is none.
        position_upper: Upper position limit of each degree of freedom [m or rad], inf where there is none.
        gravity: Gravitational acceleration in world axes [m/s²].
        mimics: Numbers of the joints that follow another one; None where there are none.
        loops: Numbers of the joints that close loops; None where there are none.
    """

    topology: Topology = eqx.field(static=True)
    joint_groups: tuple[AbstractJoint, ...]
    placements: Placement
    successor_placements: Placement | None
    spatial_inertias: SpatialInertia
    frame_placements: Placement
    damping: Float[Array, " num_velocities"]
    armature: Float[Array, " num_velocities"]
    stiffness: Float[Array, " num_velocities"]
    rest_configuration: Float[Array, " num_positions"]
    position_lower: Float[Array, " num_velocities"]
    position_upper: Float[Array, " num_velocities"]
    gravity: Float[Array, "3"]
    mimics: Mimics | None = None
    loops: LoopJoints | None = None

    @staticmethod
    def empty(*, gravity: Numbers = GRAVITY, dtype: Any = None) -> "Mechanism":
        """A world without bodies, to which `attach` adds them.

        Args:
            gravity: Gravitational acceleration in world axes [m/s²].
            dtype: Type of all numbers, by default JAX's float type.

        Returns:
            A mechanism with no bodies.

        Raises:
            ShapeError: Gravity is not three numbers.
        """
        gravity = jnp.asarray(gravity, dtype=jnp.result_type(float) if dtype is None else dtype)
        if gravity.shape != (3,):
            raise ShapeError(
                f"`gravity` must be three numbers, but has shape {gravity.shape}. Write for example [0.0, 0.0, -9.81]."
            )
        none = jnp.zeros(0, dtype=gravity.dtype)
        placements = Placement(none.reshape(0, 4), none.reshape(0, 3))
        return Mechanism(
            topology=Topology(),
            joint_groups=(),
            placements=placements,
            successor_placements=None,
            spatial_inertias=SpatialInertia.zero((0,), gravity.dtype),
            frame_placements=placements,
            damping=none,
            armature=none,
            stiffness=none,
            rest_configuration=none,
            position_lower=none,
            position_upper=none,
            gravity=gravity,
        )

    # ---- sizes and types ------------------------------------------------------------------------------------------

    @property
    def num_bodies(self) -> int:
        """Number of bodies; the world is not one."""
        return self.topology.num_bodies

    @property
    def num_positions(self) -> int:
        """Number of entries of q."""
        return self.topology.num_positions

    @property
    def num_velocities(self) -> int:
        """Number of entries of v."""
        return self.topology.num_velocities

    @property
    def num_actuated(self) -> int:
        """Number of entries of v that a control acts on: all but those of floating joints."""
        return len(self.topology.actuated_velocities)

    @property
    def dtype(self) -> Any:
        """Type of the numbers."""
        return self.gravity.dtype

    def astype(self, dtype: Any) -> "Mechanism":
        """The same mechanism with all numbers in another floating type."""
        return jax.tree.map(lambda leaf: leaf.astype(dtype), self)

    # ---- names ----------------------------------------------------------------------------------------------------

    @property
    def body_names(self) -> tuple[str, ...]:
        """Names of the bodies, in body order."""
        return self.topology.body_names

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Names of the tree joints, in body order."""
        return self.topology.joint_names

    @property
    def loop_joint_names(self) -> tuple[str, ...]:
        """Names of the joints that close loops; they have no entries in q and v."""
        return self.topology.loop_names

    @property
    def frame_names(self) -> tuple[str, ...]:
        """Names of the additional frames; the name of a body is taken wherever a frame's is."""
        return self.topology.frame_names

    def q_index(self, joint: str | int) -> np.ndarray:
        """Entries of q that belong to a joint, as an index array; its leader's, if the joint follows another one.

        Args:
            joint: Name of a joint, or its index.

        Returns:
            The indices.

        Raises:
            UnknownNameError: There is no such joint.
        """
        return self.topology.q_indices(self.joint_index(joint))

    def v_index(self, joint: str | int) -> np.ndarray:
        """Entries of v that belong to a joint, as an index array; its leader's, if the joint follows another one.

        Args:
            joint: Name of a joint, or its index.

        Returns:
            The indices.

        Raises:
            UnknownNameError: There is no such joint.
        """
        return self.topology.v_indices(self.joint_index(joint))

    def joint_index(self, joint: str | int) -> int:
        """Position of a joint in `joint_names`, which is that of its body in `body_names`; negative ones count back.

        Args:
            joint: Name of a joint, or its index.

        Returns:
            The index, not negative.

        Raises:
            UnknownNameError: There is no such joint, or it closes a loop.
        """
        if joint in self.loop_joint_names:
            raise UnknownNameError(
                f"Joint `{joint}` closes a loop, so it has no index and no entries in q and v. "
                "Name a joint of the tree, one of `mechanism.joint_names`."
            )
        return _position(joint, self.joint_names, "joint")

    def body_index(self, body: str | int) -> int:
        """Position of a body in `body_names`; negative ones count back.

        Args:
            body: Name of a body, or its index.

        Returns:
            The index, not negative.

        Raises:
            UnknownNameError: There is no such body.
        """
        return _position(body, self.body_names, "body")

    def frame_index(self, frame: str | int) -> tuple[int, int | None]:
        """Body of a frame (-1: the world) and its position in `frame_names` (None: the frame is the body's own).

        Args:
            frame: "world", the name of a body, the name of an additional frame, or the index of a body.

        Returns:
            Body index and frame index.

        Raises:
            UnknownNameError: There is no such frame.
        """
        if isinstance(frame, str) and frame in self.frame_names:
            position = self.frame_names.index(frame)
            return self.topology.frame_bodies[position], position
        if frame == "world":
            return -1, None
        return _position(frame, self.body_names, "frame", others=(*self.frame_names, "world")), None

    def joint(self, joint: str | int) -> AbstractJoint:
        """One joint of the mechanism.

        Args:
            joint: Name of a joint, also of one that closes a loop, or the index of one of the tree.

        Returns:
            The joint, with leaves of its own.

        Raises:
            UnknownNameError: There is no such joint.
        """
        if self.loops is not None and joint in self.loop_joint_names:
            stacks, groups, row = self.loops.joint_groups, self.topology.loop_groups, self.loop_joint_names.index(joint)
        else:
            stacks, groups, row = self.joint_groups, self.topology.joint_groups, self.joint_index(joint)
        stack, rows = next(pair for pair in zip(stacks, groups, strict=True) if row in pair[1])
        return jax.tree.map(lambda leaf: leaf[rows.index(row)], stack)

    # ---- queries --------------------------------------------------------------------------------------------------

    def ancestors(self, body: str | int) -> np.ndarray:
        """Indices of the bodies from the world to a body, in this order; the body itself is the last one.

        Args:
            body: Name of a body or frame, "world", or the index of a body.

        Returns:
            Body indices, none for the world.

        Raises:
            UnknownNameError: There is no such body.
        """
        return self.topology.ancestors(self.frame_index(body)[0])

    def subtree(self, body: str | int) -> np.ndarray:
        """Indices of a body and of all bodies that hang on it, in body order.

        Args:
            body: Name of a body or frame, "world", or the index of a body.

        Returns:
            Body indices, all for the world.

        Raises:
            UnknownNameError: There is no such body.
        """
        return self.topology.subtree(self.frame_index(body)[0])

    def path(self, start: str | int, end: str | int) -> tuple[np.ndarray, np.ndarray]:
        """The joints between two bodies, and the directions in which they are passed.

        Args:
            start: Name of a body or frame, "world", or the index of a body.
            end: Likewise.

        Returns:
            Joint indices from start to end, and for each 1 where the way leads to the joint's successor, else -1.

        Raises:
            UnknownNameError: There is no such body.
        """
        return self.topology.path(self.frame_index(start)[0], self.frame_index(end)[0])

    def supports(self, joint: str | int, body: str | int) -> bool:
        """Whether a joint lies between the world and a body, so that the body moves with it.

        Args:
            joint: Name of a joint, or its index.
            body: Name of a body or frame, "world", or the index of a body.

        Returns:
            A truth value; true for a body's own joint.

        Raises:
            UnknownNameError: There is no such joint or body.
        """
        return self.joint_index(joint) in self.ancestors(body)

    # ---- checks and text ------------------------------------------------------------------------------------------

    def __check_init__(self):
        for body, parent in enumerate(self.topology.parents):
            if parent >= body:
                raise MechanismError(
                    f"Parents must be numbered before their children, but body {body} has parent {parent}. "
                    "Build the mechanism with `attach`, which numbers bodies for you."
                )

    def __repr__(self) -> str:
        loops = () if self.loops is None else self.loops.joint_groups
        classes, loop_classes = ([type(stack).__name__ for stack in stacks] for stacks in (self.joint_groups, loops))
        return tree_text(self.topology, classes, loop_classes, str(self.dtype))


def _position(name: str | int, names: Sequence[str], kind: str, others: Sequence[str] = ()) -> int:
    if isinstance(name, str):
        if name in names:
            return names.index(name)
        known = (*names, *others)
        nearest = difflib.get_close_matches(name, known, n=5, cutoff=0.4) or known[:10]
        raise UnknownNameError(
            f"There is no {kind} named `{name}`. The nearest names are: {', '.join(f'`{n}`' for n in nearest)}. "
            f"`print(mechanism)` shows all names."
        )
    if not isinstance(name, int | np.integer) or isinstance(name, bool):
        raise UnknownNameError(
            f"A {kind} must be given by its name or its index, but `{name}` is of type {type(name).__name__}. "
            "`print(mechanism)` shows all names."
        )
    index = int(name)
    if not -len(names) <= index < len(names):
        raise UnknownNameError(
            f"The index of a {kind} must lie in [-{len(names)}, {len(names)}), but is {index}. "
            "`print(mechanism)` shows all indices."
        )
    return index % len(names)
