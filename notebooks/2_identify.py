# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# %% [markdown]
# # Identify: what is the robot carrying?
#
# Somebody put something into the arm's hand, and the dampers have aged. From torques and motions that were measured,
# with noise, we find the load's ten numbers and the damping. What another program calls a regressor is here a
# derivative: inverse dynamics is linear in the inertias, and `jax.jacfwd` takes them like any other argument.

# %%
import equinox as eqx
import jax
import jax.numpy as jnp
import matplotlib.pyplot as plt
import numpy as np
import optax
from jax.flatten_util import ravel_pytree

import jaxdyn
from jaxdyn.spatial import SpatialInertia, Transform

jax.config.update("jax_enable_x64", True)

arm = jaxdyn.load_example("arm")
hand = arm.body_index("hand")

# %% [markdown]
# The true robot, which we pretend not to know: a box of 1.5 kg in the hand, and dampers between a half and twice what
# the file says.

# %%
load = SpatialInertia.solid_box(1.5, [0.1, 0.06, 0.2])
at = Transform.from_rpy([0.3, -0.2, 0.1], [0.02, 0.01, 0.12])


def with_numbers(arm, load_in_hand, damping):
    """The arm with a load, given as ten numbers in the hand's frame, and other dampers."""
    inertias = jax.tree.map(lambda all, new: all.at[hand].add(new), arm.spatial_inertias, load_in_hand)
    return eqx.tree_at(lambda arm: (arm.spatial_inertias, arm.damping), arm, (inertias, damping))


true_load = at.apply_inertia(load)
true_damping = arm.damping * jnp.linspace(0.5, 2.0, arm.num_velocities)
true_arm = with_numbers(arm, true_load, true_damping)

# %% [markdown]
# ## The load, from torques: linear least squares
#
# Sixty states along a lively motion, and the torques that a real robot's motors would have reported.

# %%
generator = np.random.default_rng(0)
STATES, NOISE = 60, 0.02  # N m
q, v, v_dot = (generator.normal(size=(STATES, arm.num_velocities)) * size for size in (0.8, 1.0, 3.0))
v[:, -1] = v_dot[:, -1] = 0.0  # the finger stands still


@jax.jit
def torques(arm, q, v, v_dot):
    return jax.vmap(lambda q, v, v_dot: jaxdyn.inverse_dynamics(arm, q, v, v_dot))(q, v, v_dot)


measured = torques(true_arm, q, v, v_dot) + NOISE * generator.normal(size=v.shape)

# %% [markdown]
# Unknown are ten numbers of the load and eight dampers; the torques are linear in all of them, so one derivative at
# zero is the whole truth.

# %%
zero = (SpatialInertia.zero(), jnp.zeros(arm.num_velocities))
flat_zero, unflatten = ravel_pytree(zero)


@jax.jit
def regression(flat):
    def predicted(flat):
        return torques(with_numbers(arm, *unflatten(flat)), q, v, v_dot).ravel()

    return predicted(flat), jax.jacfwd(predicted)(flat)


offset, regressor = regression(flat_zero)
solution, *_ = jnp.linalg.lstsq(regressor, measured.ravel() - offset)
found_load, found_damping = unflatten(solution)
print(f"mass: {found_load.mass:.3f} kg, truly {true_load.mass:.3f}")
print(f"centre: {found_load.center_of_mass} m, truly {true_load.center_of_mass}")
print(f"damping: {found_damping}, truly {true_damping}; the finger stood still, so its damper stays unknown")

# %% [markdown]
# ## Dampers, from positions alone: a gradient through time
#
# Where no torque is measured, the simulator is the model. A double pendulum was let go and filmed for one second. The
# logarithms of its two dampings are found by descending the squared error of the whole film.

# %%
DT, STEPS = 0.01, 100
true_pendulum = jaxdyn.load_example("double_pendulum")
let_go, at_rest = jnp.array([1.2, -0.6]), jnp.zeros(2)
no_torque = jnp.zeros((STEPS, 2))


def film(log_damping):
    pendulum = eqx.tree_at(lambda robot: robot.damping, true_pendulum, jnp.exp(log_damping))
    return jaxdyn.rollout(pendulum, let_go, at_rest, no_torque, dt=DT)


true_log_damping = jnp.log(jnp.array([0.08, 0.03]))
positions = film(true_log_damping).q + 0.002 * generator.normal(size=(STEPS + 1, 2))
optimizer = optax.adam(0.1)


@jax.jit
def fit(log_damping):
    def error(log_damping):
        return jnp.mean((film(log_damping).q - positions) ** 2)

    def step(carry, _):
        log_damping, state = carry
        value, gradient = jax.value_and_grad(error)(log_damping)
        updates, state = optimizer.update(gradient, state)
        return (optax.apply_updates(log_damping, updates), state), value

    (log_damping, _), errors = jax.lax.scan(step, (log_damping, optimizer.init(log_damping)), length=150)
    return log_damping, errors


found_log_damping, errors = fit(jnp.log(jnp.array([0.5, 0.5])))
print(f"damping: {jnp.exp(found_log_damping)}, truly {jnp.exp(true_log_damping)}; error {jnp.sqrt(errors[-1]):.4f} rad")

# %%
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3), layout="constrained")
left.semilogy(jnp.sqrt(errors))
left.set(xlabel="gradient step", ylabel="error [rad]")
right.plot(positions, ".", markersize=3)
right.plot(film(found_log_damping).q)
right.set(xlabel="step", ylabel="angle [rad]")
plt.show()

# %% [markdown]
# ## Is it physics?
#
# Noise may make a fit that no body in the world could have. The load that was found must be one: positive mass, and
# moments that some distribution of mass can have. It must weigh what it weighs, and the pendulum must lose its energy
# to the dampers that were found.

# %%
motion = film(found_log_damping)
energies = jax.jit(jax.vmap(lambda q, v: jaxdyn.mechanical_energy(true_pendulum, q, v)))(motion.q, motion.v)
heat = DT * jnp.sum(jnp.exp(found_log_damping)[None] * motion.v[1:] ** 2)
print(f"energy lost: {energies[0] - energies[-1]:.4f} J, heat of the dampers: {heat:.4f} J")
assert bool(found_load.is_physically_consistent()), "the load must be a possible body"
assert abs(found_load.mass - true_load.mass) < 0.02, "the load must weigh 1.5 kg"
assert jnp.max(jnp.abs(found_load.center_of_mass - true_load.center_of_mass)) < 0.005, "and hang where it hangs"
assert jnp.max(jnp.abs(found_log_damping - true_log_damping)) < 0.1, "the dampers must be found within a tenth"
assert jnp.abs(energies[0] - energies[-1] - heat) < 0.05 * heat, "energy must go where the dampers are"
