"""Another body at the root: no body moves differently, and the joints in between are only walked the other way."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxdyn
from comparison import assert_close
from jaxdyn import Mechanism, attach
from jaxdyn.joints import Fixed, Prismatic, QuaternionFloating, Reversed, Revolute
from models import ALL_MODELS, Numbers

from .edit_laws import OPERATIONS, assert_shared_close, calm_floating_tree, motion, same_leaves, state, statics

pytestmark = pytest.mark.long


def reversed_root() -> Mechanism:
    """A floating joint that is reversed, a hinge that is reversed, and two sliders that follow it."""
    numbers = Numbers(41)
    mechanism = Mechanism.empty()
    for predecessor, joint, body in (
        ("world", Reversed(QuaternionFloating()), "a"),
        ("a", Reversed(Revolute([0.2, 1.0, 0.1])), "b"),
        ("b", Prismatic([0.2, 1.0, 0.1]), "c"),
        ("a", Prismatic([0.2, -1.0, 0.1]), "d"),
    ):
        placements = {"placement": numbers.placement(), "successor_placement": numbers.placement()}
        mechanism = attach(mechanism, predecessor, joint, numbers.body(body), **placements)
    mechanism = jaxdyn.add_mimic(mechanism, "c_joint", "b_joint", ratio=-0.7, offset=0.2)
    return jaxdyn.add_mimic(mechanism, "d_joint", "b_joint", ratio=0.4)


def test_all_bodies_accelerate_alike():
    """Under the same joint torques, with none on the floating joint."""
    whole = calm_floating_tree()
    rerooted, moved = jaxdyn.reroot(whole, "shank")
    q, v, tau = state(whole)
    tau_moved = np.zeros(tau.shape)
    for joint in whole.joint_names:
        tau_moved[rerooted.v_index(joint)] = tau[whole.v_index(joint)]
    state_moved = (*jax.jit(moved)(q, v), jnp.asarray(tau_moved))
    (v_dot, accelerations), (v_dot_moved, accelerations_moved) = (
        motion(whole, (q, v, tau)),
        motion(rerooted, state_moved),
    )
    assert_shared_close(accelerations_moved, accelerations)
    for joint in whole.joint_names[1:]:
        assert_close(v_dot_moved[rerooted.v_index(joint)], v_dot[whole.v_index(joint)], OPERATIONS)


MODELS = {
    "rare_joints": (lambda: jaxdyn.replace(ALL_MODELS["rare_joints"], joint=0, damping=0.0), "nut"),
    "reversed_root": (reversed_root, "c"),
}


@pytest.mark.parametrize("name", MODELS)
def test_frames_never_move_and_energy_stays(name):
    model, body = MODELS[name]
    whole = model()
    rerooted, moved = jaxdyn.reroot(whole, body)
    q, v, _ = state(whole)
    q_moved, v_moved = jax.jit(moved)(q, v)
    assert rerooted.body_names[0] == body
    assert {*rerooted.joint_names} == {*whole.joint_names}
    (poses_moved, M_moved), (poses, M) = statics(rerooted, q_moved), statics(whole, q)
    assert poses_moved.keys() == poses.keys()
    assert_shared_close(poses_moved, poses)
    assert_close(v_moved @ M_moved @ v_moved, v @ M @ v, OPERATIONS)
    followers = {rerooted.joint_names[f]: rerooted.joint_names[leader] for f, leader in rerooted.topology.mimics}
    assert followers == ({"c_joint": "b_joint", "d_joint": "b_joint"} if name == "reversed_root" else {})


def test_there_and_back():
    """Reversed twice, a joint is what it was; the state comes back."""
    there, _ = jaxdyn.reroot(calm_floating_tree(), "shank")
    back, to_back = jaxdyn.reroot(there, "floater")
    assert isinstance(there.joint("shank_joint"), Reversed)
    assert isinstance(back.joint("shank_joint"), Prismatic)
    assert isinstance(there.joint("torso_joint"), Fixed)
    there_again, to_there = jaxdyn.reroot(back, "shank")
    assert same_leaves(there_again, there)
    q, v, _ = state(there)
    both = jax.jit(lambda q, v: to_there(*to_back(q, v)))
    q_again, v_again = both(q, v)
    floating = there.q_index("floater_joint")
    quaternion, again = q[floating][:4], q_again[floating][:4]
    assert_close(again, jnp.sign(again @ quaternion) * quaternion / jnp.linalg.norm(quaternion))
    assert_close((q_again[floating[4] :], v_again), (q[floating[4] :], v))


def test_the_root_itself():
    whole = ALL_MODELS["floating_tree"]
    same, moved = jaxdyn.reroot(whole, "floater")
    q, v, _ = state(whole)
    assert same_leaves(same, whole)
    assert_close(moved(q, v), (q, v))


def test_the_velocity_is_the_derivative_of_the_configuration():
    whole = calm_floating_tree()
    rerooted, moved = jaxdyn.reroot(whole, "thigh")

    def both(q, v):
        q_dot = jaxdyn.velocity_to_configuration_derivative(whole, q, v)
        (q_moved, v_moved), (q_moved_dot, _) = jax.jvp(moved, (q, v), (q_dot, jnp.zeros_like(v)))
        return q_moved_dot, jaxdyn.velocity_to_configuration_derivative(rerooted, q_moved, v_moved)

    assert_close(*jax.jit(both)(*state(whole)[:2]))
