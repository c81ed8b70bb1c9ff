"""What a peer can be asked."""

import abc
from typing import Any

import numpy as np

from ..measure import Program
from ..models import Model
from ..quantities import States


class Peer(abc.ABC):
    """Another program with one robot loaded.

    Attributes:
        quantities: What it computes.
        pose_bodies: Indices of the bodies of which it gives poses.
    """

    quantities: frozenset[str]
    pose_bodies: np.ndarray

    @abc.abstractmethod
    def __init__(self, model: Model):
        """Load the robot; ImportError where the program is not installed."""

    @abc.abstractmethod
    def answers(self, quantity: str, states: States) -> Any:
        """Its results in jaxdyn's order and frames, one row per state.

        Poses are matrices (4, 4) of `pose_bodies`; derivatives by q are by a small motion v.
        """

    @abc.abstractmethod
    def program(self, quantity: str, states: States, batch: int) -> Program:
        """What is timed: its own inputs and outputs, nothing converted."""


class LoopingPeer(Peer):
    """A compiled library: states one after the other, called from Python, in one thread."""

    MOST_STATES = 1024  # its time per state does not depend on their number

    def program(self, quantity: str, states: States, batch: int) -> Program:
        """A Python loop over the states."""
        inputs = self.native(states)[: min(batch, self.MOST_STATES)]
        function = self.function(quantity)

        def call() -> None:
            for state in inputs:
                function(*state)

        return Program(call, len(inputs))

    @abc.abstractmethod
    def native(self, states: States) -> list[tuple[np.ndarray, ...]]:
        """(q, v, v_dot, tau) of each state in its own convention."""

    @abc.abstractmethod
    def function(self, quantity: str) -> Any:
        """Computes a quantity from (q, v, v_dot, tau)."""
