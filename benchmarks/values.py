"""Compare values before anything is timed: the very programs that are timed answer for jaxdyn."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array

import jaxdyn

from .models import Model
from .peers import Peer
from .quantities import QUANTITIES, States, rollout_loss
from .table import OURS

NUM_CHECKED = 3
REFERENCE = "Pinocchio"
"""Every other program, jaxdyn among them, is compared with this one; without it, the peers are with jaxdyn."""

_SENSITIVE = ("FD", "dFD/dq", "rollout gradient")


def bound(quantity: str, dtype: Any) -> float:
    """Largest accepted difference, relative to the largest entry."""
    if dtype == jnp.float32:
        return 5e-2 if quantity in _SENSITIVE else 1e-4
    return 1e-6 if quantity in _SENSITIVE else 1e-9


class ValueCheck:
    """The answers of the peers to one question, at the first few states.

    Args:
        model: The robot.
        peers: The peers that have it loaded.
        quantity: What they are asked.
        states: At least `NUM_CHECKED` states.
    """

    def __init__(self, model: Model, peers: dict[str, Peer], quantity: str, states: States):
        self._model, self._quantity, self._states = model, quantity, states
        self._peers = {name: peer for name, peer in peers.items() if quantity in peer.quantities}
        few = {name: value[:NUM_CHECKED] for name, value in states.items()}
        self._answers = {name: peer.answers(quantity, few) for name, peer in self._peers.items()}

    def errors(self, batch: int, results: dict[str, Any]) -> dict[str, float]:
        """Largest difference from the reference, relative to the largest entry, by program.

        Args:
            batch: Number of states.
            results: What jaxdyn's programs computed for them; without a batch axis for one.
        """
        ours = {name: self._in_form_of_peers(batch, result) for name, result in results.items()}
        reference = self._answers.get(REFERENCE, ours[OURS])
        if self._quantity == "rollout gradient":
            errors = {name: self._finite_difference_error(batch, result) for name, result in results.items()}
        else:
            compared = ours if REFERENCE in self._answers else {name: ours[name] for name in ours if name != OURS}
            errors = {name: _difference(result, reference) for name, result in compared.items()}
        for name, answers in self._answers.items():
            if name != REFERENCE:
                expected = reference
                if self._quantity == "poses":
                    expected = reference[:, self._peers[name].pose_bodies]
                errors[name] = _difference(answers, expected)
        return errors

    def _in_form_of_peers(self, batch: int, result: Any) -> Any:
        """Results of jaxdyn with a batch axis; poses as matrices, derivatives by a small motion."""
        mechanism, q = self._model.mechanism, self._states["q"][:batch]
        if self._quantity == "rollout gradient":
            _, *by_state = result
            by_q, by_v, by_controls = (x[None] for x in by_state) if batch == 1 else by_state
            return jax.jit(jax.vmap(jaxdyn.tangent_gradient, (None, 0, 0)))(mechanism, q, by_q), by_v, by_controls
        if self._quantity == "poses":
            result = result.matrix()
        if self._quantity == "dFD/dq":
            result = result.q
        return result[None] if batch == 1 else result

    def _finite_difference_error(self, batch: int, gradient: Any) -> float:
        """Of the derivative by controls, initial states and all finite leaves together, in a random direction."""
        names = QUANTITIES["rollout gradient"].arguments
        inputs = [self._states[name][0] if batch == 1 else self._states[name][:batch] for name in names]
        leaves, structure = jax.tree.flatten((self._model.mechanism, *inputs))
        keys = jax.random.split(jax.random.key(1), len(leaves))
        direction = [
            jnp.where(jnp.isfinite(x), 0.1 * x * jax.random.normal(key, x.shape, x.dtype), 0)
            for x, key in zip(leaves, keys, strict=True)
        ]

        @jax.jit
        def loss(size: Array) -> Array:
            moved = [x + size * way for x, way in zip(leaves, direction, strict=True)]
            return rollout_loss(*jax.tree.unflatten(structure, moved))

        step = jnp.asarray(1e-2 if leaves[0].dtype == jnp.float32 else 1e-5, leaves[0].dtype)
        measured = float((loss(step) - loss(-step)) / (2 * step))
        slopes = jax.tree.leaves(gradient)
        predicted = sum(float(jnp.vdot(slope, way)) for slope, way in zip(slopes, direction, strict=True))
        return abs(measured - predicted) / abs(measured)


def _difference(actual: Any, expected: Any) -> float:
    """The largest difference of all parts, each relative to its own largest entry, over the states that both have."""
    errors = []
    for x, y in zip(jax.tree.leaves(actual), jax.tree.leaves(expected), strict=True):
        num_states = min(len(x), len(y))
        x, y = np.asarray(x[:num_states], dtype=float), np.asarray(y[:num_states], dtype=float)
        if x.shape != y.shape:
            raise ValueError(f"Results must have equal shapes, but have {x.shape} and {y.shape}.")
        errors.append(np.max(np.abs(x - y)) / np.max(np.abs(y)))
    return float(max(errors, key=lambda error: np.inf if np.isnan(error) else error))
