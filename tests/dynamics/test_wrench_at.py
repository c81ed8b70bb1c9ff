"""`wrench_at`: forces and wrenches at named frames do the work that the frames' Jacobians say."""

import jax
import jax.numpy as jnp

import jaxdyn
from jaxdyn.spatial import Force, Transform


def test_forces_at_frames_do_the_work_of_their_jacobians(key):
    arm = jaxdyn.add_frame(
        jaxdyn.load_example("arm"), "pen", "hand", Transform.from_rpy([0.1, 0.2, 0.3], [0.02, -0.1, 0.3])
    )
    q = jaxdyn.random_configuration(arm, key)
    force = jnp.array([1.0, -2.0, 3.0])
    wrench = Force(jnp.array([0.3, 0.2, -0.5]), jnp.array([4.0, 5.0, -6.0]))

    @jax.jit
    def work(arm, q):
        wrenches = jaxdyn.wrench_at(arm, q, {"pen": force, "finger": wrench})
        return (
            jaxdyn.generalized_forces(arm, q, wrenches),
            jaxdyn.geometric_jacobian(arm, q, "pen"),
            jaxdyn.geometric_jacobian(arm, q, "finger"),
        )

    forces, J_pen, J_finger = work(arm, q)
    expected = J_pen[3:].T @ force + J_finger.T @ wrench.vector
    assert jnp.max(jnp.abs(forces - expected)) <= 1e-13 * jnp.max(jnp.abs(expected))
