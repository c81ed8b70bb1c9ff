"""The shape of a forest and the order in which its nodes are visited: static, made once, never traced."""

import itertools
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
    def grids(self) -> "tuple[Grid, ...]":
        """The nodes as grids of levels by lanes, from the roots on: a common stem, if there is one, and all others.

        Only a forest with one root has a stem: the run of single nodes before the first branching. A floating base's
        degrees of freedom are one. Laid out with the others, each of its nodes would take a whole level's width.
        """
        lane_of, widths = _lanes(self)
        is_wide = np.array(widths) > 1
        stem = int(np.argmax(is_wide)) if is_wide.any() else 0
        cuts = [0, stem, len(widths)] if stem > 1 else [0, len(widths)]
        return tuple(_grid(self, lane_of, *levels) for levels in itertools.pairwise(cuts))

    @cached_property
    def place_of(self) -> np.ndarray:
        """For each node, its place in the grids, read one after another, level by level."""
        nodes = np.concatenate([grid.node_at.ravel() for grid in self.grids])
        places = np.flatnonzero(nodes < self.size)
        return places[np.argsort(nodes[places])]


@dataclass(frozen=True, eq=False)
class Grid:
    """Consecutive levels of a forest, the nodes of one depth side by side; an empty place holds the number of nodes.

    A node's first child keeps its lane, so that an unbranched run never changes lanes. Lanes are told for each level
    with respect to the level above, which for the first level is the last one of the grid before.

    Attributes:
        node_at: Node at each place, (levels, width).
        parent_lane: Lane of each place's parent on the level above, (levels, width).
        child_lanes: Lanes of the children that each place of the level above has on a level, one array
            (children, width above) per level; the number of children is the same for all but the first level.
        child_exists: Which of these children there are.
    """

    node_at: np.ndarray
    parent_lane: np.ndarray
    child_lanes: tuple[np.ndarray, ...]
    child_exists: tuple[np.ndarray, ...]

    @property
    def num_levels(self) -> int:
        """Number of levels: the length of a scan."""
        return self.node_at.shape[0]

    @property
    def width(self) -> int:
        """Number of lanes."""
        return self.node_at.shape[1]

    @property
    def never_branches(self) -> bool:
        """Whether, after the first level, every place lies in its parent's lane."""
        return bool(np.all(self.parent_lane[1:] == np.arange(self.width)))


def _lanes(forest: Forest) -> tuple[np.ndarray, list[int]]:
    """Lane of each node, and the number of nodes on each level."""
    levels = [np.flatnonzero(forest.depths == depth) for depth in range(forest.depths.max() + 1)]
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
        free = (lane for lane in itertools.count() if lane not in taken)
        for node, lane in zip(later, free, strict=False):
            lane_of[node] = lane
    return lane_of, [len(level) for level in levels]


def _grid(forest: Forest, lane_of: np.ndarray, first: int, end: int) -> Grid:
    nodes = np.flatnonzero((forest.depths >= first) & (forest.depths < end))
    width = int(lane_of[nodes].max()) + 1
    above = np.flatnonzero(forest.depths == first - 1)
    width_above = int(lane_of[above].max()) + 1 if above.size else width
    node_at = np.full((end - first, width), forest.size)
    parent_lane = np.tile(np.arange(width), (end - first, 1))
    parent_lane[0] = np.minimum(parent_lane[0], width_above - 1)
    for node in nodes:
        node_at[forest.depths[node] - first, lane_of[node]] = node
        if forest.parents[node] >= 0:
            parent_lane[forest.depths[node] - first, lane_of[node]] = lane_of[forest.parents[node]]
    is_node = node_at < forest.size
    entry = _children(parent_lane[:1], is_node[:1], width_above)
    inner = _children(parent_lane[1:], is_node[1:], width)
    return Grid(node_at, parent_lane, *((*x, *y) for x, y in zip(entry, inner, strict=True)))


def _children(
    parent_lane: np.ndarray, is_node: np.ndarray, width_above: int
) -> tuple[tuple[np.ndarray, ...], tuple[np.ndarray, ...]]:
    """Lanes of the children of each place above, per level, and which exist; as many columns as the largest family."""
    families = [
        [np.flatnonzero(here & (lanes == lane)) for lane in range(width_above)]
        for lanes, here in zip(parent_lane, is_node, strict=True)
    ]
    most = max((len(family) for level in families for family in level), default=0)
    lanes = np.zeros((len(families), most, width_above), dtype=np.int32)
    exists = np.zeros(lanes.shape, dtype=bool)
    for level, lane in np.ndindex(len(families), width_above):
        family = families[level][lane]
        lanes[level, : len(family), lane] = family
        exists[level, : len(family), lane] = True
    return tuple(lanes), tuple(exists)
