"""What accelerations, points and tasks refuse: each message says what is wrong and what to do."""

import jax
import jax.numpy as jnp
import pytest

import jaxdyn
from jaxdyn import Body, Mechanism, attach
from jaxdyn._errors import InvalidValueError, MechanismError, ShapeError, UnknownNameError
from jaxdyn.joints import Revolute
from jaxdyn.spatial import SpatialInertia, Transform

ONE, TWO = jnp.zeros(1), jnp.zeros(2)


def wheel() -> Mechanism:
    body = Body("wheel", SpatialInertia.solid_sphere(1.0, 0.1))
    return attach(Mechanism.empty(), "world", Revolute([0.0, 0.0, 1.0]), body)


def with_massless_tail() -> Mechanism:
    return attach(wheel(), "wheel", Revolute([1.0, 0.0, 0.0]), Body("tail"), name="spine")


@pytest.mark.parametrize("point", [[0.0, 1.0], [[0.0, 1.0, 2.0]]])
def test_point_of_wrong_shape(point):
    with pytest.raises(ShapeError, match=r"`point` must be three numbers, but has shape .*`jax.vmap`"):
        jaxdyn.point_velocity(wheel(), ONE, ONE, "wheel", point)
    with pytest.raises(ShapeError, match=r"`point` must be three numbers, but has shape .*`jax.vmap`"):
        jaxdyn.point_jacobian(wheel(), ONE, "wheel", point)


@pytest.mark.parametrize("task", [[0.0, 1.0], jnp.ones((3, 2))])
def test_task_of_wrong_shape(task):
    with pytest.raises(ShapeError, match=r"shape \(rows, num_velocities\) = \(rows, 1\).*Stack Jacobians"):
        jaxdyn.operational_space_inertia(wheel(), ONE, task)


def test_v_dot_of_wrong_shape():
    for function in (jaxdyn.body_accelerations, jaxdyn.joint_wrenches):
        with pytest.raises(ShapeError, match=r"`v_dot` must have shape .* = \(1,\).*jax.vmap"):
            function(wheel(), ONE, ONE, TWO)


def test_unknown_frames():
    with pytest.raises(UnknownNameError, match=r"no frame named `whele`.*nearest names are: `wheel`"):
        jaxdyn.frame_acceleration(wheel(), ONE, ONE, ONE, "whele")
    with pytest.raises(UnknownNameError, match=r'`expressed_in` must be "world_aligned".*but is `LOCAL`.*print'):
        jaxdyn.jacobian_derivative(wheel(), ONE, ONE, "wheel", expressed_in="LOCAL")
    with pytest.raises(UnknownNameError, match=r"no frame named `whele`.*nearest names are: `wheel`"):
        jaxdyn.subtree_mass(wheel(), "whele")


def test_unknown_wrench_frame():
    with pytest.raises(InvalidValueError, match=r"one of body_origin, world, body, but is `tool`. Use `wrench_at`"):
        jaxdyn.joint_wrenches(wheel(), ONE, ONE, ONE, jnp.zeros((1, 6)), wrench_frame="tool")


def test_a_joint_that_moves_no_inertia():
    with pytest.raises(MechanismError, match=r"joint `spine` moves none .bodies `tail`.. Give one of these bodies a"):
        jaxdyn.mass_matrix_inverse(with_massless_tail(), TWO)


def test_traced_such_a_joint_has_no_acceleration():
    """Its row and column are zero, and all derivatives are finite; so are those of a task that cannot be done."""

    def results(q):
        m = with_massless_tail()
        return jaxdyn.mass_matrix_inverse(m, q), jaxdyn.null_space_projector(m, q, "tail")

    inverse, _ = jax.jit(results)(TWO)
    assert jnp.max(jnp.abs(inverse - jnp.array([[250.0, 0.0], [0.0, 0.0]]))) < 1e-10
    derivatives = jax.jit(lambda q: (jax.jacfwd(results)(q), jax.jacrev(results)(q)))(TWO)
    assert all(jnp.all(jnp.isfinite(part)) for part in jax.tree.leaves(derivatives))


def test_inverse_kinematics_without_a_target():
    with pytest.raises(InvalidValueError, match=r"at least one frame, but is empty. Write for example"):
        jaxdyn.inverse_kinematics(wheel(), {}, ONE)


def test_target_whose_rotation_is_none():
    with pytest.raises(InvalidValueError, match=r"rotation of the target of `wheel` must be an orthonormal.*Build it"):
        jaxdyn.inverse_kinematics(wheel(), {"wheel": Transform(2 * jnp.eye(3), jnp.zeros(3))}, ONE)


def test_target_of_wrong_shape():
    with pytest.raises(ShapeError, match=r"target of `wheel` must be one `Transform` or three.*`jax.vmap`"):
        jaxdyn.inverse_kinematics(wheel(), {"wheel": [0.0, 1.0]}, ONE)
