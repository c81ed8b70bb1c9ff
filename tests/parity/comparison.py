"""One robot, a few random states, every quantity from both sides."""

import zlib
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array

import jaxdyn
from jaxdyn import Mechanism
from parity.error_table import Errors

NUM_STATES = 3
VALUE_BOUND = 1e-11  # of the largest entry of each quantity
RESIDUAL_BOUND = 1e-12  # of |M| |v_dot| + |τ|
ACCELERATION_BOUND = 1e-10  # of the largest entry, where the mass matrix is well conditioned
CONDITION_LIMIT = 1e6
Arrays = dict[str, np.ndarray]
"""Quantities by name; states on the first axis."""

METHODS = ("articulated_body", "mass_matrix")

# Compiling takes nearly all of the time, so one program computes everything, and the compiler does not optimise it.
QUICK = {"xla_backend_optimization_level": 0, "xla_cpu_use_fusion_emitters": False}
_RANDOM_NUMBERS = 20000
_OF_BODIES = ("rotations", "translations", "twists, world", "twists, world_aligned", "twists, body")


def random_states(mechanism: Mechanism, name: str) -> dict[str, np.ndarray]:
    """States drawn from the robot's name: normal numbers, of which quaternions are then far from unit."""
    key = jax.random.fold_in(jax.random.key(0), zlib.crc32(name.encode()))
    numbers = np.asarray(jax.random.normal(key, (NUM_STATES, _RANDOM_NUMBERS)))  # one shape, compiled once
    nq, nv, nb = mechanism.num_positions, mechanism.num_velocities, mechanism.num_bodies
    parts = np.split(numbers, np.cumsum([nq, nv, nv, 6 * nb]), axis=1)
    states = dict(zip(("q", "v", "v_dot", "wrenches"), parts[:-1], strict=True))
    return {**states, "wrenches": states["wrenches"].reshape(NUM_STATES, nb, 6)}


@partial(jax.jit, static_argnames=("jacobians", "methods"), compiler_options=QUICK)
def quantities(
    mechanism: Mechanism, states: dict[str, Array], *, jacobians: tuple, methods: tuple[str, ...]
) -> dict[str, Array]:
    """Everything that is compared, at every state."""

    def at(state):
        q, v, v_dot, tau, wrenches = (state[name] for name in ("q", "v", "v_dot", "tau", "wrenches"))
        poses = jaxdyn.body_transforms(mechanism, q)
        result = {"rotations": poses.rotation, "translations": poses.translation}
        for i, (frame, expressed_in) in enumerate(jacobians):
            result[f"jacobian {i}"] = jaxdyn.geometric_jacobian(mechanism, q, frame, expressed_in=expressed_in)
        for expressed_in in ("world", "world_aligned", "body"):
            twists = jaxdyn.body_twists(mechanism, q, v, expressed_in=expressed_in)
            result[f"twists, {expressed_in}"] = twists.vector
        solutions = [jaxdyn.forward_dynamics(mechanism, q, v, tau, wrenches, method=method) for method in methods]
        zero = jnp.zeros_like(wrenches)
        rates = jnp.stack([jnp.zeros_like(v), v_dot, v_dot, *solutions])
        pushes = jnp.stack([zero, zero, *[wrenches] * (1 + len(methods))])
        forces = jax.vmap(lambda rate, push: jaxdyn.inverse_dynamics(mechanism, q, v, rate, push))(rates, pushes)
        result |= {"bias": forces[0], "inverse dynamics": forces[1], "with wrenches": forces[2]}
        for method, solution, again in zip(methods, solutions, forces[3:], strict=True):
            result |= {f"v_dot, {method}": solution, f"τ again, {method}": again}
        return result | {
            "gravity": jaxdyn.gravity_forces(mechanism, q),
            "generalized forces": jaxdyn.generalized_forces(mechanism, q, wrenches, wrench_frame="world"),
            "mass matrix": jaxdyn.mass_matrix(mechanism, q),
            "kinetic energy": jaxdyn.kinetic_energy(mechanism, q, v),
            "potential energy": jaxdyn.gravitational_potential_energy(mechanism, q),
            "tau": tau,
        }

    return jax.vmap(at)(states)


def relative_error(actual: np.ndarray, expected: np.ndarray) -> float:
    """Largest difference over the largest entry, all states together; 0 where there is nothing to compare."""
    difference = np.max(np.abs(actual - expected), initial=0.0)
    largest = np.max(np.abs(expected), initial=0.0)
    if np.isnan(difference):
        return np.inf
    return float(difference / largest) if largest > 0 else (np.inf if difference > 0 else 0.0)


def is_singular(M: np.ndarray) -> bool:
    """Whether a degree of freedom moves no inertia: a pivot of M = Lᵀ D L is rounding next to M's diagonal."""
    remaining = M.copy()
    for k in reversed(range(len(M))):
        pivot = remaining[k, k]
        if pivot <= 100 * np.finfo(M.dtype).eps * M[k, k]:
            return True
        remaining -= np.outer(remaining[:, k], remaining[k]) / pivot
    return False


def part(arrays: Arrays, bodies: np.ndarray, dofs: np.ndarray) -> Arrays:
    """What belongs to some bodies and degrees of freedom; energies and Jacobians belong to all and are left out."""
    selected = {}
    for name, x in arrays.items():
        if name.endswith("energy") or name.startswith("jacobian"):
            continue
        if name == "mass matrix":
            selected[name] = x[:, dofs][:, :, dofs]
        else:
            selected[name] = x[:, bodies if name in _OF_BODIES else dofs]
    return selected


def errors_of(ours: Arrays, theirs: Arrays, methods: tuple[str, ...]) -> Errors:
    """(error, bound) of each quantity that both sides have."""
    errors = {name: (relative_error(ours[name], theirs[name]), VALUE_BOUND) for name in ours if name in theirs}
    for method in methods:
        errors |= _forward_dynamics_errors(ours, theirs["forward dynamics"], method)
    return errors


def _forward_dynamics_errors(ours: Arrays, expected: np.ndarray, method: str) -> Errors:
    """Of the residual unless the mass matrix is singular, and of the accelerations where it is well conditioned."""
    v_dot, tau, again = ours[f"v_dot, {method}"], ours["tau"], ours[f"τ again, {method}"]
    residuals, well_conditioned = [], []
    for i, M in enumerate(ours["mass matrix"]):
        if M.size and not is_singular(M):
            force = np.abs(M).sum(axis=1).max() * np.abs(v_dot[i]).max() + np.abs(tau[i]).max()
            residuals.append(np.abs(again[i] - tau[i]).max() / force)
            well_conditioned += [i] if np.linalg.cond(M) < CONDITION_LIMIT else []
    errors = {}
    if residuals:
        errors[f"residual, {method}"] = (float(np.max(residuals)), RESIDUAL_BOUND)
    if well_conditioned:
        error = relative_error(v_dot[well_conditioned], expected[well_conditioned])
        errors[f"v_dot, {method}"] = (error, ACCELERATION_BOUND)
    return errors
