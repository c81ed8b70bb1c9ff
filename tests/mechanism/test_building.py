"""Order, names and numbers of a mechanism that is built body by body."""

import jax
import jax.numpy as jnp
import numpy as np

import jaxdyn
from comparison import assert_close
from jaxdyn import Body, Mechanism, add_frame, attach
from jaxdyn.joints import Fixed, Prismatic, Revolute
from jaxdyn.spatial import SpatialInertia, Transform
from models import ALL_MODELS

UNIT = SpatialInertia.solid_sphere(1.0, 0.5)


def siblings() -> Mechanism:
    """Bodies attached breadth first: a and b on the world, then their children."""
    mechanism = Mechanism.empty()
    for predecessor, body in (("world", "a"), ("world", "b"), ("a", "aa"), ("b", "ba"), ("a", "ab"), ("aa", "aaa")):
        mechanism = attach(mechanism, predecessor, Revolute([0.0, 0.0, 1.0]), Body(body, UNIT))
    return mechanism


def test_bodies_are_in_depth_first_order():
    mechanism = siblings()
    assert mechanism.body_names == ("a", "aa", "aaa", "ab", "b", "ba")
    assert mechanism.topology.parents == (-1, 0, 1, 0, -1, 4)
    assert mechanism.joint_names[2] == "aaa_joint"
    again = attach(mechanism, "b", Fixed(), Body("bb"))  # one edit more: the order does not alternate
    assert again.body_names == ("a", "aa", "aaa", "ab", "b", "ba", "bb")


def test_numbers_keep_their_bodies():
    mechanism = Mechanism.empty()
    for i, (predecessor, body) in enumerate((("world", "a"), ("world", "b"), ("a", "aa"), ("world", "c"))):
        joint = Revolute([1.0, 0.0, float(i)]) if i != 1 else Prismatic([1.0, 0.0, 1.0])
        mechanism = attach(
            mechanism,
            predecessor,
            joint,
            Body(body, SpatialInertia.solid_sphere(1.0 + i, 0.5)),
            placement=Transform(np.eye(3), [float(i), 0.0, 0.0]),
            **{name: 0.5 + i for name in ("damping", "armature", "stiffness", "position_upper")},
            position_lower=-float(i),
            rest_configuration=[0.1 * i],
        )
    order = [0, 2, 1, 3]
    assert mechanism.body_names == ("a", "aa", "b", "c")
    i = jnp.array([float(i) for i in order])
    assert_close(mechanism.spatial_inertias.mass, 1 + i)
    assert_close(mechanism.placements.translation[:, 0], i)
    for name in ("damping", "armature", "stiffness", "position_upper"):
        assert_close(getattr(mechanism, name), 0.5 + i)
    assert_close(mechanism.position_lower, -i)
    assert_close(mechanism.rest_configuration, 0.1 * i)
    for body, number in zip(mechanism.body_names, order, strict=True):
        joint = mechanism.joint(f"{body}_joint")
        assert isinstance(joint, Prismatic if number == 1 else Revolute)
        assert_close(joint.axis[2], jnp.asarray(float(number)))


def test_one_number_per_degree_of_freedom_or_one_for_all():
    mechanism = ALL_MODELS["floating_tree"]
    assert_close(mechanism.damping[mechanism.v_index("floater_joint")], jnp.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6]))
    assert_close(mechanism.stiffness[mechanism.v_index("head_joint")], jnp.full(3, 2.0))
    assert_close(mechanism.rest_configuration[mechanism.q_index("head_joint")], jnp.array([0.7, 0.1, -0.5, 0.3]))
    assert jnp.all(jnp.isinf(mechanism.position_upper))


