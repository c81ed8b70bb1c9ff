"""Spatial inertia: laws, shapes against integrals over them, and what is physically consistent."""

import itertools
import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxdyn.spatial import Motion, SpatialInertia, Transform
from tolerances import tolerance

from .samples import deviation, random_transforms

transport = jax.jit(Transform.apply_inertia)
is_physically_consistent = jax.jit(SpatialInertia.is_physically_consistent)


def random_particles(key, size=8, num_particles=5):
    """Masses and positions of the particles that make up each of several bodies."""
    mass_key, position_key = jax.random.split(key)
    return jax.random.uniform(mass_key, (size, num_particles)), jax.random.normal(
        position_key, (size, num_particles, 3)
    )


@jax.jit
def of_particles(masses, positions):
    return jax.tree.map(lambda x: jnp.sum(x, axis=1), SpatialInertia.point_mass(masses, positions))


def random_inertias(key, dtype=float):
    return jax.tree.map(lambda x: x.astype(dtype), of_particles(*random_particles(key)))


def test_momentum_and_energy_are_sums_over_particles(key):
    masses, positions = random_particles(key)
    inertia = of_particles(masses, positions)
    V = Motion.from_vector(jax.random.normal(key, (8, 6)))
    velocities = V.linear[:, None] + jnp.cross(jnp.broadcast_to(V.angular[:, None], positions.shape), positions)
    momenta = masses[..., None] * velocities
    bound = tolerance(float, 100)
    assert deviation(inertia.apply(V).linear, jnp.sum(momenta, axis=1)) < bound
    assert deviation(inertia.apply(V).angular, jnp.sum(jnp.cross(positions, momenta), axis=1)) < bound
    assert deviation(inertia.kinetic_energy(V), jnp.sum(momenta * velocities, axis=(1, 2)) / 2) < bound
    assert deviation(jnp.einsum("nij,nj->ni", inertia.matrix(), V.vector), inertia.apply(V).vector) < bound
    center = jnp.sum(masses[..., None] * positions, axis=1) / jnp.sum(masses, axis=1)[:, None]
    assert deviation(inertia.center_of_mass, center) < bound


def test_transport_moves_the_particles(key):
    masses, positions = random_particles(key)
    X_WB = random_transforms(key)
    in_W = of_particles(masses, jnp.einsum("nij,npj->npi", X_WB.rotation, positions) + X_WB.translation[:, None])
    transported = transport(X_WB, of_particles(masses, positions))
    assert deviation(transported.matrix(), in_W.matrix()) < tolerance(float, 200)


@pytest.mark.parametrize("dtype", [jnp.float32, jnp.float64])
def test_transport_is_a_congruence_and_keeps_the_energy(key, dtype):
    X_WB, inertia = random_transforms(key, dtype), random_inertias(key, dtype)
    V = Motion.from_vector(jax.random.normal(key, (8, 6), dtype))
    transported = transport(X_WB, inertia)
    assert transported.moment.dtype == dtype
    back = X_WB.inverse().motion_matrix()
    congruent = jnp.swapaxes(back, -1, -2) @ inertia.matrix() @ back
    assert deviation(transported.matrix(), congruent) < tolerance(dtype, 500)
    assert deviation(transport(X_WB.inverse(), transported).matrix(), inertia.matrix()) < tolerance(dtype, 500)
    energy = inertia.kinetic_energy(V)
    assert deviation(transported.kinetic_energy(X_WB.apply_motion(V)) / energy, 1) < tolerance(dtype, 1000)


def test_sum_is_the_inertia_of_both(key):
    first, second = random_inertias(key), random_inertias(jax.random.fold_in(key, 1))
    assert deviation((first + second).matrix(), first.matrix() + second.matrix()) < tolerance(float, 10)
    assert deviation((first + SpatialInertia.zero((8,))).matrix(), first.matrix()) == 0
    assert deviation((first + second)[3].matrix(), (first[3] + second[3]).matrix()) == 0


def test_center_of_mass_form(key):
    """Parallel axes: the same inertia, built about the centre of mass and moved, or at once."""
    inertia, center = random_inertias(key), jax.random.normal(key, (8, 3))
    moment = of_particles(*random_particles(key)).moment_matrix
    direct = SpatialInertia.from_center_of_mass(inertia.mass, center, moment)
    centered = SpatialInertia.from_center_of_mass(inertia.mass, jnp.zeros((8, 3)), moment)
    shift = Transform(jnp.broadcast_to(jnp.eye(3), (8, 3, 3)), center)
    assert deviation(direct.matrix(), shift.apply_inertia(centered).matrix()) < tolerance(float, 50)
    six = jnp.stack([moment[:, i, j] for i, j in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))], axis=-1)
    assert deviation(SpatialInertia.from_center_of_mass(inertia.mass, center, six).moment, direct.moment) == 0
    assert deviation(centered.moment_matrix, moment) == 0


def test_center_of_mass_of_nothing():
    zero = SpatialInertia.zero((2,))
    with jax.debug_nans(True):
        gradient = jax.grad(lambda inertia: jnp.sum(inertia.center_of_mass))(zero)
    assert deviation(zero.center_of_mass, 0) == 0
    assert all(bool(jnp.all(leaf == 0)) for leaf in jax.tree.leaves(gradient))


# ---- shapes


def integrals(contains, half_sizes, num_cells=60):
    """Volume and second moments (x², y², z²) of a shape, summed over the cells of a grid in its first octant."""
    axes = [half * (np.arange(num_cells) + 0.5) / num_cells for half in half_sizes]
    points = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
    inside = points[contains(*np.moveaxis(points, -1, 0))]
    return len(inside), np.sum(inside**2, axis=0)


