"""Dynamics against Pinocchio, for the joints that no URDF has."""

from engines.engine import Converters, check_engine
from engines.engine_models import BALL, COMPOUND, SCREW, SIMPLE, tree_of
from engines.pinocchio_builder import engine_of
from jaxdyn.interop import from_pinocchio, to_pinocchio
from jaxdyn.joints import Reversed, SPQuatFloating


def test_dynamics_agree_with_pinocchio():
    mechanism = tree_of(SPQuatFloating(), (*SIMPLE, BALL, *COMPOUND, SCREW, Reversed(SCREW)), seed=20)
    check_engine(mechanism, engine_of(mechanism), Converters(to_pinocchio, from_pinocchio))
