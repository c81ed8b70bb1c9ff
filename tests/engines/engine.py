"""The comparison: one mechanism, a few states, what jaxdyn and another program say of them."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

import jax
import jax.numpy as jnp
import numpy as np

import jaxdyn
from jaxdyn import Mechanism
from jaxdyn.interop import Coordinates

NUM_STATES = 3
BOUND = 1e-10
"""Largest difference over the largest entry, or over 1 if that is larger."""

Answers = dict[str, np.ndarray]


class Engine(Protocol):
    """A model in another program.

    Attributes:
        joint_names: Its joints in its order.
    """

    joint_names: Sequence[str]

    def answers(self, q: Any, v: np.ndarray, v_dot: np.ndarray, tau: np.ndarray) -> Answers:
        """Poses of the bodies in jaxdyn's order, and, in the program's coordinates, what `quantities` has."""
        ...


class Converters(NamedTuple):
    """The two functions of `jaxdyn.interop` for one program."""

    to: Callable[..., Coordinates]
    back: Callable[..., Coordinates]


def random_states(mechanism: Mechanism, seed: int = 0) -> dict[str, np.ndarray]:
    """Normal numbers, of which quaternions are far from unit."""
    numbers = np.asarray(jax.random.normal(jax.random.key(seed), (NUM_STATES, 400)))  # one shape, compiled once
    nq, nv = mechanism.num_positions, mechanism.num_velocities
    parts = np.split(numbers, np.cumsum([nq, nv, nv, nv]), axis=1)
    return dict(zip(("q", "v", "v_dot", "tau"), parts[:-1], strict=True))


def _quantities(mechanism: Mechanism, states: dict[str, jax.Array]) -> dict[str, jax.Array]:
    def at(state):
        q, v, v_dot, tau = (state[name] for name in ("q", "v", "v_dot", "tau"))
        poses = jaxdyn.body_transforms(mechanism, q)
        return {
            "poses": jnp.concatenate([poses.rotation, poses.translation[..., None]], axis=-1),
            "mass matrix": jaxdyn.mass_matrix(mechanism, q),
            "inverse dynamics": jaxdyn.inverse_dynamics(mechanism, q, v, v_dot),
            "forward dynamics": jaxdyn.forward_dynamics(mechanism, q, v, tau, method="mass_matrix"),
        }

    return jax.vmap(at)(states)


quantities = jax.jit(_quantities)


def check_engine(mechanism: Mechanism, engine: Engine, converters: Converters) -> None:
    """Every quantity of the mechanism against the other program's; the converters there and back."""
    states = random_states(mechanism)
    ours = {name: np.asarray(x) for name, x in quantities(mechanism, states).items()}
    names = engine.joint_names
    theirs = converters.to(mechanism, names, **states)
    rows = [engine.answers(*jax.tree.map(lambda x, i=i: x[i], theirs)) for i in range(NUM_STATES)]
    found = {name: np.stack([row[name] for row in rows]) for name in rows[0]}
    T = velocity_matrix(mechanism, converters, names, states["q"])
    errors = {
        "poses": error(ours["poses"], found["poses"]),
        "mass matrix": error(ours["mass matrix"], T.swapaxes(1, 2) @ found["mass matrix"] @ T),
        "inverse dynamics": error(
            ours["inverse dynamics"], converters.back(mechanism, names, theirs.q, tau=found["inverse dynamics"]).tau
        ),
        "forward dynamics": error(
            ours["forward dynamics"],
            converters.back(mechanism, names, theirs.q, theirs.v, v_dot=found["forward dynamics"]).v_dot,
        ),
    }
    again = converters.back(mechanism, names, *theirs)._asdict()
    errors |= {f"{name} there and back": error(again[name], states[name]) for name in ("v", "v_dot", "tau")}
    errors["poses there and back"] = error(np.asarray(quantities(mechanism, again)["poses"]), ours["poses"])
    assert max(errors.values()) < BOUND, errors


def velocity_matrix(mechanism: Mechanism, converters: Converters, names: Sequence[str], q: np.ndarray) -> np.ndarray:
    """At each configuration, the matrix from our velocity to the other program's."""
    columns = converters.to(mechanism, names, q[:, None], np.eye(mechanism.num_velocities)[None]).v
    assert columns is not None
    return columns.swapaxes(1, 2)


def error(actual: np.ndarray | None, expected: np.ndarray) -> float:
    """Largest difference over the largest entry, or over 1 if that is larger."""
    assert actual is not None
    assert actual.shape == expected.shape
    return float(np.max(np.abs(actual - expected), initial=0.0) / np.max(np.abs(expected), initial=1.0))
