"""What is true of every joint: `joint_transform` defines it, everything else must agree.

A law is a function of a joint and of one sample that returns two results, which must agree. All laws are compiled
together, once per joint.
"""

from functools import cache
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jaxtyping import Array

from comparison import assert_close
from jaxdyn.joints import Planar, QuaternionFloating, Reversed, SPQuatFloating
from jaxdyn.spatial import Force, Transform, transform_exp, unskew
from models import ALL_JOINTS

from .samples import has_many_names, inner, norm_entries, random_configurations, random_velocities, unnormalized

LAWS = {}
DT = 0.1


def law(function):
    LAWS[function.__name__] = function
    return function


class Sample(NamedTuple):
    q: Array  # its quaternion is not unit
    other: Array  # another one, neither
    v: Array
    v_dot: Array
    q_dot: Array  # any rate, also one that changes a quaternion's norm
    wrench: Array
    force: Array


def twist_of(X: Transform, X_dot: Transform) -> Array:
    """Twist of the frame after, in the frame after, from the rate of its pose."""
    return jnp.concatenate([unskew(X.rotation.T @ X_dot.rotation), X.rotation.T @ X_dot.translation])


def rate(joint, s, function):
    """Rate of a function of q along the velocity v."""
    return jax.jvp(function, (s.q,), (joint.velocity_to_configuration_derivative(s.q, s.v),))[1]


# ---- motion


@law
def motion_subspace_is_the_derivative_of_the_transform(joint, s):
    by_definition = twist_of(joint.joint_transform(s.q), rate(joint, s, joint.joint_transform))
    actual = joint.motion_subspace(s.q) @ s.v, joint.joint_twist(s.q, s.v).vector
    return actual, (by_definition, by_definition)


@law
def rotations_stay_orthonormal_along_any_rate(joint, s):
    actual = jax.jvp(lambda q: (R := joint.joint_transform(q).rotation).T @ R, (s.q,), (s.q_dot,))
    return actual, (jnp.eye(3), jnp.zeros((3, 3)))


@law
def bias_is_the_rate_of_the_motion_subspace(joint, s):
    return joint.bias_acceleration(s.q, s.v), rate(joint, s, lambda q: joint.motion_subspace(q) @ s.v)


@law
def spatial_acceleration_is_the_rate_of_the_twist(joint, s):
    q_dot = joint.velocity_to_configuration_derivative(s.q, s.v)
    _, expected = jax.jvp(lambda q, v: joint.joint_twist(q, v).vector, (s.q, s.v), (q_dot, s.v_dot))
    return joint.joint_spatial_acceleration(s.q, s.v, s.v_dot).vector, expected


@law
def constraint_wrenches_do_no_work(joint, s):
    T = joint.constraint_wrench_subspace(s.q)
    return T.T @ joint.motion_subspace(s.q), jnp.zeros((6 - joint.num_velocities, joint.num_velocities))


@law
def subspaces_have_full_rank(joint, s):
    def smallest(subspace):
        return jnp.min(jnp.linalg.svd(subspace, compute_uv=False), initial=1.0)

    subspaces = joint.motion_subspace(s.q), joint.constraint_wrench_subspace(s.q)
    return [smallest(subspace) > 0.1 for subspace in subspaces], [True, True]


@law
def torque_does_the_work_of_the_wrench(joint, s):
    wrench = Force.from_vector(s.wrench)
    return joint.joint_torque(s.q, wrench) @ s.v, joint.joint_twist(s.q, s.v).dot(wrench)


# ---- velocities and configuration derivatives


@law
def rates_and_velocities_are_inverse(joint, s):
    q_dot = joint.velocity_to_configuration_derivative(s.q, s.v)
    return joint.configuration_derivative_to_velocity(s.q, q_dot), s.v


@law
def any_rate_gives_the_twist_of_the_pose(joint, s):
    v = joint.configuration_derivative_to_velocity(s.q, s.q_dot)
    return joint.motion_subspace(s.q) @ v, twist_of(*jax.jvp(joint.joint_transform, (s.q,), (s.q_dot,)))


@law
def jacobians_of_the_maps(joint, s):
    actual = (
        joint.velocity_to_configuration_derivative_jacobian(s.q) @ s.v,
        joint.configuration_derivative_to_velocity_jacobian(s.q) @ s.q_dot,
    )
    expected = (
        joint.velocity_to_configuration_derivative(s.q, s.v),
        joint.configuration_derivative_to_velocity(s.q, s.q_dot),
    )
    return actual, expected


@law
def adjoints_keep_the_power(joint, s):
    force_on_q = joint.configuration_derivative_to_velocity_adjoint(s.q, s.force)
    force_on_v = joint.velocity_to_configuration_derivative_adjoint(s.q, s.q_dot)
    expected = (
        s.force @ joint.configuration_derivative_to_velocity(s.q, s.q_dot),
        s.q_dot @ joint.velocity_to_configuration_derivative(s.q, s.v),
    )
    return (force_on_q @ s.q_dot, force_on_v @ s.v), expected


# ---- the manifold of configurations


@law
def zero_configuration_is_the_identity(joint, s):
    zero = joint.zero_configuration()
    return (joint.joint_transform(zero), joint.is_configuration_normalized(zero)), (Transform.identity(), True)


@law
def normalize_keeps_the_pose(joint, s):
    normalized = joint.normalize_configuration(s.q)
    actual = joint.joint_transform(normalized), joint.normalize_configuration(normalized)
    return actual, (joint.joint_transform(s.q), normalized)


@law
def normalized_configurations_are_known(joint, s):
    configurations = (joint.normalize_configuration(s.q), joint.integrate(s.q, s.v), s.q)
    actual = [joint.is_configuration_normalized(q) for q in configurations]
    return actual, [True, True, not has_many_names(joint)]


