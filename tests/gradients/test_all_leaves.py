"""Derivatives with respect to everything: reverse mode = forward mode = finite differences, and no leaf is forgotten."""

from functools import cache

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from comparison import QUICK
from tolerances import tolerance

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
    "[1].controls",
    "[1].dt",
)


@cache
def point():
    """The mechanism and the arguments at which everything is differentiated."""
    mechanism = nasty_robot()
    arguments = jax.jit(random_arguments, static_argnums=2, compiler_options=QUICK)(mechanism, jax.random.key(2), 5)
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
    return jax.jit(lambda point: losses(*point), compiler_options=QUICK)


@cache
def reverse() -> tuple[dict, dict]:
    """Values, and gradients by loss and path."""

    def values_and_gradients(point):
        values, pull_back = jax.vjp(lambda point: losses(*point), point)
        names = list(values)
        unit = {name: jnp.eye(len(names))[i] for i, name in enumerate(names)}
        return values, jax.vmap(pull_back)(unit)[0]

    values, gradients = jax.device_get(jax.jit(values_and_gradients, compiler_options=QUICK)(point()))
    gradients = by_path(gradients)
    return values, {name: {path: g[i] for path, g in gradients.items()} for i, name in enumerate(values)}


def slopes_in_reverse(changed: tuple[str, ...]) -> tuple[dict, dict]:
    """Derivatives of the losses along the random direction in some leaves, and the size of the terms in that sum."""
    values, gradients = reverse()
    terms = {
        name: np.concatenate([(gradients[name][path] * directions()[path]).ravel() for path in changed])
        for name in values
    }
    return {name: x.sum() for name, x in terms.items()}, {name: np.abs(x).sum() for name, x in terms.items()}


def slopes_by_differences(changed: tuple[str, ...]) -> dict:
    leaves = by_path(point())
    total = dict.fromkeys(reverse()[0], 0.0)
    for offset, weight in STENCIL:
        moved = {p: x + (STEP * offset * directions()[p] if p in changed else 0) for p, x in leaves.items()}
        values = compiled_losses()(as_point(moved))
        total = {name: total[name] + weight / STEP * float(value) for name, value in values.items()}
    return total


def test_these_are_all_leaves():
    """A new leaf must be added to the list above, and must matter for one of the losses."""
    assert tuple(paths(point())) == LEAVES


def test_values_with_and_without_derivatives_are_the_same():
    plain, values = compiled_losses()(point()), reverse()[0]
    for name, value in plain.items():
        assert abs(value - values[name]) < 1e-12 * max(1.0, abs(value)), name


def test_forward_mode_is_reverse_mode():
    direction = as_point(directions())
    forward = jax.jit(lambda p, d: jax.jvp(lambda p: losses(*p), (p,), (d,))[1], compiler_options=QUICK)
    slopes, scales = slopes_in_reverse(LEAVES)
    for name, slope in forward(point(), direction).items():
        assert abs(slope - slopes[name]) < tolerance(jnp.float64, 5000) * max(1.0, scales[name]), name


@pytest.mark.parametrize("changed", ["everything", *LEAVES])
def test_derivatives_are_differences(changed):
    """Of all losses, in a random direction of one leaf, and of all leaves at once."""
    changed = LEAVES if changed == "everything" else (changed,)
    slopes, scales = slopes_in_reverse(changed)
    differences = slopes_by_differences(changed)
    assert max(scales.values()) > 1e-3, "no loss depends on this leaf"
    for name, slope in slopes.items():
        error = abs(slope - differences[name])
        assert error < 1e-7 * max(scales[name], 1e-2), f"{name}: {slope} is not {differences[name]}"


def test_gradients_are_finite_everywhere():
    """Also where a limit is infinite."""
    for name, gradients in reverse()[1].items():
        for path, gradient in gradients.items():
            assert np.all(np.isfinite(gradient)), f"{name} with respect to {path}"


def test_limits_act_where_they_are_finite():
    """The clamped joints follow their limits, and samples lie between two limits."""
    gradients = reverse()[1]
    for name in ("clamp_configuration", "random_configuration"):
        lower, upper = (gradients[name][f"[0].position_{side}"] for side in ("lower", "upper"))
        assert np.flatnonzero(lower).tolist() == [9]
        assert np.flatnonzero(upper).tolist() in ([10], [9, 10])
