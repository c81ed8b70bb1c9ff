"""Momentum is the sum over all bodies, by definition, about any point; the centre of mass moves with it."""

import jax
import jax.numpy as jnp
import pytest

import jaxdyn
from comparison import assert_close
from jaxdyn.spatial import Force, Transform
from laws.definitions import State, random_arguments
from models import ALL_MODELS


@pytest.mark.parametrize("name", ["floating_tree", "two_trees"])
def test_momentum_is_that_of_all_bodies(name):
    """About the world's origin, about a body's, and about the centre of mass; and so are the matrices."""
    m = ALL_MODELS[name]
    last = m.num_bodies - 1

    def pairs(arguments):
        s = State(m, *arguments)
        total = Force.from_vector(jnp.sum(s.inertias.apply(s.twists).vector, axis=0))
        matrix = jnp.sum(s.inertias.matrix() @ s.jacobians, axis=0)
        center = jnp.sum(s.inertias.first_moment, axis=0) / jnp.sum(s.inertias.mass)
        places = (Transform.identity(), s.poses[last].inverse(), Transform(jnp.eye(3), -center))
        expected = [(X.apply_force(total), X.force_matrix() @ matrix) for X in places]
        actual = [
            (jaxdyn.momentum(m, s.q, s.v), jaxdyn.momentum_matrix(m, s.q)),
            (
                jaxdyn.momentum(m, s.q, s.v, expressed_in=last),
                jaxdyn.momentum_matrix(m, s.q, expressed_in=m.body_names[last]),
            ),
            (jaxdyn.centroidal_momentum(m, s.q, s.v), jaxdyn.centroidal_momentum_matrix(m, s.q)),
        ]
        rate = s.rate(lambda q: jaxdyn.center_of_mass(m, q))
        actual.append((jaxdyn.center_of_mass_velocity(m, s.q, s.v), jaxdyn.center_of_mass_jacobian(m, s.q) @ s.v))
        return actual, [*expected, (rate, rate)]

    arguments = jax.jit(random_arguments)(m, jax.random.key(7))
    assert_close(*jax.jit(pairs)(arguments), operations=20000)


def test_nothing_without_mass_moves_a_center_of_mass():
    m = jaxdyn.attach(jaxdyn.Mechanism.empty(), "world", jaxdyn.joints.Revolute([0.0, 0.0, 1.0]), jaxdyn.Body("ghost"))
    q = jnp.ones(1)
    assert_close(jaxdyn.center_of_mass_velocity(m, q, q), jnp.zeros(3))
    assert_close(jaxdyn.center_of_mass_jacobian(m, q), jnp.zeros((3, 1)))
