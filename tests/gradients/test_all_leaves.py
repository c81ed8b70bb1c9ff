"""Derivatives with respect to everything: reverse = forward = finite differences, and no leaf is forgotten."""

from functools import cache

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from .losses import losses, nasty_robot, random_arguments

pytestmark = pytest.mark.long

STEP = 3e-4
STENCIL = ((-2, 1 / 12), (-1, -8 / 12), (1, 8 / 12), (2, -1 / 12))
"""Fourth-order central difference: offset in steps, weight."""

LEAVES = (
    "[0].joint_groups[3].axis",
    "[0].joint_groups[4].axis",
    "[0].placements.quaternion",
    "[0].placements.translation",
    "[0].successor_placements.quaternion",
    "[0].successor_placements.translation",
    "[0].spatial_inertias.mass",
    "[0].spatial_inertias.first_moment",
    "[0].spatial_inertias.moment",
    "[0].frame_placements.quaternion",
    "[0].frame_placements.translation",
    "[0].damping",
    "[0].armature",
    "[0].stiffness",
    "[0].rest_configuration",
    "[0].position_lower",
    "[0].position_upper",
    "[0].gravity",
    "[1].q",
    "[1].v",
    "[1].v_dot",
    "[1].tau",
    "[1].wrenches",
)


@cache
def point():
    """The mechanism and the arguments at which everything is differentiated."""
    mechanism = nasty_robot()
    arguments = jax.jit(random_arguments)(mechanism, jax.random.key(2))
    return mechanism, arguments


def paths(tree) -> list[str]:
    return [jax.tree_util.keystr(path) for path, _ in jax.tree_util.tree_leaves_with_path(tree)]


def by_path(tree) -> dict:
    return dict(zip(paths(tree), map(np.asarray, jax.tree.leaves(tree)), strict=True))


@cache
def directions() -> dict:
    """A random direction, by path; zero where the number is infinite."""
    generator = np.random.default_rng(0)
    return {path: np.where(np.isfinite(x), generator.normal(size=x.shape), 0.0) for path, x in by_path(point()).items()}


def as_point(leaves: dict):
    return jax.tree.unflatten(jax.tree.structure(point()), [jnp.asarray(leaf) for leaf in leaves.values()])


@cache
def compiled_losses():
    return jax.jit(lambda point: losses(*point))


@cache
def reverse() -> dict:
    """Gradient of the sum of all losses, by path."""
    gradient = jax.jit(jax.grad(lambda point: sum(losses(*point).values())))(point())
    return by_path(gradient)


@cache
def compiled_slopes():
    return jax.jit(lambda p, d: jax.jvp(lambda p: losses(*p), (p,), (d,)))


@cache
def forward(changed: tuple[str, ...]) -> tuple[dict, dict]:
    """Values, and derivatives along the random direction in some leaves, by loss."""
    direction = {path: x if path in changed else np.zeros_like(x) for path, x in directions().items()}
    return jax.device_get(compiled_slopes()(point(), as_point(direction)))


def slopes_by_differences(changed: tuple[str, ...]) -> dict:
    leaves = by_path(point())
    total = dict.fromkeys(forward(LEAVES)[0], 0.0)
    for offset, weight in STENCIL:
        moved = {p: x + (STEP * offset * directions()[p] if p in changed else 0) for p, x in leaves.items()}
        values = compiled_losses()(as_point(moved))
        total = {name: total[name] + weight / STEP * float(value) for name, value in values.items()}
    return total


def test_these_are_all_leaves():
    """A new leaf must be added to the list above, and must matter for one of the losses."""
    assert tuple(paths(point())) == LEAVES


def test_values_with_and_without_derivatives_are_the_same():
    plain, values = compiled_losses()(point()), forward(LEAVES)[0]
    for name, value in plain.items():
        assert abs(value - values[name]) < 1e-12 * max(1.0, abs(value)), name


@pytest.mark.parametrize("leaf", LEAVES)
def test_forward_mode_is_reverse_mode(leaf):
    """For the sum of all losses, which every leaf changes."""
    slopes = forward((leaf,))[1].values()
    terms = reverse()[leaf] * directions()[leaf]
    scale = max(np.sum(np.abs(terms)), sum(map(abs, slopes)))
    assert scale > 1e-4, "no loss depends on this leaf"
    assert abs(sum(slopes) - np.sum(terms)) < 1e-12 * scale


@pytest.mark.parametrize("changed", ["everything", *LEAVES])
def test_derivatives_are_differences(changed):
    """Of each loss, in a random direction of one leaf, and of all leaves at once."""
    changed = LEAVES if changed == "everything" else (changed,)
    slopes, differences = forward(changed)[1], slopes_by_differences(changed)
    scale = max(map(abs, slopes.values()))
    for name, slope in slopes.items():
        error = abs(slope - differences[name])
        assert error < 1e-7 * max(abs(slope), 1e-2 * scale), f"{name}: {slope} is not {differences[name]}"


def test_gradients_are_finite_everywhere():
    """Also where a limit is infinite, where they vanish."""
    for path, gradient in reverse().items():
        assert np.all(np.isfinite(gradient)), path
    lower, upper = (reverse()[f"[0].position_{side}"] for side in ("lower", "upper"))
    assert np.flatnonzero(lower).tolist() == [9]
    assert np.flatnonzero(upper).tolist() == [9, 10]