def test_index_maps():
    mechanism = ALL_MODELS["floating_tree"]
    assert mechanism.q_index("head_joint").tolist() == [7, 8, 9, 10]
    assert mechanism.v_index("head_joint").tolist() == [6, 7, 8]
    assert mechanism.q_index("torso_joint").tolist() == []
    assert mechanism.v_index(-1).tolist() == [10]
    assert (mechanism.num_bodies, mechanism.num_positions, mechanism.num_velocities) == (6, 13, 11)
    assert mechanism.num_actuated == 5
    assert mechanism.topology.actuated_velocities.tolist() == [6, 7, 8, 9, 10]
    assert mechanism.body_index("head") == mechanism.joint_index("head_joint") == mechanism.body_index(-4) == 2
    assert mechanism.frame_index("eye") == (3, 0)
    assert mechanism.frame_index("world") == (-1, None)
    assert mechanism.frame_index("shank") == mechanism.frame_index(-1) == (5, None)
    assert ALL_MODELS["branching_arm"].frame_index("station") == (-1, 1)


def test_the_given_mechanism_is_not_changed():
    before = ALL_MODELS["pendulum"]
    attach(before, "bob", Fixed(), Body("more"))
    assert before.num_bodies == 1


def test_frames_never_move():
    """Whatever is attached later, where the bodies and frames are, and their numbers, stay the same."""
    mechanism = ALL_MODELS["branching_arm"]
    extended = attach(mechanism, "mount", Fixed(), Body("late", UNIT), placement=Transform(np.eye(3), [1.0, 2.0, 3.0]))
    extended = attach(extended, "link", Revolute([1.0, 0.0, 0.0]), Body("later", UNIT))
    extended = add_frame(extended, "another", "late")
    q = jaxdyn.random_configuration(mechanism, jax.random.key(0))
    q_extended = np.zeros(extended.num_positions)
    for joint in mechanism.joint_names:
        q_extended[extended.q_index(joint)] = q[mechanism.q_index(joint)]

    @jax.jit
    def poses(mechanism, q):
        return jaxdyn.body_transforms(mechanism, q), jaxdyn.frame_transforms(mechanism, q)

    (bodies, frames), (bodies_after, frames_after) = poses(mechanism, q), poses(extended, q_extended)
    places = [extended.body_index(body) for body in mechanism.body_names]
    assert extended.frame_names[:2] == mechanism.frame_names
    assert_close(bodies_after.rotation[np.array(places)], bodies.rotation)
    assert_close(bodies_after.translation[np.array(places)], bodies.translation)
    assert_close((frames_after.rotation[:2], frames_after.translation[:2]), (frames.rotation, frames.translation))
    for number in ("mass", "first_moment", "moment"):
        before, after = (getattr(m.spatial_inertias, number) for m in (mechanism, extended))
        assert_close(after[np.array(places)], before)


def test_text_shows_the_tree_and_its_degrees_of_freedom():
    text = repr(ALL_MODELS["floating_tree"])
    assert text.startswith("Mechanism: 6 bodies, 13 positions, 11 velocities, float64\n")
    assert "  floater  <- floater_joint: QuaternionFloating, q[0:7] v[0:6]\n" in text
    assert "\n    torso  <- torso_joint: Fixed\n" in text
    assert "shank  <- shank_joint: Prismatic, q[12] v[10]" in text
    assert "  frame eye on hat" in text
    assert "  frame station on world" in repr(ALL_MODELS["branching_arm"])
    assert repr(Mechanism.empty()) == "Mechanism: 0 bodies, 0 positions, 0 velocities, float64"


def test_empty_mechanism_takes_gravity_and_dtype():
    mechanism = Mechanism.empty(gravity=[0, 1, 2], dtype=jnp.float32)
    assert mechanism.gravity.tolist() == [0, 1, 2]
    mechanism = attach(mechanism, "world", Revolute([0.0, 0.0, 1.0]), Body("a", UNIT))
    assert all(leaf.dtype == jnp.float32 for leaf in jax.tree.leaves(mechanism))
    assert Mechanism.empty().gravity.tolist() == [0, 0, -9.81]
