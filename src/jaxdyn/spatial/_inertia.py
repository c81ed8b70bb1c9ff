"""Spatial inertia of a rigid body, as the ten numbers that momentum and energy are linear in."""

from typing import Any

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float

from .._shapes import Matrix3, Matrix6, Vector3, Vector6
from ._arrays import FloatsLike, as_floats, block_matrix, dot, identity_like, matvec, outer, take, transpose
from ._force import Force
from ._motion import Motion
from ._rotation import skew


class SpatialInertia(eqx.Module):
    """Mass, first moment and moment of inertia about the origin of the frame they are expressed in.

    Attributes:
        mass: Mass [kg].
        first_moment: Mass times centre of mass [kg m].
        moment: Moment of inertia about the frame's origin, (xx, xy, xz, yy, yz, zz) of the matrix [kg m²].

    Reference: Featherstone (2008), Rigid body dynamics algorithms, section 2.13.
    """

    mass: Float[Array, "*batch"]
    first_moment: Vector3
    moment: Float[Array, "*batch 6"]

    __iter__ = None  # see `AbstractSpatialVector`

    def __init__(self, mass: FloatsLike, first_moment: FloatsLike, moment: FloatsLike):
        """From the ten numbers; lists and Python numbers take the dtype of the arrays among them."""
        self.mass, self.first_moment, self.moment = as_floats(mass, first_moment, moment)

    @classmethod
    def from_center_of_mass(
        cls, mass: FloatsLike, center_of_mass: FloatsLike, moment_about_center_of_mass: FloatsLike
    ) -> "SpatialInertia":
        """From the numbers a data sheet gives.

        Args:
            mass: Mass [kg].
            center_of_mass: Centre of mass [m].
            moment_about_center_of_mass: Moment of inertia about the centre of mass, in the axes of this frame [kg m²]:
                six numbers (xx, xy, xz, yy, yz, zz), or a 3x3 matrix, of which the symmetric part counts.

        Returns:
            Inertia about the origin of the frame.

        Differentiability: smooth.
        """
        mass, center, moment = as_floats(mass, center_of_mass, moment_about_center_of_mass)
        if moment.shape[-1] == 3:
            moment = six_numbers((moment + transpose(moment)) / 2)
        first_moment = mass[..., None] * center
        return cls(mass, first_moment, moment + six_numbers(parallel_axis(first_moment / 2, center)))

    @classmethod
    def zero(cls, shape: tuple[int, ...] = (), dtype: Any = float) -> "SpatialInertia":
        """Inertia of nothing, with leading axes of the given shape."""
        return cls(jnp.zeros(shape, dtype), jnp.zeros((*shape, 3), dtype), jnp.zeros((*shape, 6), dtype))

    @classmethod
    def point_mass(cls, mass: FloatsLike, position: FloatsLike) -> "SpatialInertia":
        """A particle of a mass [kg] at a position [m]."""
        mass, position = as_floats(mass, position)
        return cls.from_center_of_mass(mass, position, jnp.zeros((*mass.shape, 6), mass.dtype))

    @classmethod
    def solid_ellipsoid(cls, mass: FloatsLike, semi_axes: FloatsLike) -> "SpatialInertia":
        """A uniform ellipsoid about the origin, of a mass [kg] and three semi-axes along x, y and z [m]."""
        mass, semi_axes = as_floats(mass, semi_axes)
        return cls._about_its_center(mass, mass[..., None] * semi_axes**2 / 5)

    @classmethod
    def solid_sphere(cls, mass: FloatsLike, radius: FloatsLike) -> "SpatialInertia":
        """A uniform ball about the origin, of a mass [kg] and a radius [m]."""
        mass, radius = as_floats(mass, radius)
        return cls.solid_ellipsoid(mass, jnp.stack([radius] * 3, axis=-1))

    @classmethod
    def solid_box(cls, mass: FloatsLike, sizes: FloatsLike) -> "SpatialInertia":
        """A uniform box about the origin, of a mass [kg] and three full edge lengths along x, y and z [m]."""
        mass, sizes = as_floats(mass, sizes)
        return cls._about_its_center(mass, mass[..., None] * sizes**2 / 12)

    @classmethod
    def solid_cylinder(cls, mass: FloatsLike, radius: FloatsLike, length: FloatsLike) -> "SpatialInertia":
        """A uniform cylinder about the origin and along z, of a mass [kg], a radius [m] and a length [m]."""
        mass, radius, length = as_floats(mass, radius, length)
        across, along = mass * radius**2 / 4, mass * length**2 / 12
        return cls._about_its_center(mass, jnp.stack([across, across, along], axis=-1))

    @classmethod
    def solid_capsule(cls, mass: FloatsLike, radius: FloatsLike, length: FloatsLike) -> "SpatialInertia":
        """A uniform cylinder with half balls on its ends, about the origin and along z.

        Args:
            mass: Mass [kg].
            radius: Radius of the cylinder and of the half balls [m].
            length: Length of the cylinder alone [m]; the capsule is longer by two radii.

        Returns:
            Inertia about the centre of the capsule.
        """
        mass, radius, length = as_floats(mass, radius, length)
        extent = length + 4 * radius / 3  # length of the cylinder of the same radius and volume
        cylinder = mass * length / jnp.where(extent == 0, 1, extent)
        balls = mass - cylinder
        across = cylinder * radius**2 / 4 + balls * radius**2 / 5
        # The centre of a half ball is 3/8 of the radius away from its flat face, which is at half the length.
        along = cylinder * length**2 / 12 + balls * (radius**2 / 5 + length**2 / 4 + 3 * length * radius / 8)
        return cls._about_its_center(mass, jnp.stack([across, across, along], axis=-1))

    @classmethod
    def _about_its_center(cls, mass: Float[Array, "*batch"], second_moments: Vector3) -> "SpatialInertia":
        """From the integrals of x², y² and z² over the mass of a body that is symmetric to the coordinate planes."""
        x, y, z = jnp.moveaxis(second_moments, -1, 0)
        zero = jnp.zeros_like(x)
        moment = jnp.stack([y + z, zero, zero, x + z, zero, x + y], axis=-1)
        return cls(mass, jnp.zeros_like(second_moments), moment)

    @property
    def center_of_mass(self) -> Vector3:
        """Centre of mass [m]; the origin, with derivative 0, where the mass is 0."""
        is_massless = (self.mass == 0)[..., None]
        return jnp.where(is_massless, 0, self.first_moment / jnp.where(is_massless, 1, self.mass[..., None]))

    @property
    def moment_matrix(self) -> Matrix3:
        """Moment of inertia about the frame's origin as a symmetric matrix [kg m²]."""
        xx, xy, xz, yy, yz, zz = jnp.moveaxis(self.moment, -1, 0)
        flat = jnp.stack([xx, xy, xz, xy, yy, yz, xz, yz, zz], axis=-1)
        return flat.reshape(*flat.shape[:-1], 3, 3)

    def matrix(self) -> Matrix6:
        """Matrix from a twist to a momentum, angular rows and columns first; symmetric [kg m², kg m, kg]."""
        cross = skew(self.first_moment)
        return block_matrix([[self.moment_matrix, cross], [-cross, self.mass[..., None, None] * identity_like(cross)]])

    def apply(self, motion: Motion) -> Force:
        """Momentum of the body when it moves with a twist (or I A for a spatial acceleration A)."""
        return Force(
            matvec(self.moment_matrix, motion.angular) + jnp.cross(self.first_moment, motion.linear),
            self.mass[..., None] * motion.linear + jnp.cross(motion.angular, self.first_moment),
        )

    def kinetic_energy(self, twist: Motion) -> Float[Array, "*batch"]:
        """Kinetic energy of the body when it moves with a twist [J]."""
        return twist.dot(self.apply(twist)) / 2

    def is_physically_consistent(self) -> Bool[Array, "*batch"]:
        """Whether some distribution of mass has this inertia.

        It has if the mass is not negative and the matrix of second moments of mass about the centre of mass, that is
        ½ tr(I) 1 - I, is positive semidefinite, up to rounding. A massless body must have no first moment.

        Returns:
            One truth value for each entry of the leading axes; it may be traced.

        Reference: Wensing, Kim and Slotine (2018), Linear matrix inequalities for physically consistent inertial
        parameter identification, section III.
        """
        second_moments = _second_moments(self.moment_matrix)
        about_center = second_moments - outer(self.first_moment, self.center_of_mass)
        tolerance = 100 * jnp.finfo(self.moment.dtype).eps * jnp.trace(second_moments, axis1=-2, axis2=-1)
        is_massive = (self.mass > 0) | ((self.mass == 0) & jnp.all(self.first_moment == 0, axis=-1))
        return is_massive & (jnp.linalg.eigvalsh(about_center)[..., 0] >= -tolerance)

    def __add__(self, other: "SpatialInertia") -> "SpatialInertia":
        """Inertia of two bodies moving as one, both about one origin and in one set of axes."""
        return type(self)(self.mass + other.mass, self.first_moment + other.first_moment, self.moment + other.moment)

    def __getitem__(self, index: Any) -> "SpatialInertia":
        """Entries of the leading axes."""
        return type(self)(take(self.mass, index, 0), take(self.first_moment, index, 1), take(self.moment, index, 1))


def parallel_axis(left: Vector3, right: Vector3) -> Matrix3:
    """The matrix 2 (a·b) 1 - a bᵀ - b aᵀ: with a = ½ m b, the moment of inertia of a point mass m at b."""
    product = outer(left, right)
    return 2 * dot(left, right)[..., None, None] * identity_like(product) - product - transpose(product)


def _second_moments(moment: Matrix3) -> Matrix3:
    """The integral of r rᵀ over the mass, ½ tr(I) 1 - I, from the moment of inertia I about the same point."""
    trace = jnp.trace(moment, axis1=-2, axis2=-1)
    return trace[..., None, None] / 2 * identity_like(moment) - moment


def six_numbers(matrix: Matrix3) -> Vector6:
    """The entries (xx, xy, xz, yy, yz, zz) of a symmetric matrix."""
    pairs = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))
    return jnp.stack([matrix[..., i, j] for i, j in pairs], axis=-1)
