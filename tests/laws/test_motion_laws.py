"""Poses, twists, Jacobians, inertia and potential energy of every model agree with their definitions."""

import jax
import jax.numpy as jnp

import jaxdyn
from jaxdyn.spatial import Motion, Transform

from .definitions import elastic_energy
from .registry import Laws

laws = law = Laws()


def frames_of(mechanism):
    """A moving frame, the frame it is related to, and one in which results are expressed: far from each other."""
    names = (*mechanism.body_names, *mechanism.frame_names)
    return names[-1], names[len(names) // 2], names[0]


def expressed(mechanism, q, twist: Motion, frame, expressed_in) -> Motion:
    """A twist in the moving frame, as the keyword asks for."""
    if expressed_in == "body":
        return twist
    X_WF = jaxdyn.relative_transform(mechanism, q, frame)
    if expressed_in == "world_aligned":
        return Transform(X_WF.rotation, jnp.zeros(3)).apply_motion(twist)
    return jaxdyn.relative_transform(mechanism, q, frame, expressed_in).apply_motion(twist)


# ---- kinematics


@law
def poses_are_products_along_the_tree(m, s):
    return jaxdyn.body_transforms(m, s.q), s.poses


@law
def frames_ride_on_their_bodies(m, s):
    poses, placements = s.poses, m.frame_placements.transform()
    on_bodies = [poses[body] if body >= 0 else Transform.identity() for body in m.topology.frame_bodies]
    expected = [pose @ placements[i] for i, pose in enumerate(on_bodies)]
    actual = jaxdyn.frame_transforms(m, s.q)
    return [actual[i] for i in range(len(expected))], expected


@law
def relative_transforms_are_quotients(m, s):
    frame, other, _ = frames_of(m)
    X_WF, X_WO = (jaxdyn.relative_transform(m, s.q, name) for name in (frame, other))
    by_index = jaxdyn.relative_transform(m, s.q, -1), jaxdyn.body_transforms(m, s.q)[-1]
    actual = X_WO @ jaxdyn.relative_transform(m, s.q, frame, relative_to=other)
    return (actual, by_index[0]), (X_WF, by_index[1])


@law
def jacobians_times_velocity_are_twists_are_rates_of_poses(m, s):
    frame, other, third = frames_of(m)
    jacobians, twists, expected = [], [], []
    by_definition = {start: s.twist_between(frame, start) for start in ("world", other)}
    for start, axes in (("world", "world_aligned"), (other, "world"), (other, "body"), ("world", third)):
        options = {"relative_to": start, "expressed_in": axes}
        jacobians.append(jaxdyn.geometric_jacobian(m, s.q, frame, **options) @ s.v)
        twists.append(jaxdyn.relative_twist(m, s.q, s.v, frame, **options).vector)
        expected.append(expressed(m, s.q, by_definition[start], frame, axes).vector)
    return (jacobians, twists), (expected, expected)


@law
def body_twists_are_the_twists_of_each_body(m, s):
    _, other, third = frames_of(m)
    bodies = [0, m.num_bodies - 1]
    actual, expected = [], []
    for relative_to, expressed_in in ((other, "world_aligned"), (third, "body"), (other, third)):
        options = {"relative_to": relative_to, "expressed_in": expressed_in}
        actual.extend(jaxdyn.body_twists(m, s.q, s.v, **options)[body] for body in bodies)
        expected.extend(jaxdyn.relative_twist(m, s.q, s.v, body, **options) for body in bodies)
    return actual, expected


@law
def world_twists_are_rates_of_poses(m, s):
    return jaxdyn.body_twists(m, s.q, s.v, expressed_in="world"), s.twists


@law
def columns_off_the_path_are_zero(m, s):
    """Degrees of freedom that do not lie between two frames do not move one relative to the other."""
    frame, other, _ = frames_of(m)
    J = jaxdyn.geometric_jacobian(m, s.q, frame, relative_to=other)
    off = jnp.asarray(m.topology.path_signs(m.frame_index(other)[0], m.frame_index(frame)[0]) == 0)
    back = jaxdyn.geometric_jacobian(m, s.q, other, relative_to=frame, expressed_in=frame)
    forth = jaxdyn.geometric_jacobian(m, s.q, frame, relative_to=other, expressed_in="body")
    return (jnp.where(off, J, 0.0), back), (jnp.zeros_like(J), -forth)


@law
def poses_do_not_depend_on_the_norm_of_quaternions(m, s):
    normalized = jaxdyn.normalize_configuration(m, s.q)
    twists = [jaxdyn.body_twists(m, q, s.v) for q in (s.q, normalized)]
    poses = [jaxdyn.body_transforms(m, q) for q in (s.q, normalized)]
    return (poses[0], twists[0]), (poses[1], twists[1])


# ---- accelerations


@law
def accelerations_are_rates_of_twists_in_the_moving_frame(m, s):
    """And so are those of a Jacobian and its derivative; the classical ones add ω × v."""
    frame, other, third = frames_of(m)
    start = {"relative_to": other}
    twist, in_frame = s.value_and_rate(lambda q, v: jaxdyn.relative_twist(m, q, v, frame, **start, expressed_in="body"))
    actual, expected = [], []
    for axes, classical in (("body", False), ("world_aligned", False), (third, True)):
        keywords = {**start, "expressed_in": axes, "classical": classical}
        actual.append(jaxdyn.frame_acceleration(m, s.q, s.v, s.v_dot, frame, **keywords))
        A, V = (expressed(m, s.q, motion, frame, axes) for motion in (in_frame, twist))
        expected.append(Motion(A.angular, A.linear + float(classical) * jnp.cross(V.angular, V.linear)))
    J = jaxdyn.geometric_jacobian(m, s.q, frame, **start, expressed_in="body")
    J_dot = jaxdyn.jacobian_derivative(m, s.q, s.v, frame, **start, expressed_in="body")
    return (actual, J @ s.v_dot + J_dot @ s.v), (expected, in_frame.vector)


@law
def body_accelerations_are_the_accelerations_of_each_body(m, s):
    """Of the last one here, related to another body; and at `v_dot = 0` they are the biases."""
    options = {"relative_to": frames_of(m)[1], "expressed_in": "body"}
    biases = jaxdyn.bias_accelerations(m, s.q, s.v, **options, classical=True)
    still = jaxdyn.body_accelerations(m, s.q, s.v, 0 * s.v, **options, classical=True)
    last = jaxdyn.frame_acceleration(m, s.q, s.v, 0 * s.v, -1, **options, classical=True)
    return (biases, still[-1]), (still, last)


@law
def jacobian_derivatives_are_rates_of_jacobians(m, s):
    frame, other, third = frames_of(m)
    options = [{"relative_to": other}, {"expressed_in": third}]
    rates = s.rate(lambda q: [jaxdyn.geometric_jacobian(m, q, frame, **keywords) for keywords in options])
    return [jaxdyn.jacobian_derivative(m, s.q, s.v, frame, **keywords) for keywords in options], rates


@law
def points_move_with_their_frame(m, s):
    frame, point = frames_of(m)[0], jnp.array([0.3, -0.2, 0.7])
    J_v, acceleration = s.value_and_rate(lambda q, v: jaxdyn.point_jacobian(m, q, frame, point) @ v)
    velocity = s.rate(lambda q: jaxdyn.relative_transform(m, q, frame).apply_point(point))
    actual = (
        J_v,
        jaxdyn.point_velocity(m, s.q, s.v, frame, point),
        jaxdyn.point_acceleration(m, s.q, s.v, s.v_dot, frame, point),
    )
    return actual, (velocity, velocity, acceleration)


# ---- mass


@law
def mass_of_a_subtree_is_the_sum_over_its_bodies(m, s):
    below = m.topology.body_forest.is_strict_ancestor
    masses = s.inertias.mass
    expected = [masses[b] + jnp.sum(jnp.where(below[b], masses, 0.0)) for b in range(m.num_bodies)]
    actual = [jaxdyn.subtree_mass(m, name) for name in m.body_names]
    return (actual, jaxdyn.subtree_mass(m, "world")), (expected, jnp.sum(masses))


@law
def momentum_is_that_of_the_average_velocity(m, s):
    total = s.inertias.apply(s.twists)
    center = jnp.sum(s.inertias.first_moment, axis=0) / jnp.sum(s.inertias.mass)
    from_center = Transform(jnp.eye(3)[None], -center[None])
    inertias, momenta = from_center.apply_inertia(s.inertias), from_center.apply_force(total)
    inertia = jaxdyn.centroidal_inertia(m, s.q)
    momentum = inertia.apply(jaxdyn.average_velocity(m, s.q, s.v))
    return (inertia, momentum), jax.tree.map(lambda x: jnp.sum(x, axis=0), (inertias, momenta))


@law
def center_of_mass_is_the_mean_of_the_bodies(m, s):
    inertias = s.inertias
    mass = jnp.sum(inertias.mass)
    expected = jnp.sum(inertias.mass[:, None] * inertias.center_of_mass, axis=0) / mass
    return (jaxdyn.total_mass(m), jaxdyn.center_of_mass(m, s.q)), (mass, expected)


@law
def mass_matrix_is_the_sum_over_the_bodies(m, s):
    M = jaxdyn.mass_matrix(m, s.q)
    return (M, jnp.all(M == M.T)), (s.mass_matrix, True)


@law
def mass_matrix_is_the_hessian_of_the_kinetic_energy(m, s):
    hessian = jax.jacfwd(jax.grad(lambda v: jaxdyn.kinetic_energy(m, s.q, v)))(s.v)
    return jaxdyn.mass_matrix(m, s.q), hessian


@law
def kinetic_energy_is_that_of_the_bodies_and_rotors(m, s):
    twists = jaxdyn.body_twists(m, s.q, s.v, expressed_in="body")
    of_bodies = jnp.sum(m.spatial_inertias.kinetic_energy(twists))
    energy = jaxdyn.kinetic_energy(m, s.q, s.v)
    return (energy, energy), (
        of_bodies + jnp.sum(m.armature * s.v**2) / 2,
        s.v @ jaxdyn.mass_matrix(m, s.q) @ s.v / 2,
    )


@law
def mass_matrix_is_positive(m, s):
    """No direction has less than no inertia; none of the models has one without any."""
    smallest = jnp.min(jnp.linalg.eigvalsh(jaxdyn.mass_matrix(m, s.q)), initial=1.0)
    return smallest > 1e-6, True


# ---- potentials


@law
def gravity_forces_are_the_gradient_of_the_potential_energy(m, s):
    def potential(q):
        return jaxdyn.gravitational_potential_energy(m, q)

    g = jaxdyn.gravity_forces(m, s.q)
    weight = -jnp.sum(s.weights.linear @ jaxdyn.center_of_mass(m, s.q))
    gradient = jaxdyn.tangent_gradient(m, s.q, jax.grad(potential)(s.q))
    return (g, g, potential(s.q)), (gradient, s.tangent_gradient(potential), weight)


@law
def springs_and_dampers(m, s):
    actual = jaxdyn.passive_forces(m, s.q, s.v), jaxdyn.elastic_potential_energy(m, s.q)
    return actual, (s.passive_forces, elastic_energy(m, s.q))


@law
def springs_are_relaxed_at_the_rest_configuration(m, s):
    rest = m.rest_configuration
    actual = jaxdyn.elastic_potential_energy(m, rest), jaxdyn.passive_forces(m, rest, jnp.zeros_like(s.v))
    return actual, (jnp.zeros(()), jnp.zeros_like(s.v))


@law
def mechanical_energy_is_the_sum(m, s):
    parts = jaxdyn.kinetic_energy(m, s.q, s.v), jaxdyn.gravitational_potential_energy(m, s.q)
    return jaxdyn.mechanical_energy(m, s.q, s.v), sum(parts) + jaxdyn.elastic_potential_energy(m, s.q)


@laws.for_every_model()
def test_law(model: str, law: str):
    laws.check(model, law)
