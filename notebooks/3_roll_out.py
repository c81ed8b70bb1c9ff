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
# # Roll out: a thousand quadrupeds in the air
#
# A thousand robots whose masses differ by up to a third, thrown into the air with random motor torques. One call
# simulates them all, in single precision as a learner would; on a CPU the batch is cut into blocks that stay in the
# cache, on a GPU it is one.

# %%
import time

import equinox as eqx
import jax
import jax.numpy as jnp
import matplotlib.pyplot as plt

import jaxdyn
from jaxdyn.simulation import RungeKutta4

BATCH, STEPS, DT = 1024, 50, 0.01
quadruped = jaxdyn.load_example("quadruped")
print(quadruped)

# %% [markdown]
# The same robot, other numbers: `jax.vmap` maps over the mechanism's arrays as over any. Only the inertias differ here;
# the rest is shared.

# %%
keys = jax.random.split(jax.random.key(0), 4)
scales = jax.random.uniform(keys[0], (BATCH, quadruped.num_bodies), minval=0.75, maxval=1.33)


def scaled(scale):
    """The quadruped with each body's mass and moments scaled by a factor of its own."""
    inertias = jax.tree.map(lambda x: x * scale.reshape(-1, *[1] * (x.ndim - 1)), quadruped.spatial_inertias)
    return eqx.tree_at(lambda robot: robot.spatial_inertias, quadruped, inertias)


# %% [markdown]
# Every robot starts one metre up, with a speed and a spin of its own, and gets new torques in every step. Runge-Kutta
# costs four evaluations per step; `SemiImplicitEuler`, the default, one, and is less exact.

# %%
height = jnp.zeros(quadruped.num_positions).at[quadruped.q_index("root_joint")[-1]].set(1.0)
q = jnp.tile(jaxdyn.zero_configuration(quadruped) + height, (BATCH, 1))
v = 0.5 * jax.random.normal(keys[1], (BATCH, quadruped.num_velocities))
controls = 0.5 * jax.random.normal(keys[2], (BATCH, STEPS, quadruped.num_actuated))


@jax.jit
def simulate(scales, q, v, controls):
    def one(scale, q, v, controls):
        return jaxdyn.rollout(scaled(scale), q, v, controls, dt=DT, integrator=RungeKutta4())

    return jax.vmap(one)(scales, q, v, controls)


motion = jax.block_until_ready(simulate(scales, q, v, controls))  # compiles
start = time.perf_counter()
motion = jax.block_until_ready(simulate(scales, q, v, controls))
print(f"{BATCH * STEPS / (time.perf_counter() - start):.3g} steps per second")

# %% [markdown]
# ## Is it physics?
#
# Legs kick against each other and against the trunk, never against the world. So whatever the motors do, the centre of
# mass flies along a parabola, and the angular momentum about it stays what it was.


# %%
@jax.jit
def of_the_whole(scales, q, v):
    def one(scale, q, v):
        robot = scaled(scale)
        along = jax.vmap(lambda q, v: (jaxdyn.center_of_mass(robot, q), jaxdyn.centroidal_momentum(robot, q, v)))
        return *along(q, v), jaxdyn.total_mass(robot)

    return jax.vmap(one)(scales, q, v)


every = slice(None, None, 10)
centers, momenta, masses = of_the_whole(scales, motion.q[:, every], motion.v[:, every])
times = motion.times[0, every]
velocity = momenta.linear[:, 0] / masses[:, None]
parabola = centers[:, :1] + velocity[:, None] * times[:, None] + 0.5 * quadruped.gravity * times[:, None] ** 2
miss = jnp.max(jnp.abs(centers - parabola))
turn = jnp.max(jnp.abs(momenta.angular - momenta.angular[:, :1]))
largest = jnp.max(jnp.abs(momenta.angular))
print(f"farthest from the parabola: {1000 * miss:.3f} mm")
print(f"largest change of angular momentum: {turn:.5f} of {largest:.2f} kg m²/s")

# %%
figure, axes = plt.subplots(figsize=(5, 3), layout="constrained")
axes.plot(times, centers[:30, :, 2].T, color="tab:blue", linewidth=0.7)
axes.plot(times, parabola[:30, :, 2].T, "k.", markersize=3)
axes.set(xlabel="time [s]", ylabel="height of the centre of mass [m]")
plt.show()

# %%
assert jnp.all(jnp.isfinite(motion.q)), "no robot may be lost"
assert miss < 1e-3, "the centre of mass must fly along a parabola"
assert turn < 1e-2 * largest, "no torque may come from nowhere"
