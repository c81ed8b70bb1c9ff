"""The mechanism: topology, numbers, building, configuration space, and the scans over the tree."""

from ._arguments import as_array, as_configuration, as_velocity
from ._assembly import assemble
from ._builder import Body, add_frame, attach
from ._checks import check_names, check_part, require_instance, require_rotation, require_tree
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
from ._edits import attach_mechanism, remove_joint, remove_subtree, replace_joint, submechanism
from ._forest import Forest
from ._joint_changes import joint_force_changes, joint_motion_changes
from ._joint_groups import (
    JointKinematics,
    dof_to_body_sum,
    in_configuration_order,
    in_dof_order,
    joint_bias_accelerations,
    joint_kinematics,
    joint_poses,
    joint_subspace_rates,
    over_groups,
)
from ._leaves import batch_axes, leaf_mask, row_mask, stack_mechanisms
from ._loads import add_load, clear_load, replace_load
from ._maximal_coordinates import maximal_coordinates
from ._mechanism import GRAVITY, LoopJoints, Mechanism, Mimics
from ._mimic_edits import add_mimic, check_mimics, remove_mimic
from ._mimics import dof_velocities, on_independent, total_armature, total_damping
from ._named_configuration import configuration_from, configuration_to_dict
from ._numbers import replace, set_base_placement
from ._parts import Part, PartMimic, Parts, part
from ._placement import Placement
from ._random_trees import random_chain, random_floating_tree, random_tree
from ._reroot import reroot
from ._rigid_bodies import CarriedBodies, carried_bodies, carrier_inertias, shifted_moment
from ._rigid_edits import lock_joints, merge_fixed_joints
from ._storage import load, save
from ._topology import Topology
from ._tree_scan import ancestor_sum, chain_rotations, descendant_sum, leaves_to_root, root_to_leaves

__all__ = [
    "GRAVITY",
    "Body",
    "CarriedBodies",
    "Forest",
    "JointKinematics",
    "LoopJoints",
    "Mechanism",
    "Mimics",
    "Part",
    "PartMimic",
    "Parts",
    "Placement",
    "Topology",
    "add_frame",
    "add_load",
    "add_mimic",
    "ancestor_sum",
    "as_array",
    "as_configuration",
    "as_velocity",
    "assemble",
    "attach",
    "attach_mechanism",
    "batch_axes",
    "carried_bodies",
    "carrier_inertias",
    "chain_rotations",
    "check_mimics",
    "check_names",
    "check_part",
    "clamp_configuration",
    "clear_load",
    "configuration_derivative_to_velocity",
    "configuration_derivative_to_velocity_adjoint",
    "configuration_derivative_to_velocity_jacobian",
    "configuration_from",
    "configuration_to_dict",
    "descendant_sum",
    "difference",
    "distance",
    "dof_to_body_sum",
    "dof_velocities",
    "global_coordinates",
    "in_configuration_order",
    "in_dof_order",
    "integrate",
    "interpolate",
    "joint_bias_accelerations",
    "joint_force_changes",
    "joint_kinematics",
    "joint_motion_changes",
    "joint_poses",
    "joint_subspace_rates",
    "leaf_mask",
    "leaves_to_root",
    "load",
    "local_coordinates",
    "lock_joints",
    "maximal_coordinates",
    "merge_fixed_joints",
    "normalize_configuration",
    "on_independent",
    "over_groups",
    "part",
    "principal_value",
    "random_chain",
    "random_configuration",
    "random_floating_tree",
    "random_tree",
    "remove_joint",
    "remove_mimic",
    "remove_subtree",
    "replace",
    "replace_joint",
    "replace_load",
    "require_instance",
    "require_rotation",
    "require_tree",
    "reroot",
    "root_to_leaves",
    "row_mask",
    "same_configuration",
    "save",
    "set_base_placement",
    "shifted_moment",
    "stack_mechanisms",
    "submechanism",
    "tangent_gradient",
    "total_armature",
    "total_damping",
    "velocity_to_configuration_derivative",
    "velocity_to_configuration_derivative_jacobian",
    "zero_configuration",
]
