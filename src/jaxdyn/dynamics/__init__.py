"""Dynamics: inverse and forward dynamics, mass matrix, momentum, energies."""

from ._energy import elastic_potential_energy, gravitational_potential_energy, kinetic_energy, mechanical_energy
from ._forward_dynamics import forward_dynamics
from ._inverse_dynamics import dynamics_bias, generalized_forces, gravity_forces, inverse_dynamics
from ._mass_matrix import mass_matrix
from ._momentum import (
    center_of_mass_jacobian,
    center_of_mass_velocity,
    centroidal_momentum,
    centroidal_momentum_matrix,
    momentum,
    momentum_matrix,
)
from ._passive_forces import passive_forces
from ._tree_wrenches import wrench_at

__all__ = [
    "center_of_mass_jacobian",
    "center_of_mass_velocity",
    "centroidal_momentum",
    "centroidal_momentum_matrix",
    "dynamics_bias",
    "elastic_potential_energy",
    "forward_dynamics",
    "generalized_forces",
    "gravitational_potential_energy",
    "gravity_forces",
    "inverse_dynamics",
    "kinetic_energy",
    "mass_matrix",
    "mechanical_energy",
    "momentum",
    "momentum_matrix",
    "passive_forces",
    "wrench_at",
]
