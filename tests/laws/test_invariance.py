"""What a description leaves open changes no result: order of siblings, place in the world, fixed joints."""

import equinox as eqx
import jax
import jax.numpy as jnp
import pytest

import jaxdyn
from comparison import assert_close
from jaxdyn import Body, Mechanism, attach
from jaxdyn.joints import Fixed, Prismatic, QuaternionSpherical, Revolute
from jaxdyn.spatial import SpatialInertia, Transform
from models import Numbers

JOINTS = {
    "a": ("world", Revolute([0.1, 0.2, 1.0])),
    "b": ("a", Prismatic([0.0, 1.0, 0.3])),
    "c": ("a", QuaternionSpherical()),
    "d": ("c", Revolute([1.0, 0.0, 0.3])),
}


def tree(order: str, root: Transform | None = None, gravity=(0.0, 0.0, -9.81)) -> Mechanism:
    """The bodies of `JOINTS`, attached in some order; the whole tree may be placed somewhere else."""
    mechanism = Mechanism.empty(gravity=gravity)
    for body in order:
        numbers = Numbers(ord(body))
        predecessor, joint = JOINTS[body]
        placement = numbers.placement()
        if predecessor == "world" and root is not None:
            placement = root @ placement
        options = {"armature": 0.1, "damping": 0.2, "stiffness": 0.3}
        mechanism = attach(mechanism, predecessor, joint, numbers.body(body), placement=placement, **options)
    return mechanism


@jax.jit
def arguments(mechanism, like, key):
    """Arguments of `results` for `like`, in the order of `mechanism`'s entries, which must have the same names."""
    q = jaxdyn.random_configuration(like, key)
    v, v_dot = jax.random.normal(key, (2, like.num_velocities))
    wrenches = jax.random.normal(key, (like.num_bodies, 6))
    q_order, v_order = (
        jnp.concatenate([ask(like, joint) for joint in mechanism.joint_names])
        for ask in (Mechanism.q_index, Mechanism.v_index)
    )
    bodies = jnp.array([like.body_index(body) for body in mechanism.body_names])
    return q[q_order], v[v_order], v_dot[v_order], wrenches[bodies]


def results(mechanism, q, v, v_dot, wrenches):
    """Results whose components belong to bodies or to degrees of freedom, and energies."""
    options = {"external_wrenches": wrenches, "wrench_frame": "body"}
    tau = jaxdyn.inverse_dynamics(mechanism, q, v, v_dot, **options)
    return {
        "twists": jaxdyn.body_twists(mechanism, q, v, expressed_in="body").vector,
        "tau": tau,
        "M": jaxdyn.mass_matrix(mechanism, q),
        "v_dot": jaxdyn.forward_dynamics(mechanism, q, v, tau - v, **options),
        "energy": jaxdyn.kinetic_energy(mechanism, q, v),
        "poses": jaxdyn.body_transforms(mechanism, q),
    }


compiled = jax.jit(results)


def test_order_of_siblings_does_not_matter():
    first, second = tree("abcd"), tree("acdb")
    assert first.body_names == ("a", "b", "c", "d")
    assert second.body_names == ("a", "c", "d", "b")
    key = jax.random.key(0)
    expected = compiled(first, *arguments(first, first, key))
    actual = compiled(second, *arguments(second, first, key))
    bodies = jnp.array([first.body_index(body) for body in second.body_names])
    dofs = jnp.concatenate([first.v_index(joint) for joint in second.joint_names])
    expected["M"] = expected["M"][dofs][:, dofs]
    for name, order in (("twists", bodies), ("poses", bodies), ("tau", dofs), ("v_dot", dofs)):
        expected[name] = expected[name][order]
    assert_close(actual, expected)