SHAPES = {
    "sphere": (
        SpatialInertia.solid_sphere(2.0, 0.2),
        lambda x, y, z: x**2 + y**2 + z**2 <= 0.2**2,
        (0.2, 0.2, 0.2),
    ),
    "ellipsoid": (
        SpatialInertia.solid_ellipsoid(2.0, [0.1, 0.2, 0.3]),
        lambda x, y, z: (x / 0.1) ** 2 + (y / 0.2) ** 2 + (z / 0.3) ** 2 <= 1,
        (0.1, 0.2, 0.3),
    ),
    "box": (SpatialInertia.solid_box(2.0, [0.2, 0.4, 0.6]), lambda x, y, z: x < 1, (0.1, 0.2, 0.3)),
    "cylinder": (
        SpatialInertia.solid_cylinder(2.0, 0.2, 0.5),
        lambda x, y, z: x**2 + y**2 <= 0.2**2,
        (0.2, 0.2, 0.25),
    ),
    "capsule": (
        SpatialInertia.solid_capsule(2.0, 0.2, 0.5),
        lambda x, y, z: x**2 + y**2 + np.maximum(z - 0.25, 0) ** 2 <= 0.2**2,
        (0.2, 0.2, 0.45),
    ),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_shapes_against_integrals(shape):
    inertia, contains, half_sizes = SHAPES[shape]
    volume, second_moments = integrals(contains, half_sizes)
    x, y, z = 2.0 * second_moments / volume
    expected = np.array([y + z, 0, 0, x + z, 0, x + y])
    assert deviation(inertia.moment, expected) < 2e-3 * np.max(expected)  # the cells are 1/60 of the size
    assert float(inertia.mass) == 2.0
    assert deviation(inertia.center_of_mass, 0) == 0


def test_textbook_values():
    ball = SpatialInertia.solid_sphere(33.510322, 0.2)
    assert deviation(ball.moment_matrix, 0.5361651 * jnp.eye(3)) < 1e-7
    rod = SpatialInertia.solid_cylinder(3.0, 0.0, 2.0)
    assert deviation(rod.moment, jnp.array([1.0, 0, 0, 1.0, 0, 0])) < tolerance(float, 5)
    assert deviation(SpatialInertia.solid_capsule(3.0, 0.0, 2.0).moment, rod.moment) < tolerance(float, 5)
    no_cylinder = SpatialInertia.solid_capsule(33.510322, 0.2, 0.0)
    assert deviation(no_cylinder.moment, ball.moment) < tolerance(float, 5)
    gradients = jax.grad(lambda *sizes: jnp.sum(SpatialInertia.solid_capsule(*sizes).moment), (0, 1, 2))(1.0, 0.0, 0.0)
    assert all(math.isfinite(float(gradient)) for gradient in gradients)


# ---- physical consistency


@pytest.mark.parametrize("dtype", [jnp.float32, jnp.float64])
def test_real_bodies_are_consistent(key, dtype):
    """Also thin ones, on the border of what is possible, and seen from 100 m away."""
    thin = [
        SpatialInertia.solid_cylinder(3.0, 0.0, 2.0),
        SpatialInertia.solid_box(1e-3, [1.0, 1e-3, 0.0]),
        SpatialInertia.point_mass(1e-3, [0.0, 0.0, 0.0]),
        SpatialInertia.point_mass(5.0, [1.0, 2.0, 3.0]),
        *(inertia for inertia, _, _ in SHAPES.values()),
    ]
    stacked = jax.tree.map(lambda *leaves: jnp.stack(leaves).astype(dtype), *thin)
    X_WB = random_transforms(key, dtype, len(thin))
    for scale in (0, 1, 100):
        moved = transport(Transform(X_WB.rotation, scale * X_WB.translation), stacked)
        assert bool(jnp.all(is_physically_consistent(moved)))
    assert bool(SpatialInertia.zero(dtype=dtype).is_physically_consistent())


def test_impossible_bodies_are_not_consistent(key):
    about_center = [
        (1.0, [1.0, 0, 0, 0.3, 0, 0.3]),  # a principal moment above the sum of the others
        (1.0, [1.0, 0.9, 0, 1.0, 0, 0.15]),  # the same, but for the axes
        (-1.0, [1.0, 0, 0, 1.0, 0, 1.0]),
        (1.0, [1.0, 0, 0, 1.0, 0, -1e-3]),
        (1.0, [math.nan, 0, 0, 1.0, 0, 1.0]),
    ]
    masses, moments = (jnp.array(column) for column in zip(*about_center, strict=True))
    X_WB = random_transforms(key, size=len(about_center))
    inertia = SpatialInertia.from_center_of_mass(masses, jnp.zeros((len(about_center), 3)), moments)
    for transform, unit in itertools.product((Transform.identity((len(about_center),)), X_WB), (1.0, 1e-9)):
        moved = jax.tree.map(lambda leaf: unit * leaf, transport(transform, inertia))  # noqa: B023
        assert not bool(jnp.any(is_physically_consistent(moved)))
    assert not SpatialInertia(0.0, [1e-9, 0, 0], [1.0, 0, 0, 1.0, 0, 1.0]).is_physically_consistent()
    assert not SpatialInertia(1.0, [1.0, 0, 0], [0.0] * 6).is_physically_consistent()  # too little moment for its COM
