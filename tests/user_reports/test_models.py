"""Robots in files that other loaders read wrongly, with the numbers that each must have."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

pytest.importorskip("lxml")

import jaxdyn
from comparison import assert_close
from jaxdyn import load_urdf
from jaxdyn.joints import QuaternionFloating, SinCosRevolute

quick = jax.jit


def link(name: str, mass: float = 0.0, moments: str = "1 1 1", origin: str = "") -> str:
    """A link; without a mass, without `<inertial>`."""
    if not mass:
        return f'<link name="{name}"/>'
    xx, yy, zz = moments.split()
    inertia = f'<inertia ixx="{xx}" iyy="{yy}" izz="{zz}" ixy="0" ixz="0" iyz="0"/>'
    return f'<link name="{name}"><inertial>{origin}<mass value="{mass}"/>{inertia}</inertial></link>'


def joint(name: str, parent: str, child: str, kind: str = "continuous", body: str = '<axis xyz="0 0 1"/>') -> str:
    """A joint, with its child before its parent."""
    return f'<joint name="{name}" type="{kind}"><child link="{child}"/><parent link="{parent}"/>{body}</joint>'


def loaded(*parts: str, **options) -> jaxdyn.Mechanism:
    """Strictly, so that any warning would be an error."""
    return load_urdf(f'<robot name="r">{"".join(parts)}</robot>', strict=True, **options)


def test_masses_are_those_of_the_file():
    """Pinocchio 62, 1286, adam 77: a camera without inertial has no mass; the base counts, and floats if asked to.

    RigidBodyDynamics.jl 504: gravity is chosen at loading.
    """
    parts = (
        link("base", 10.0),
        link("arm", 3.0),
        link("camera"),
        joint("shoulder", "base", "arm"),
        joint("mount", "arm", "camera", "fixed", ""),
    )
    fixed, floating = loaded(*parts), loaded(*parts, root_joint=QuaternionFloating(), gravity=[0.0, 0.0, -1.62])
    assert (fixed.num_velocities, floating.num_velocities) == (1, 7)
    assert [float(jaxdyn.total_mass(mechanism)) for mechanism in (fixed, floating)] == [13.0, 13.0]
    assert fixed.spatial_inertias.mass[fixed.body_index("camera")] == 0.0
    M = quick(jaxdyn.mass_matrix)(floating, jaxdyn.zero_configuration(floating))
    assert floating.gravity.tolist() == [0.0, 0.0, -1.62]
    assert_close(M[3:6, 3:6], 13.0 * jnp.eye(3))


def test_a_turned_tensor_and_a_damper():
    """MuJoCo 3559, RigidBodyDynamics.jl 559: the tensor turns with the inertial's frame, and damping is felt."""
    origin = f'<origin xyz="0 0 0" rpy="{np.pi / 2} 0 0"/>'
    axis = '<axis xyz="0 1 0"/><dynamics damping="0.6"/>'
    wheel = loaded(link("base"), link("wheel", 1.0, "1 2 2.5", origin), joint("spin", "base", "wheel", body=axis))

    @quick
    def torques(v, v_dot):
        return jaxdyn.inverse_dynamics(wheel, [0.0], v, v_dot), jaxdyn.passive_forces(wheel, [0.0], v)

    assert_close(torques(jnp.array([2.0]), jnp.array([1.0])), (jnp.array([2.5 + 1.2]), jnp.array([-1.2])))


def test_a_follower_that_turns_the_other_way():
    """MuJoCo 3527: one degree of freedom with the inertia of both wheels."""
    mechanism = loaded(
        link("base"),
        link("a", 1.0, "0.01 0.01 0.01"),
        link("b", 1.0, "0.02 0.02 0.02"),
        joint("follower", "base", "b", body='<axis xyz="0 0 1"/><mimic joint="leader" multiplier="-1"/>'),
        joint("leader", "base", "a"),
    )
    assert mechanism.num_velocities == 1

    @quick
    def results(q):
        return jaxdyn.mass_matrix(mechanism, q), jaxdyn.relative_transform(mechanism, q, "b").rotation

    M, rotation = results(jnp.array([0.3]))
    c, s = np.cos(0.3), np.sin(0.3)
    assert_close(M, jnp.array([[0.03]]))
    assert_close(rotation, jnp.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]]))


