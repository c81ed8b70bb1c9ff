"""The tour that `jaxdyn demo` gives: batched rollouts, a checked gradient, a swing-up, masses found from motion.

Every part is a function of a mechanism and a few sizes, written with the public functions of jaxdyn as a user would,
and returns a frozen record with its numbers; `run_demo` runs them, draws them and prints a table.
"""

from ._gradient import GradientResult as GradientResult
from ._gradient import check_gradient as check_gradient
from ._identification import IdentificationResult as IdentificationResult
from ._identification import identify_masses as identify_masses
from ._rollouts import RolloutsResult as RolloutsResult
from ._rollouts import time_rollouts as time_rollouts
from ._run import PARTS as PARTS
from ._run import run_demo as run_demo
from ._swing_up import SwingUpResult as SwingUpResult
from ._swing_up import swing_up as swing_up
