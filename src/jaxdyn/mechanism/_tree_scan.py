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
from jaxtyping import Array, Float, PyTree

from .._stacked import StackedMatrix, compose, rotate, skew, unskew
from ._forest import Forest

Carry = TypeVar("Carry")

# Scans of at most this many levels are unrolled: the loop's own cost is then larger than the extra compile time.
_UNROLLED_LEVELS = 4


def root_to_leaves(
    forest: Forest, step: Callable[[Carry, Any], tuple[Carry, Any]], root: Carry, nodes: PyTree
) -> PyTree:
    """Visit every node after its parent.

    Args:
        forest: At least one node.
        step: (value of the parent, the node's own arrays) → (value of the node, result), over lanes on the last axis.
            Empty places arrive as zeros and must stay finite.
        root: Value of the parent of the roots, without the nodes' axis.
        nodes: Arrays of the nodes.

    Returns:
        The results, per node.
    """
    lanes = forest.lanes
    first = jax.tree.map(lambda x: jnp.broadcast_to(x[..., None], (*x.shape, lanes.width)), root)

    def visit(parents, level):
        own, moves = level
        return step(jax.tree.map(lambda x: _route(x, moves), parents), own)

    moves = _moves(forest, jax.tree.leaves(root)[0].dtype, to_parent=False)
    _, results = lax.scan(visit, first, (_laid_out(forest, nodes), moves), unroll=_unroll(lanes.num_levels))
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
        own, moves = level
        handed_over, result = step(children, own)
        return jax.tree.map(lambda x: _route(x, moves), handed_over), result

    moves = _moves(forest, jax.tree.leaves(leaf)[0].dtype, to_parent=True)
    _, results = lax.scan(
        visit, last, (_laid_out(forest, nodes), moves), reverse=True, unroll=_unroll(lanes.num_levels)
    )
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

    return root_to_leaves(forest, step, identity, local)


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


def _unroll(num_levels: int) -> int | bool:
    return num_levels <= _UNROLLED_LEVELS or 1


def _moves(forest: Forest, dtype: Any, *, to_parent: bool) -> Float[Array, "levels width width"] | None:
    """Matrices that carry the lanes of one level to those of the next, or None where no lane ever changes."""
    lanes = forest.lanes
    if lanes.never_branch:
        return None
    has_node = lanes.node_at < forest.size
    child_to_parent = (lanes.parent_lane[:, :, None] == np.arange(lanes.width)) & has_node[:, :, None]
    return jnp.asarray(child_to_parent if to_parent else np.swapaxes(child_to_parent, 1, 2), dtype=dtype)


def _route(x: Float[Array, "*components width"], moves: Float[Array, "width width"] | None) -> Array:
    return x if moves is None else jnp.matmul(x, moves, precision=lax.Precision.HIGHEST)


def _laid_out(forest: Forest, nodes: PyTree) -> PyTree:
    """Nodes on the last axis → levels on the first axis and lanes on the last one, zeros in empty places."""
    node_at = forest.lanes.node_at
    is_full = forest.size == node_at.size

    def lay_out(x):
        padded = x if is_full else jnp.concatenate([x, jnp.zeros_like(x[..., :1])], axis=-1)
        return jnp.moveaxis(padded[..., node_at], -2, 0)

    return jax.tree.map(lay_out, nodes)


def _collected(forest: Forest, levels: PyTree) -> PyTree:
    """The inverse of `_laid_out`."""
    place_of = forest.lanes.place_of

    def collect(x):
        by_place = jnp.moveaxis(x, 0, -2)
        return by_place.reshape(*by_place.shape[:-2], -1)[..., place_of]

    return jax.tree.map(collect, levels)
