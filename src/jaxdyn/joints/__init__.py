"""Joints: what moves between two bodies. Each class is one page that holds everything true of that joint."""

from ._abstract import AbstractJoint as AbstractJoint
from ._abstract import AbstractVectorSpaceJoint as AbstractVectorSpaceJoint
from ._fixed import Fixed as Fixed
from ._prismatic import Prismatic as Prismatic
from ._quaternion_floating import QuaternionFloating as QuaternionFloating
from ._quaternion_spherical import QuaternionSpherical as QuaternionSpherical
from ._revolute import Revolute as Revolute
