"""The shape vocabulary of signatures: each axis name is spelled once, here."""

from jaxtyping import Array, Float

Configuration = Float[Array, " num_positions"]
Velocity = Float[Array, " num_velocities"]
GeneralizedForce = Float[Array, " num_velocities"]
Vector3 = Float[Array, "*batch 3"]
Vector6 = Float[Array, "*batch 6"]
Quaternion = Float[Array, "*batch 4"]
Matrix3 = Float[Array, "*batch 3 3"]
Matrix6 = Float[Array, "*batch 6 6"]
