"""The Coriolis matrix and the joints' wrenches lose no digits in single precision, 100 m from the world's origin."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxdyn
from jaxdyn import Mechanism
from parity.comparison import random_states, relative_error
from parity.robot_files import LIGHT_PACKAGES, load, robot, without_mimic

OF_LARGEST = 2e-6
OF_EACH_JOINT = 1e-5


@jax.jit
def quantities(mechanism: Mechanism, states: dict):
    def at(state):
        q, v, v_dot = (state[name] for name in ("q", "v", "v_dot"))
        wrenches = jaxdyn.joint_wrenches(mechanism, q, v, v_dot).vector
        return jaxdyn.coriolis_matrix(mechanism, q, v), wrenches

    return jax.vmap(at)(states)


@pytest.mark.parametrize("distance", [0.0, 100.0])
def test_far_from_the_origin(distance):
    name = "franka_panda/panda"
    mechanism = load(without_mimic(robot(name, *LIGHT_PACKAGES).text)[0], is_floating=False).astype(jnp.float32)
    mechanism = eqx.tree_at(lambda m: m.placements.translation, mechanism, replace_fn=lambda x: x.at[0].add(distance))
    states = {k: x.astype(np.float32) for k, x in random_states(mechanism, name).items() if k in ("q", "v", "v_dot")}
    C, wrenches = (np.asarray(x) for x in quantities(mechanism, states))
    expected = quantities(mechanism.astype(jnp.float64), {k: x.astype(np.float64) for k, x in states.items()})
    assert C.dtype == wrenches.dtype == np.float32
    assert relative_error(C, np.asarray(expected[0])) < OF_LARGEST
    # Each joint on its own: those of light fingers, too.
    for body in range(mechanism.num_bodies):
        for part in (slice(0, 3), slice(3, 6)):
            error = relative_error(wrenches[:, body, part], np.asarray(expected[1])[:, body, part])
            assert error < OF_EACH_JOINT, mechanism.body_names[body]
