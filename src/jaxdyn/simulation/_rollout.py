"""Many steps in time, for one state or a batch of them."""

from collections.abc import Callable, Sequence
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jaxtyping import Array, ArrayLike, Float, Real

from .._errors import InvalidValueError, ShapeError
from .._shapes import Numbers
from .._tracing import is_traced
from ..mechanism import Mechanism, as_array, require_instance
from ._integrators import AbstractIntegrator, SemiImplicitEuler, forces_of_controls

Controls = Numbers | Callable[[Array, Array, Array], Array]


class Trajectory(eqx.Module):
    """States over time; the first row is the initial state.

    Attributes:
        times: Times [s].
        q: Configurations [rad or m].
        v: Velocities [rad/s or m/s].
    """

    times: Float[Array, " rows"]
    q: Float[Array, "*batch rows num_positions"]
    v: Float[Array, "*batch rows num_velocities"]


def rollout(
    mechanism: Mechanism,
    q: Real[Array | np.ndarray, "*batch num_positions"] | Sequence[Any],
    v: Real[Array | np.ndarray, "*batch num_velocities"] | Sequence[Any],
    controls: Controls,
    *,
    dt: ArrayLike,
    integrator: AbstractIntegrator | None = None,
    steps: int | None = None,
    checkpoint: int | None = None,
) -> Trajectory:
    """Simulate a mechanism under given controls.

    A batch of states runs in blocks that fit a CPU's cache; on other devices it runs at once. For a batch, pass it
    here rather than mapping this function. Position limits exert no force: a joint passes through them. With a
    function for `controls`, call this under `jax.jit`, or it is compiled again in every call.

    Args:
        mechanism: Any tree mechanism whose mass matrix is regular.
        q: Initial configuration, or a batch of them [rad or m].
        v: Initial velocity, or a batch of them [rad/s or m/s].
        controls: Generalized forces of the actuated degrees of freedom [N m or N]: an array (steps, num_actuated), or
            (batch, steps, num_actuated), held constant over each step; or a function of (t, q, v) of one state, asked
            at every stage of the integrator.
        dt: Length of a step [s].
        integrator: Rule for one step, `SemiImplicitEuler()` by default.
        steps: Number of steps; needed where `controls` is a function.
        checkpoint: Keep only every so many states for the reverse pass and compute the steps in between again: less
            memory, more time. None keeps what every step leaves behind.

    Returns:
        The states at steps + 1 times; with a batch, `q` and `v` have it as first axis.

    Raises:
        ShapeError: An array has the wrong shape or dtype, or the number of steps is missing or contradicts `controls`.
        InvalidValueError: A state is not finite, or `dt`, `steps` or `checkpoint` is not positive.
        RuntimeError: A traced value is wrong in this way; raised when the compiled program runs.

    Differentiability: smooth in `q`, `v`, `controls`, `dt` and every leaf of the mechanism, in both modes.
    """
    integrator = SemiImplicitEuler() if integrator is None else integrator
    require_instance(integrator, AbstractIntegrator, "`integrator`", "RungeKutta4()")
    q, v, dt = (as_array(mechanism, value, name) for value, name in ((q, "q"), (v, "v"), (dt, "dt")))
    _check_states(mechanism, q, v)
    if not callable(controls):
        controls = as_array(mechanism, controls, "controls")
    steps = _number_of_steps(mechanism, controls, steps, q.shape[:-1])
    _require_positive(checkpoint, "checkpoint")
    q = _require(q, jnp.all(jnp.isfinite(q)), "`q` must be finite. Look for NaN or inf in the initial states.")
    v = _require(v, jnp.all(jnp.isfinite(v)), "`v` must be finite. Look for NaN or inf in the initial states.")
    came = "" if is_traced(dt) else f", but is {dt}"
    dt = _require(
        dt, jnp.all(jnp.isfinite(dt) & (dt > 0)), f"`dt` must be positive and finite{came}. Give seconds per step."
    )
    times = dt * jnp.arange(steps + 1, dtype=mechanism.dtype)

    # A call outside of any transformation is compiled here, once for all numbers. Not with a function: what it looks up
    # outside of its arguments could change from call to call.
    is_plain = not callable(controls) and not is_traced((mechanism, integrator, q, v, controls, dt))
    simulate = _compiled_states if is_plain else _states
    return Trajectory(times, *simulate(mechanism, integrator, q, v, controls, times[:-1], dt, checkpoint))


def _states(mechanism, integrator, q, v, controls, times, dt, checkpoint):
    """Rows of q and v, for one initial state or a batch."""

    def of_one(q, v, controls):
        return _of_one_state(mechanism, integrator, q, v, controls, times, dt, checkpoint)

    if q.ndim == 1:
        return of_one(q, v, controls)
    if callable(controls) or controls.ndim == 2:
        shared = controls
        return _in_blocks(mechanism, lambda state: of_one(state[0], state[1], shared), (q, v))
    return _in_blocks(mechanism, lambda state: of_one(state[0], state[1], state[2]), (q, v, controls))


