"""Rows of "Where derivatives and values may fail" that have no test next to the tests of their functions."""

import jax
import numpy as np

import jaxdyn
from conventions.programs import assert_near, joint_pose, joint_rates
from jaxdyn import Body, Mechanism, attach
from jaxdyn.joints import Planar, QuaternionFloating, RPYSpherical, SPQuatFloating
from jaxdyn.spatial import SpatialInertia

X = np.array([1.0, 0.0, 0.0])
NOTHING = np.zeros(3)


def test_roll_and_yaw_turn_about_one_axis():
    at_the_pole = np.array([0.3, np.pi / 2, 0.7])
    roll, yaw = (joint_rates(RPYSpherical(), at_the_pole, rates)[0] for rates in np.eye(3)[[0, 2]])
    assert_near(roll, -yaw, 1e-6)
    subspace = RPYSpherical().motion_subspace(at_the_pole)
    assert np.linalg.matrix_rank(subspace, tol=1e-12) == 2


def test_a_modified_rodrigues_vector_grows_beyond_half_a_turn():
    """By 1 rad/s at each angle its norm grows by (1 + norm²) / 4, as tan(angle / 4) does; normalised, it is short."""
    joint = SPQuatFloating()
    for angle in (0.5 * np.pi, 1.5 * np.pi, 1.99 * np.pi):
        norm = np.tan(angle / 4)
        q = np.array([*norm * X, *NOTHING])
        q_dot = joint.velocity_to_configuration_derivative(q, np.array([*X, *NOTHING]))
        assert_near(q_dot, [*(1 + norm**2) / 4 * X, *NOTHING], 1e-10)
        normalized = joint.normalize_configuration(q)
        assert np.linalg.norm(normalized[:3]) <= 1
        assert_near(joint_pose(joint, normalized)[0], joint_pose(joint, q)[0])
        step = joint.integrate(q, np.array([*0.01 * X, *NOTHING]))
        assert np.linalg.norm(step[:3]) <= 1


def test_no_twist_leads_a_whole_turn_to_another_place():
    """Half a turn to another place has a twist; those for a whole turn are as large as rounding makes."""
    joint, start = Planar([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]), np.zeros(3)
    half, whole = (joint.difference(start, np.array([1.0, 0.0, turn * np.pi])) for turn in (1, 2))
    assert_near(joint.integrate(start, half), [1, 0, np.pi])
    assert np.linalg.norm(half) < 4
    assert np.linalg.norm(whole) > 1e10
    assert np.all(np.isfinite(whole))


def test_mass_on_one_line_does_not_turn_about_it():
    dumbbell = SpatialInertia.point_mass(1.0, X) + SpatialInertia.point_mass(1.0, -X)
    mechanism = attach(Mechanism.empty(), "world", QuaternionFloating(), Body("dumbbell", dumbbell))
    q, v = np.array([1.0, *np.zeros(6)]), np.array([3.0, 4.0, 5.0, 6.0, 7.0, 8.0])
    average = jax.jit(jaxdyn.average_velocity)(mechanism, q, v)
    assert_near(average.vector, [0, 4, 5, 6, 7, 8])
