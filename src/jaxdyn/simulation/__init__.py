"""Simulation: time stepping and rollouts."""

from ._integrators import AbstractIntegrator, RungeKutta4, SemiImplicitEuler
from ._rollout import Trajectory, rollout

__all__ = [
    "AbstractIntegrator",
    "RungeKutta4",
    "SemiImplicitEuler",
    "Trajectory",
    "rollout",
]
