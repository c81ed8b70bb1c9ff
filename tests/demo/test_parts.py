"""Each part of the demo does what it says, with small sizes."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxdyn import load_example
from jaxdyn.demo import SwingUpResult, check_gradient, identify_masses, swing_up, time_rollouts


def test_rollouts_are_finite_and_timed(key):
    pendulum = load_example("double_pendulum").astype(jnp.float32)
    result = time_rollouts(pendulum, key, batch=5, steps=7)
    assert result.q.shape == (5, 8, 2)
    assert result.dtype == "float32"
    assert result.reached
    assert result.steps_per_second == 5 * 7 / result.run_seconds


def test_rollouts_report_what_is_not_finite(key):
    pendulum = load_example("double_pendulum")
    broken = eqx.tree_at(lambda robot: robot.damping, pendulum, jnp.array([jnp.nan, 0.0]))
    result = time_rollouts(broken, key, batch=2, steps=2)
    assert not result.reached
    assert dict(result.rows())["all states finite"] == "NO"


def test_gradient_agrees_with_finite_differences(key):
    result = check_gradient(load_example("double_pendulum"), key, steps=20)
    assert set(result.errors) == {"controls", "initial state", "model leaves"}
    assert result.reached, result.errors


@pytest.mark.long
def test_gradient_error_is_noticed_in_single_precision(key):
    result = check_gradient(load_example("double_pendulum").astype(jnp.float32), key, steps=20)
    assert not result.reached


def test_masses_are_found(key):
    result = identify_masses(load_example("double_pendulum"), key, steps=40)
    assert result.names == ("upper", "lower")
    assert result.held == ()
    np.testing.assert_allclose(np.abs(result.start / result.true - 1), 0.3)
    assert result.reached, result.rows()
    assert result.error_history[1] > 1e-3  # one iteration would not have been enough


@pytest.mark.long
def test_a_mass_that_does_not_move_is_held(key):
    pendulum = load_example("double_pendulum")
    weightless = eqx.tree_at(lambda robot: robot.gravity, pendulum, jnp.zeros(3))
    locked = eqx.tree_at(lambda robot: robot.armature, weightless, jnp.array([1e12, 0.0]))
    result = identify_masses(locked, key, steps=40)
    assert result.names == ("lower",)
    assert result.held == ("upper",)


def swing_up_from(seed: int, **options) -> SwingUpResult:
    pendulum = load_example("double_pendulum").astype(jnp.float32)
    with jax.numpy_dtype_promotion("standard"):  # optax mixes floats and integers
        return swing_up(pendulum, jax.random.key(seed), **options)


def check_swing_up(seed: int) -> None:
    result = swing_up_from(seed)
    assert result.reached, result.rows()
    assert result.end_height >= 0.95
    assert result.end_speed <= 1.0
    assert np.all(np.abs(result.controls) <= np.array([5.0, 2.0]))
    np.testing.assert_allclose(result.tip[0], [0, -result.length], atol=1e-6)


def test_swing_up():
    check_swing_up(0)


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_swing_up_from_other_seeds(seed):
    check_swing_up(seed)


def test_swing_up_needs_iterations():
    result = swing_up_from(0, iterations=5)
    assert not result.reached
    assert dict(result.rows())["swing-up succeeded"] == "NO"
