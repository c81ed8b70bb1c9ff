"""What is true of one joint class only."""

import jax
import jax.numpy as jnp
import pytest

from comparison import assert_close
from jaxdyn.joints import Fixed, Planar, Prismatic, QuaternionFloating, QuaternionSpherical, Revolute
from jaxdyn.spatial import axis_angle_to_matrix

AXIS = jnp.array([0.6, 0.0, -0.8])


@pytest.mark.parametrize("length", [1e-20, 1.0, 1e20])
def test_the_length_of_an_axis_does_not_matter(length):
    q = jnp.array([0.7])
    assert_close(Revolute(length * AXIS).joint_transform(q).rotation, axis_angle_to_matrix(AXIS, jnp.asarray(0.7)))
    assert_close(Prismatic(length * AXIS).joint_transform(q).translation, 0.7 * AXIS)


def test_a_hinge_turns_by_the_right_hand_rule():
    hinge = Revolute([0, 0, 1])  # integers are welcome
    turned = hinge.joint_transform(jnp.array([jnp.pi / 2])).apply_vector(jnp.array([1.0, 0.0, 0.0]))
    assert_close(turned, jnp.array([0.0, 1.0, 0.0]))


def test_an_axis_keeps_its_length_and_dtype():
    assert_close(Revolute([0, 3, 4]).axis, jnp.array([0.0, 3.0, 4.0]))
    assert Revolute(jnp.ones(3, jnp.float32)).axis.dtype == jnp.float32


def test_the_derivative_along_an_axis_vanishes():
    """An axis is a direction: its length is no parameter."""

    def pose(axis):
        X = Revolute(axis).joint_transform(jnp.array([0.7]))
        Y = Prismatic(axis).joint_transform(jnp.array([0.7]))
        return X.rotation, Y.translation

    (R, p), (R_dot, p_dot) = jax.jvp(pose, (2 * AXIS,), (AXIS,))
    assert_close((R, p), (axis_angle_to_matrix(AXIS, jnp.asarray(0.7)), 0.7 * AXIS))
    assert_close((R_dot, p_dot), (jnp.zeros((3, 3)), jnp.zeros(3)))


def test_a_fixed_joint_has_no_numbers():
    assert jax.tree.leaves(Fixed()) == []
    assert (Fixed().num_positions, Fixed().num_velocities, Fixed().num_constraints) == (0, 0, 6)


def test_layout_of_a_floating_joint():
    """q = (w, x, y, z, p): a quarter turn about z, shifted; v = (ω, v) in the frame after."""
    joint, half = QuaternionFloating(), jnp.sqrt(0.5)
    q = jnp.array([half, 0.0, 0.0, half, 1.0, 2.0, 3.0])
    X = joint.joint_transform(q)
    assert_close(X.apply_point(jnp.array([1.0, 0.0, 0.0])), jnp.array([1.0, 3.0, 3.0]))
    q_dot = joint.velocity_to_configuration_derivative(q, jnp.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0]))
    assert_close(q_dot, jnp.array([0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0]))


def test_a_spherical_joint_is_a_floating_one_that_stays_in_place(key):
    spherical, floating = QuaternionSpherical(), QuaternionFloating()
    quaternion = spherical.random_configuration(key)
    q, omega = jnp.concatenate([quaternion, jnp.zeros(3)]), jnp.array([0.3, -0.2, 0.9])
    v = jnp.concatenate([omega, jnp.zeros(3)])
    assert_close(spherical.joint_transform(quaternion), floating.joint_transform(q))
    assert_close(spherical.integrate(quaternion, omega), floating.integrate(q, v)[:4])
    assert_close(
        spherical.velocity_to_configuration_derivative(quaternion, omega),
        floating.velocity_to_configuration_derivative(q, v)[:4],
    )


@pytest.mark.parametrize("axis", [[0.0, 0.0, 1.0], [0.0, -2.0, 0.0], [0.3, -1.1, 0.7]])
def test_a_planar_joint_moves_in_the_plane_normal_to_its_axis(axis):
    joint, normal = Planar.normal_to(axis), jnp.asarray(axis) / jnp.sqrt(jnp.sum(jnp.asarray(axis) ** 2))
    X = joint.joint_transform(jnp.array([0.3, -0.2, 0.9]))
    assert_close(X.translation @ normal, 0.0)
    assert_close(X.translation @ X.translation, 0.3**2 + 0.2**2)
    assert_close(X.rotation, axis_angle_to_matrix(normal, jnp.asarray(0.9)))


def test_the_axes_of_a_planar_joint_are_made_orthonormal():
    X = Planar([2.0, 0.0, 0.0], [5.0, 0.0, 3.0]).joint_transform(jnp.array([0.3, 0.2, 0.0]))
    assert_close(X.translation, jnp.array([0.3, 0.0, 0.2]))


@pytest.mark.parametrize("joint", [QuaternionSpherical(), QuaternionFloating()])
def test_random_rotations_are_uniform(joint, key):
    """The entries of a uniformly distributed rotation matrix have mean 0 and mean square 1/3."""
    q = jax.vmap(joint.random_configuration)(jax.random.split(key, 4000))
    rotations = jax.vmap(joint.joint_transform)(q).rotation
    assert jnp.max(jnp.abs(jnp.mean(rotations, axis=0))) < 0.04
    assert jnp.max(jnp.abs(jnp.mean(rotations**2, axis=0) - 1 / 3)) < 0.03
    positions = q[:, 4:]
    assert jnp.all(jnp.abs(positions) <= 0.5)
    assert joint.num_positions == 4 or jnp.all(jnp.max(positions, axis=0) - jnp.min(positions, axis=0) > 0.98)


def test_random_plain_coordinates_are_normal(key):
    q = jax.vmap(Revolute(AXIS).random_configuration)(jax.random.split(key, 4000))
    assert abs(float(jnp.mean(q))) < 0.06
    assert abs(float(jnp.std(q)) - 1) < 0.05
