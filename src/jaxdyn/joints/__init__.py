"""Joints: what moves between two bodies. Each class is one page that holds everything true of that joint."""

from ._abstract import AbstractJoint, AbstractVectorSpaceJoint
from ._fixed import Fixed
from ._helical import Helical
from ._planar import Planar
from ._prismatic import Prismatic
from ._quaternion_floating import QuaternionFloating
from ._quaternion_spherical import QuaternionSpherical
from ._reversed import Reversed
from ._revolute import Revolute
from ._rpy_spherical import RPYSpherical
from ._sin_cos_revolute import SinCosRevolute
from ._sp_quat_floating import SPQuatFloating
from ._translation import Translation
from ._universal import Universal

__all__ = [
    "AbstractJoint",
    "AbstractVectorSpaceJoint",
    "Fixed",
    "Helical",
    "Planar",
    "Prismatic",
    "QuaternionFloating",
    "QuaternionSpherical",
    "RPYSpherical",
    "Reversed",
    "Revolute",
    "SPQuatFloating",
    "SinCosRevolute",
    "Translation",
    "Universal",
]
