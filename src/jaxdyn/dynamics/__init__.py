"""Dynamics: inverse and forward dynamics, mass matrix, energies."""

from ._energy import elastic_potential_energy as elastic_potential_energy
from ._energy import gravitational_potential_energy as gravitational_potential_energy
from ._energy import kinetic_energy as kinetic_energy
from ._energy import mechanical_energy as mechanical_energy
from ._forward_dynamics import forward_dynamics as forward_dynamics
from ._inverse_dynamics import dynamics_bias as dynamics_bias
from ._inverse_dynamics import generalized_forces as generalized_forces
from ._inverse_dynamics import gravity_forces as gravity_forces
from ._inverse_dynamics import inverse_dynamics as inverse_dynamics
from ._mass_matrix import mass_matrix as mass_matrix
from ._passive_forces import passive_forces as passive_forces
from ._tree_wrenches import wrench_at as wrench_at
