"""The shape vocabulary of signatures: each axis name is spelled once, here."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from jaxtyping import Array, ArrayLike, Float, Real

Numbers = ArrayLike | Sequence[Any]  # what a public function converts: arrays, numbers, nested lists
OneNumber = Real[Array | np.ndarray, ""] | float

Configuration = Float[Array, " num_positions"]
Velocity = Float[Array, " num_velocities"]
GeneralizedForce = Float[Array, " num_velocities"]

# The same as arguments of public functions, which convert them: integers, NumPy arrays and lists are welcome.
ConfigurationLike = Real[Array | np.ndarray, " num_positions"] | Sequence[Any]
VelocityLike = Real[Array | np.ndarray, " num_velocities"] | Sequence[Any]
GeneralizedForceLike = Real[Array | np.ndarray, " num_velocities"] | Sequence[Any]

Vector3 = Float[Array, "*batch 3"]
Vector6 = Float[Array, "*batch 6"]
Quaternion = Float[Array, "*batch 4"]
Matrix3 = Float[Array, "*batch 3 3"]
Matrix6 = Float[Array, "*batch 6 6"]
