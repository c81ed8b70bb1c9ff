"""Where a frame sits on a body, as numbers that may be identified: any non-zero quaternion and a translation."""

import equinox as eqx
from jaxtyping import Array, Float

from .._stacked import StackedMatrix, StackedVector, bodies_last
from ..spatial import Transform, quaternion_to_matrix


class Placement(eqx.Module):
    """Constant poses as leaves: the quaternion (w, x, y, z) is normalised where it is used."""

    quaternion: Float[Array, "*batch 4"]
    translation: Float[Array, "*batch 3"]

    def transform(self) -> Transform:
        """The poses as transforms."""
        return Transform(quaternion_to_matrix(self.quaternion), self.translation)

    def row(self, index: int) -> "Placement":
        """One of the poses."""
        return Placement(self.quaternion[index], self.translation[index])

    def stacked(self) -> tuple[StackedMatrix, StackedVector]:
        """Rotations and translations with the bodies on the last axis."""
        transforms = self.transform()
        return bodies_last(transforms.rotation), bodies_last(transforms.translation)
