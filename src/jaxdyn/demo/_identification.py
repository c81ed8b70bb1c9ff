"""Masses found from simulated motion, by Gauss-Newton on one-step predictions."""

from dataclasses import dataclass

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, ArrayLike, Bool, Float, PRNGKeyArray

from .._shapes import Configuration
from ..dynamics import gravity_forces
from ..mechanism import Mechanism, random_configuration
from ..simulation import Trajectory, rollout
from ._excitation import control_scale
from ._progress import Progress, silent

AIM = 1e-3
OFFSET = 0.3  # the start is this far off, up and down by turns
FREQUENCIES = 3  # sines per actuator
DEPENDENT = 1e-6  # a mass whose effect is explained by others up to this share is not identifiable
CONVERGED = 1e-9


@dataclass(frozen=True, eq=False)
class IdentificationResult:
    """Masses of links, true, at the start and found.

    Attributes:
        names: Bodies whose masses were looked for.
        held: Bodies whose masses this motion does not tell; they keep their true values.
        true: True masses [kg].
        start: Masses at the start [kg].
        found: Masses found [kg].
        error_history: Largest relative error before each iteration and at the end.
        num_samples: Number of steps of the motion used.
    """

    names: tuple[str, ...]
    held: tuple[str, ...]
    true: Float[np.ndarray, " links"]
    start: Float[np.ndarray, " links"]
    found: Float[np.ndarray, " links"]
    error_history: tuple[float, ...]
    num_samples: int

    @property
    def reached(self) -> bool:
        """Whether every mass is found up to the aim."""
        return bool(np.all(np.abs(self.found / self.true - 1) <= AIM))

    def rows(self) -> list[tuple[str, str]]:
        """What to print: label and value."""
        return [
            ("data", f"{self.num_samples} simulated steps, noise-free, float64"),
            ("", "true [kg]   start       found       relative error"),
            *(
                (name, f"{true:<12.5g}{start:<12.5g}{found:<12.7g}{abs(found / true - 1):.1e}")
                for name, true, start, found in zip(self.names, self.true, self.start, self.found, strict=True)
            ),
            ("not identifiable", ", ".join(self.held) or "none"),
            ("iterations", f"{len(self.error_history) - 1} of Gauss-Newton"),
            (f"all errors below {AIM:g}", "yes" if self.reached else "NO"),
        ]


def identify_masses(
    mechanism: Mechanism,
    key: PRNGKeyArray,
    *,
    steps: int = 150,
    dt: float = 0.005,
    iterations: int = 10,
    progress: Progress = silent,
) -> IdentificationResult:
    """Find the masses of a robot from its motion, with shapes and centres of mass known.

    A motion is simulated with the true masses; then the masses are set 30 % too high
    and too low by turns, and from each state of the motion one
    step is predicted. Gauss-Newton makes the predictions agree. One factor per link scales mass, first moment and
    moment of inertia together; links whose factor the motion does not determine keep their true mass.

    Args:
        mechanism: The true robot, in float64: the steps are short, so that the digits matter.
        key: Random key of the motion.
        steps: Number of steps of the motion.
        dt: Length of a step [s].
        iterations: Largest number of iterations.
        progress: Called with an iterable and a text; passes the iterable through.

    Returns:
        True, initial and found masses.
    """
    trajectory, controls = _excited_motion(mechanism, key, steps, dt)
    true = np.asarray(mechanism.spatial_inertias.mass)
    up = np.cumsum(true > 0) % 2 == 1
    start = np.where(true > 0, np.log(np.where(up, 1 + OFFSET, 1 - OFFSET)), 0.0)
    sensitivities = jax.jit(jax.jacfwd(_prediction_errors, has_aux=True))
    matrix, _ = sensitivities(jnp.asarray(start), mechanism, trajectory, controls, dt)
    wanted = _identifiable(np.asarray(matrix))
    log_factors = np.where(wanted, start, 0.0)
    history = [float(np.max(np.abs(np.expm1(log_factors))))]
    for _ in progress(range(iterations), "identification"):
        matrix, errors = sensitivities(jnp.asarray(log_factors), mechanism, trajectory, controls, dt)
        change = np.linalg.lstsq(np.asarray(matrix)[:, wanted], -np.asarray(errors), rcond=None)[0]
        log_factors[wanted] += np.clip(change, -1, 1)
        history.append(float(np.max(np.abs(np.expm1(log_factors)))))
        if np.max(np.abs(change), initial=0) < CONVERGED:
            break
    names = np.array(mechanism.body_names)
    return IdentificationResult(
        names=tuple(names[wanted].tolist()),
        held=tuple(names[~wanted & (true > 0)].tolist()),
        true=true[wanted],
        start=(true * np.exp(start))[wanted],
        found=(true * np.exp(log_factors))[wanted],
        error_history=tuple(history),
        num_samples=steps,
    )


