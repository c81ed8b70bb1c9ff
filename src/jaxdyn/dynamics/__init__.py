"""Dynamics: inverse and forward dynamics, mass matrix, energies."""

from ._energy import elastic_potential_energy, gravitational_potential_energy, kinetic_energy, mechanical_energy
from ._forward_dynamics import forward_dynamics
from ._inverse_dynamics import dynamics_bias, generalized_forces, gravity_forces, inverse_dynamics
from ._mass_matrix import mass_matrix
from ._passive_forces import passive_forces
from ._tree_wrenches import wrench_at

__all__ = [
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
    "passive_forces",
    "wrench_at",
]
