"""Forces: wrenches and momenta."""

from .._shapes import Vector3
from ._arrays import FloatsLike, as_floats
from ._vector import AbstractSpatialVector


class Force(AbstractSpatialVector):
    """A wrench (moment, force) or a spatial momentum, about the origin of the frame it is expressed in.

    Attributes:
        angular: Moment [N m], or angular momentum [kg m²/s].
        linear: Force [N], or linear momentum [kg m/s].

    Reference: Featherstone (2008), Rigid body dynamics algorithms, section 2.4.
    """

    angular: Vector3
    linear: Vector3

    def __init__(self, angular: FloatsLike, linear: FloatsLike):
        """From the two parts; lists and Python numbers take the dtype of the other part."""
        self.angular, self.linear = as_floats(angular, linear)
