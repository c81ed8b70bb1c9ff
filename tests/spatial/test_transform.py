"""Transforms, motions and forces: group laws, and laws that tie the two kinds of six-vectors together."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxdyn.spatial import Force, Motion, SpatialInertia, Transform, quaternion_to_matrix, rpy_to_matrix
from tolerances import tolerance

from .samples import deviation, random_transforms


def random_vectors(key, kind, dtype=float, size=8):
    return kind.from_vector(jax.random.normal(key, (size, 6), dtype))


def batched_matvec(matrices, vectors):
    return jnp.einsum("nij,nj->ni", matrices, vectors)


DTYPES = (jnp.float32, jnp.float64)


@pytest.mark.parametrize("dtype", DTYPES)
def test_group_laws(key, dtype):
    X_WA, X_AB, X_BC = (random_transforms(k, dtype) for k in jax.random.split(key, 3))
    bound = tolerance(dtype, 50)
    assert deviation(((X_WA @ X_AB) @ X_BC).matrix(), (X_WA @ (X_AB @ X_BC)).matrix()) < bound
    assert deviation((X_WA @ X_WA.inverse()).matrix(), Transform.identity((8,), dtype).matrix()) < bound
    for matrix in (Transform.matrix, Transform.motion_matrix, Transform.force_matrix):
        assert deviation(matrix(X_WA @ X_AB), matrix(X_WA) @ matrix(X_AB)) < bound
        assert matrix(X_WA).dtype == dtype


def test_actions_are_their_matrices(key):
    X_WB, motion, force = random_transforms(key), random_vectors(key, Motion), random_vectors(key, Force)
    point = motion.linear
    homogeneous = jnp.concatenate([point, jnp.ones((8, 1))], axis=-1)
    bound = tolerance(float, 20)
    assert deviation(X_WB.apply_point(point), batched_matvec(X_WB.matrix(), homogeneous)[:, :3]) < bound
    assert deviation(X_WB.apply_vector(point), batched_matvec(X_WB.rotation, point)) < bound
    assert deviation(X_WB.apply_motion(motion).vector, batched_matvec(X_WB.motion_matrix(), motion.vector)) < bound
    assert deviation(X_WB.apply_force(force).vector, batched_matvec(X_WB.force_matrix(), force.vector)) < bound


def test_a_twist_is_a_velocity_field(key):
    """The velocity of every point is ω × r + v, in both frames."""
    X_WB, V = random_transforms(key), random_vectors(key, Motion)
    point = jax.random.normal(jax.random.fold_in(key, 1), (8, 3))
    V_W, point_W = X_WB.apply_motion(V), X_WB.apply_point(point)
    in_B = V.linear + jnp.cross(V.angular, point)
    assert deviation(V_W.linear + jnp.cross(V_W.angular, point_W), X_WB.apply_vector(in_B)) < tolerance(float, 20)


@pytest.mark.parametrize("dtype", DTYPES)
def test_power_does_not_depend_on_the_frame(key, dtype):
    X_WB, motion, force = (
        random_transforms(key, dtype),
        random_vectors(key, Motion, dtype),
        random_vectors(jax.random.fold_in(key, 1), Force, dtype),
    )
    assert deviation(X_WB.apply_motion(motion).dot(X_WB.apply_force(force)), motion.dot(force)) < tolerance(dtype, 200)
    duality = jnp.swapaxes(X_WB.force_matrix(), -1, -2) @ X_WB.motion_matrix()
    assert deviation(duality, jnp.broadcast_to(jnp.eye(6, dtype=dtype), duality.shape)) < tolerance(dtype, 50)


def test_cross_products(key):
    """Jacobi, antisymmetry, duality of the two products, and invariance under a change of frame."""
    first, second, third = (random_vectors(k, Motion) for k in jax.random.split(key, 3))
    force, X_WB = random_vectors(key, Force), random_transforms(key)
    bound = tolerance(float, 100)
    cycle = ((first, second, third), (second, third, first), (third, first, second))
    assert deviation(sum(a.cross_motion(b.cross_motion(c)).vector for a, b, c in cycle), 0) < bound
    assert deviation(first.cross_motion(first).vector, 0) < bound
    assert deviation(first.cross_motion(second).dot(force), -second.dot(first.cross_force(force))) < bound
    moved = X_WB.apply_motion(first)
    product = moved.cross_motion(X_WB.apply_motion(second))
    assert deviation(product.vector, X_WB.apply_motion(first.cross_motion(second)).vector) < bound
    product = moved.cross_force(X_WB.apply_force(force))
    assert deviation(product.vector, X_WB.apply_force(first.cross_force(force)).vector) < bound


def test_constructors(key):
    rpy, quaternion, translation = jnp.array([0.1, -0.2, 0.3]), jnp.array([2.0, 1, -1, 0.5]), jnp.array([1.0, 2, 3])
    assert deviation(Transform.from_rpy(rpy, translation).rotation, rpy_to_matrix(rpy)) == 0
    X_WB = Transform.from_quaternion(quaternion, translation)
    assert deviation(X_WB.rotation, quaternion_to_matrix(quaternion)) == 0
    assert deviation(X_WB.translation, translation) == 0
    assert deviation(X_WB.quaternion(), quaternion / 2.5) < tolerance(float, 10)
    assert deviation(Transform.identity().apply_point(translation), translation) == 0


def test_lists_take_the_dtype_of_the_arrays():
    force = Force([0, 0, 1], jnp.ones(3, jnp.float32))
    assert force.vector.dtype == jnp.float32
    assert Motion([0, 0, 1], [0, 0, 0.5]).vector.dtype == jnp.float64
    assert Transform.from_rpy([0, 0, 0], jnp.ones(3, jnp.float32)).rotation.dtype == jnp.float32


@pytest.mark.parametrize("kind", [Motion, Force])
def test_arithmetic(key, kind):
    first, second = random_vectors(key, kind), random_vectors(jax.random.fold_in(key, 1), kind)
    factors = jnp.arange(8.0)
    assert deviation((first + second - first).vector, second.vector) < tolerance(float, 10)
    assert deviation((-first).vector, -first.vector) == 0
    for product in (first * 2, 2 * first, first * 2.0, np.float64(2) * first, jnp.asarray(2.0) * first):
        assert deviation(product.vector, 2 * first.vector) == 0
    assert deviation((factors * first).vector, factors[:, None] * first.vector) == 0
    assert deviation((first + kind.zero((8,))).vector, first.vector) == 0
    assert (2.0 * kind.zero(dtype=jnp.float32)).vector.dtype == jnp.float32


def test_different_kinds_do_not_add(key):
    for operation in (lambda a, b: a + b, lambda a, b: a - b):
        with pytest.raises(TypeError):
            operation(Motion.zero(), Force.zero())


def test_indexing_takes_entries_of_the_leading_axes(key):
    for stacked in (random_transforms(key), random_vectors(key, Motion), SpatialInertia.zero((8,))):
        one, some = stacked[3], stacked[1:4]
        for part, whole in zip(jax.tree.leaves(one), jax.tree.leaves(stacked), strict=True):
            assert deviation(part, whole[3]) == 0
        assert jax.tree.leaves(some)[0].shape[0] == 3
        with pytest.raises(IndexError):
            one[0]  # it would be a component
        with pytest.raises(TypeError):
            iter(stacked)  # Python would index for ever: JAX clamps an index past the end
