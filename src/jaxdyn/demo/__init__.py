"""The tour that `jaxdyn demo` gives: batched rollouts, a checked gradient, a swing-up, masses found from motion.

Every part is a function of a mechanism and a few sizes, written with the public functions of jaxdyn as a user would,
and returns a frozen record with its numbers; `run_demo` runs them, draws them and prints a table.
"""

from ._gradient import GradientResult, check_gradient
from ._identification import IdentificationResult, identify_masses
from ._rollouts import RolloutsResult, time_rollouts
from ._run import PARTS, run_demo
from ._swing_up import SwingUpResult, swing_up

__all__ = [
    "PARTS",
    "GradientResult",
    "IdentificationResult",
    "RolloutsResult",
    "SwingUpResult",
    "check_gradient",
    "identify_masses",
    "run_demo",
    "swing_up",
    "time_rollouts",
]
