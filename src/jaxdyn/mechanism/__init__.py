"""The mechanism: topology, numbers, building, configuration space, and the scans over the tree."""

from ._arguments import as_array, as_configuration, as_velocity
from ._assembly import Part, assemble, part
from ._builder import Body, add_frame, attach
from ._checks import check_names, check_part, require_instance
from ._configuration import (
    clamp_configuration,
    configuration_derivative_to_velocity,
    configuration_derivative_to_velocity_adjoint,
    configuration_derivative_to_velocity_jacobian,
    difference,
    distance,
    global_coordinates,
    integrate,
    interpolate,
    local_coordinates,
    normalize_configuration,
    principal_value,
    random_configuration,
    same_configuration,
    tangent_gradient,
    velocity_to_configuration_derivative,
    velocity_to_configuration_derivative_jacobian,
    zero_configuration,
)
from ._forest import Forest
from ._joint_groups import (
    JointKinematics,
    dof_to_body_sum,
    in_configuration_order,
    in_dof_order,
    joint_bias_accelerations,
    joint_kinematics,
    over_groups,
)
from ._mechanism import GRAVITY, Mechanism
from ._placement import Placement
from ._rigid_bodies import CarriedBodies, carried_bodies, carrier_inertias, shifted_moment
from ._topology import Topology
from ._tree_scan import ancestor_sum, chain_rotations, descendant_sum, leaves_to_root, root_to_leaves

__all__ = [
    "GRAVITY",
    "Body",
    "CarriedBodies",
    "Forest",
    "JointKinematics",
    "Mechanism",
    "Part",
    "Placement",
    "Topology",
    "add_frame",
    "ancestor_sum",
    "as_array",
    "as_configuration",
    "as_velocity",
    "assemble",
    "attach",
    "carried_bodies",
    "carrier_inertias",
    "chain_rotations",
    "check_names",
    "check_part",
    "clamp_configuration",
    "configuration_derivative_to_velocity",
    "configuration_derivative_to_velocity_adjoint",
    "configuration_derivative_to_velocity_jacobian",
    "descendant_sum",
    "difference",
    "distance",
    "dof_to_body_sum",
    "global_coordinates",
    "in_configuration_order",
    "in_dof_order",
    "integrate",
    "interpolate",
    "joint_bias_accelerations",
    "joint_kinematics",
    "leaves_to_root",
    "local_coordinates",
    "normalize_configuration",
    "over_groups",
    "part",
    "principal_value",
    "random_configuration",
    "require_instance",
    "root_to_leaves",
    "same_configuration",
    "shifted_moment",
    "tangent_gradient",
    "velocity_to_configuration_derivative",
    "velocity_to_configuration_derivative_jacobian",
    "zero_configuration",
]
