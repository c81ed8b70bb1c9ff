"""The door to every recursion over the tree: two scans, two sums, and the chain of rotations.

A scan visits the levels of a forest one after another and the nodes of one level side by side. Two sums need no
recursion: a quantity summed over ancestors or over descendants is a product with a constant matrix of zeros and ones.
Measurements behind these choices: docs/decisions/0001-data-layout.md.

Every array holds its nodes on the last axis.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jaxtyping import Array, Bool, Float, Int, PyTree

from .._stacked import StackedMatrix, columns, compose, rotate, skew, unskew
from ._forest import Forest, Grid

Carry = TypeVar("Carry")

# The chain of rotations is unrolled up to this many levels: its step is one small kernel, less than a loop costs.
# Nothing else is: unrolled articulated bodies run 1.7 times slower and compile for 4 times as long.
_UNROLLED_LEVELS = 16


def root_to_leaves(
    forest: Forest,
    step: Callable[[Carry, Any], tuple[Carry, Any]],
    root: Carry,
    nodes: PyTree,
    *,
    unroll: bool = False,
) -> PyTree:
    """Visit every node after its parent.

    Args:
        forest: At least one node.
        step: (value of the parent, the node's own arrays) → (value of the node, result), over lanes on the last axis.
            Empty places arrive as zeros and must stay finite.
        root: Value of the parent of the roots, without the nodes' axis.
        nodes: Arrays of the nodes.
        unroll: Whether to write out the loop over levels.

    Returns:
        The results, per node.
    """
    carry, results = _widened(root, forest.grids[0].width), []
    for position, grid in enumerate(forest.grids):
        if position > 0:
            carry = jax.tree.map(lambda x, grid=grid: _gathered(x, grid.parent_lane[0]), carry)
        carry, result = _scan_down(forest, grid, step, carry, nodes, unroll)
        results.append(result)
    return _collected(forest, results)


def leaves_to_root(
    forest: Forest, step: Callable[[Carry, Any], tuple[Carry, Any]], leaf: Carry, nodes: PyTree
) -> PyTree:
    """Visit every node after its children.

    Args:
        forest: At least one node.
        step: (sum of what the children hand over, the node's own arrays) → (what the node hands over, result), over
            lanes on the last axis. Empty places arrive as zeros, and must hand over zeros.
        leaf: What a node without children receives, zeros, without the nodes' axis.
        nodes: Arrays of the nodes.

    Returns:
        The results, per node.
    """
    carry, results = _widened(leaf, forest.grids[-1].width), []
    for position, grid in reversed(list(enumerate(forest.grids))):
        carry, result = _scan_up(forest, grid, step, carry, nodes)
        results.insert(0, result)
        if position > 0:
            family = (grid.child_lanes[0], grid.child_exists[0])
            carry = jax.tree.map(lambda x, family=family: _summed(x, *family), carry)
    return _collected(forest, results)


def ancestor_sum(forest: Forest, x: Float[Array, "*components nodes"]) -> Float[Array, "*components nodes"]:
    """Sum of a quantity over the strict ancestors of each node; add the node's own for the whole path."""
    return _masked_sum(x, forest.is_strict_ancestor)


def descendant_sum(forest: Forest, x: Float[Array, "*components nodes"]) -> Float[Array, "*components nodes"]:
    """Sum of a quantity over the strict descendants of each node; add the node's own for the whole subtree."""
    return _masked_sum(x, forest.is_strict_ancestor.T)


@partial(jax.custom_jvp, nondiff_argnums=(0,))
def chain_rotations(forest: Forest, local: StackedMatrix) -> StackedMatrix:
    """Rotation of each node in the world from its rotation in the parent: the product along the path.

    The derivative is not a recursion: a turn of one node turns all its descendants by the same vector in world axes.
    """
    if forest.size == 0:
        return local
    identity = jnp.eye(3, dtype=local.dtype)

    def step(parent, own):
        rotation = compose(parent, own)
        return rotation, rotation

    return root_to_leaves(forest, step, identity, local, unroll=int(forest.depths.max()) < _UNROLLED_LEVELS)


@chain_rotations.defjvp
def _chain_rotations_jvp(forest, primals, tangents):
    (local,), (local_dot,) = primals, tangents
    rotation = chain_rotations(forest, local)
    turn_in_node = unskew(compose(jnp.swapaxes(local, 0, 1), local_dot))
    turn = rotate(rotation, turn_in_node)
    return rotation, compose(skew(turn + ancestor_sum(forest, turn)), rotation)


def _masked_sum(x: Float[Array, "*components nodes"], mask: np.ndarray) -> Float[Array, "*components nodes"]:
    if not mask.any():
        return jnp.zeros_like(x)
    return jnp.matmul(x, jnp.asarray(mask, dtype=x.dtype), precision=lax.Precision.HIGHEST)


def _widened(value: PyTree, width: int) -> PyTree:
    return jax.tree.map(lambda x: jnp.broadcast_to(x[..., None], (*x.shape, width)), value)


def _scan_down(forest: Forest, grid: Grid, step: Callable, carry: Any, nodes: PyTree, unroll: bool) -> tuple[Any, Any]:
    """Scan one grid from its first level on; `carry` is in the lanes of that level."""

    def visit(parents, level):
        own, lanes = level
        return step(parents if lanes is None else jax.tree.map(lambda x: _gathered(x, lanes), parents), own)

    lanes = grid.parent_lane.astype(np.int32)
    lanes[0] = np.arange(grid.width)
    inputs = (_laid_out(forest, grid, nodes), None if grid.never_branches else lanes)
    return lax.scan(visit, carry, inputs, unroll=unroll)


def _scan_up(forest: Forest, grid: Grid, step: Callable, carry: Any, nodes: PyTree) -> tuple[Any, Any]:
    """Scan one grid from its last level on; what the first level hands over stays in its lanes."""

    def visit(children, level):
        own, family = level
        return step(children if family is None else jax.tree.map(lambda x: _summed(x, *family), children), own)

    if grid.never_branches:
        family = None
    else:  # a level receives from the one below it, the last one from nowhere: `carry` is in its lanes already
        lanes, exists = (np.stack(x[1:]) for x in (grid.child_lanes, grid.child_exists))
        stays = np.zeros_like(lanes[:1])
        stays[0, 0] = np.arange(grid.width)
        first = np.zeros_like(exists[:1])
        first[0, 0] = True
        family = (np.concatenate([lanes, stays]), np.concatenate([exists, first]))
    return lax.scan(visit, carry, (_laid_out(forest, grid, nodes), family), reverse=True)


def _gathered(
    x: Float[Array, "*components width"], lanes: Int[Array | np.ndarray, " chosen"]
) -> Float[Array, "*components chosen"]:
    return x.at[..., lanes].get(mode="promise_in_bounds")


def _summed(
    x: Float[Array, "*components width"],
    lanes: Int[Array | np.ndarray, "children above"],
    exists: Bool[Array | np.ndarray, "children above"],
) -> Float[Array, "*components above"]:
    """Sum over the children of each lane of the level above; no child counts as zeros."""
    total = jnp.zeros((*x.shape[:-1], lanes.shape[1]), dtype=x.dtype)
    for child in range(lanes.shape[0]):
        taken = _gathered(x, lanes[child])
        total = total + jnp.where(jnp.broadcast_to(exists[child], taken.shape), taken, 0)
    return total


def _laid_out(forest: Forest, grid: Grid, nodes: PyTree) -> PyTree:
    """Nodes on the last axis → levels on the first axis and lanes on the last one, zeros in empty places."""
    node_at = grid.node_at

    def lay_out(x):
        padded = x if np.all(node_at < forest.size) else jnp.concatenate([x, jnp.zeros_like(x[..., :1])], axis=-1)
        places = columns(padded, node_at.ravel())
        return jnp.moveaxis(places.reshape(*places.shape[:-1], *node_at.shape), -2, 0)

    return jax.tree.map(lay_out, nodes)


def _collected(forest: Forest, per_grid: list[PyTree]) -> PyTree:
    """Results of the grids, (levels, ..., lanes), back in the order of the nodes."""

    def collect(*parts):
        flat = [jnp.moveaxis(part, 0, -2) for part in parts]
        by_place = jnp.concatenate([part.reshape(*part.shape[:-2], -1) for part in flat], axis=-1)
        return columns(by_place, forest.place_of)

    return jax.tree.map(collect, *per_grid)
