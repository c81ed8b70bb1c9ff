"""Dynamics against iDynTree, ball joints among others."""

from engines.engine import Converters, check_engine
from engines.engine_models import BALL, SIMPLE, tree_of, without
from engines.idyntree_builder import engine_of
from jaxdyn.interop import from_idyntree, to_idyntree
from jaxdyn.joints import SPQuatFloating


def test_dynamics_agree_with_idyntree():
    mechanism = without(tree_of(SPQuatFloating(), (*SIMPLE, BALL), seed=23), "armature")
    check_engine(mechanism, engine_of(mechanism), Converters(to_idyntree, from_idyntree))
