"""Kinematics: poses, twists, Jacobians, centre of mass."""

from ._center_of_mass import center_of_mass, first_moment, total_mass
from ._jacobians import geometric_jacobian
from ._poses import all_body_poses, body_transforms, frame_pose, frame_transforms, relative_transform
from ._tree_frames import TreeFrames, origins, tree_frames
from ._tree_motions import TreeVelocities, accelerations, linear_accelerations, origin_velocities, tree_velocities
from ._twists import body_twists, relative_twist

__all__ = [
    "TreeFrames",
    "TreeVelocities",
    "accelerations",
    "all_body_poses",
    "body_transforms",
    "body_twists",
    "center_of_mass",
    "first_moment",
    "frame_pose",
    "frame_transforms",
    "geometric_jacobian",
    "linear_accelerations",
    "origin_velocities",
    "origins",
    "relative_transform",
    "relative_twist",
    "total_mass",
    "tree_frames",
    "tree_velocities",
]
