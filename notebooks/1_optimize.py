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
# # Optimize: a reach that costs little
#
# An arm moves its tool to a point in one second. The torques are found by gradient descent through the simulation:
# the rollout is a function of its controls like any other, and `jax.grad` differentiates it.

# %%
import jax
import jax.numpy as jnp
import matplotlib.pyplot as plt
import numpy as np
import optax

import jaxdyn

jax.config.update("jax_enable_x64", True)

arm = jaxdyn.load_example("arm")
print(arm)

# %% [markdown]
# The start: bent, at rest. The torques that hold the arm there are a good first guess for the controls.

# %%
DT, STEPS, KNOTS = 0.02, 50, 10
q_start = jnp.full(arm.num_positions, 0.4).at[arm.q_index("finger_joint")].set(0.0)
at_rest = jnp.zeros(arm.num_velocities)
holding = jax.jit(jaxdyn.inverse_dynamics)(arm, q_start, at_rest, at_rest)
start = jax.jit(lambda q: jaxdyn.relative_transform(arm, q, "tool").translation)(q_start)
target = start + jnp.array([0.2, 0.2, -0.2])

# %% [markdown]
# Controls are ten knots, joined by straight lines. A unit of each is the torque that gives its joint 10 rad/s², so that
# strong and weak joints learn at the same rate. The cost: distance from the target and speed at the end, and what the
# motors do beyond holding the arm.

# %%
unit = 10 * jnp.diagonal(jax.jit(jaxdyn.mass_matrix)(arm, q_start))
knot_times, step_times = np.linspace(0, 1, KNOTS), np.linspace(0, 1, STEPS)


def controls_of(knots):
    """One row of torques per step."""
    rows = jax.vmap(lambda column: jnp.interp(step_times, knot_times, column), in_axes=1, out_axes=1)(knots)
    return holding[None] + unit[None] * rows


def cost(knots):
    motion = jaxdyn.rollout(arm, q_start, at_rest, controls_of(knots), dt=DT)
    miss = jaxdyn.relative_transform(arm, motion.q[-1], "tool").translation - target
    effort = jnp.mean(knots**2)
    return 300 * jnp.sum(miss**2) + jnp.sum(motion.v[-1] ** 2) + 0.01 * effort, jnp.sqrt(jnp.sum(miss**2))


# %% [markdown]
# Adam, three hundred steps in one compiled program. Early gradients are steep, because the arm overshoots; they are
# clipped.

# %%
ITERATIONS = 300
optimizer = optax.chain(optax.clip_by_global_norm(10.0), optax.adam(optax.cosine_decay_schedule(0.02, ITERATIONS)))


@jax.jit
def optimize(knots):
    def step(carry, _):
        knots, state = carry
        (value, miss), gradient = jax.value_and_grad(cost, has_aux=True)(knots)
        updates, state = optimizer.update(gradient, state)
        return (optax.apply_updates(knots, updates), state), (value, miss)

    (knots, _), history = jax.lax.scan(step, (knots, optimizer.init(knots)), length=ITERATIONS)
    return knots, history


knots, (values, misses) = optimize(jnp.zeros((KNOTS, arm.num_actuated)))
print(f"distance from the target: {misses[0]:.3f} m at first, {1000 * misses[-1]:.1f} mm at the end")

# %%
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3), layout="constrained")
left.semilogy(values)
left.set(xlabel="gradient step", ylabel="cost")
right.plot(step_times * STEPS * DT, controls_of(knots))
right.set(xlabel="time [s]", ylabel="torque [N m]")
plt.show()

# %% [markdown]
# ## Is it physics?
#
# What the motors put in must be found again: as energy of the arm, or as heat in its dampers. The integral of the power
# is taken by the trapezoidal rule along a finer simulation of the same torques.

# %%
FINE = 20
fine_controls = jnp.repeat(controls_of(knots), FINE, axis=0)
motion = jaxdyn.rollout(arm, q_start, at_rest, fine_controls, dt=DT / FINE, integrator=jaxdyn.simulation.RungeKutta4())


@jax.jit
def balance(q, v):
    energy = jax.vmap(lambda q, v: jaxdyn.mechanical_energy(arm, q, v))(q[jnp.array([0, -1])], v[jnp.array([0, -1])])
    middle = 0.5 * (v[1:] + v[:-1])
    work = jnp.sum(fine_controls * middle) * DT / FINE
    heat = jnp.sum(arm.damping[None] * v**2) * DT / FINE
    return energy[1] - energy[0], work, heat


gained, work, heat = balance(motion.q, motion.v)
print(f"work {work:.4f} J = energy gained {gained:.4f} J + heat {heat:.4f} J")
assert misses[-1] < 0.02, "the tool must end within two centimetres of the target"
assert jnp.max(jnp.abs(motion.v[-1])) < 1.0, "and arrive slowly"
assert jnp.abs(work - gained - heat) < 0.01 * jnp.abs(work) + 1e-3, "energy must not come from nowhere"
