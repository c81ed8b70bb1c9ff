"""frax, as its documentation uses it: a robot whose numbers are constants of the program, under `jax.jit`.

`gravity_accel` of `Robot.rnea` is the acceleration of the root that stands for gravity, so it points *up*: +9.81 along
z, as frax's own forward dynamics has it. Its numbers cannot be differentiated, so its rollout gradient is by controls
and initial state alone, while jaxdyn's is by all leaves of the mechanism, too.
"""

import tempfile
import warnings
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jaxtyping import Array

import jaxdyn

from ..coordinates import LinearFirst, jacobian_back
from ..measure import Program, compiled
from ..models import Model
from ..quantities import TIME_STEP, States, final_loss
from ._peer import Peer

_GRAVITY = np.array([0.0, 0.0, 9.81, 0.0, 0.0, 0.0])
_ARGUMENTS = {
    "ID": ("q", "v", "v_dot"),
    "M": ("q",),
    "FD": ("q", "v", "tau"),
    "poses": ("q",),
    "jacobian": ("q",),
    "dFD/dq": ("q", "v", "tau"),
}


class FraxPeer(Peer):
    """One robot in frax."""

    quantities = frozenset({*_ARGUMENTS, "rollout gradient"})

    def __init__(self, model: Model):
        with warnings.catch_warnings():
            # On import frax recommends environment variables; the report says which ones are set.
            warnings.filterwarnings("ignore", message=r"\[frax\]")
            frax = import_module("frax")
        self.robot: Any = getattr(frax, model.frax_loader)() if model.frax_loader else _robot_of(frax, model.text)
        self.mechanism = mechanism = model.mechanism
        joints = self.robot.joint_names[self.robot.nv_floating :]
        self.coordinates = LinearFirst(mechanism, joints, model.is_floating)
        root = [0] if model.is_floating else []
        self.pose_bodies = np.array([*root, *(mechanism.joint_index(name) for name in joints)])
        self._jacobian = getattr(self.robot, model.frax_jacobian)

    def function(self, quantity: str) -> Callable:
        """The function of its own q, v, v_dot and tau."""
        robot = self.robot

        def forward_dynamics(q: Array, v: Array, tau: Array) -> Array:
            return robot.forward_dynamics(q, v, tau, None)

        return {
            "ID": lambda q, v, v_dot: robot.rnea(q, v, v_dot, jnp.asarray(_GRAVITY), None),
            "M": robot.mass_matrix,
            "FD": forward_dynamics,
            "poses": robot.joint_to_world_transforms,
            "jacobian": self._jacobian,
            "dFD/dq": jax.jacfwd(forward_dynamics),
        }[quantity]

    def program(self, quantity: str, states: States, batch: int) -> Program:
        if quantity == "rollout gradient":  # in our coordinates: two conversions next to a hundred steps
            arguments = tuple(states[name] for name in ("q", "v", "controls"))
            function = jax.grad(self._rollout_loss, argnums=(0, 1, 2))
        else:
            converted = jax.vmap(self._native)(*(states[name] for name in ("q", "v", "v_dot", "tau")))
            arguments = tuple(converted[name] for name in _ARGUMENTS[quantity])
            function = self.function(quantity)
        if batch == 1:
            return compiled(jax.jit(function), tuple(x[0] for x in arguments), 1)
        return compiled(jax.jit(jax.vmap(function)), tuple(x[:batch] for x in arguments), batch)

    def answers(self, quantity: str, states: States) -> Any:
        names = ("q", "v", "controls") if quantity == "rollout gradient" else ("q", "v", "v_dot", "tau")
        return jax.jit(jax.vmap(self._answer(quantity)))(*(states[name] for name in names))

    def _native(self, q: Array, v: Array, v_dot: Array, tau: Array) -> dict[str, Array]:
        convert = self.coordinates
        return {
            "q": convert.q(q),
            "v": convert.v(q, v),
            "v_dot": convert.v_dot(q, v, v_dot),
            "tau": convert.v(q, tau),
        }

    def _answer(self, quantity: str) -> Callable:
        """A function of our q, v, v_dot and tau that gives our quantity."""
        if quantity == "rollout gradient":
            return self._rollout_gradient
        if quantity == "dFD/dq":
            by_q = jax.jacfwd(self._answer("FD"))
            tangent = jaxdyn.velocity_to_configuration_derivative_jacobian
            return lambda q, v, v_dot, tau: by_q(q, v, v_dot, tau) @ tangent(self.mechanism, q)
        function, convert = self.function(quantity), self.coordinates

        def answer(q: Array, v: Array, v_dot: Array, tau: Array) -> Array:
            native = self._native(q, v, v_dot, tau)
            result = function(*(native[name] for name in _ARGUMENTS[quantity]))
            if quantity == "poses":
                return result[max(self.robot.nv_floating - 1, 0) :]
            if quantity == "M":
                return convert.matrix(q).T @ result @ convert.matrix(q)
            if quantity == "jacobian":
                return jacobian_back(result, convert.matrix(q))
            return convert.v_dot_back(q, v, result) if quantity == "FD" else convert.v_back(q, result)

        return answer

    def _rollout_loss(self, q: Array, v: Array, controls: Array) -> Array:
        """`rollout_loss` of one state: the same rule for a step, in frax."""
        convert, robot = self.coordinates, self.robot
        actuated = self.mechanism.topology.actuated_velocities

        def step(state: tuple[Array, Array], control: Array) -> tuple[tuple[Array, Array], None]:
            q, v = state
            v = v + TIME_STEP * robot.forward_dynamics(q, v, control, None)
            return (robot.integrate(q, v, TIME_STEP), v), None

        forces = jnp.zeros((controls.shape[0], self.mechanism.num_velocities), controls.dtype)
        forces = forces.at[:, actuated].set(controls)[:, convert.v_order]
        (q, v), _ = lax.scan(step, (convert.q(q), convert.v(q, v)), forces)
        q = convert.q_back(q)
        return final_loss(q, convert.v_back(q, v))

    def _rollout_gradient(self, q: Array, v: Array, controls: Array) -> tuple[Array, Array, Array]:
        by_q, by_v, by_controls = jax.grad(self._rollout_loss, argnums=(0, 1, 2))(q, v, controls)
        return jaxdyn.tangent_gradient(self.mechanism, q, by_q), by_v, by_controls


def _robot_of(frax: Any, text: str) -> Any:
    """A serial arm from a URDF text; frax reads files."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "robot.urdf")
        file.write_text(text, encoding="utf-8")
        return frax.Manipulator(file)
