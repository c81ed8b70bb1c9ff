"""One robot in another program, built body by body from the mechanism, asked in jaxdyn's terms."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np

from engines.parts import Part, rotation
from jaxdyn import Mechanism
from jaxdyn.joints import Fixed, Prismatic, QuaternionFloating, Revolute


class Push(NamedTuple):
    """A wrench on each body, in world axes.

    Attributes:
        moments: About each point.
        forces: Their forces.
        points: Points of the bodies in world coordinates.
    """

    moments: np.ndarray
    forces: np.ndarray
    points: np.ndarray


class Robot:
    """A robot of hinges and sliders on a base that is fixed to the world or floats.

    Attributes:
        lacks: Which of the sums over all bodies it has no function for.
    """

    is_linear_first: ClassVar[bool] = True
    is_angular_in_body: ClassVar[bool] = False
    joints_begin: ClassVar[int] = 0
    lacks: ClassVar[tuple[str, ...]] = ()

    def __init__(self, mechanism: Mechanism, parts: Sequence[Part], G: np.ndarray, engine: Any):
        self.engine, self.parts = engine, parts
        self.is_floating = isinstance(parts[0].joint, QuaternionFloating)
        by_name = {part.joint_name: part for part in parts}
        moving = [by_name[name] for name in engine.joint_names if len(by_name[name].dofs) == 1]
        own = np.unique(np.concatenate([part.dofs for part in parts]))
        self.order = np.searchsorted(own, np.array([part.dofs[0] for part in moving], dtype=int))
        self.q_order = np.array([mechanism.q_index(part.joint_name)[0] for part in moving], dtype=int)
        self.base = np.searchsorted(own, parts[0].dofs) if self.is_floating else np.zeros(0, dtype=int)
        self.base_q = mechanism.q_index(parts[0].joint_name)
        self.damping, self.G = np.asarray(mechanism.damping)[own], G[own]

    def velocity_matrix(self, R: np.ndarray) -> np.ndarray:
        """From jaxdyn's velocities to the program's; of iDynTree's base too where it is fixed."""
        num_of_base = 6 if self.is_floating else self.joints_begin
        T = np.zeros((num_of_base + len(self.order), len(self.damping)))
        T[num_of_base + np.arange(len(self.order)), self.order] = 1
        if self.is_floating:
            angular, linear = (slice(3, 6), slice(0, 3)) if self.is_linear_first else (slice(0, 3), slice(3, 6))
            T[angular, self.base[:3]] = np.eye(3) if self.is_angular_in_body else R
            T[linear, self.base[3:]] = R
        return T

    def answers(
        self, q: np.ndarray, v: np.ndarray, rates: Mapping[str, np.ndarray], wrenches: np.ndarray, jacobians: tuple
    ) -> dict[str, Any]:
        """All quantities at one state.

        Args:
            q: Configuration of the whole mechanism, in jaxdyn's coordinates.
            v: Velocity of the robot.
            rates: Accelerations "v_dot" and others, for each of which "needs NAME" is what they need with wrenches.
            wrenches: On the robot's bodies, as `inverse_dynamics` takes them.
            jacobians: Names and bodies of those wanted.
        """
        quaternion, p = (q[self.base_q][:4], q[self.base_q][4:]) if self.is_floating else (np.eye(4)[0], np.zeros(3))
        quaternion = quaternion / np.linalg.norm(quaternion)
        R = rotation(quaternion)
        T, v = self.velocity_matrix(R) @ self.G, self.G @ v
        moving_axes = np.zeros(len(T))
        if self.is_floating:
            linear = slice(0, 3) if self.is_linear_first else slice(3, 6)
            moving_axes[linear] = R @ np.cross(v[self.base[:3]], v[self.base[3:]])
        self.set_state(quaternion, p, R, q[self.q_order], self.velocity_matrix(R) @ v)
        poses = self.poses()
        R_bodies, p_bodies = poses[:, :3, :3], poses[:, :3, 3]
        none = Push(*[np.zeros((len(self.parts), 3))] * 3)
        push = Push(wrenches[:, :3], wrenches[:, 3:], p_bodies)
        held = self.G.T @ (self.damping * v)
        result = {
            "rotations": R_bodies,
            "translations": p_bodies,
            "twists, world_aligned": self.twists(),
            "mass matrix": T.T @ self.mass_matrix() @ T,
            "bias": T.T @ self.inverse_dynamics(moving_axes, none) + held,
            "inverse dynamics": T.T @ self.inverse_dynamics(T @ rates["v_dot"] + moving_axes, none) + held,
            "gravity": T.T @ self.gravity(),
            "generalized forces": T.T @ self.generalized_forces(push._replace(points=np.zeros_like(p_bodies))),
        }
        for name, rate in rates.items():
            result[f"needs {name}"] = T.T @ self.inverse_dynamics(T @ rate + moving_axes, push) + held
        result["with wrenches"] = result.pop("needs v_dot")
        for name, body, expressed_in in jacobians:
            J = self.jacobian(body) @ T
            result[name] = _expressed(J, R_bodies[body], p_bodies[body], expressed_in)
        return result | self.sums()

    def set_state(self, quaternion, p, R, joint_positions, v) -> None:
        raise NotImplementedError

    def poses(self) -> np.ndarray:
        raise NotImplementedError

    def twists(self) -> np.ndarray:
        raise NotImplementedError

    def mass_matrix(self) -> np.ndarray:
        raise NotImplementedError

    def inverse_dynamics(self, rate: np.ndarray, push: Push) -> np.ndarray:
        raise NotImplementedError

    def gravity(self) -> np.ndarray:
        raise NotImplementedError

    def generalized_forces(self, push: Push) -> np.ndarray:
        raise NotImplementedError

    def jacobian(self, body: int) -> np.ndarray:
        raise NotImplementedError

    def sums(self) -> dict[str, Any]:
        """Mass, centre of mass, momentum about the world's origin, and energies if there are any."""
        raise NotImplementedError


def _expressed(J: np.ndarray, R: np.ndarray, p: np.ndarray, expressed_in: str) -> np.ndarray:
    angular, linear = J[:3], J[3:]
    if expressed_in == "body":
        return np.concatenate([R.T @ angular, R.T @ linear])
    if expressed_in == "world":
        return np.concatenate([angular, linear + np.cross(p, angular, axisb=0, axisc=0)])
    return J


def gap(program: str, parts: Sequence[Part]) -> str:
    """Why a program cannot hold a robot; empty where it can.

    All of them hold what URDFs are made of: hinges and sliders on a base that is fixed or floats. MuJoCo's compiler
    refuses bodies without mass, or with moments that no mass distribution has, and Drake's checks do; both compute with
    them all the same if they get them afterwards or unchecked, as from these builders.
    """
    base, *others = parts
    assert isinstance(base.joint, QuaternionFloating | Fixed | Revolute | Prismatic)
    assert all(part.parent >= 0 and isinstance(part.joint, Fixed | Revolute | Prismatic) for part in others)
    if program == "Drake" and any(part.inertia.mass == 0 and np.any(part.inertia.moment) for part in parts):
        return "a body has a moment of inertia but no mass; Drake stores moments per mass"
    return ""
