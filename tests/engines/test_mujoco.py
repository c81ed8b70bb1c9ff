"""Dynamics against MuJoCo, for more joints than a URDF has; with rotors, dampers and springs."""

import pytest

from engines.engine import Converters, check_engine
from engines.engine_models import BALL, COMPOUND, SIMPLE, tree_of, without
from engines.mujoco_builder import engine_of
from jaxdyn.interop import from_mujoco, to_mujoco
from jaxdyn.joints import QuaternionFloating
from models import ALL_MODELS

MODELS = {
    "every joint": lambda: tree_of(QuaternionFloating(), (*SIMPLE, BALL, *COMPOUND), seed=21, has_passive_forces=True),
    # Massless bodies and fixed ones, a spring in a ball joint.
    "floating_tree": lambda: without(ALL_MODELS["floating_tree"], "damping"),
}


@pytest.mark.parametrize("model", MODELS)
def test_dynamics_agree_with_mujoco(model: str):
    mechanism = MODELS[model]()
    check_engine(mechanism, engine_of(mechanism), Converters(to_mujoco, from_mujoco))
