"""What the tests of edits share: models, states, and comparisons of mechanisms by the names of bodies and joints."""

from collections.abc import Mapping

import jax
import jax.numpy as jnp
import numpy as np

import jaxdyn
from comparison import assert_close
from jaxdyn import Mechanism, attach
from jaxdyn.joints import Fixed, Prismatic, Revolute
from models import ALL_MODELS, Numbers

OPERATIONS = 5000
"""For `assert_close`: 1e-12 in double precision."""

State = tuple[jax.Array, jax.Array, jax.Array]


def calm_floating_tree() -> Mechanism:
    """`floating_tree` without the dampers of its base, which belong to one body."""
    return jaxdyn.replace(ALL_MODELS["floating_tree"], joint="floater_joint", damping=0.0)


def gripper() -> Mechanism:
    """A palm on a wrist, and two fingers, of which one follows the other from a rail on the palm."""
    numbers = Numbers(21)
    mechanism = Mechanism.empty()
    for predecessor, joint, body in (
        ("world", Revolute([0.1, 0.2, 1.0]), "palm"),
        ("palm", Prismatic([1.0, 0.0, 0.2]), "left"),
        ("palm", Fixed(), "rail"),
        ("rail", Prismatic([-1.0, 0.1, 0.0]), "right"),
    ):
        options = {"placement": numbers.placement(), "damping": 0.3, "armature": 0.1}
        mechanism = attach(mechanism, predecessor, joint, numbers.body(body), **options)
    return jaxdyn.add_mimic(mechanism, "right_joint", "left_joint", ratio=-0.7, offset=0.2)


def state(mechanism: Mechanism) -> State:
    """A configuration (quaternions need no unit norm), a velocity and generalized forces, none on floating joints."""
    numbers = Numbers(51)
    q, v, tau = (numbers.take(size) for size in (mechanism.num_positions, *[mechanism.num_velocities] * 2))
    tau[np.setdiff1d(np.arange(tau.size), mechanism.topology.actuated_velocities)] = 0
    return jnp.asarray(q), jnp.asarray(v), jnp.asarray(tau)


def entries(mechanism: Mechanism, like: Mechanism) -> tuple[np.ndarray, np.ndarray]:
    """Entries of q and v of `mechanism` for those of `like`, by the names of the joints."""
    moving = [name for body, name in enumerate(like.joint_names) if like.joint(body).num_velocities > 0]
    own = [name for name in moving if like.topology.leaders[like.joint_index(name)] == like.joint_index(name)]
    of_q, of_v = ([index(joint) for joint in own] for index in (mechanism.q_index, mechanism.v_index))
    return np.concatenate(of_q), np.concatenate(of_v)


def carried_over(mechanism: Mechanism, like: Mechanism, arguments: State) -> State:
    """A state of `mechanism` for another one with the same joints, or some of them, in another order."""
    of_q, of_v = entries(mechanism, like)
    q, v, tau = arguments
    return q[of_q], v[of_v], tau[of_v]


def _statics(mechanism, q):
    bodies, frames = jaxdyn.body_transforms(mechanism, q), jaxdyn.frame_transforms(mechanism, q)
    return jax.tree.map(lambda *x: jnp.concatenate(x), bodies, frames), jaxdyn.mass_matrix(mechanism, q)


def _motion(mechanism, q, v, tau):
    v_dot = jaxdyn.forward_dynamics(mechanism, q, v, tau)
    return v_dot, jaxdyn.body_accelerations(mechanism, q, v, v_dot).vector


_compiled_statics = jax.jit(_statics)
_compiled_motion = jax.jit(_motion)


def statics(mechanism: Mechanism, q: jax.Array) -> tuple[dict, jax.Array]:
    """Poses of bodies and additional frames under their names, and the mass matrix."""
    poses, M = _compiled_statics(mechanism, q)
    names = enumerate((*mechanism.body_names, *mechanism.frame_names))
    return {name: jax.tree.map(lambda x, row=row: x[row], poses) for row, name in names}, M


def motion(mechanism: Mechanism, arguments: State) -> tuple[jax.Array, dict]:
    """Accelerations of the joints under given forces, and of the bodies under their names."""
    v_dot, accelerations = _compiled_motion(mechanism, *arguments)
    return v_dot, dict(zip(mechanism.body_names, accelerations, strict=True))


def assert_shared_close(actual: Mapping, expected: Mapping) -> None:
    """What is under the same name in both is the same."""
    shared = actual.keys() & expected.keys()
    assert shared
    for name in shared:
        assert_close(actual[name], expected[name], OPERATIONS)


def same_leaves(first: Mechanism, second: Mechanism) -> bool:
    """Whether two mechanisms are equal to the last bit."""
    if jax.tree.structure(first) != jax.tree.structure(second):
        return False
    pairs = zip(jax.tree.leaves(first), jax.tree.leaves(second), strict=True)
    return all(a.dtype == b.dtype and np.array_equal(a, b) for a, b in pairs)
