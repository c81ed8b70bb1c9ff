"""Swinging up a double pendulum whose motors are too weak to lift it: optimisation through the simulator."""

import time
from dataclasses import dataclass

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax
from jaxtyping import Array, Float, PRNGKeyArray

from ..kinematics import relative_transform
from ..mechanism import Mechanism
from ..simulation import Trajectory, rollout
from ._progress import Progress, silent

HEIGHT_AIM = 0.95  # tip above the pivot, in units of the total length
SPEED_AIM = 1.0  # fastest joint at the end [rad/s]

DT = 0.01  # [s]
KNOTS = 24  # controls are held for HOLD steps: 2.4 s in all
HOLD = 10
TORQUE_LIMITS = (5.0, 2.0)  # shoulder and elbow [N m]; holding the pendulum level takes 9.1 and 2.4
ITERATIONS = 500  # at most; usually about half of them are needed
LEARNING_RATE = 0.05
END_ROWS = 30  # the last 0.3 s count as the end
SPEED_COST = 0.02  # of the end, against the height in units of the length
MOTION_COST = 0.003  # of the way there: discourages whirling
# Stop when the aims are met with room to spare.
HEIGHT_STOP = 0.97
SPEED_STOP = 0.5


@dataclass(frozen=True, eq=False)
class SwingUpResult:
    """A swing-up found by gradient descent.

    Attributes:
        times: Times of the rows [s].
        elbow: Positions of the elbow, in the vertical plane: x and z [m].
        tip: Positions of the tip.
        controls: Torques of shoulder and elbow, one row per step [N m].
        length: Distance of the tip from the pivot when stretched [m].
        end_speed: Speed of the faster joint in the last row [rad/s].
        iterations: Number of gradient steps made.
        seconds: Time taken, compilation included.
    """

    times: Float[np.ndarray, " rows"]
    elbow: Float[np.ndarray, "rows 2"]
    tip: Float[np.ndarray, "rows 2"]
    controls: Float[np.ndarray, "steps 2"]
    length: float
    end_speed: float
    iterations: int
    seconds: float

    @property
    def end_height(self) -> float:
        """Height of the tip above the pivot in the last row, in units of the length."""
        return float(self.tip[-1, 1]) / self.length

    @property
    def reached(self) -> bool:
        """Whether the tip is high and slow at the end."""
        return self.end_height >= HEIGHT_AIM and self.end_speed <= SPEED_AIM

    def rows(self) -> list[tuple[str, str]]:
        """What to print: label and value."""
        limits = " and ".join(f"{limit:g}" for limit in TORQUE_LIMITS)
        return [
            ("torque limits", f"{limits} N m at shoulder and elbow: too weak to lift it straight up"),
            ("tip height at the end", f"{self.end_height:.4f} of the length (aim {HEIGHT_AIM:g})"),
            ("joint speed at the end", f"{self.end_speed:.3f} rad/s (aim {SPEED_AIM:g})"),
            ("gradient steps", f"{self.iterations} of at most {ITERATIONS}, in {self.seconds:.1f} s with compilation"),
            ("swing-up succeeded", "yes" if self.reached else "NO"),
        ]


def swing_up(
    mechanism: Mechanism, key: PRNGKeyArray, *, iterations: int = ITERATIONS, progress: Progress = silent
) -> SwingUpResult:
    """Find torques that swing a hanging double pendulum up and stop it there.

    The torques are held for a tenth of a second each and squashed by tanh into their limits; Adam follows the gradient
    of the rollout, from small random torques, until the tip is up and slow.

    Args:
        mechanism: The example `double_pendulum`, in any dtype.
        key: Random key of the initial torques.
        iterations: Largest number of gradient steps, at least 1.
        progress: Called with an iterable and a text; passes the iterable through.

    Returns:
        The motion found, and whether it meets the aims.
    """
    start = time.perf_counter()
    parameters = 0.1 * jax.random.normal(key, (KNOTS, 2), dtype=mechanism.dtype)
    state = _optimizer().init(parameters)
    result = None
    for iteration in progress(range(iterations), "swing-up"):
        parameters, state, motion = _improve(mechanism, parameters, state)
        result = _result(motion, iteration, start)
        if result.end_height >= HEIGHT_STOP and result.end_speed <= SPEED_STOP:
            break
    assert result is not None, "at least one iteration"
    return result


def _result(motion: "_Motion", iteration: int, start: float) -> SwingUpResult:
    """The numbers of the motion that the given step found; the gradient there has not been followed yet."""
    return SwingUpResult(
        times=np.asarray(motion.trajectory.times),
        elbow=np.asarray(motion.elbow),
        tip=np.asarray(motion.tip),
        controls=np.asarray(motion.controls),
        length=float(motion.length),
        end_speed=float(np.max(np.abs(np.asarray(motion.trajectory.v)[-1]))),
        iterations=iteration,
        seconds=time.perf_counter() - start,
    )


class _Motion(eqx.Module):
    """What a rollout gave."""

    trajectory: Trajectory
    elbow: Float[Array, "rows 2"]
    tip: Float[Array, "rows 2"]
    controls: Float[Array, "steps 2"]
    length: Float[Array, ""]


def _optimizer() -> optax.GradientTransformation:
    return optax.adam(LEARNING_RATE, b2=0.99)  # a short memory: the gradient grows a hundredfold on the way


def _torques(parameters: Float[Array, "knots 2"]) -> Float[Array, "steps 2"]:
    limits = jnp.asarray(TORQUE_LIMITS, dtype=parameters.dtype)
    return jnp.repeat(jnp.tanh(parameters) * limits[None], HOLD, axis=0)


def _positions(mechanism: Mechanism, q: Float[Array, "rows 2"], frame: str) -> Float[Array, "rows 2"]:
    """Coordinates x and z of a frame's origin."""
    return jax.vmap(lambda q: relative_transform(mechanism, q, frame).translation[jnp.array([0, 2])])(q)


def _cost(parameters: Float[Array, "knots 2"], mechanism: Mechanism) -> tuple[Float[Array, ""], _Motion]:
    hanging, torques = jnp.zeros(2, dtype=parameters.dtype), _torques(parameters)
    trajectory = rollout(mechanism, hanging, hanging, torques, dt=DT)
    elbow, tip = (_positions(mechanism, trajectory.q, frame) for frame in ("lower", "tip"))
    length = -tip[0, 1]
    end_speeds = jnp.sum(trajectory.v[-END_ROWS:] ** 2, axis=-1)
    cost = (
        jnp.mean(1 - tip[-END_ROWS:, 1] / length)
        + SPEED_COST * jnp.mean(end_speeds)
        + MOTION_COST * jnp.mean(trajectory.v**2)
    )
    return cost, _Motion(trajectory, elbow, tip, torques, length)


@eqx.filter_jit
def _improve(
    mechanism: Mechanism, parameters: Float[Array, "knots 2"], state: optax.OptState
) -> tuple[Float[Array, "knots 2"], optax.OptState, _Motion]:
    """One step of Adam, and the motion before it."""
    gradient, motion = jax.grad(_cost, has_aux=True)(parameters, mechanism)
    updates, state = _optimizer().update(gradient, state)
    return jax.tree.map(jnp.add, parameters, updates), state, motion
