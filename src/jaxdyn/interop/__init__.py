"""States and inertias in the conventions of other programs; none of them needs to be installed.

A joint that follows another one (a mimic joint) is a joint like the others for other programs: `to_...` gives it the
position and velocity that its leader's amount to, and no force, since the leader's force moves both; `from_...` reads
the leader's position and velocity alone and sums the forces. A program that gives it no coordinates does not list it.
"""

from ._convert import Coordinates
from ._drake import from_drake, to_drake
from ._idyntree import IDynTreePosition, from_idyntree, to_idyntree
from ._inertia import (
    inertia_from_drake,
    inertia_from_idyntree,
    inertia_from_mujoco,
    inertia_from_pinocchio,
    inertia_to_drake,
    inertia_to_idyntree,
    inertia_to_mujoco,
    inertia_to_pinocchio,
)
from ._mujoco import from_mujoco, to_mujoco
from ._pinocchio import from_pinocchio, to_pinocchio

__all__ = [
    "Coordinates",
    "IDynTreePosition",
    "from_drake",
    "from_idyntree",
    "from_mujoco",
    "from_pinocchio",
    "inertia_from_drake",
    "inertia_from_idyntree",
    "inertia_from_mujoco",
    "inertia_from_pinocchio",
    "inertia_to_drake",
    "inertia_to_idyntree",
    "inertia_to_mujoco",
    "inertia_to_pinocchio",
    "to_drake",
    "to_idyntree",
    "to_mujoco",
    "to_pinocchio",
]
