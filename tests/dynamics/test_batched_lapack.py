"""No large batch goes to LAPACK at once: jaxlib would split it among threads that can wait for each other for ever."""

import math
import re
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxdyn
from comparison import assert_close
from jaxdyn._small_matrices import cholesky, pseudoinverse, solve_cholesky
from models import ALL_MODELS
from source_code import PACKAGE

pytestmark = pytest.mark.long

SPLIT_BY_JAXLIB = 1_000_000  # n³ times the batch: locked up at 1.5 million on two cores, not at 0.75 million


def lapack_calls(program: str) -> list[tuple[int, ...]]:
    """Shapes of the first operands of all calls of LAPACK."""
    calls = re.findall(r"custom_call @lapack_.* : \(tensor<([0-9x]+)xf\d\d>", program)
    return [tuple(int(size) for size in call.split("x")) for call in calls]


def test_many_columns_of_many_states():
    """A solution costs n² per column: 89 states with 18 columns of 18 numbers, 519,000 in all, locked up."""
    quadruped = jaxdyn.load_example("quadruped")
    states = [jax.ShapeDtypeStruct((4096, size), jnp.float64) for size in (19, 18, 18)]
    derivatives = jax.vmap(partial(jaxdyn.forward_dynamics_derivatives, quadruped))
    program = jax.jit(derivatives).lower(*states).as_text()
    solutions = re.findall(r"custom_call @lapack_dtrsm.* : \(tensor<([0-9x]+)xf64>, tensor<([0-9x]+)xf64>\)", program)
    assert solutions
    for _, columns in solutions:
        *batch, n, width = (int(size) for size in columns.split("x"))
        assert math.prod(batch) * n**2 * width < 150_000


@pytest.mark.parametrize(("method", "num_calls"), [(None, 0), ("articulated_body", 0), ("mass_matrix", 4)])
def test_forward_dynamics_of_many_states(method: str | None, num_calls: int):
    quadruped = jaxdyn.load_example("quadruped")
    states = [jax.ShapeDtypeStruct((4096, size), jnp.float64) for size in (19, 18, 18)]
    dynamics = jax.vmap(partial(jaxdyn.forward_dynamics, quadruped, method=method))
    calls = lapack_calls(jax.jit(dynamics).lower(*states).as_text())
    assert len(calls) >= num_calls
    assert (len(calls) > 0) == (num_calls > 0)
    for *batch, n, _ in calls:
        assert math.prod(batch) * n**3 < SPLIT_BY_JAXLIB


def test_other_functions_of_many_states():
    """Operational space and inverse kinematics, the derivatives of both included."""
    arm = jaxdyn.load_example("arm")
    q, target = jax.ShapeDtypeStruct((4096, 8), jnp.float64), jax.ShapeDtypeStruct((4096, 3), jnp.float64)

    def reached(target, q):
        return jaxdyn.inverse_kinematics(arm, {"tool": target}, q).q

    programs = (
        jax.jit(jax.vmap(jax.jacrev(lambda q: jaxdyn.operational_space_inertia(arm, q, "tool")))).lower(q),
        jax.jit(jax.vmap(jax.jacfwd(reached))).lower(target, q),
    )
    for program in programs:
        calls = lapack_calls(program.as_text())
        assert calls
        assert all(math.prod(batch) * max(n, m) ** 3 < SPLIT_BY_JAXLIB for *batch, n, m in calls)


def test_no_other_module_calls_lapack():
    """In the layers of algorithms; what builds a mechanism runs once."""
    for folder in ("kinematics", "dynamics", "simulation"):
        for path in (PACKAGE / folder).glob("*.py"):
            assert "linalg" not in path.read_text(encoding="utf-8"), f"{path.name}: use `_small_matrices`"


@pytest.mark.parametrize("rank", [2, 4])
def test_pseudoinverse(rank: int):
    """Of many, and of one, with its derivative in both modes and a second one, at a rank that stays."""
    random = np.random.default_rng(rank)
    left, right = random.normal(size=(3, 5, rank)), random.normal(size=(3, rank, 4))
    left_rate, right_rate = random.normal(size=(5, rank)), random.normal(size=(rank, 4))
    A, direction = jnp.asarray(left @ right), jnp.asarray(left_rate @ right[0] + left[0] @ right_rate)

    @jax.jit
    def results(A):
        slope = jax.jvp(pseudoinverse, (A[0],), (direction,))[1]
        rows = jnp.einsum("ijkl,kl->ij", jax.jacrev(pseudoinverse)(A[0]), direction)

        def moved(step):
            return pseudoinverse((left[0] + step * left_rate) @ (right[0] + step * right_rate))

        def moved_twice(step):
            return jnp.stack([moved(step), jax.jacfwd(moved)(step)])

        steps = jax.vmap(moved_twice)(jnp.array([1e-6, -1e-6]))
        curvature = jax.jacfwd(jax.jacfwd(moved))(0.0)
        return jax.vmap(pseudoinverse)(A), slope, rows, curvature, (steps[0] - steps[1]) / 2e-6

    many, slope, rows, curvature, (difference, second_difference) = results(A)
    assert_close(many, jnp.asarray(np.linalg.pinv(A)))
    assert_close(rows, slope)
    np.testing.assert_allclose(slope, difference, atol=1e-7 * np.abs(slope).max())
    np.testing.assert_allclose(curvature, second_difference, atol=1e-7 * np.abs(curvature).max())