def test_a_continuous_joint_is_one_number_unless_asked_otherwise():
    """Pinocchio 794: an angle without limits; sine and cosine on request."""
    parts = link("base"), link("wheel", 1.0), joint("spin", "base", "wheel")
    wheel, circle = loaded(*parts), loaded(*parts, joint_classes={"continuous": SinCosRevolute})
    assert (wheel.num_positions, wheel.num_velocities) == (1, 1)
    assert (wheel.position_lower.tolist(), wheel.position_upper.tolist()) == ([-np.inf], [np.inf])
    assert (circle.num_positions, circle.num_velocities) == (2, 1)


def test_places_at_the_zero_configuration():
    """Drake 13691, sdformat 22: a floating joint starts at its origin; placements of fixed joints are composed."""
    mechanism = loaded(
        link("base"),
        link("drone", 1.0),
        link("one"),
        link("two", 1.0),
        joint("flight", "base", "drone", "floating", '<origin xyz="0 0 1"/>'),
        joint("first", "base", "one", "fixed", '<origin xyz="1 0 0" rpy="0 0.5 0"/>'),
        joint("second", "one", "two", "fixed", '<origin xyz="2 0 0"/>'),
    )
    assert (mechanism.num_positions, mechanism.num_velocities) == (7, 6)
    places = quick(jaxdyn.body_transforms)(mechanism, jaxdyn.zero_configuration(mechanism)).translation
    assert_close(places[mechanism.body_index("drone")], jnp.array([0.0, 0.0, 1.0]))
    assert_close(places[mechanism.body_index("two")], jnp.array([1 + 2 * np.cos(0.5), 0.0, -2 * np.sin(0.5)]))


def test_one_name_for_a_link_and_a_joint():
    """Drake 182, Pinocchio 1771: bodies and joints have names of their own, which are never parts of others."""
    mechanism = loaded(
        link("base"),
        link("wrist", 1.0),
        link("hand", 1.0),
        joint("wrist", "base", "wrist"),
        joint("wrist_2", "wrist", "hand"),
    )
    assert mechanism.body_names == ("base", "wrist", "hand")
    assert [mechanism.v_index(name).tolist() for name in ("wrist", "wrist_2")] == [[0], [1]]


def test_order_of_the_file():
    """differentiable-robot-model 37, Isaac Lab 37: depth first, children as in the file; an arm's tags in any order."""
    torso = loaded(
        *(link(name, 1.0) for name in ("torso", "left_arm", "neck", "right_arm", "head")),
        *(joint(f"{name}_joint", "torso", name) for name in ("neck", "left_arm", "right_arm")),
        joint("head_joint", "neck", "head"),
    )
    assert torso.body_names == ("torso", "neck", "head", "left_arm", "right_arm")
    links = [link(name, 1.0) for name in ("base", "a", "b", "c")]
    joints = [
        joint(f"{child}_joint", parent, child, body=f'<origin xyz="0.1 0.2 0.3"/><axis xyz="{axis}"/>')
        for parent, child, axis in (("base", "a", "0 0 1"), ("a", "b", "1 0 0"), ("b", "c", "0 1 0"))
    ]
    tidy, shuffled = loaded(*links, *joints), loaded(joints[2], *links[::-1], joints[0], joints[1])
    q = jnp.array([0.3, -0.5, 0.7])
    values = [quick(jaxdyn.geometric_jacobian, static_argnums=2)(m, q, "c") for m in (tidy, shuffled)]
    assert tidy.joint_names == shuffled.joint_names
    assert_close(values[1], values[0])
