"""What dynamics refuses: each message says what is wrong and what to do."""

import jax
import jax.numpy as jnp
import pytest

import jaxdyn
from jaxdyn import Body, Mechanism, attach
from jaxdyn._errors import InvalidValueError, MechanismError, ShapeError, UnknownNameError
from jaxdyn.joints import Fixed, Revolute
from jaxdyn.spatial import Force, SpatialInertia

ONE, TWO = jnp.zeros(1), jnp.zeros(2)


def wheel() -> Mechanism:
    body = Body("wheel", SpatialInertia.solid_sphere(1.0, 0.1))
    return attach(Mechanism.empty(), "world", Revolute([0.0, 0.0, 1.0]), body)


def with_massless_tail(**options) -> Mechanism:
    mechanism = attach(wheel(), "wheel", Revolute([1.0, 0.0, 0.0]), Body("tail"), name="spine", **options)
    return attach(mechanism, "tail", Fixed(), Body("tip"))


def test_unknown_method():
    with pytest.raises(InvalidValueError, match=r"one of articulated_body, mass_matrix, but is `crba`. Leave it out"):
        jaxdyn.forward_dynamics(wheel(), ONE, ONE, ONE, method="crba")


def test_articulated_bodies_with_a_joint_that_follows_another_one():
    mechanism = jaxdyn.add_mimic(with_massless_tail(), "spine", "wheel_joint")
    with pytest.raises(MechanismError, match=r"a joint of this mechanism follows another one. Leave out `method`"):
        jaxdyn.forward_dynamics(mechanism, ONE, ONE, ONE, method="articulated_body")


def test_unknown_wrench_frame():
    with pytest.raises(InvalidValueError, match=r"one of body_origin, world, body, but is `tool`. Use `wrench_at`"):
        jaxdyn.inverse_dynamics(wheel(), ONE, ONE, ONE, Force.zero((1,)), wrench_frame="tool")


@pytest.mark.parametrize("wrenches", [Force.zero((2,)), Force.zero(), jnp.zeros((1, 3))])
def test_wrong_number_of_wrenches(wrenches):
    with pytest.raises(ShapeError, match=r"shape \(num_bodies, 6\) = \(1, 6\).*Give one wrench per body"):
        jaxdyn.generalized_forces(wheel(), ONE, wrenches)


def test_wrenches_of_another_dtype():
    with pytest.raises(ShapeError, match=r"`external_wrenches` must have the mechanism's dtype.*Convert one of them"):
        jaxdyn.generalized_forces(wheel(), ONE, jnp.zeros((1, 6), jnp.float32))


@pytest.mark.parametrize("position", range(3))
def test_wrong_shapes(position):
    arguments = [ONE, ONE, ONE]
    arguments[position] = TWO
    for function, last in ((jaxdyn.inverse_dynamics, "v_dot"), (jaxdyn.forward_dynamics, "tau")):
        name = ("q", "v", last)[position]
        with pytest.raises(ShapeError, match=rf"`{name}` must have shape .* = \(1,\).*jax.vmap"):
            function(wheel(), *arguments)


@pytest.mark.parametrize("method", ["articulated_body", "mass_matrix"])
def test_a_joint_that_moves_no_inertia(method):
    remedy = (
        "joint `spine` moves none .bodies `tail`, `tip`.. Give one of these bodies a mass, give the joint an armature"
    )
    with pytest.raises(MechanismError, match=remedy):
        jaxdyn.forward_dynamics(with_massless_tail(), TWO, TWO, TWO, method=method)
    armed = with_massless_tail(armature=0.5)
    rate = jaxdyn.forward_dynamics(armed, TWO, TWO, jnp.array([0.0, 1.0]), method=method)[1]
    assert rate == pytest.approx(2.0, rel=1e-15)


def test_a_leader_that_moves_no_inertia():
    """Its follower comes first, and another joint in between."""
    mechanism = attach(Mechanism.empty(), "world", Revolute([1.0, 0.0, 0.0]), Body("tail"), name="tail")
    mechanism = attach(
        mechanism, "world", Revolute([1.0, 0.0, 0.0]), Body("wheel", SpatialInertia.solid_sphere(1.0, 0.1))
    )
    mechanism = attach(mechanism, "world", Revolute([1.0, 0.0, 0.0]), Body("tip"), name="spine")
    mechanism = jaxdyn.add_mimic(mechanism, "tail", "spine")
    with pytest.raises(MechanismError, match=r"joint `spine` moves none .bodies .*`tip`.*Give one of these bodies"):
        jaxdyn.forward_dynamics(mechanism, TWO, TWO, TWO)


@pytest.mark.parametrize("method", ["articulated_body", "mass_matrix"])
def test_traced_such_a_joint_does_not_accelerate(method):
    """And the other joints, and all derivatives, are what they are without it."""

    def acceleration(q, v, tau):
        return jaxdyn.forward_dynamics(with_massless_tail(), q, v, tau, method=method)

    tau = jnp.array([0.3, 1.0])
    v_dot = jax.jit(acceleration)(TWO, tau, tau)
    assert v_dot[1] == 0
    assert jnp.abs(v_dot[0] - 0.3 / (0.4 * 0.01)) < 1e-10
    for derivative in (jax.jit(jax.jacfwd(acceleration, (0, 1, 2))), jax.jit(jax.jacrev(acceleration, (0, 1, 2)))):
        assert all(jnp.all(jnp.isfinite(part)) for part in derivative(TWO, tau, tau))


def test_wrench_on_the_world():
    with pytest.raises(InvalidValueError, match=r"`world` is fixed to the world. Leave it out"):
        jaxdyn.wrench_at(wheel(), ONE, {"world": [0.0, 0.0, 1.0]})


@pytest.mark.parametrize("numbers", [[0.0, 1.0], [0.0] * 6])
def test_wrench_of_wrong_shape(numbers):
    """Six bare numbers could be in another program's order."""
    with pytest.raises(ShapeError, match=r"at `wheel` must be a `Force` or three numbers.*Give one wrench per frame"):
        jaxdyn.wrench_at(wheel(), ONE, {"wheel": numbers})


def test_unknown_axes_of_a_jacobian():
    with pytest.raises(UnknownNameError, match=r'`expressed_in` must be "world_aligned".*but is `LOCAL`.*print'):
        jaxdyn.geometric_jacobian(wheel(), ONE, "wheel", expressed_in="LOCAL")
