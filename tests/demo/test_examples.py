"""The robots that come with the package are sound."""

from importlib.resources import files

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxdyn
from tolerances import tolerance

# name, positions, velocities, actuated degrees of freedom, mass [kg]
ROBOTS = [("arm", 8, 8, 8, 15.24), ("quadruped", 19, 18, 12, 12.2), ("double_pendulum", 2, 2, 2, 1.7)]
names = pytest.mark.parametrize("name", [robot[0] for robot in ROBOTS])


def text_of(name: str) -> str:
    return (files("jaxdyn.description") / "data" / f"{name}.urdf").read_text(encoding="utf-8")


@names
def test_loads_strictly(name):
    jaxdyn.load_urdf(text_of(name), strict=True)


@pytest.mark.parametrize(("name", "positions", "velocities", "actuated", "mass"), ROBOTS)
def test_sizes_and_mass(name, positions, velocities, actuated, mass):
    robot = jaxdyn.load_example(name)
    assert (robot.num_positions, robot.num_velocities, robot.num_actuated) == (positions, velocities, actuated)
    assert abs(float(jaxdyn.total_mass(robot)) - mass) <= tolerance(jnp.float64) * mass


@names
def test_inertias_are_physically_consistent(name):
    robot = jaxdyn.load_example(name)
    assert bool(jnp.all(robot.spatial_inertias.is_physically_consistent()))


@names
def test_accelerations_are_finite(name, key):
    robot = jaxdyn.load_example(name)

    @jax.jit
    def accelerations():
        q = jaxdyn.random_configuration(robot, key)
        v = jnp.ones(robot.num_velocities)
        return jaxdyn.forward_dynamics(robot, q, v, jnp.zeros(robot.num_velocities))

    assert bool(jnp.all(jnp.isfinite(accelerations())))


@names
def test_zero_is_within_the_limits(name):
    robot = jaxdyn.load_example(name)
    q = jaxdyn.zero_configuration(robot)
    np.testing.assert_array_equal(jaxdyn.clamp_configuration(robot, q), q)


@pytest.mark.parametrize(
    ("name", "frame", "expected"), [("arm", "tool", [0.04, 0, 1.25]), ("double_pendulum", "tip", [0, 0, -0.75])]
)
def test_end_of_the_robot_at_zero(name, frame, expected):
    robot = jaxdyn.load_example(name)
    found = jax.jit(lambda q: jaxdyn.relative_transform(robot, q, frame).translation)(jaxdyn.zero_configuration(robot))
    np.testing.assert_allclose(found, expected, rtol=0, atol=tolerance(jnp.float64))


def test_quadruped_is_symmetric():
    robot = jaxdyn.load_example("quadruped")
    center = jax.jit(jaxdyn.center_of_mass)(robot, jaxdyn.zero_configuration(robot))
    assert abs(float(center[1])) <= tolerance(jnp.float64)
