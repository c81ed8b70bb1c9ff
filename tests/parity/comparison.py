"""One robot, a few random states, every quantity from both sides."""

import zlib
from functools import partial
from itertools import product

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

SUMS = ("kinetic energy", "potential energy", "center of mass", "momentum")
METHODS = ("articulated_body", "mass_matrix")

_RANDOM_NUMBERS = 20000
FORCES = ("random", "plausible")
_OF_BODIES = ("rotations", "translations", "twists, world", "twists, world_aligned", "twists, body")


def random_states(mechanism: Mechanism, name: str) -> dict[str, np.ndarray]:
    """States drawn from the robot's name: normal numbers, of which quaternions are then far from unit."""
    key = jax.random.fold_in(jax.random.key(0), zlib.crc32(name.encode()))
    numbers = np.asarray(jax.random.normal(key, (NUM_STATES, _RANDOM_NUMBERS)))  # one shape, compiled once
    nq, nv, nb = mechanism.num_positions, mechanism.num_velocities, mechanism.num_bodies
    parts = np.split(numbers, np.cumsum([nq, nv, nv, nv, 6 * nb]), axis=1)
    states = dict(zip(("q", "v", "v_dot", "tau", "wrenches"), parts[:-1], strict=True))
    return {**states, "wrenches": states["wrenches"].reshape(NUM_STATES, nb, 6)}


def wanted_jacobians(mechanism: Mechanism) -> tuple[tuple[str, str], ...]:
    """Three frames, and the axes that their Jacobians are compared in."""
    names = (*mechanism.body_names, *mechanism.frame_names)
    return (names[-1], "world_aligned"), (names[len(names) // 2], "body"), (names[len(names) // 3], "world")


@partial(jax.jit, static_argnames=("jacobians", "methods"))
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
        # Random forces spin the lightest links at 1e6 rad/s²; those of inverse dynamics move the robot plausibly.
        forces = jnp.stack([tau, state["plausible tau"]])
        solvers = [partial(jaxdyn.forward_dynamics, mechanism, q, v, method=method) for method in methods]
        solutions = [jax.vmap(lambda force, solve=solve: solve(force, wrenches))(forces) for solve in solvers]
        zero = jnp.zeros_like(wrenches)
        rates = jnp.concatenate([jnp.stack([jnp.zeros_like(v), v_dot, v_dot]), *solutions])
        pushes = jnp.stack([zero, zero, *[wrenches] * (1 + 2 * len(methods))])
        needed = jax.vmap(lambda rate, push: jaxdyn.inverse_dynamics(mechanism, q, v, rate, push))(rates, pushes)
        result |= {"bias": needed[0], "inverse dynamics": needed[1], "with wrenches": needed[2]}
        for i, (method, solution) in enumerate(zip(methods, solutions, strict=True)):
            again = needed[3 + 2 * i :][:2]
            for kind, rate, force, needs in zip(FORCES, solution, forces, again, strict=True):
                result |= {f"v_dot, {method}, {kind}": rate, f"residual, {method}, {kind}": needs - force}
        return result | {
            "gravity": jaxdyn.gravity_forces(mechanism, q),
            "generalized forces": jaxdyn.generalized_forces(mechanism, q, wrenches, wrench_frame="world"),
            "mass matrix": jaxdyn.mass_matrix(mechanism, q),
            "kinetic energy": jaxdyn.kinetic_energy(mechanism, q, v),
            "potential energy": jaxdyn.gravitational_potential_energy(mechanism, q),
            "center of mass": jaxdyn.center_of_mass(mechanism, q),
            "momentum": jaxdyn.momentum(mechanism, q, v).vector,
            "random tau": tau,
            "plausible tau": state["plausible tau"],
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
    """What belongs to some bodies and degrees of freedom; sums and Jacobians belong to all and are left out."""
    selected = {}
    for name, x in arrays.items():
        if name in SUMS or name.startswith("jacobian"):
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


def _backward_error(ours: Arrays, residual: np.ndarray, method: str, kind: str) -> float:
    """Largest residual of a solution over |M| |v_dot| + |τ|, where the mass matrix is regular."""
    regular = regular_states(ours)
    v_dot, M = ours[f"v_dot, {method}, {kind}"][regular], ours["mass matrix"][regular]
    largest_force = np.abs(ours[f"{kind} tau"][regular]).max(axis=1)
    scale = np.abs(M).sum(axis=2).max(axis=1) * np.abs(v_dot).max(axis=1) + largest_force
    return float(np.max(np.abs(residual[regular]).max(axis=1) / scale))


def errors_of_program(ours: Arrays, theirs: Arrays, methods: tuple[str, ...]) -> Errors:
    """As `errors_of`, with what a program says that our accelerations need as its word on forward dynamics."""
    errors = {name: (relative_error(ours[name], x), VALUE_BOUND) for name, x in theirs.items() if name in ours}
    if regular_states(ours):
        for method, kind in product(methods, FORCES):
            residual = theirs[f"needs v_dot, {method}, {kind}"] - ours[f"{kind} tau"]
            errors[f"residual, {method}, {kind} τ"] = (_backward_error(ours, residual, method, kind), RESIDUAL_BOUND)
    return errors


def regular_states(ours: Arrays) -> list[int]:
    """States where the mass matrix is not singular."""
    return [i for i, M in enumerate(ours["mass matrix"]) if M.size and not is_singular(M)]


def _forward_dynamics_errors(ours: Arrays, expected: np.ndarray, method: str) -> Errors:
    """Of the residual unless the mass matrix is singular, and of the accelerations where it is well conditioned."""
    regular = regular_states(ours)
    errors = {}
    if not regular:
        return errors
    for kind in FORCES:
        residual = ours[f"residual, {method}, {kind}"]
        errors[f"residual, {method}, {kind} τ"] = (_backward_error(ours, residual, method, kind), RESIDUAL_BOUND)
    # A plausible acceleration is a small difference of large forces, so only the random one has digits to compare.
    well = [i for i in regular if np.linalg.cond(ours["mass matrix"][i]) < CONDITION_LIMIT]
    if well:
        error = relative_error(ours[f"v_dot, {method}, random"][well], expected[well])
        errors[f"v_dot, {method}"] = (error, ACCELERATION_BOUND)
    return errors
