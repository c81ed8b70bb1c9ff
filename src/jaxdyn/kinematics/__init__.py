"""Kinematics: poses, twists, Jacobians, centre of mass."""

from ._accelerations import bias_accelerations, body_accelerations, frame_acceleration
from ._carried_motions import PointMotions, body_arms, motion_of_point, motions_of_bodies, origin_motions
from ._center_of_mass import center_of_mass, first_moment, subtree_mass, total_mass
from ._inverse_kinematics import InverseKinematicsResult, inverse_kinematics
from ._jacobian_derivative import jacobian_derivative
from ._jacobians import geometric_jacobian, jacobian_of
from ._points import point_acceleration, point_jacobian, point_velocity
from ._poses import all_body_poses, body_transforms, frame_pose, frame_transforms, relative_transform
from ._subspace_rates import subspace_rates
from ._tree_frames import TreeFrames, origins, tree_frames
from ._tree_motions import (
    TreeVelocities,
    accelerations,
    linear_accelerations,
    origin_velocities,
    origin_velocity_steps,
    tree_velocities,
)
from ._twists import body_twists, relative_twist

__all__ = [
    "InverseKinematicsResult",
    "PointMotions",
    "TreeFrames",
    "TreeVelocities",
    "accelerations",
    "all_body_poses",
    "bias_accelerations",
    "body_accelerations",
    "body_arms",
    "body_transforms",
    "body_twists",
    "center_of_mass",
    "first_moment",
    "frame_acceleration",
    "frame_pose",
    "frame_transforms",
    "geometric_jacobian",
    "inverse_kinematics",
    "jacobian_derivative",
    "jacobian_of",
    "linear_accelerations",
    "motion_of_point",
    "motions_of_bodies",
    "origin_motions",
    "origin_velocities",
    "origin_velocity_steps",
    "origins",
    "point_acceleration",
    "point_jacobian",
    "point_velocity",
    "relative_transform",
    "relative_twist",
    "subspace_rates",
    "subtree_mass",
    "total_mass",
    "tree_frames",
    "tree_velocities",
]
