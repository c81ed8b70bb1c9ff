"""What `rollout` refuses: at once where a value is known, at run time where it is traced."""

import jax
import jax.numpy as jnp
import pytest

import jaxdyn
from jaxdyn import Body, InvalidValueError, Mechanism, ShapeError, attach
from jaxdyn.joints import Revolute
from jaxdyn.spatial import SpatialInertia

NAN = float("nan")
STATE = (jnp.zeros(1), jnp.zeros(1))
CONTROLS = jnp.zeros((3, 1))


def wheel() -> Mechanism:
    body = Body("wheel", SpatialInertia.solid_sphere(1.0, 0.1))
    return attach(Mechanism.empty(), "world", Revolute([0.0, 0.0, 1.0]), body)


def no_control(t, q, v):
    return jnp.zeros(1)


@pytest.mark.parametrize(
    ("q", "v"),
    [
        (jnp.zeros(2), jnp.zeros(1)),
        (jnp.zeros(1), jnp.zeros(2)),
        (jnp.zeros((4, 1)), jnp.zeros(1)),
        (jnp.zeros((4, 1)), jnp.zeros((3, 1))),
        (jnp.zeros((2, 4, 1)), jnp.zeros((2, 4, 1))),
        (0.0, 0.0),
    ],
)
def test_wrong_shapes_of_states(q, v):
    with pytest.raises(ShapeError, match=r"\(num_positions,\) = \(1,\).*Give one state per row"):
        jaxdyn.rollout(wheel(), q, v, CONTROLS, dt=0.1)


def test_function_without_number_of_steps():
    with pytest.raises(ShapeError, match=r"`controls` is a function. Pass `steps=`"):
        jaxdyn.rollout(wheel(), *STATE, no_control, dt=0.1)


@pytest.mark.parametrize("controls", [jnp.zeros(1), jnp.zeros((3, 2)), jnp.zeros((0, 1)), jnp.zeros((4, 3, 1)), 0.0])
def test_wrong_shape_of_controls(controls):
    with pytest.raises(ShapeError, match=r"\(steps, num_actuated\) = \(steps, 1\).*leave `steps` out"):
        jaxdyn.rollout(wheel(), *STATE, controls, dt=0.1)


def test_number_of_steps_contradicts_controls():
    with pytest.raises(ShapeError, match=r"= \(5, 1\).*has shape \(3, 1\).*leave `steps` out"):
        jaxdyn.rollout(wheel(), *STATE, CONTROLS, dt=0.1, steps=5)


def test_controls_of_another_batch():
    batch = (jnp.zeros((4, 1)), jnp.zeros((4, 1)))
    with pytest.raises(ShapeError, match=r"\(4, steps, 1\) with one row per state.*leave `steps` out"):
        jaxdyn.rollout(wheel(), *batch, jnp.zeros((2, 3, 1)), dt=0.1)


@pytest.mark.parametrize("name", ["steps", "checkpoint"])
@pytest.mark.parametrize("count", [0, -2])
def test_numbers_of_steps_that_are_not_positive(name, count):
    with pytest.raises(InvalidValueError, match=rf"`{name}` must be a positive .* {count}. Leave it out"):
        jaxdyn.rollout(wheel(), *STATE, CONTROLS, dt=0.1, **{name: count})


@pytest.mark.parametrize("dtype_of", ["q", "v", "controls", "dt"])
def test_another_dtype(dtype_of):
    numbers = {"q": STATE[0], "v": STATE[1], "controls": CONTROLS, "dt": jnp.asarray(0.1)}
    numbers[dtype_of] = numbers[dtype_of].astype(jnp.float32)
    with pytest.raises(ShapeError, match=rf"`{dtype_of}` must have the mechanism's dtype.*Convert one of them"):
        jaxdyn.rollout(wheel(), **numbers)


def test_function_of_another_dtype():
    with pytest.raises(ShapeError, match=r"`controls\(t, q, v\)` must have the mechanism's dtype.*Convert"):
        jaxdyn.rollout(wheel(), *STATE, lambda t, q, v: jnp.zeros(1, jnp.float32), dt=0.1, steps=2)


REFUSED_VALUES = [
    ("q", NAN, "`q` must be finite. Look for NaN"),
    ("q", float("inf"), "`q` must be finite. Look for NaN"),
    ("v", NAN, "`v` must be finite. Look for NaN"),
    ("dt", 0.0, "`dt` must be positive and finite.*Give seconds per step"),
    ("dt", -0.1, "`dt` must be positive and finite.*Give seconds per step"),
    ("dt", NAN, "`dt` must be positive and finite.*Give seconds per step"),
    ("dt", float("inf"), "`dt` must be positive and finite.*Give seconds per step"),
]


@jax.jit
def traced_rollout(mechanism, q, v, dt):
    return jaxdyn.rollout(mechanism, q[None], v[None], CONTROLS, dt=dt)


@pytest.mark.parametrize(("name", "value", "remedy"), REFUSED_VALUES)
def test_values(name, value, remedy):
    numbers = {"q": 0.0, "v": 0.0, "dt": 0.1, name: value}
    with pytest.raises(InvalidValueError, match=remedy):
        jaxdyn.rollout(wheel(), [numbers["q"]], [numbers["v"]], CONTROLS, dt=numbers["dt"])


@pytest.mark.parametrize(("name", "value", "remedy"), REFUSED_VALUES)
def test_traced_values(name, value, remedy):
    numbers = {"q": 0.0, "v": 0.0, "dt": 0.1, name: value}
    with pytest.raises(RuntimeError, match=remedy):
        jax.block_until_ready(traced_rollout(wheel(), *(jnp.asarray(x) for x in numbers.values())))


def test_one_bad_state_of_a_batch():
    q = jnp.zeros((5, 1)).at[3].set(NAN)
    with pytest.raises(InvalidValueError, match=r"`q` must be finite. Look for NaN"):
        jaxdyn.rollout(wheel(), q, jnp.zeros((5, 1)), CONTROLS, dt=0.1)


def test_integrator_that_is_none():
    with pytest.raises(InvalidValueError, match=r"`integrator` must be a `AbstractIntegrator`.*`RungeKutta4\(\)`"):
        jaxdyn.rollout(wheel(), *STATE, CONTROLS, dt=0.1, integrator=jaxdyn.RungeKutta4)
