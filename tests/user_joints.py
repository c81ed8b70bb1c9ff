"""Joints as a user would write them: with motion subspaces that depend on the configuration, and biases."""

from typing import ClassVar

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float

from jaxdyn.joints import AbstractVectorSpaceJoint
from jaxdyn.spatial import Transform, axis_angle_to_matrix


class Cam(AbstractVectorSpaceJoint):
    """A turn by q about x along the curve (r (cos q - 1), r sin q, q²): one degree of freedom, S depends on q."""

    radius: Float[Array, ""] = eqx.field(converter=lambda radius: jnp.asarray(radius, float))

    num_positions: ClassVar[int] = 1
    num_velocities: ClassVar[int] = 1

    def joint_transform(self, q):
        (angle,), r = q, self.radius
        rotation = axis_angle_to_matrix(jnp.array([1.0, 0.0, 0.0]), angle)
        return Transform(rotation, jnp.stack([r * (jnp.cos(angle) - 1), r * jnp.sin(angle), angle**2]))

    def motion_subspace(self, q):
        s, c, r = jnp.sin(q[0]), jnp.cos(q[0]), self.radius
        x, y, z = -r * s, r * c * c + 2 * q[0] * s, 2 * q[0] * c - r * s * c
        return jnp.stack([jnp.ones_like(x), *jnp.zeros(2), x, y, z])[:, None]

    def bias_acceleration(self, q, v):
        s, c, r = jnp.sin(q[0]), jnp.cos(q[0]), self.radius
        x, y = -r * c, 2 * s + 2 * q[0] * c - 2 * r * s * c
        z = 2 * c - 2 * q[0] * s - r * (c * c - s * s)
        return jnp.stack([*jnp.zeros(3), x, y, z]) * v[0] ** 2

    def constraint_wrench_subspace(self, q):
        _, x, y, z = self.motion_subspace(q)[2:, 0]
        return jnp.eye(6)[:, 1:].at[0].set(jnp.stack([*jnp.zeros(2), -x, -y, -z]))


class Cardan(AbstractVectorSpaceJoint):
    """A turn about x, then one about the new y: two degrees of freedom, of which one moves the other's axis."""

    num_positions: ClassVar[int] = 2
    num_velocities: ClassVar[int] = 2

    def joint_transform(self, q):
        turns = [axis_angle_to_matrix(axis, angle) for axis, angle in zip(jnp.eye(3), q, strict=False)]
        return Transform(turns[0] @ turns[1], jnp.zeros(3))

    def motion_subspace(self, q):
        first = jnp.stack([jnp.cos(q[1]), *jnp.zeros(1), jnp.sin(q[1]), *jnp.zeros(3)])
        return jnp.stack([first, jnp.eye(6)[1]], axis=1)

    def bias_acceleration(self, q, v):
        return jnp.stack([-jnp.sin(q[1]), *jnp.zeros(1), jnp.cos(q[1]), *jnp.zeros(3)]) * v[0] * v[1]

    def constraint_wrench_subspace(self, q):
        across = jnp.stack([-jnp.sin(q[1]), *jnp.zeros(1), jnp.cos(q[1]), *jnp.zeros(3)])
        return jnp.concatenate([across[:, None], jnp.eye(6)[:, 3:]], axis=1)
