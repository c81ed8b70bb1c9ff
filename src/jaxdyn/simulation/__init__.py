"""Simulation: time stepping and rollouts."""

from ._integrators import AbstractIntegrator as AbstractIntegrator
from ._integrators import RungeKutta4 as RungeKutta4
from ._integrators import SemiImplicitEuler as SemiImplicitEuler
from ._rollout import Trajectory as Trajectory
from ._rollout import rollout as rollout
