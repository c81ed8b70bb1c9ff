"""The programs beside which jaxdyn is measured. All are optional."""

from ._frax import FraxPeer
from ._mujoco import MujocoPeer
from ._peer import Peer
from ._pinocchio import PinocchioPeer

PEERS: dict[str, type[Peer]] = {"Pinocchio": PinocchioPeer, "MuJoCo": MujocoPeer, "frax": FraxPeer}
"""In the order of the table. Making one raises ImportError where it is not installed."""

__all__ = ["PEERS", "Peer"]
