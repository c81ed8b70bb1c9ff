"""Comparisons of arrays that say how far apart two results are."""

import jax
import numpy as np
from jaxtyping import PyTree

from tolerances import tolerance


def assert_close(actual: PyTree, expected: PyTree, operations: int = 2000) -> None:
    """Arrays of equal shapes whose difference is small relative to the largest entry, or to 1 if that is larger."""
    leaves, expected_leaves = jax.tree.leaves(actual), jax.tree.leaves(expected)
    assert len(leaves) == len(expected_leaves)
    for leaf, other in zip(leaves, expected_leaves, strict=True):
        assert np.shape(leaf) == np.shape(other), f"shapes differ: {np.shape(leaf)} and {np.shape(other)}"
        leaf, other = np.asarray(leaf), np.asarray(other)
        assert leaf.dtype == other.dtype, f"dtypes differ: {leaf.dtype} and {other.dtype}"
        if leaf.dtype == bool:
            assert np.array_equal(leaf, other)
            continue
        scale = max(1.0, np.max(np.abs(other), initial=0.0))
        np.testing.assert_allclose(leaf, other, rtol=0, atol=tolerance(leaf.dtype, operations) * scale)
