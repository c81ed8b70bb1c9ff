"""Motions: twists and spatial accelerations."""

import jax.numpy as jnp
from jaxtyping import Array, Float

from .._shapes import Vector3
from ._arrays import FloatsLike, as_floats, dot
from ._force import Force
from ._vector import AbstractSpatialVector


class Motion(AbstractSpatialVector):
    """A twist (ω, v) or a spatial acceleration, in the axes and at the origin of the frame it is expressed in.

    Attributes:
        angular: Angular velocity [rad/s], or angular acceleration [rad/s²].
        linear: Velocity of the body's point at the frame's origin [m/s], or the rate of that field [m/s²].

    Reference: Featherstone (2008), Rigid body dynamics algorithms, sections 2.2 and 2.9.
    """

    angular: Vector3
    linear: Vector3

    def __init__(self, angular: FloatsLike, linear: FloatsLike):
        """From the two parts; lists and Python numbers take the dtype of the other part."""
        self.angular, self.linear = as_floats(angular, linear)

    def cross_motion(self, motion: "Motion") -> "Motion":
        """Rate of a motion vector carried along by this twist (Featherstone 2008, eq. 2.31).

        Args:
            motion: Motion vector at the same point and in the same axes.

        Returns:
            (ω × angular, ω × linear + v × angular), in the unit of `motion` per second.
        """
        return type(self)(
            jnp.cross(self.angular, motion.angular),
            jnp.cross(self.angular, motion.linear) + jnp.cross(self.linear, motion.angular),
        )

    def cross_force(self, force: Force) -> Force:
        """Rate of a force vector carried along by this twist (Featherstone 2008, eq. 2.32).

        Args:
            force: Force vector at the same point and in the same axes.

        Returns:
            (ω × angular + v × linear, ω × linear), in the unit of `force` per second.
        """
        return Force(
            jnp.cross(self.angular, force.angular) + jnp.cross(self.linear, force.linear),
            jnp.cross(self.angular, force.linear),
        )

    def dot(self, force: Force) -> Float[Array, "*batch"]:
        """Power of a wrench on this twist [W], at the same point and in the same axes."""
        return dot(self.angular, force.angular) + dot(self.linear, force.linear)
