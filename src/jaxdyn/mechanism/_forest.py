"""The shape of a forest and the order in which its nodes are visited: static, made once, never traced."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np


@dataclass(frozen=True)
class Forest:
    """Nodes numbered so that every parent comes before its children; a root's parent is -1."""

    parents: tuple[int, ...]

    @property
    def size(self) -> int:
        """Number of nodes."""
        return len(self.parents)

    @cached_property
    def depths(self) -> np.ndarray:
        """Number of ancestors of each node."""
        depths = np.zeros(self.size, dtype=int)
        for node, parent in enumerate(self.parents):
            if parent >= 0:
                depths[node] = depths[parent] + 1
        return depths

    @cached_property
    def is_strict_ancestor(self) -> np.ndarray:
        """Boolean matrix: whether the row's node is a strict ancestor of the column's node."""
        ancestors = np.zeros((self.size, self.size), dtype=bool)
        for node, parent in enumerate(self.parents):
            if parent >= 0:
                ancestors[:, node] = ancestors[:, parent]
                ancestors[parent, node] = True
        return ancestors

    @cached_property
    def lanes(self) -> "Lanes":
        """The nodes of one depth side by side."""
        return Lanes.of(self)


@dataclass(frozen=True, eq=False)
class Lanes:
    """A forest laid out as a grid of levels by lanes; places without a node hold the number of nodes.

    A node's first child keeps its lane, so that an unbranched run never changes lanes.
    """

    node_at: np.ndarray  # (levels, width)
    place_of: np.ndarray  # (nodes,): level * width + lane
    parent_lane: np.ndarray  # (levels, width): lane of the parent, or the lane itself

    @property
    def num_levels(self) -> int:
        """Number of levels: the length of the scans."""
        return self.node_at.shape[0]

    @property
    def width(self) -> int:
        """Number of lanes."""
        return self.node_at.shape[1]

    @property
    def never_branch(self) -> bool:
        """Whether every node lies in its parent's lane."""
        return bool(np.all(self.parent_lane == np.arange(self.width)))

    @cached_property
    def child_lanes(self) -> tuple[np.ndarray, np.ndarray]:
        """Lanes of the children of each place on the level below, and which of them exist: (levels, children, width).

        The entry of a level tells where the places of the level *above* find their children on it.
        """
        has_node = self.node_at < self.place_of.size
        children = [
            [np.flatnonzero(has_node[level] & (self.parent_lane[level] == lane)) for lane in range(self.width)]
            for level in range(self.num_levels)
        ]
        most = max(len(lanes) for level in children for lanes in level)
        lanes = np.zeros((self.num_levels, most, self.width), dtype=np.int32)
        exists = np.zeros(lanes.shape, dtype=bool)
        for level, per_lane in enumerate(children):
            for lane, found in enumerate(per_lane):
                lanes[level, : len(found), lane] = found
                exists[level, : len(found), lane] = True
        return lanes, exists

    @staticmethod
    def of(forest: Forest) -> "Lanes":
        """Lay out a forest that has at least one node."""
        depths = forest.depths
        levels = [np.flatnonzero(depths == depth) for depth in range(depths.max() + 1)]
        width = max(len(level) for level in levels)
        lane_of = np.full(forest.size, -1)
        for level in levels:
            taken: set[int] = set()
            later = []
            for node in level:
                lane = lane_of[forest.parents[node]] if forest.parents[node] >= 0 else -1
                if lane < 0 or lane in taken:
                    later.append(node)
                else:
                    lane_of[node] = lane
                    taken.add(lane)
            free = iter(sorted(set(range(width)) - taken))
            for node in later:
                lane_of[node] = next(free)
        node_at = np.full((len(levels), width), forest.size)
        parent_lane = np.tile(np.arange(width), (len(levels), 1))
        for node, parent in enumerate(forest.parents):
            node_at[depths[node], lane_of[node]] = node
            if parent >= 0:
                parent_lane[depths[node], lane_of[node]] = lane_of[parent]
        return Lanes(node_at, depths * width + lane_of, parent_lane)
