"""What is measured, and jaxdyn's way to compute it. Every function takes the mechanism first."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp
from jaxtyping import Array

import jaxdyn
from jaxdyn import Mechanism

from .models import TOOL

NUM_STEPS = 100
TIME_STEP = 0.002  # s

States = dict[str, Array]
"""`q`, `v`, `v_dot`, `tau` and `controls` by name, states on the first axis."""


@dataclass(frozen=True)
class Quantity:
    """One thing to compute.

    Attributes:
        function: Of the mechanism and the arguments, for one state.
        arguments: Names of the arguments.
        largest_batch: Larger batches are cut to this size: costly quantities would take minutes.
    """

    function: Callable
    arguments: tuple[str, ...]
    largest_batch: int = 1_000_000


def rollout_loss(mechanism: Mechanism, q: Array, v: Array, controls: Array) -> Array:
    """Half the squared norm of the last state; summed over a batch."""
    trajectory = jaxdyn.rollout(mechanism, q, v, controls, dt=TIME_STEP)
    return final_loss(trajectory.q[..., -1, :], trajectory.v[..., -1, :])


def final_loss(q: Array, v: Array) -> Array:
    """What the rollout's gradient is taken of."""
    return 0.5 * (jnp.sum(q**2) + jnp.sum(v**2))


QUANTITIES: dict[str, Quantity] = {
    "ID": Quantity(jaxdyn.inverse_dynamics, ("q", "v", "v_dot")),
    "M": Quantity(jaxdyn.mass_matrix, ("q",)),
    "FD": Quantity(jaxdyn.forward_dynamics, ("q", "v", "tau")),
    "poses": Quantity(jaxdyn.body_transforms, ("q",)),
    "jacobian": Quantity(lambda mechanism, q: jaxdyn.geometric_jacobian(mechanism, q, TOOL), ("q",)),
    "dFD/dq": Quantity(jaxdyn.forward_dynamics_derivatives, ("q", "v", "tau"), 256),  # by v and tau, too
    "rollout gradient": Quantity(jax.grad(rollout_loss, argnums=(0, 1, 2, 3)), ("q", "v", "controls"), 64),
}

DEFAULT_QUANTITIES = ("ID", "M", "FD", "poses", "jacobian", "dFD/dq")


def program_for_any_model(quantity: Quantity, batch: int) -> Callable:
    """The jitted function of (mechanism, *arguments)."""
    return jax.jit(_of_batch(quantity, batch))


def program_for_one_model(quantity: Quantity, batch: int, mechanism: Mechanism) -> Callable:
    """The jitted function of the other arguments: the model's numbers are constants of the program, as in frax."""
    return jax.jit(partial(_of_batch(quantity, batch), mechanism))


def _of_batch(quantity: Quantity, batch: int) -> Callable:
    """The function of (mechanism, *arguments) for a batch: `rollout` takes one itself, everything else is mapped."""
    if batch == 1 or quantity is QUANTITIES["rollout gradient"]:
        return quantity.function
    return jax.vmap(quantity.function, in_axes=(None, *[0] * len(quantity.arguments)))


def random_states(mechanism: Mechanism, count: int) -> States:
    """Configurations inside the limits; forces are those of random accelerations: random forces would spin hands."""
    keys = jax.random.split(jax.random.key(0), 3)
    dtype, shape = mechanism.dtype, (count, mechanism.num_velocities)
    q = jax.jit(jax.vmap(jaxdyn.random_configuration, (None, 0)))(mechanism, jax.random.split(keys[0], count))
    v = 0.5 * jax.random.normal(keys[1], shape, dtype)
    v_dot = jax.random.normal(keys[2], shape, dtype)
    tau = jax.jit(jax.vmap(jaxdyn.inverse_dynamics, (None, 0, 0, 0)))(mechanism, q, v, v_dot)
    actuated = tau[:, mechanism.topology.actuated_velocities]
    controls = jnp.repeat(actuated[:, None], NUM_STEPS, axis=1)
    return {"q": q, "v": v, "v_dot": v_dot, "tau": tau, "controls": controls}
