"""Where a frame sits on a body, as numbers that may be identified: any non-zero quaternion and a translation."""

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from .._stacked import StackedMatrix, StackedVector, bodies_last
from ..spatial import Transform, quaternion_to_matrix


class Placement(eqx.Module):
    """Constant poses as leaves: the quaternion (w, x, y, z) is normalised where it is used.

    While a mechanism is put together, the numbers are numpy arrays.
    """

    quaternion: Float[Array, "*batch 4"] | Float[np.ndarray, "*batch 4"]
    translation: Float[Array, "*batch 3"] | Float[np.ndarray, "*batch 3"]

    def transform(self) -> Transform:
        """The poses as transforms."""
        return Transform(quaternion_to_matrix(jnp.asarray(self.quaternion)), self.translation)

    def stacked(self) -> tuple[StackedMatrix, StackedVector]:
        """Rotations and translations with the bodies on the last axis."""
        transforms = self.transform()
        return bodies_last(transforms.rotation), bodies_last(transforms.translation)
