"""The mechanism: topology, numbers, building, configuration space, and the scans over the tree."""

from ._arguments import as_array as as_array
from ._arguments import as_configuration as as_configuration
from ._arguments import as_velocity as as_velocity
from ._assembly import Part as Part
from ._assembly import assemble as assemble
from ._assembly import part as part
from ._builder import Body as Body
from ._builder import add_frame as add_frame
from ._builder import attach as attach
from ._checks import check_names as check_names
from ._checks import check_part as check_part
from ._configuration import clamp_configuration as clamp_configuration
from ._configuration import configuration_derivative_to_velocity as configuration_derivative_to_velocity
from ._configuration import configuration_derivative_to_velocity_adjoint as configuration_derivative_to_velocity_adjoint
from ._configuration import (
    configuration_derivative_to_velocity_jacobian as configuration_derivative_to_velocity_jacobian,
)
from ._configuration import difference as difference
from ._configuration import distance as distance
from ._configuration import global_coordinates as global_coordinates
from ._configuration import integrate as integrate
from ._configuration import interpolate as interpolate
from ._configuration import local_coordinates as local_coordinates
from ._configuration import normalize_configuration as normalize_configuration
from ._configuration import principal_value as principal_value
from ._configuration import random_configuration as random_configuration
from ._configuration import same_configuration as same_configuration
from ._configuration import tangent_gradient as tangent_gradient
from ._configuration import velocity_to_configuration_derivative as velocity_to_configuration_derivative
from ._configuration import (
    velocity_to_configuration_derivative_jacobian as velocity_to_configuration_derivative_jacobian,
)
from ._configuration import zero_configuration as zero_configuration
from ._forest import Forest as Forest
from ._joint_groups import JointKinematics as JointKinematics
from ._joint_groups import dof_to_body_sum as dof_to_body_sum
from ._joint_groups import in_configuration_order as in_configuration_order
from ._joint_groups import in_dof_order as in_dof_order
from ._joint_groups import joint_bias_accelerations as joint_bias_accelerations
from ._joint_groups import joint_kinematics as joint_kinematics
from ._joint_groups import over_groups as over_groups
from ._mechanism import GRAVITY as GRAVITY
from ._mechanism import Mechanism as Mechanism
from ._placement import Placement as Placement
from ._rigid_bodies import CarriedBodies as CarriedBodies
from ._rigid_bodies import carried_bodies as carried_bodies
from ._rigid_bodies import carrier_inertias as carrier_inertias
from ._rigid_bodies import shifted_moment as shifted_moment
from ._topology import Topology as Topology
from ._tree_scan import ancestor_sum as ancestor_sum
from ._tree_scan import chain_rotations as chain_rotations
from ._tree_scan import descendant_sum as descendant_sum
from ._tree_scan import leaves_to_root as leaves_to_root
from ._tree_scan import root_to_leaves as root_to_leaves
