"""Laws as functions of a mechanism and a state that return two results, which must agree.

All laws of a file are compiled together, once per model: compiling takes most of the time.
"""

from collections.abc import Callable
from functools import cache

import jax
import pytest

from comparison import assert_close
from models import ALL_MODELS

from .definitions import State, random_arguments

PARTS_OF_OTHERS = ("pendulum", "free_body", "massless_base", "branching_arm")
"""Models that hold nothing which is not in another one; of most, tests/dynamics has the equations on one line each."""


class Laws:
    """The laws of one file."""

    def __init__(self):
        self.laws: dict[str, Callable] = {}
        self.results = cache(self._results)

    def __call__(self, law: Callable) -> Callable:
        """Decorator: add one law."""
        self.laws[law.__name__] = law
        return law

    def for_every_model(self) -> pytest.MarkDecorator:
        """Parametrise a test by model and law."""
        pairs = [(model, law) for model in ALL_MODELS if model not in PARTS_OF_OTHERS for law in self.laws]
        return pytest.mark.parametrize(("model", "law"), pairs)

    def _results(self, model: str) -> dict:
        mechanism = ALL_MODELS[model]  # known while tracing; tests/parity and tests/gradients pass it as an argument

        def all_laws(arguments):
            state = State(mechanism, *arguments)
            return {name: law(mechanism, state) for name, law in self.laws.items()}

        arguments = jax.jit(random_arguments)(mechanism, jax.random.key(11))
        try:
            return jax.device_get(jax.jit(all_laws)(arguments))
        except Exception as error:  # kept, so that every law of this model fails at once and compiles only once
            return dict.fromkeys(self.laws, error)

    def check(self, model: str, law: str, operations: int = 20000) -> None:
        """Compare the two results of one law for one model."""
        results = self.results(model)[law]
        if isinstance(results, Exception):
            raise results
        assert_close(*results, operations=operations)