def test_a_tree_moved_together_with_gravity_does_not_notice():
    move = Transform.from_rpy([0.4, -1.1, 2.0], [3.0, -2.0, 1.0])
    here, there = tree("abcd"), tree("abcd", move, move.apply_vector(jnp.array([0.0, 0.0, -9.81])))
    values = arguments(here, here, jax.random.key(1))
    expected, actual = compiled(here, *values), compiled(there, *values)
    expected["poses"] = (
        Transform(*(jnp.broadcast_to(part, (4, *part.shape)) for part in (move.rotation, move.translation)))
        @ expected["poses"]
    )
    assert_close(actual, expected, operations=20000)


def test_directions_of_gravity():
    """g is linear in gravity, and perpendicular directions differ."""
    mechanism = tree("abcd")
    q, *_ = arguments(mechanism, mechanism, jax.random.key(2))

    @jax.jit
    def forces(gravity):
        return jaxdyn.gravity_forces(eqx.tree_at(lambda m: m.gravity, mechanism, gravity), q)

    along = jnp.stack([forces(axis) for axis in jnp.eye(3)])
    assert_close(forces(jnp.array([1.0, -2.0, 3.0])), jnp.array([1.0, -2.0, 3.0]) @ along)
    assert jnp.linalg.svd(along, compute_uv=False).min() > 1e-3


@pytest.mark.parametrize("on_the_world", [False, True])
def test_fixed_bodies_are_a_part_of_their_carrier(on_the_world):
    """Bodies behind fixed joints, and one body with their inertias added by hand, are the same mechanism."""
    numbers = Numbers(9)
    inertias = [numbers.inertia() for _ in range(4)]
    X_base, X_PB, X_BC, X_CD, X_DE = (numbers.placement() for _ in range(5))
    predecessor, parts, merged = "world", Mechanism.empty(), Mechanism.empty()
    if on_the_world:  # a mount on the world, and a merged mechanism without it
        parts = attach(parts, "world", Fixed(), Body("mount", inertias[3]), placement=X_base)
        predecessor, X_WB = "mount", X_base @ X_PB
    else:
        X_WB = X_PB
    hinge, slider = Revolute([0.2, 1.0, -0.4]), Prismatic([1.0, 0.3, 0.2])
    parts = attach(parts, predecessor, hinge, Body("b", inertias[0]), placement=X_PB)
    parts = attach(parts, "b", Fixed(), Body("c", inertias[1]), placement=X_BC)
    parts = attach(parts, "c", Fixed(), Body("d", inertias[2]), placement=X_CD)
    parts = attach(parts, "d", slider, Body("e", inertias[3]), placement=X_DE)
    X_BD = X_BC @ X_CD
    total = inertias[0] + X_BC.apply_inertia(inertias[1]) + X_BD.apply_inertia(inertias[2])
    merged = attach(merged, "world", hinge, Body("b", total), placement=X_WB)
    merged = attach(merged, "b", slider, Body("e", inertias[3]), placement=X_BD @ X_DE)

    q, v, v_dot = jnp.array([[0.4, 0.3], [1.0, -2.0], [0.5, 0.7]])
    on_e = jnp.arange(6.0)
    wrenches = jnp.zeros((parts.num_bodies, 6)).at[parts.body_index("e")].set(on_e)
    actual = compiled(parts, q, v, v_dot, wrenches)
    expected = compiled(merged, q, v, v_dot, jnp.zeros((2, 6)).at[1].set(on_e))
    rows = jnp.array([parts.body_index("b"), parts.body_index("e")])
    actual["twists"], actual["poses"] = actual["twists"][rows], actual["poses"][rows]
    assert_close(actual, expected)


def test_zero_inertias_change_nothing():
    """A massless body in between, and one at the end behind a fixed joint."""
    plain, longer = tree("ab"), tree("ab")
    longer = attach(longer, "b", Fixed(), Body("tip", SpatialInertia.zero()), placement=Numbers(3).placement())
    values = arguments(plain, plain, jax.random.key(3))
    expected = compiled(plain, *values)
    actual = compiled(longer, *values[:3], jnp.concatenate([values[3], jnp.zeros((1, 6))]))
    actual["twists"], actual["poses"] = actual["twists"][:2], actual["poses"][:2]
    assert_close(actual, expected)