_compiled_states = eqx.filter_jit(_states)


def _of_one_state(mechanism, integrator, q, v, controls, times, dt, checkpoint):
    """Rows of q and v for one initial state."""

    def advance(state, inputs):
        t, control = inputs
        if control is None:

            def forces(t, q, v):
                return forces_of_controls(mechanism, as_array(mechanism, controls(t, q, v), "controls(t, q, v)"))
        else:
            constant = forces_of_controls(mechanism, control)

            def forces(t, q, v):
                return constant

        state = integrator.step(mechanism, t, *state, forces, dt)
        return state, state

    inputs = (times, None if callable(controls) else controls)
    _, (qs, vs) = _scan(advance, (q, v), inputs, checkpoint)
    return jnp.concatenate([q[None], qs]), jnp.concatenate([v[None], vs])


def _scan(advance, state, inputs, checkpoint: int | None):
    """Scan over steps; with `checkpoint`, over runs of that many steps, each of which is computed again in reverse."""
    if checkpoint is None:
        return lax.scan(advance, state, inputs)
    steps = inputs[0].shape[0]
    runs, rest = divmod(steps, checkpoint)

    @jax.checkpoint
    def run(state, inputs):
        return lax.scan(advance, state, inputs)

    in_runs = jax.tree.map(lambda x: x[: runs * checkpoint].reshape(runs, checkpoint, *x.shape[1:]), inputs)
    state, results = lax.scan(run, state, in_runs)
    state, last = run(state, jax.tree.map(lambda x: x[steps - rest :], inputs))
    merged = jax.tree.map(lambda x, y: jnp.concatenate([x.reshape(-1, *x.shape[2:]), y]), results, last)
    return state, merged


def _in_blocks(mechanism: Mechanism, function: Callable, batched):
    """Map over the leading axis: in blocks that stay in the cache on a CPU, at once elsewhere."""
    if jax.default_backend() != "cpu":
        return jax.vmap(function)(batched)
    return lax.map(function, batched, batch_size=block_size(mechanism))


def block_size(mechanism: Mechanism) -> int:
    """Number of states that run side by side on a CPU: measured best sizes are 32 for 7 and 8 for 35 velocities."""
    return int(2 ** np.clip(np.round(np.log2(256 / max(mechanism.num_velocities, 1))), 3, 7))


def _check_states(mechanism: Mechanism, q: Array, v: Array) -> None:
    expected = (mechanism.num_positions, mechanism.num_velocities)
    same_batch = q.ndim in (1, 2) and v.ndim == q.ndim and q.shape[:-1] == v.shape[:-1]
    if not same_batch or (q.shape[-1], v.shape[-1]) != expected:
        raise ShapeError(
            f"`q` and `v` must have shapes (num_positions,) = ({expected[0]},) and (num_velocities,) = "
            f"({expected[1]},), with the same leading batch axis or none, but have {q.shape} and {v.shape}. "
            "Give one state per row."
        )


def _number_of_steps(mechanism: Mechanism, controls: Controls, steps: int | None, batch: tuple[int, ...]) -> int:
    _require_positive(steps, "steps")
    if callable(controls):
        if steps is None:
            raise ShapeError("The number of steps is not known where `controls` is a function. Pass `steps=`.")
        return steps
    shape: tuple[int, ...] = np.shape(controls)
    given = shape[-2] if len(shape) >= 2 else 0
    fits = shape in [(*leading, given, mechanism.num_actuated) for leading in ((), batch)]
    if not fits or given == 0 or steps not in (None, given):
        wanted = "steps" if steps is None else steps
        per_state = f", or ({batch[0]}, {wanted}, {mechanism.num_actuated}) with one row per state" if batch else ""
        raise ShapeError(
            f"`controls` must have shape ({wanted}, num_actuated) = ({wanted}, {mechanism.num_actuated}){per_state}, "
            f"but has shape {shape}. Floating joints are not actuated; leave `steps` out to take it from `controls`."
        )
    return given


def _require_positive(count: int | None, name: str) -> None:
    if count is not None and count < 1:
        raise InvalidValueError(f"`{name}` must be a positive number of steps, but is {count}. Leave it out for None.")


def _require(value: Array, holds: Array, message: str) -> Array:
    """The value, if the condition holds: an error at once where it is concrete, at run time where it is traced."""
    if is_traced(holds):
        return eqx.error_if(value, ~holds, message)
    if not holds:
        raise InvalidValueError(message)
    return value
