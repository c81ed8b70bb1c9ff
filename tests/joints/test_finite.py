"""Values, first and second derivatives are finite wherever a formula could divide by zero."""

import jax
import jax.numpy as jnp
import pytest

from models import ALL_JOINTS

from .samples import nasty_configurations, random_velocities


def functions_of(joint, q, v):
    """What a joint defines."""
    zero = joint.zero_configuration()
    return {
        "transform": joint.joint_transform(q),
        "twist": joint.joint_twist(q, v),
        "bias": joint.bias_acceleration(q, v),
        "constraints": joint.constraint_wrench_subspace(q),
        "rate": joint.velocity_to_configuration_derivative(q, v),
        "velocity": joint.configuration_derivative_to_velocity(q, jnp.ones_like(q)),
        "normalize": joint.normalize_configuration(q),
        "integrate": joint.integrate(q, v),
        "difference": joint.difference(zero, q),
        "no difference": joint.difference(q, q),
    }


WITH_NUMBERS = [name for name, joint in ALL_JOINTS.items() if jax.tree.leaves(joint)]


@pytest.mark.parametrize("name", WITH_NUMBERS)
def test_derivatives_by_the_numbers_of_a_joint(name, key):
    """Axes and pitches: forward mode, reverse mode and differences along a random direction of all of them."""
    joint, keys = ALL_JOINTS[name], jax.random.split(key, 3)
    numbers, structure = jax.tree.flatten(joint)
    direction = [jax.random.normal(k, x.shape) for k, x in zip(jax.random.split(keys[0], 9), numbers, strict=False)]
    q, v = joint.random_configuration(keys[1]), random_velocities(joint, keys[2], 1)[0]

    def value(numbers):
        results = functions_of(jax.tree.unflatten(structure, numbers), q, v)
        return sum(jnp.sum(jnp.sin(1.0 + leaf)) for leaf in jax.tree.leaves(results))

    def moved(size):
        return value([x + size * way for x, way in zip(numbers, direction, strict=True)])

    def slopes(step):
        reverse = sum(jnp.vdot(x, way) for x, way in zip(jax.grad(value)(numbers), direction, strict=True))
        return jax.jvp(moved, (0.0,), (1.0,))[1], reverse, (moved(step) - moved(-step)) / (2 * step)

    forward, reverse, difference = jax.jit(slopes)(1e-6)
    assert abs(forward - reverse) < 1e-12 * (1 + abs(forward))
    assert abs(forward - difference) < 1e-8 * (1 + abs(forward))
    assert forward != 0


@pytest.mark.parametrize("name", ALL_JOINTS)
def test_values_and_derivatives_are_finite(name, key):
    """First derivatives in both modes; second ones forward over reverse, along all entries of q and v at once."""
    joint = ALL_JOINTS[name]
    configurations = nasty_configurations(joint)
    velocities = jnp.concatenate([jnp.zeros((1, joint.num_velocities)), random_velocities(joint, key, 1)])
    q = jnp.repeat(configurations, 2, axis=0)
    v = jnp.tile(velocities, (len(configurations), 1))

    def values(q, v):
        return functions_of(joint, q, v)

    def gradients(q, v):
        results, pull_back = jax.vjp(values, q, v)
        return pull_back(jax.tree.map(jnp.ones_like, results))

    def everything(q, v):
        along = (jnp.ones_like(q), jnp.ones_like(v))
        return jax.jvp(values, (q, v), along), jax.jvp(gradients, (q, v), along)

    results = jax.device_get(jax.jit(jax.vmap(everything))(q, v))
    bad = [
        f"{jax.tree_util.keystr(path)} at q = {q[i]}, v = {v[i]}"
        for path, leaf in jax.tree_util.tree_leaves_with_path(results)
        for i in range(len(q))
        if not jnp.all(jnp.isfinite(leaf[i]))
    ]
    assert not bad, "\n".join(bad)
