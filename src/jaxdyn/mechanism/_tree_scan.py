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
from ._forest import Forest

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
    lanes = forest.lanes
    first = jax.tree.map(lambda x: jnp.broadcast_to(x[..., None], (*x.shape, lanes.width)), root)

    def visit(parents, level):
        own, lane = level
        return step(parents if lane is None else jax.tree.map(lambda x: _gathered(x, lane), parents), own)

    parent_lanes = None if lanes.never_branch else lanes.parent_lane.astype(np.int32)
    _, results = lax.scan(visit, first, (_laid_out(forest, nodes), parent_lanes), unroll=unroll)
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
    lanes = forest.lanes
    last = jax.tree.map(lambda x: jnp.broadcast_to(x[..., None], (*x.shape, lanes.width)), leaf)

    def visit(children, level):
        own, lanes_of_children = level
        handed_over, result = step(children, own)
        if lanes_of_children is None:
            return handed_over, result
        return jax.tree.map(lambda x: _summed(x, *lanes_of_children), handed_over), result

    child_lanes = None if lanes.never_branch else lanes.child_lanes
    inputs = (_laid_out(forest, nodes), child_lanes)
    _, results = lax.scan(visit, last, inputs, reverse=True)
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

    return root_to_leaves(forest, step, identity, local, unroll=forest.lanes.num_levels <= _UNROLLED_LEVELS)


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


def _gathered(x: Float[Array, "*components width"], lanes: Int[Array, " width"]) -> Float[Array, "*components width"]:
    return x.at[..., lanes].get(mode="promise_in_bounds")


def _summed(
    x: Float[Array, "*components width"], lanes: Int[Array, "children width"], exists: Bool[Array, "children width"]
) -> Float[Array, "*components width"]:
    """Sum over the children of each lane; no child counts as zeros."""
    total = jnp.zeros_like(x)
    for child in range(lanes.shape[0]):
        taken = _gathered(x, lanes[child])
        total = total + jnp.where(jnp.broadcast_to(exists[child], taken.shape), taken, 0)
    return total


def _laid_out(forest: Forest, nodes: PyTree) -> PyTree:
    """Nodes on the last axis → levels on the first axis and lanes on the last one, zeros in empty places."""
    node_at = forest.lanes.node_at

    def lay_out(x):
        padded = x if forest.size == node_at.size else jnp.concatenate([x, jnp.zeros_like(x[..., :1])], axis=-1)
        places = columns(padded, node_at.ravel())
        return jnp.moveaxis(places.reshape(*places.shape[:-1], *node_at.shape), -2, 0)

    return jax.tree.map(lay_out, nodes)


def _collected(forest: Forest, levels: PyTree) -> PyTree:
    """The inverse of `_laid_out`."""
    place_of = forest.lanes.place_of

    def collect(x):
        by_place = jnp.moveaxis(x, 0, -2)
        return columns(by_place.reshape(*by_place.shape[:-2], -1), place_of)

    return jax.tree.map(collect, levels)
