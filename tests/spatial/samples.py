"""Inputs at which formulas like to fail, shared by the tests of this folder."""

import math

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array

from jaxdyn.spatial import Transform

AXES = ((1, 0, 0), (0, 1, 0), (0, 0, -1), (0.6, 0.8, 0), (-0.6, 0, 0.8), (0.48, -0.6, 0.64))
SINGULAR_ANGLES = (0.0, 1e-12, 1e-6, math.pi - 1e-3)
# Around each of these angles an implementation passes from a series to a closed form.
SWITCH_ANGLES = (2 * math.asin(0.25), 2.0)


def rotation_vectors(angles, dtype=float) -> Array:
    """Every angle about every axis, as one array (angles × axes, 3)."""
    vectors = jnp.asarray(angles, float)[:, None, None] * jnp.asarray(AXES, float)[None]
    return vectors.reshape(-1, 3).astype(dtype)


def all_angles(largest=math.pi) -> list[float]:
    """Angles from 0 to `largest`, crowded at both ends and around the switches."""
    tiny = [10.0**-i for i in range(1, 20)]
    near_switches = [angle + offset for angle in SWITCH_ANGLES for offset in (-1e-3, -1e-7, 0, 1e-7, 1e-3)]
    return [*(largest * i / 200 for i in range(201)), *tiny, *(largest - angle for angle in tiny), *near_switches]


def rigid_motions(key, angles, dtype=float) -> Array:
    """Six-vectors: the rotation vectors of these angles with random linear parts, some parallel to the axis."""
    angular = rotation_vectors(angles, dtype)
    linear = jax.random.normal(key, angular.shape, dtype)
    return jnp.concatenate([angular, linear.at[::5].set(3 * angular[::5])], axis=-1)


def random_transforms(key, dtype=float, size=8) -> Transform:
    """Transforms anywhere."""
    quaternions, translations = jax.random.normal(key, (size, 4), dtype), jax.random.normal(key, (size, 3), dtype)
    return Transform.from_quaternion(quaternions, translations)


def deviation(actual, expected) -> float:
    """Largest absolute difference (in NumPy: nothing to compile)."""
    return float(np.max(np.abs(np.asarray(actual) - np.asarray(expected))))
