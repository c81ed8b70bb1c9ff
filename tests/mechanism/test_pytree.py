"""A mechanism is a pytree with few leaves: every transformation of JAX works on it directly."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxdyn
from comparison import assert_close
from jaxdyn import Body, Mechanism, attach
from jaxdyn.joints import Reversed, Revolute
from jaxdyn.spatial import SpatialInertia, Transform
from models import ALL_MODELS, Zoo, branching_arm, pendulum


@pytest.mark.parametrize("name", ALL_MODELS)
def test_few_leaves(name):
    leaves = jax.tree.leaves(ALL_MODELS[name])
    assert len(leaves) <= 30
    assert all(isinstance(leaf, jax.Array) and leaf.dtype == jnp.float64 for leaf in leaves)


def test_few_leaves_with_every_joint_class():
    """The number that the README names, with mimic joints and frames after joints, whatever the number of bodies."""
    classes = [getattr(jaxdyn.joints, name) for name in jaxdyn.joints.__all__ if not name.startswith("Abstract")]
    kinds = [cls for cls in classes if cls is not Reversed] * 3
    mechanism = jaxdyn.random_tree(jax.random.key(0), kinds)
    hinges = [name for name in mechanism.joint_names if isinstance(mechanism.joint(name), Revolute)]
    mechanism = jaxdyn.replace(mechanism, joint=hinges[0], stiffness=0.0, successor_placement=Transform.identity())
    assert len(jax.tree.leaves(jaxdyn.add_mimic(mechanism, *hinges[:2]))) == 29


def test_equal_topologies_are_equal_and_hash_alike():
    first, second = branching_arm(), branching_arm()
    assert first.topology == second.topology
    assert hash(first.topology) == hash(second.topology)
    assert jax.tree.structure(first) == jax.tree.structure(second)
    assert first.topology != pendulum().topology


def test_new_numbers_do_not_recompile():
    traced = []

    @jax.jit
    def energy(mechanism, q):
        traced.append(mechanism)
        return jaxdyn.gravitational_potential_energy(mechanism, q)

    first, second = branching_arm(), branching_arm()
    q = jnp.zeros(first.num_positions)
    doubled = jax.tree.map(lambda leaf: 2 * leaf, second)
    energies = [energy(mechanism, q) for mechanism in (first, second, doubled)]
    assert len(traced) == 1
    assert energies[0] == energies[1] != energies[2]
    energy(pendulum(), jnp.zeros(1))
    assert len(traced) == 2


def pendulum_of(mass) -> Mechanism:
    inertia = SpatialInertia.from_center_of_mass(mass, [0.0, 0.0, -0.5], [0.03, 0.0, 0.0, 0.03, 0.0, 0.01])
    return attach(Mechanism.empty(), "world", Revolute([0.0, 1.0, 0.0]), Body("bob", inertia))


def test_map_over_stacked_mechanisms():
    q = jnp.array([0.4])
    mechanisms = [pendulum_of(mass) for mass in (1.0, 2.0, 5.0)]
    stacked = jax.tree.map(lambda *leaves: jnp.stack(leaves), *mechanisms)
    actual = jax.vmap(jaxdyn.gravity_forces, in_axes=(0, None))(stacked, q)
    # m g l sin θ
    assert_close(actual[:, 0], jnp.array([1.0, 2.0, 5.0]) * 9.81 * 0.5 * jnp.sin(0.4))


def test_building_can_be_differentiated():
    """A mass that is given to `attach` is an argument like any other: here, of m g l sin θ."""

    def holding_torque(mass):
        return jaxdyn.gravity_forces(pendulum_of(mass), [0.4])[0]

    for derivative in (jax.grad(holding_torque), jax.jacfwd(holding_torque), jax.jit(jax.grad(holding_torque))):
        assert_close(derivative(2.0), jnp.asarray(9.81 * 0.5 * np.sin(0.4)))


def test_attaching_to_a_traced_mechanism():
    """Every number survives an edit under tracing, with its derivative."""

    def mass_and_axis(mechanism):
        extended = attach(mechanism, "bob", Revolute([1.0, 0.0, 0.0]), Body("more"))
        hinge = extended.joint("hinge")
        assert isinstance(hinge, Revolute)
        return jnp.sum(extended.spatial_inertias.mass) + hinge.axis[1]

    gradient = jax.grad(mass_and_axis)(pendulum())
    assert gradient.spatial_inertias.mass[0] == 1
    assert gradient.joint("hinge").axis.tolist() == [0, 1, 0]


def test_astype_converts_every_number_and_result():
    mechanism = ALL_MODELS["floating_tree"].astype(jnp.float32)
    assert all(leaf.dtype == jnp.float32 for leaf in jax.tree.leaves(mechanism))
    assert mechanism.dtype == jnp.float32
    q = jaxdyn.zero_configuration(mechanism)
    assert q.dtype == jaxdyn.random_configuration(mechanism, jax.random.key(0)).dtype == jnp.float32
    assert jax.eval_shape(jaxdyn.body_transforms, mechanism, q).rotation.dtype == jnp.float32
    assert jax.eval_shape(jaxdyn.forward_dynamics, mechanism, q, *[jnp.zeros(11, jnp.float32)] * 2).dtype == jnp.float32
    assert mechanism.astype(jnp.float64).topology == ALL_MODELS["floating_tree"].topology


def test_lists_and_integers_are_taken():
    mechanism = pendulum()
    assert_close(jaxdyn.gravity_forces(mechanism, [0]), jnp.zeros(1))
    assert_close(jaxdyn.kinetic_energy(mechanism, (0,), np.array([2])), jnp.asarray(0.5 * 4 * (0.03 + 2 * 0.25)))


def test_the_zoo_makes_a_model_once():
    made = []
    zoo = Zoo(a=lambda: made.append(1))
    assert (zoo["a"], zoo["a"], made, list(zoo), len(zoo)) == (None, None, [1], ["a"], 1)
