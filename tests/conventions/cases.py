"""Joints at one configuration and velocity each, with what these mean, by elementary turns."""

import numpy as np

from conventions.programs import QUATERNION, ROTATION, Case, x_turn, y_turn, z_turn
from jaxdyn.joints import (
    Helical,
    Planar,
    Prismatic,
    QuaternionSpherical,
    Reversed,
    Revolute,
    RPYSpherical,
    SinCosRevolute,
    Universal,
)

X, Y, Z = np.eye(3)
ALONG_X, ALONG_Y, ALONG_Z = [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]
NOWHERE = np.zeros(3)
OMEGA = np.array([1.0, 2.0, 3.0])
ANGLE = 0.7
SINE, COSINE = np.sin(ANGLE), np.cos(ANGLE)

SPHERICAL = Case(QuaternionSpherical(), QUATERNION, OMEGA, (ROTATION, NOWHERE), (ROTATION @ OMEGA, NOWHERE))
"""Turning in the body's own axes."""

PLANAR_RATES = np.array([4 * COSINE - 5 * SINE, 4 * SINE + 5 * COSINE])
"""The rates of x and y that 4 m/s and 5 m/s along the axes of the turned body are."""
PLANAR = Case(
    Planar(ALONG_X, ALONG_Y), [1, 2, ANGLE], [4, 5, 3], (z_turn(ANGLE), [1, 2, 0]), (3 * Z, [*PLANAR_RATES, 0])
)

HELICAL = Case(Helical(ALONG_Z, -0.4), [ANGLE], [3], (z_turn(ANGLE), -0.4 * ANGLE * Z), (3 * Z, -1.2 * Z))
"""A turn forwards goes 0.4 m per radian backwards."""

SECOND = np.array([0.6, 0.8, 0.0])
_ACROSS = np.array([[0, 0, 0.8], [0, 0, -0.6], [-0.8, 0.6, 0]])
SKEW = Case(
    Universal(ALONG_X, SECOND),
    [ANGLE, 0.5],
    [2, 3],
    (x_turn(ANGLE) @ (np.eye(3) + np.sin(0.5) * _ACROSS + (1 - np.cos(0.5)) * _ACROSS @ _ACROSS), NOWHERE),
    (2 * X + 3 * x_turn(ANGLE) @ SECOND, NOWHERE),
)
"""Axes that are not orthogonal; the turn about the second one is Rodrigues' formula."""
CROSSED = Case(
    Universal(ALONG_X, ALONG_Y),
    [ANGLE, 0.5],
    [2, 3],
    (x_turn(ANGLE) @ y_turn(0.5), NOWHERE),
    (2 * X + 3 * x_turn(ANGLE) @ Y, NOWHERE),
)

RPY = Case(
    RPYSpherical(),
    [0.3, 0.5, 0.7],
    [2, 3, 4],
    (z_turn(0.7) @ y_turn(0.5) @ x_turn(0.3), NOWHERE),
    (4 * Z + 3 * z_turn(0.7) @ Y + 2 * z_turn(0.7) @ y_turn(0.5) @ X, NOWHERE),
)

SINE_COSINE = Case(SinCosRevolute(ALONG_Z), [SINE, COSINE], [3], (z_turn(ANGLE), NOWHERE), (3 * Z, NOWHERE))
HINGE = Case(Revolute(ALONG_Z), [ANGLE], [3], (z_turn(ANGLE), NOWHERE), (3 * Z, NOWHERE))

# The body turns and goes the other way round than the inner joint.
REVERSED_HINGE = Case(Reversed(Revolute(ALONG_Z)), [ANGLE], [3], (z_turn(-ANGLE), NOWHERE), (-3 * Z, NOWHERE))
REVERSED_SLIDER = Case(Reversed(Prismatic(ALONG_Z)), [ANGLE], [3], (np.eye(3), -ANGLE * Z), (NOWHERE, -3 * Z))
REVERSED_SCREW = Case(
    Reversed(Helical(ALONG_Z, -0.4)), [ANGLE], [3], (z_turn(-ANGLE), 0.4 * ANGLE * Z), (-3 * Z, 1.2 * Z)
)
REVERSED_BALL = Case(Reversed(QuaternionSpherical()), QUATERNION, OMEGA, (ROTATION.T, NOWHERE), (-OMEGA, NOWHERE))
