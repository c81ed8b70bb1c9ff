"""Inertia parameters in the order, and about the point, that other programs use.

All are in the axes of the body's frame, and each row holds ten numbers.
"""

from typing import Any

import numpy as np
from jaxtyping import Float

from .._errors import ShapeError
from .._shapes import Numbers
from ..spatial import SpatialInertia

Ten = Float[np.ndarray, "... 10"]

_OF_PINOCCHIO = [0, 1, 3, 2, 4, 5]  # xx xy yy xz yz zz from xx xy xz yy yz zz, and back
_DIAGONAL_FIRST = [0, 3, 5, 1, 2, 4]  # xx yy zz xy xz yz from xx xy xz yy yz zz
_FROM_DIAGONAL_FIRST = [0, 3, 4, 1, 5, 2]


def inertia_to_pinocchio(inertia: SpatialInertia) -> Ten:
    """The numbers of Pinocchio's `Inertia.toDynamicParameters` and of its regressors.

    Args:
        inertia: Inertia, also stacked.

    Returns:
        Mass, first moment, and moment about the origin (xx, xy, yy, xz, yz, zz) [kg, kg m, kg m²].
    """
    mass, first_moment, moment = _parts(inertia)
    return np.concatenate([mass, first_moment, moment[..., _OF_PINOCCHIO]], axis=-1)


def inertia_from_pinocchio(parameters: Numbers) -> SpatialInertia:
    """The inverse of `inertia_to_pinocchio`.

    Args:
        parameters: Ten numbers, also stacked.

    Returns:
        The inertia.

    Raises:
        ShapeError: There are not ten numbers.
    """
    ten = _ten(parameters)
    return SpatialInertia(ten[..., 0], ten[..., 1:4], ten[..., 4:][..., _OF_PINOCCHIO])


def inertia_to_idyntree(inertia: SpatialInertia) -> Ten:
    """The numbers of iDynTree's `Model.getInertialParameters`, ten for each link.

    Args:
        inertia: Inertia, also stacked.

    Returns:
        Mass, first moment, and moment about the origin (xx, xy, xz, yy, yz, zz) [kg, kg m, kg m²].
    """
    return np.concatenate(_parts(inertia), axis=-1)


def inertia_from_idyntree(parameters: Numbers) -> SpatialInertia:
    """The inverse of `inertia_to_idyntree`.

    Args:
        parameters: Ten numbers, also stacked.

    Returns:
        The inertia.

    Raises:
        ShapeError: There are not ten numbers.
    """
    ten = _ten(parameters)
    return SpatialInertia(ten[..., 0], ten[..., 1:4], ten[..., 4:])


def inertia_to_mujoco(inertia: SpatialInertia) -> Ten:
    """The numbers of a body in MuJoCo's files and `MjSpec`: `mass`, `ipos` and `fullinertia`.

    Args:
        inertia: Inertia, also stacked.

    Returns:
        Mass, centre of mass, and moment about the centre of mass (xx, yy, zz, xy, xz, yz) [kg, m, kg m²].
    """
    mass, first_moment, moment = _parts(inertia)
    center = _divided(first_moment, mass)
    about_center = moment - _moved(mass, center)
    return np.concatenate([mass, center, about_center[..., _DIAGONAL_FIRST]], axis=-1)


def inertia_from_mujoco(parameters: Numbers) -> SpatialInertia:
    """The inverse of `inertia_to_mujoco`.

    Args:
        parameters: Ten numbers, also stacked.

    Returns:
        The inertia.

    Raises:
        ShapeError: There are not ten numbers.
    """
    ten = _ten(parameters)
    mass, center, about_center = ten[..., :1], ten[..., 1:4], ten[..., 4:][..., _FROM_DIAGONAL_FIRST]
    return SpatialInertia(mass[..., 0], mass * center, about_center + _moved(mass, center))


def inertia_to_drake(inertia: SpatialInertia) -> Ten:
    """The arguments of Drake's `SpatialInertia(mass, center, UnitInertia(...))`.

    Args:
        inertia: Inertia, also stacked.

    Returns:
        Mass, centre of mass, and moment about the origin divided by the mass (xx, yy, zz, xy, xz, yz) [kg, m, m²];
        zeros for a body without mass.
    """
    mass, first_moment, moment = _parts(inertia)
    unit_inertia = _divided(moment, mass)[..., _DIAGONAL_FIRST]
    return np.concatenate([mass, _divided(first_moment, mass), unit_inertia], axis=-1)


def inertia_from_drake(parameters: Numbers) -> SpatialInertia:
    """The inverse of `inertia_to_drake`.

    Args:
        parameters: Ten numbers, also stacked.

    Returns:
        The inertia.

    Raises:
        ShapeError: There are not ten numbers.
    """
    ten = _ten(parameters)
    mass, center, unit_inertia = ten[..., :1], ten[..., 1:4], ten[..., 4:][..., _FROM_DIAGONAL_FIRST]
    return SpatialInertia(mass[..., 0], mass * center, mass * unit_inertia)


def _parts(inertia: SpatialInertia) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return np.asarray(inertia.mass)[..., None], np.asarray(inertia.first_moment), np.asarray(inertia.moment)


def _ten(parameters: Numbers) -> Any:
    ten = np.asarray(parameters)
    if ten.ndim == 0 or ten.shape[-1] != 10:
        raise ShapeError(
            f"The parameters of a body are ten numbers, but came in the shape {ten.shape}. Give mass, three numbers "
            "for the centre and six for the moment, bodies on leading axes."
        )
    return ten


def _divided(numbers: np.ndarray, mass: np.ndarray) -> np.ndarray:
    """Numbers per mass; zero where there is none."""
    return np.where(mass == 0, 0, numbers / np.where(mass == 0, 1, mass))


def _moved(mass: np.ndarray, center: np.ndarray) -> np.ndarray:
    """Moment (xx, xy, xz, yy, yz, zz) about the origin of a point mass."""
    x, y, z = np.moveaxis(center, -1, 0)
    return mass * np.stack([y * y + z * z, -x * y, -x * z, x * x + z * z, -y * z, x * x + y * y], axis=-1)
