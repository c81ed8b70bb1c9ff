"""Who hangs on whom: ancestors, subtrees, paths and supports, against a walk along the parents."""

import numpy as np
import pytest

from jaxdyn import Mechanism
from models import ALL_MODELS


def walk(mechanism: Mechanism, body: int) -> list[int]:
    """A body and its ancestors, upwards."""
    return [] if body < 0 else [body, *walk(mechanism, mechanism.topology.parents[body])]


@pytest.mark.parametrize("name", ["branching_arm", "two_trees"])
def test_against_a_walk(name):
    mechanism = ALL_MODELS[name]
    bodies = range(mechanism.num_bodies)
    for body in bodies:
        assert mechanism.ancestors(body).tolist() == walk(mechanism, body)[::-1]
        assert mechanism.subtree(body).tolist() == [b for b in bodies if body in walk(mechanism, b)]
        assert [mechanism.supports(joint, body) for joint in bodies] == [j in walk(mechanism, body) for j in bodies]
        for end in bodies:
            joints, directions = mechanism.path(body, end)
            up, down = walk(mechanism, body), walk(mechanism, end)
            expected = [j for j in up if j not in down] + [j for j in down[::-1] if j not in up]
            assert joints.tolist() == expected
            assert directions.tolist() == [-1 if j in up else 1 for j in expected]


def test_names_frames_negative_indices_and_the_world():
    mechanism = ALL_MODELS["branching_arm"]
    names = np.array(mechanism.body_names)
    assert names[mechanism.ancestors("tip")].tolist()[-2:] == ["adapter", "antenna"]
    assert names[mechanism.subtree("hand")].tolist() == ["hand", "left_finger", "right_finger"]
    assert mechanism.subtree(-1).tolist() == [mechanism.num_bodies - 1]
    assert mechanism.ancestors("world").tolist() == mechanism.path("world", "station")[0].tolist() == []
    assert mechanism.subtree("world").tolist() == list(range(mechanism.num_bodies))
    joints, directions = mechanism.path("counterweight", "world")
    assert [mechanism.joint_names[joint] for joint in joints] == ["counterweight_joint", "turret_joint", "mount_joint"]
    assert directions.tolist() == [-1, -1, -1]
    assert mechanism.supports("turret_joint", "tip") is True
    assert mechanism.supports("hand_joint", "world") is False
    assert Mechanism.empty().subtree("world").tolist() == []


def test_paths_agree_with_degrees_of_freedom():
    """`path_signs` says the same per degree of freedom."""
    mechanism = ALL_MODELS["floating_tree"]
    joints, directions = mechanism.path("hat", "shank")
    signs = np.zeros(mechanism.num_velocities)
    for joint, direction in zip(joints, directions, strict=True):
        signs[mechanism.v_index(int(joint))] = direction
    ends = mechanism.body_index("hat"), mechanism.body_index("shank")
    assert signs.tolist() == mechanism.topology.path_signs(*ends).tolist()
