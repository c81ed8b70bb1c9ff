"""Dynamics: inverse and forward dynamics, mass matrix, momentum, energies."""

from ._centroidal import average_velocity, centroidal_inertia, momentum_rate_bias
from ._coriolis import coriolis_matrix
from ._energy import elastic_potential_energy, gravitational_potential_energy, kinetic_energy, mechanical_energy
from ._forward_dynamics import forward_dynamics
from ._forward_dynamics_derivatives import ForwardDynamicsDerivatives, forward_dynamics_derivatives
from ._inverse_dynamics import dynamics_bias, generalized_forces, gravity_forces, inverse_dynamics
from ._inverse_dynamics_derivatives import InverseDynamicsDerivatives, inverse_dynamics_derivatives
from ._joint_wrenches import joint_wrenches
from ._mass_matrix import mass_matrix
from ._momentum import (
    center_of_mass_jacobian,
    center_of_mass_velocity,
    centroidal_momentum,
    centroidal_momentum_matrix,
    momentum,
    momentum_matrix,
)
from ._operational_space import (
    dynamically_consistent_inverse,
    mass_matrix_inverse,
    null_space_projector,
    operational_space_inertia,
)
from ._passive_forces import passive_forces
from ._tree_wrenches import wrench_at

__all__ = [
    "ForwardDynamicsDerivatives",
    "InverseDynamicsDerivatives",
    "average_velocity",
    "center_of_mass_jacobian",
    "center_of_mass_velocity",
    "centroidal_inertia",
    "centroidal_momentum",
    "centroidal_momentum_matrix",
    "coriolis_matrix",
    "dynamically_consistent_inverse",
    "dynamics_bias",
    "elastic_potential_energy",
    "forward_dynamics",
    "forward_dynamics_derivatives",
    "generalized_forces",
    "gravitational_potential_energy",
    "gravity_forces",
    "inverse_dynamics",
    "inverse_dynamics_derivatives",
    "joint_wrenches",
    "kinetic_energy",
    "mass_matrix",
    "mass_matrix_inverse",
    "mechanical_energy",
    "momentum",
    "momentum_matrix",
    "momentum_rate_bias",
    "null_space_projector",
    "operational_space_inertia",
    "passive_forces",
    "wrench_at",
]
