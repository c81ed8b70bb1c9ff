"""Kinematics: poses, twists, Jacobians, centre of mass."""

from ._center_of_mass import center_of_mass as center_of_mass
from ._center_of_mass import first_moment as first_moment
from ._center_of_mass import total_mass as total_mass
from ._jacobians import geometric_jacobian as geometric_jacobian
from ._poses import all_body_poses as all_body_poses
from ._poses import body_transforms as body_transforms
from ._poses import frame_pose as frame_pose
from ._poses import frame_transforms as frame_transforms
from ._poses import relative_transform as relative_transform
from ._tree_frames import TreeFrames as TreeFrames
from ._tree_frames import origins as origins
from ._tree_frames import tree_frames as tree_frames
from ._tree_motions import TreeVelocities as TreeVelocities
from ._tree_motions import accelerations as accelerations
from ._tree_motions import linear_accelerations as linear_accelerations
from ._tree_motions import origin_velocities as origin_velocities
from ._tree_motions import tree_velocities as tree_velocities
from ._twists import body_twists as body_twists
from ._twists import relative_twist as relative_twist