def test_pieces_are_the_whole():
    """Factors and solutions of a batch that is cut, of one that is not, in maps of maps, and of one matrix for many."""
    A = np.random.default_rng(0).normal(size=(3, 50, 30, 30))
    M = jnp.asarray(A @ np.swapaxes(A, -1, -2) + np.eye(30))
    b = jnp.asarray(A[..., :2])

    @jax.jit
    def results(M, b):
        factors = jax.vmap(jax.vmap(cholesky))(M)
        solved = jax.vmap(jax.vmap(solve_cholesky))(factors, b)
        one_for_many = jax.vmap(lambda L, b: jax.vmap(partial(solve_cholesky, L))(b))(factors[:, 0], b)
        many_for_one = jax.vmap(lambda L, b: jax.vmap(lambda L: solve_cholesky(L, b))(L))(factors, b[:, 0])
        stack_for_many = jax.vmap(lambda b: jax.vmap(solve_cholesky)(factors[0], b))(b)
        return factors, solved, one_for_many, many_for_one, stack_for_many

    factors, solved, one_for_many, many_for_one, stack_for_many = results(M, b)
    assert_close(factors, jnp.asarray(np.linalg.cholesky(M)))
    assert_close(solved, jnp.asarray(np.linalg.solve(M, b)))
    assert_close(one_for_many, jnp.asarray(np.linalg.solve(M[:, :1], b)))
    assert_close(many_for_one, jnp.asarray(np.linalg.solve(M, b[:, :1])))
    assert_close(stack_for_many, jnp.asarray(np.linalg.solve(M[:1], b)))


@pytest.mark.parametrize("size", [0, 1])
def test_no_state_and_one(size: int):
    mechanism = ALL_MODELS["pendulum"]
    state = jnp.zeros((size, 1))
    v_dot = jax.jit(jax.vmap(partial(jaxdyn.forward_dynamics, mechanism)))(state, state, state + 0.53)
    assert_close(v_dot, jnp.ones((size, 1)))


def test_forces_in_two_maps():
    zero, tau = jnp.zeros(1), jnp.arange(6.0).reshape(2, 3, 1)
    one = partial(jaxdyn.forward_dynamics, ALL_MODELS["pendulum"], zero, zero)
    assert_close(jax.jit(jax.vmap(jax.vmap(one)))(tau), tau / 0.53)


def test_one_factorisation_for_many_forces_in_a_branch():
    """Where the branch differs from force to force, JAX maps all that the branch uses, the one factorisation too."""

    @jax.jit
    def slopes(tau):
        zero = jnp.zeros(1)
        _, slope = jax.linearize(partial(jaxdyn.forward_dynamics, ALL_MODELS["pendulum"], zero, zero), zero)
        return jax.vmap(lambda tau: jax.lax.cond(tau[0] > 0, slope, jnp.negative, tau))(tau)

    assert_close(slopes(jnp.array([[0.53], [-1.0], [1.06]])), jnp.array([[1.0], [1.0], [2.0]]))


@pytest.mark.parametrize("name", ["floating_tree", "user_joints"])
def test_one_state_or_many(name: str):
    """The two methods agree in every order of maps, over states, over forces and over both."""
    mechanism, random = ALL_MODELS[name], np.random.default_rng(1)
    q, v, tau = (random.normal(size=(3, size)) for size in (mechanism.num_positions, *[mechanism.num_velocities] * 2))

    @jax.jit
    def results(q, v, tau):
        one = partial(jaxdyn.forward_dynamics, mechanism)
        over_forces = jax.vmap(one, (None, None, 0))
        both = jax.vmap(over_forces, (0, 0, None))(q, v, tau)
        other_order = jax.vmap(jax.vmap(one, (0, 0, None)), (None, None, 0), out_axes=1)(q, v, tau)
        singly = jnp.stack([jnp.stack([one(q[i], v[i], tau[j]) for j in range(2)]) for i in range(2)])
        slope = jax.vmap(jax.jacfwd(one, 2))(q, v, tau)[0], jax.jacrev(one, 2)(q[0], v[0], tau[0])
        return both, other_order, over_forces(q[0], v[0], tau), singly, slope

    both, other_order, over_forces, singly, slope = results(q, v, tau)
    assert_close(other_order, both)
    assert_close(over_forces, both[0])
    assert_close(both[:2, :2], singly)
    assert_close(*slope)


@pytest.mark.parametrize("differentiated", [False, True])
def test_a_branch_that_differs_from_state_to_state(differentiated):
    mechanism = ALL_MODELS["pendulum"]

    def accelerations(method):
        def one(q, v, tau):
            def at(q):
                return jaxdyn.forward_dynamics(mechanism, q, v, tau, method=method)[0]

            return jax.lax.cond(tau[0] > 0, at, lambda q: at(0.9 * q), q)

        return jax.vmap(jax.grad(one, (0, 1, 2)) if differentiated else one)

    states = jnp.array([[0.3], [-0.2], [0.1]])
    found = jax.jit(accelerations(None))(states, states, states)
    assert_close(found, jax.jit(accelerations("mass_matrix"))(states, states, states))