def _excited_motion(
    mechanism: Mechanism, key: PRNGKeyArray, steps: int, dt: float
) -> tuple[Trajectory, Float[Array, "steps num_actuated"]]:
    """A motion that shakes every actuator, held against gravity and damped, and the controls that made it."""
    key_q, key_frequency, key_phase = jax.random.split(key, 3)
    actuated = mechanism.topology.actuated_velocities
    shape = (FREQUENCIES, mechanism.num_actuated)
    frequency = 2 * jnp.pi * jax.random.uniform(key_frequency, shape, mechanism.dtype, minval=0.3, maxval=2.0)
    phase = 2 * jnp.pi * jax.random.uniform(key_phase, shape, mechanism.dtype)

    @jax.jit
    def simulate():
        q0 = random_configuration(mechanism, key_q)
        scale = control_scale(mechanism, q0)

        def control(t, q: Configuration, v):
            shaking = 4 * jnp.sum(jnp.sin(frequency * t + phase), axis=0)
            return gravity_forces(mechanism, q)[actuated] + scale * (shaking - 5 * v[actuated])

        rest = jnp.zeros(mechanism.num_velocities, dtype=mechanism.dtype)
        trajectory = rollout(mechanism, q0, rest, control, dt=dt, steps=steps)
        # The semi-implicit step asks for the control once, at the beginning of the step.
        return trajectory, jax.vmap(control)(trajectory.times[:-1], trajectory.q[:-1], trajectory.v[:-1])

    return simulate()


def _scaled(mechanism: Mechanism, factors: Float[Array, " num_bodies"]) -> Mechanism:
    """The mechanism with each body's inertia multiplied by a factor."""
    scaled = jax.vmap(lambda inertia, factor: jax.tree.map(lambda x: factor * x, inertia))(
        mechanism.spatial_inertias, factors
    )
    return eqx.tree_at(lambda mechanism: mechanism.spatial_inertias, mechanism, scaled)


def _prediction_errors(
    log_factors: Float[Array, " num_bodies"],
    mechanism: Mechanism,
    trajectory: Trajectory,
    controls: Float[Array, "steps num_actuated"],
    dt: ArrayLike,
) -> tuple[Float[Array, " errors"], Float[Array, " errors"]]:
    """Errors of the mean acceleration over each step, predicted from the state before it; twice, for `has_aux`."""
    model = _scaled(mechanism, jnp.exp(log_factors))
    predicted = rollout(model, trajectory.q[:-1], trajectory.v[:-1], controls[:, None], dt=dt)
    errors = ((predicted.v[:, -1] - trajectory.v[1:]) / dt).ravel()
    return errors, errors


def _identifiable(matrix: Float[np.ndarray, "errors parameters"]) -> Bool[np.ndarray, " parameters"]:
    """Which columns to keep so that they are independent: the largest first, each freed of those kept before."""
    rest = matrix.copy()
    kept = np.zeros(matrix.shape[1], dtype=bool)
    limit = DEPENDENT * np.max(np.sqrt(np.sum(rest**2, axis=0)), initial=0)
    for _ in range(min(matrix.shape)):
        sizes = np.where(kept, 0.0, np.sqrt(np.sum(rest**2, axis=0)))
        chosen = int(np.argmax(sizes))
        if sizes[chosen] <= limit:
            break
        kept[chosen] = True
        direction = rest[:, chosen] / sizes[chosen]
        rest -= np.outer(direction, direction @ rest)
    return kept