@law
def integrate_follows_the_twist(joint, s):
    """The right exponential of S v where S is the same everywhere, the sum of q and v where it is not."""
    actual = joint.joint_transform(joint.integrate(s.q, s.v))
    if isinstance(joint, Reversed):
        return actual, joint.joint.joint_transform(joint.joint.integrate(s.q, s.v)).inverse()
    if not joint.has_fixed_subspaces:
        return actual, joint.joint_transform(s.q + s.v)
    return actual, joint.joint_transform(s.q) @ transform_exp(joint.motion_subspace(s.q) @ s.v)


@law
def difference_is_the_inverse_of_integrate(joint, s):
    there = joint.integrate(s.q, joint.difference(s.q, s.other))
    actual = joint.difference(s.q, joint.integrate(s.q, s.v)), joint.joint_transform(there), joint.difference(s.q, s.q)
    return actual, (s.v, joint.joint_transform(s.other), jnp.zeros_like(s.v))


@law
def principal_value_is_one_of_the_same_pose(joint, s):
    principal = joint.principal_value(s.q)
    is_quaternion = norm_entries(joint) == 4
    other_name = unnormalized(joint, s.q, -1.0 if is_quaternion else 2.0)
    positive = principal[0] >= 0 if is_quaternion else True
    actual = (
        joint.joint_transform(principal),
        joint.principal_value(principal),
        joint.principal_value(other_name),
        positive,
    )
    return actual, (joint.joint_transform(s.q), principal, principal, True)


@law
def local_and_global_coordinates(joint, s):
    """The rate of the coordinates is that of the pose which they stand for."""
    coordinates, rates = joint.local_coordinates(s.other, s.q, s.v)

    def pose(coordinates):
        return joint.joint_transform(joint.global_coordinates(s.other, coordinates))

    X, X_dot = jax.jvp(pose, (coordinates,), (rates,))
    none, _ = joint.local_coordinates(s.q, s.q, s.v)
    expected = joint.joint_transform(s.q), joint.joint_twist(s.q, s.v).vector, jnp.zeros_like(s.v)
    return (X, twist_of(X, X_dot), none), expected


@law
def semi_implicit_step(joint, s):
    """In the axes of the frame before, a free body's velocity takes one explicit step and moves the origin."""
    q, v = joint.semi_implicit_step(s.q, s.v, s.v_dot, jnp.asarray(DT))
    v_next = s.v + DT * s.v_dot
    if not isinstance(inner(joint), QuaternionFloating | SPQuatFloating | Planar):
        return (q, v), (joint.integrate(s.q, DT * v_next), v_next)
    X, S = joint.joint_transform(s.q), joint.motion_subspace(s.q)
    (omega, linear), (_, linear_rate), omega_next = jnp.split(S @ s.v, 2), jnp.split(S @ s.v_dot, 2), (S @ v_next)[:3]
    turn = transform_exp(jnp.concatenate([DT * omega_next, jnp.zeros(3)])).rotation
    velocity = X.rotation @ (linear + DT * (linear_rate + jnp.cross(omega, linear)))
    X_next = Transform(X.rotation @ turn, X.translation + DT * velocity)
    twist_next = jnp.concatenate([omega_next, X_next.rotation.T @ velocity])
    actual = joint.joint_transform(q), joint.motion_subspace(q) @ v, joint.is_configuration_normalized(q)
    return actual, (X_next, twist_next, True)


@law
def spring_gradient_does_the_work_of_the_spring(joint, s):
    stiffness = jnp.abs(s.force)
    power = rate(joint, s, lambda q: jnp.sum(stiffness * joint.difference(s.other, q) ** 2) / 2)
    return joint.spring_gradient(s.q, s.other, stiffness) @ s.v, power


# ---- tests


@cache
def results(name: str) -> dict:
    joint, keys = ALL_JOINTS[name], jax.random.split(jax.random.key(5), 7)
    q, other = (random_configurations(joint, key) for key in keys[:2])
    v = random_velocities(joint, keys[2])
    rest = [jax.random.normal(keys[3], v.shape), jax.random.normal(keys[4], q.shape)]
    rest += [jax.random.normal(keys[5], (len(q), 6)), jax.random.normal(keys[6], v.shape)]
    samples = Sample(unnormalized(joint, q), unnormalized(joint, other, 0.3), v, *rest)

    def all_laws(sample):
        return {name: law(joint, sample) for name, law in LAWS.items()}

    return jax.device_get(jax.jit(jax.vmap(all_laws))(samples))


@pytest.mark.parametrize("joint", ALL_JOINTS)
@pytest.mark.parametrize("law", LAWS)
def test_law(joint: str, law: str):
    assert_close(*results(joint)[law], operations=20000)


@pytest.mark.parametrize("name", ALL_JOINTS)
def test_kinds_of_joints(name: str):
    joint = ALL_JOINTS[name]
    S = [joint.motion_subspace(q) for q in random_configurations(joint, jax.random.key(1), 2)]
    # A reversed joint computes its subspace from q, also where it comes out the same everywhere.
    assert joint.has_fixed_subspaces == bool(np.array_equal(*S)) or isinstance(joint, Reversed)
    assert joint.num_constraints == 6 - joint.num_velocities == 6 - S[0].shape[1]
    assert joint.is_floating == (joint.num_constraints == 0)


@pytest.mark.parametrize("name", ALL_JOINTS)
def test_random_configurations_are_normalized_and_differ(name: str, key):
    joint = ALL_JOINTS[name]
    q = random_configurations(joint, key, 2)
    assert q.shape == (2, joint.num_positions)
    assert joint.is_configuration_normalized(q[0])
    assert joint.num_positions == 0 or not np.array_equal(*q)
