"""Values, first and second derivatives are finite wherever a formula could divide by zero."""

import jax
import jax.numpy as jnp
import pytest
from models import ALL_JOINTS

from .samples import nasty_configurations, random_velocities


def functions_of(joint):
    """Everything a joint computes, as functions of its configuration and velocity."""
    return {
        "transform": lambda q, v: joint.joint_transform(q),
        "twist": lambda q, v: joint.joint_twist(q, v).vector,
        "bias": joint.bias_acceleration,
        "constraints": lambda q, v: joint.constraint_wrench_subspace(q),
        "rate": joint.velocity_to_configuration_derivative,
        "velocity": lambda q, v: joint.configuration_derivative_to_velocity(q, jnp.ones_like(q)),
        "normalize": lambda q, v: joint.normalize_configuration(q),
        "integrate": joint.integrate,
        "difference": lambda q, v: joint.difference(q, joint.zero_configuration()),
        "difference back": lambda q, v: joint.difference(joint.zero_configuration(), q),
        "no difference": lambda q, v: joint.difference(q, q),
        "principal": lambda q, v: joint.principal_value(q),
        "local": lambda q, v: joint.local_coordinates(joint.zero_configuration(), q, v),
        "step": lambda q, v: joint.semi_implicit_step(q, v, v, jnp.asarray(0.01)),
    }


@pytest.mark.parametrize("name", ALL_JOINTS)
def test_values_and_derivatives_are_finite(name, key):
    joint = ALL_JOINTS[name]
    configurations = nasty_configurations(joint)
    velocities = jnp.concatenate([jnp.zeros((1, joint.num_velocities)), random_velocities(joint, key, 1)])
    q = jnp.repeat(configurations, 2, axis=0)
    v = jnp.tile(velocities, (len(configurations), 1))

    def all_of(q, v):
        return {name: function(q, v) for name, function in functions_of(joint).items()}

    both = (0, 1)
    for derivative in (all_of, jax.jacfwd(all_of, both), jax.jacrev(all_of, both), jax.jacfwd(jax.jacrev(all_of, both))):
        results = jax.jit(jax.vmap(derivative))(q, v)
        bad = [
            f"{jax.tree_util.keystr(path)} at q = {q[i]}, v = {v[i]}"
            for path, leaf in jax.tree_util.tree_leaves_with_path(results)
            for i in range(len(q))
            if not jnp.all(jnp.isfinite(leaf[i]))
        ]
        assert not bad, "\n".join(bad)
