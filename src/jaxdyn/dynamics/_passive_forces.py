"""Forces of dampers and springs in the joints."""

import jax.numpy as jnp
import numpy as np

from .._shapes import Configuration, ConfigurationLike, GeneralizedForce, VelocityLike
from .._tracing import is_traced
from ..mechanism import Mechanism, as_configuration, as_velocity, in_dof_order, over_groups, total_damping


def passive_forces(mechanism: Mechanism, q: ConfigurationLike, v: VelocityLike) -> GeneralizedForce:
    """Generalized forces of dampers and springs: minus damping times `v`, minus the gradient of the spring energy.

    Args:
        mechanism: Any mechanism.
        q: Configuration [rad or m].
        v: Velocity [rad/s or m/s].

    Returns:
        Forces on the right-hand side of the equation of motion [N m or N].

    Raises:
        ShapeError: `q` or `v` has the wrong length or another dtype.

    Differentiability: smooth in `q`, `v` and every leaf, except where a spring is wound by half a turn about a
    quaternion joint.
    """
    q, v = as_configuration(mechanism, q), as_velocity(mechanism, v)
    return -(total_damping(mechanism) * v + _spring_gradient(mechanism, q))


def _spring_gradient(mechanism: Mechanism, q: Configuration) -> GeneralizedForce:
    """Gradient of ½ Σ k φ², φ = difference(rest, q), with respect to a small motion of each joint."""
    if not is_traced(mechanism.stiffness) and not np.asarray(mechanism.stiffness).any():
        return jnp.zeros_like(mechanism.stiffness)  # most robots have no springs: nothing is compiled for them
    forces = over_groups(
        mechanism,
        lambda joint, q, rest, stiffness: joint.spring_gradient(q, rest, stiffness),
        configurations=(q, mechanism.rest_configuration),
        velocities=(mechanism.stiffness,),
    )
    return in_dof_order(mechanism.topology, forces)
