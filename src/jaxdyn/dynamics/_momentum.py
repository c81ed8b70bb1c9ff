"""Momentum of the whole mechanism, and the velocity of its centre of mass, which follows from it."""

import jax.numpy as jnp
from jaxtyping import Array, Float

from .._shapes import Configuration, ConfigurationLike, Velocity, VelocityLike
from .._stacked import StackedVector, columns, cross, rotate_back
from ..kinematics import (
    TreeFrames,
    center_of_mass,
    frame_pose,
    origin_velocities,
    origins,
    total_mass,
    tree_frames,
    tree_velocities,
)
from ..mechanism import Mechanism, as_configuration, as_velocity, on_independent
from ..spatial import Force, Transform
from ._tree_inertias import body_inertias, composite_inertias, dof_momenta


def momentum(
    mechanism: Mechanism, q: ConfigurationLike, v: VelocityLike, *, expressed_in: str | int = "world"
) -> Force:
    """Angular and linear momentum of all bodies together; the armature's is not part of it.

    Args:
        mechanism: Any mechanism.
        q: Configuration [rad or m].
        v: Velocity [rad/s or m/s].
        expressed_in: "world": world axes, about the world's origin; or a frame, whose axes and origin count.

    Returns:
        The momentum [kg m²/s, kg m/s].

    Raises:
        ShapeError: `q` or `v` has the wrong length or another dtype.
        UnknownNameError: There is no such frame.

    Differentiability: smooth in `q`, `v` and every leaf.
    """
    q, v = as_configuration(mechanism, q), as_velocity(mechanism, v)
    frames = tree_frames(mechanism, q)
    return momentum_in(mechanism, frames, v, frame_pose(mechanism, frames, expressed_in))


def centroidal_momentum(mechanism: Mechanism, q: ConfigurationLike, v: VelocityLike) -> Force:
    """Momentum of all bodies about their centre of mass, in world axes.

    Args:
        mechanism: Any mechanism.
        q: Configuration [rad or m].
        v: Velocity [rad/s or m/s].

    Returns:
        The momentum [kg m²/s, kg m/s].

    Raises:
        ShapeError: `q` or `v` has the wrong length or another dtype.

    Differentiability: as `momentum`.
    Reference: Orin, Goswami and Lee (2013), Centroidal dynamics of a humanoid robot.
    """
    q, v = as_configuration(mechanism, q), as_velocity(mechanism, v)
    return momentum_in(mechanism, tree_frames(mechanism, q), v, _pose_of_center(mechanism, q))


def momentum_matrix(
    mechanism: Mechanism, q: ConfigurationLike, *, expressed_in: str | int = "world"
) -> Float[Array, "6 num_velocities"]:
    """Matrix A with A v = `momentum`; angular rows first.

    Args:
        mechanism: Any mechanism.
        q: Configuration [rad or m].
        expressed_in: As for `momentum`.

    Returns:
        One column per degree of freedom: the momentum of its subtree at unit velocity.

    Raises:
        ShapeError: `q` has the wrong length or another dtype.
        UnknownNameError: There is no such frame.

    Differentiability: smooth in `q` and every leaf.
    Reference: composite rigid bodies, Featherstone (2008), chapter 6.
    """
    frames = tree_frames(mechanism, as_configuration(mechanism, q))
    return _momentum_matrix_in(mechanism, frames, frame_pose(mechanism, frames, expressed_in))


def centroidal_momentum_matrix(mechanism: Mechanism, q: ConfigurationLike) -> Float[Array, "6 num_velocities"]:
    """Matrix A with A v = `centroidal_momentum`; angular rows first.

    Args:
        mechanism: Any mechanism.
        q: Configuration [rad or m].

    Returns:
        One column per degree of freedom.

    Raises:
        ShapeError: `q` has the wrong length or another dtype.

    Differentiability: smooth in `q` and every leaf.
    Reference: Orin, Goswami and Lee (2013), Centroidal dynamics of a humanoid robot.
    """
    q = as_configuration(mechanism, q)
    return _momentum_matrix_in(mechanism, tree_frames(mechanism, q), _pose_of_center(mechanism, q))


def center_of_mass_velocity(mechanism: Mechanism, q: ConfigurationLike, v: VelocityLike) -> Float[Array, "3"]:
    """Velocity of the centre of mass of all bodies in world axes [m/s], those that are fixed to the world included.

    Args:
        mechanism: Any mechanism.
        q: Configuration [rad or m].
        v: Velocity [rad/s or m/s].

    Returns:
        The velocity; zero where the total mass is 0.

    Raises:
        ShapeError: `q` or `v` has the wrong length or another dtype.

    Differentiability: smooth in `q`, `v` and every leaf.
    """
    return momentum(mechanism, q, v).linear / _safe_mass(mechanism)


def center_of_mass_jacobian(mechanism: Mechanism, q: ConfigurationLike) -> Float[Array, "3 num_velocities"]:
    """Matrix J with J v = `center_of_mass_velocity`.

    Args:
        mechanism: Any mechanism.
        q: Configuration [rad or m].

    Returns:
        One column per degree of freedom; zero where the total mass is 0.

    Raises:
        ShapeError: `q` has the wrong length or another dtype.

    Differentiability: smooth in `q` and every leaf.
    """
    return momentum_matrix(mechanism, q)[3:] / _safe_mass(mechanism)


def momentum_in(mechanism: Mechanism, frames: TreeFrames, v: Velocity, X_WE: Transform) -> Force:
    """Momentum of all bodies in the axes and about the origin of one frame."""
    velocities = tree_velocities(mechanism, frames, v)
    bodies = body_inertias(mechanism, frames)
    return wrenches_in(frames, X_WE, *bodies.apply(velocities.angular, origin_velocities(frames, velocities)))


def wrenches_in(frames: TreeFrames, X_WE: Transform, moment: StackedVector, force: StackedVector) -> Force:
    """Sum of momenta or wrenches of the moving bodies in the axes and about the origin of one frame."""
    moment, force = _expressed(X_WE, origins(frames), moment, force)
    return Force(jnp.sum(moment, axis=1), jnp.sum(force, axis=1))


def _momentum_matrix_in(mechanism: Mechanism, frames: TreeFrames, X_WE: Transform) -> Float[Array, "6 num_velocities"]:
    moment, force = dof_momenta(mechanism, frames, composite_inertias(frames, body_inertias(mechanism, frames)))
    points = columns(origins(frames), mechanism.topology.dof_bodies)
    return on_independent(mechanism, jnp.concatenate(_expressed(X_WE, points, moment, force)))


def _pose_of_center(mechanism: Mechanism, q: Configuration) -> Transform:
    return Transform(jnp.eye(3, dtype=mechanism.dtype), center_of_mass(mechanism, q))


def _expressed(
    X_WE: Transform, points: StackedVector, moment: StackedVector, force: StackedVector
) -> tuple[StackedVector, StackedVector]:
    """Momenta given in world axes about points of their own, in the axes and about the origin of one frame."""
    moment = moment + cross(points - X_WE.translation[:, None], force)
    R_WE = X_WE.rotation[:, :, None]
    return rotate_back(R_WE, moment), rotate_back(R_WE, force)


def _safe_mass(mechanism: Mechanism) -> Float[Array, ""]:
    mass = total_mass(mechanism)
    return jnp.where(mass > 0, mass, 1)
