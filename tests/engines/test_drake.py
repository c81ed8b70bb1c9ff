"""Dynamics against Drake, for more joints than a URDF has, some of which are reversed."""

from engines.drake_builder import engine_of
from engines.engine import Converters, check_engine
from engines.engine_models import BALL, CARDAN, PLANE, SCREW, SIMPLE, tree_of
from jaxdyn.interop import from_drake, to_drake
from jaxdyn.joints import QuaternionFloating, Reversed, RPYSpherical

JOINTS = (*SIMPLE, BALL, PLANE, CARDAN, RPYSpherical(), SCREW, Reversed(SCREW))


def test_dynamics_agree_with_drake():
    mechanism = tree_of(QuaternionFloating(), JOINTS, seed=22)
    check_engine(mechanism, engine_of(mechanism), Converters(to_drake, from_drake))
