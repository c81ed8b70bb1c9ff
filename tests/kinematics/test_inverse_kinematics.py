"""Inverse kinematics finds what forward kinematics made, respects limits, and follows its targets."""

import jax
import jax.numpy as jnp

import jaxdyn
from comparison import assert_close
from jaxdyn import Body, Mechanism, attach, inverse_kinematics
from jaxdyn.joints import Prismatic
from jaxdyn.spatial import SpatialInertia, Transform
from models import ALL_MODELS

BODY = Body("cart", SpatialInertia.solid_sphere(1.0, 0.1))


def test_poses_of_an_arm_are_found_from_near():
    """And the configuration follows its target by the least motion, in both modes."""
    arm = jaxdyn.load_example("arm").astype(jnp.float64)

    def solved(key):
        keys = jax.random.split(key)
        q = jaxdyn.random_configuration(arm, keys[0])
        pose = jaxdyn.relative_transform(arm, q, "tool")
        q0 = q + 0.3 * jax.random.normal(keys[1], q.shape)
        result = inverse_kinematics(arm, {"tool": pose}, q0, tolerance=1e-9)
        found = jaxdyn.relative_transform(arm, result.q, "tool")

        def follows(point):
            target = Transform(found.rotation, point)
            return inverse_kinematics(arm, {"tool": target}, result.q, max_iterations=0).q

        slopes = jax.jacfwd(follows)(found.translation), jax.jacrev(follows)(found.translation)
        J = jaxdyn.geometric_jacobian(arm, result.q, "tool")
        inside = jnp.all(jaxdyn.clamp_configuration(arm, result.q) == result.q)
        return result, pose, found, inside, slopes, jnp.linalg.pinv(J)[:, 3:]

    keys = jax.random.split(jax.random.key(3), 8)
    result, pose, found, inside, slopes, expected = jax.jit(jax.vmap(solved))(keys)
    assert jnp.all(result.converged)
    assert jnp.max(result.error) <= 1e-9
    assert jnp.all(inside)
    assert jnp.max(jnp.abs(pose.matrix() - found.matrix())) < 1e-9
    assert_close(slopes, (expected, expected), operations=10**7)


def test_several_frames_of_a_floating_tree():
    """A pose and a point together, from far away, with quaternions of any norm."""
    tree = ALL_MODELS["floating_tree"]

    def solved(key):
        q = jaxdyn.random_configuration(tree, key)
        pose = jaxdyn.relative_transform(tree, q, "eye")
        point = jaxdyn.relative_transform(tree, q, "shank").translation
        q0 = 1.5 * jaxdyn.zero_configuration(tree)
        return inverse_kinematics(tree, {"eye": pose, "shank": point}, q0)

    result = jax.jit(jax.vmap(solved))(jax.random.split(jax.random.key(1), 4))
    assert jnp.all(result.converged)


def test_limits_hold():
    """One slider ends at its limit; the other one, at 45 degrees to it, goes where that leaves the least error.

    So do their derivatives: the one at its limit stays there.
    """
    limits = {"position_lower": -0.5, "position_upper": 0.2}
    cart = attach(Mechanism.empty(), "world", Prismatic([1.0, 0.0, 0.0]), Body("rail"), **limits)
    cart = attach(cart, "rail", Prismatic([1.0, 1.0, 0.0]), BODY)

    def solved(target):
        result = inverse_kinematics(cart, {"cart": target}, [0.0, 0.0])
        return (result.q, result.error), result

    target = jnp.array([1.0, 0.2, 0.0])
    slopes, result = jax.jit(jax.jacrev(solved, has_aux=True))(target)
    assert_close(result.q, jnp.array([0.2, 0.5 * 2**0.5]), operations=10**9)
    assert_close(result.error, jnp.array(0.3 * 2**0.5))
    assert not result.converged
    expected = jnp.array([[0.0, 0.0, 0.0], [0.5**0.5, 0.5**0.5, 0.0]]), jnp.array([0.5**0.5, -(0.5**0.5), 0.0])
    assert_close(slopes, expected, operations=10**9)
