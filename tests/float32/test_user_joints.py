"""Joints of a user whose constants are in double precision, in a mechanism in single precision."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxdyn
from models import ALL_MODELS, Numbers
from parity.comparison import relative_error

ROUNDINGS = 1e-5
"""About 200 roundings: the cases are well conditioned."""


@jax.jit
def _quantities(mechanism, q, v, tau):
    def energy(mechanism, q):
        return jaxdyn.mechanical_energy(mechanism, q, v)

    return {
        "poses": jaxdyn.body_transforms(mechanism, q),
        "bias accelerations": jaxdyn.bias_accelerations(mechanism, q, v),
        "jacobian": jaxdyn.geometric_jacobian(mechanism, q, "follower"),
        "rate of the jacobian": jaxdyn.jacobian_derivative(mechanism, q, v, "follower"),
        "inverse dynamics": jaxdyn.inverse_dynamics(mechanism, q, v, tau),
        "coriolis matrix": jaxdyn.coriolis_matrix(mechanism, q, v),
        **{m: jaxdyn.forward_dynamics(mechanism, q, v, tau, method=m) for m in ("articulated_body", "mass_matrix")},
        "configurations": (jaxdyn.integrate(mechanism, q, v, 0.1), jaxdyn.difference(mechanism, q, 2 * q)),
        "gradients": jax.grad(energy, argnums=(0, 1))(mechanism, q),
    }


@pytest.mark.long
def test_user_joints():
    single = ALL_MODELS["user_joints"].astype(jnp.float32)
    numbers = Numbers(71)
    sizes = (single.num_positions, single.num_velocities, single.num_velocities)
    arguments = [jnp.asarray(numbers.take(size), jnp.float32) for size in sizes]
    with jax.numpy_dtype_promotion("standard"):  # the tests forbid it to jaxdyn, which is not what a user has
        found = _quantities(single, *arguments)
    expected = _quantities(single.astype(jnp.float64), *(x.astype(jnp.float64) for x in arguments))
    for name, value in expected.items():
        leaves = zip(jax.tree.leaves(found[name]), jax.tree.leaves(value), strict=True)
        for leaf, other in leaves:
            assert leaf.dtype == jnp.float32, f"{name} in {leaf.dtype}"
            assert np.size(other) == 0 or relative_error(np.asarray(leaf), np.asarray(other)) < ROUNDINGS, name
