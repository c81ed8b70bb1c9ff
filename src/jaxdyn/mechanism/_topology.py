"""The static part of a mechanism: which body hangs on which, by which joint, under which name."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ._forest import Forest


@dataclass(frozen=True)
class Topology:
    """The shape of a mechanism: hashable, equal for two loads of one file, never traced.

    Body `i` and its tree joint share the index `i`. Bodies are in depth-first order; the parent -1 is the world.

    Attributes:
        body_names: Name of each body.
        joint_names: Name of each body's tree joint.
        parents: Predecessor of each body's tree joint.
        joint_groups: Bodies whose joints have the same structure, in body order, one tuple per group.
        joint_sizes: (num_positions, num_velocities) of each tree joint.
        frame_names: Names of the additional frames.
        frame_bodies: Body to which each additional frame is fixed, -1 for the world.
        mimics: (follower, leader) for each joint that follows another one, as bodies, in the followers' order.
        loop_names: Name of each joint that closes a loop.
        loop_bodies: (predecessor, successor) of each joint that closes a loop.
        loop_groups: Positions of the loop joints of the same structure, one tuple per group.
    """

    body_names: tuple[str, ...] = ()
    joint_names: tuple[str, ...] = ()
    parents: tuple[int, ...] = ()
    joint_groups: tuple[tuple[int, ...], ...] = ()
    joint_sizes: tuple[tuple[int, int], ...] = ()
    frame_names: tuple[str, ...] = ()
    frame_bodies: tuple[int, ...] = ()
    mimics: tuple[tuple[int, int], ...] = ()
    loop_names: tuple[str, ...] = ()
    loop_bodies: tuple[tuple[int, int], ...] = ()
    loop_groups: tuple[tuple[int, ...], ...] = ()

    # ---- ranges ---------------------------------------------------------------------------------------------------

    @property
    def num_bodies(self) -> int:
        """Number of bodies; the world is not one."""
        return len(self.parents)

    @cached_property
    def leaders(self) -> tuple[int, ...]:
        """For each body, the body whose joint its joint follows: itself, unless it is a follower."""
        leader_of = dict(self.mimics)
        return tuple(leader_of.get(body, body) for body in range(self.num_bodies))

    @cached_property
    def q_offsets(self) -> tuple[int, ...]:
        """First entry in q of each joint that is no follower, and the number of positions as last entry."""
        return self._offsets(0)

    @cached_property
    def v_offsets(self) -> tuple[int, ...]:
        """First entry in v of each joint that is no follower, and the number of velocities as last entry."""
        return self._offsets(1)

    def _offsets(self, kind: int) -> tuple[int, ...]:
        sizes = [
            size[kind] * (leader == body)
            for body, (size, leader) in enumerate(zip(self.joint_sizes, self.leaders, strict=True))
        ]
        return (0, *np.cumsum(sizes, dtype=int).tolist())

    @property
    def num_positions(self) -> int:
        """Number of entries of q."""
        return self.q_offsets[-1]

    @property
    def num_velocities(self) -> int:
        """Number of entries of v."""
        return self.v_offsets[-1]

    def q_indices(self, body: int) -> np.ndarray:
        """Entries of q that belong to a body's joint; those of its leader, if it is a follower."""
        return self.q_offsets[self.leaders[body]] + np.arange(self.joint_sizes[body][0])

    def v_indices(self, body: int) -> np.ndarray:
        """Entries of v that belong to a body's joint; those of its leader, if it is a follower."""
        return self.v_offsets[self.leaders[body]] + np.arange(self.joint_sizes[body][1])

    @cached_property
    def actuated_velocities(self) -> np.ndarray:
        """Entries of v that a control acts on: all but those of floating joints."""
        sizes = np.diff(self.v_offsets)
        return np.flatnonzero(np.repeat(sizes, sizes) < 6)

    # ---- forests --------------------------------------------------------------------------------------------------

    @cached_property
    def body_forest(self) -> Forest:
        """All bodies."""
        return Forest(self.parents)

    @cached_property
    def moving_bodies(self) -> np.ndarray:
        """Bodies whose joint moves: the only ones that the recursions visit."""
        return np.array([body for body, size in enumerate(self.joint_sizes) if size[1] > 0], dtype=int)

    @cached_property
    def attached_bodies(self) -> np.ndarray:
        """The other bodies: rigidly attached to a moving one or to the world."""
        return np.setdiff1d(np.arange(self.num_bodies), self.moving_bodies)

    @cached_property
    def carriers(self) -> np.ndarray:
        """For each body, the position in `moving_bodies` of the moving body it is rigidly attached to; -1: the world.

        A moving body is its own carrier.
        """
        carriers = np.full(self.num_bodies, -1)
        position_of = {body: position for position, body in enumerate(self.moving_bodies.tolist())}
        for body, parent in enumerate(self.parents):
            carriers[body] = position_of.get(body, carriers[parent] if parent >= 0 else -1)
        return carriers

    def carrier_of(self, body: int) -> int:
        """Carrier of a body, where the world (-1) carries itself."""
        return int(self.carriers[body]) if body >= 0 else -1

    @cached_property
    def rigid_forest(self) -> Forest:
        """All bodies, each moving one the root of those that are rigidly attached to it."""
        return Forest(tuple(-1 if self.joint_sizes[b][1] > 0 else p for b, p in enumerate(self.parents)))

    @cached_property
    def moving_forest(self) -> Forest:
        """The moving bodies, numbered as in `moving_bodies`."""
        return Forest(tuple(self.carrier_of(self.parents[body]) for body in self.moving_bodies.tolist()))

    @cached_property
    def dof_bodies(self) -> np.ndarray:
        """For each degree of freedom, the position in `moving_bodies` of the body it moves."""
        return np.repeat(np.arange(len(self.moving_bodies)), [self.joint_sizes[b][1] for b in self.moving_bodies])

    @cached_property
    def velocity_of_dof(self) -> np.ndarray:
        """For each degree of freedom of the tree, the entry of v that moves it: its own, or its leader's."""
        return np.concatenate([np.zeros(0, dtype=int), *(self.v_indices(body) for body in self.moving_bodies.tolist())])

    @cached_property
    def follower_dofs(self) -> np.ndarray:
        """The degrees of freedom of the followers."""
        followers = [follower for follower, _ in self.mimics]
        return np.flatnonzero(np.isin(self.moving_bodies[self.dof_bodies], followers))

    @cached_property
    def dof_forest(self) -> Forest:
        """The degrees of freedom as a tree: those of one joint in a row, the first below its predecessor's last one."""
        parents: list[int] = []
        last_dof: list[int] = []
        for position, body in enumerate(self.moving_bodies.tolist()):
            carrier = self.moving_forest.parents[position]
            parents.append(last_dof[carrier] if carrier >= 0 else -1)
            first = len(parents) - 1
            parents.extend(range(first, first + self.joint_sizes[body][1] - 1))
            last_dof.append(len(parents) - 1)
        return Forest(tuple(parents))

    @cached_property
    def is_first_dof(self) -> np.ndarray:
        """For each degree of freedom, whether it is the first of its joint."""
        return np.diff(self.dof_bodies, prepend=-1) > 0

    @cached_property
    def is_last_dof(self) -> np.ndarray:
        """For each degree of freedom, whether it is the last of its joint."""
        return np.diff(self.dof_bodies, append=len(self.moving_bodies)) > 0

    # ---- queries; the world is -1 -----------------------------------------------------------------------------------

    def ancestors(self, body: int) -> np.ndarray:
        """The bodies from the one on the world to a body, both included."""
        strict = np.flatnonzero(self.body_forest.is_strict_ancestor[:, body]) if body >= 0 else np.zeros(0, dtype=int)
        return np.append(strict, body) if body >= 0 else strict

    def subtree(self, body: int) -> np.ndarray:
        """A body and all that hang on it, in body order."""
        if body < 0:
            return np.arange(self.num_bodies)
        return np.append(body, np.flatnonzero(self.body_forest.is_strict_ancestor[body]))

    def path(self, start: int, end: int) -> tuple[np.ndarray, np.ndarray]:
        """The joints between two bodies as they are passed, and 1 for each passed towards its successor, else -1."""
        up, down = self.ancestors(start), self.ancestors(end)
        shared = np.intersect1d(up, down).size
        joints = np.concatenate([up[shared:][::-1], down[shared:]])
        return joints, np.repeat([-1, 1], [up.size - shared, down.size - shared])

    def path_signs(self, start: int, end: int) -> np.ndarray:
        """How each degree of freedom moves body `end` with respect to body `start`: 1, 0 or -1 (the world is -1)."""
        return self._supports(end).astype(int) - self._supports(start).astype(int)

    def _supports(self, body: int) -> np.ndarray:
        carrier = self.carrier_of(body)
        if carrier < 0:
            return np.zeros(len(self.dof_bodies), dtype=bool)
        moves = self.moving_forest.is_strict_ancestor[:, carrier].copy()
        moves[carrier] = True
        return moves[self.dof_bodies]
