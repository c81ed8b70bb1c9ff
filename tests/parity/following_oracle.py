"""Pinocchio's answers for a robot with mimic joints: those of the free robot, seen through q = G q + g and τ = Gᵀ τ.

Pinocchio's own mimic joints need their leader between the world and themselves, which no gripper has.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

import jaxdyn
from parity.pinocchio_oracle import PinocchioOracle
from parity.robot_files import load, mimic_tags, without_mimic

_PER_DOF = ("inverse dynamics", "with wrenches", "bias", "gravity", "generalized forces")


class Following(NamedTuple):
    """How a robot's free twin moves with it: v_free = G v, q_free = q_from q + q_offset.

    Attributes:
        free: The twin, whose joints follow none; the robot itself if they do not anyway.
        G: From the robot's velocity.
        q_from: From the robot's configuration.
        q_offset: Configuration of the twin where the robot's is zero.
    """

    free: jaxdyn.Mechanism
    G: np.ndarray
    q_from: np.ndarray
    q_offset: np.ndarray


def nothing_follows(mechanism: jaxdyn.Mechanism) -> Following:
    """A robot that is its own free twin."""
    nq, nv = mechanism.num_positions, mechanism.num_velocities
    return Following(mechanism, np.eye(nv), np.eye(nq), np.zeros(nq))


class FollowingOracle:
    """One URDF with `<mimic>` tags in Pinocchio, asked in jaxdyn's terms.

    Attributes:
        following: The robot that Pinocchio has, and how it moves.
    """

    def __init__(self, text: str, mechanism: jaxdyn.Mechanism):
        free_text, _ = without_mimic(text)
        free = load(free_text, is_floating=False)
        assert free.body_names == mechanism.body_names
        self._oracle = PinocchioOracle(free_text, free, is_floating=False)
        leads = {follower: (leader, ratio, offset) for follower, leader, ratio, offset in mimic_tags(text)}
        self.G = np.zeros((free.num_velocities, mechanism.num_velocities))
        self._q_from = np.zeros((free.num_positions, mechanism.num_positions))
        self._q_offset = np.zeros(free.num_positions)
        for name in free.joint_names:
            leader, ratio, offset = name, 1.0, 0.0
            while leader in leads:
                leader, r, o = leads[leader]
                ratio, offset = ratio * r, ratio * o + offset
            self.G[free.v_index(name), mechanism.v_index(leader)] = ratio
            self._q_from[free.q_index(name), mechanism.q_index(leader)] = ratio
            self._q_offset[free.q_index(name)] = offset
        self.following = Following(free, self.G, self._q_from, self._q_offset)

    def answers(self, state: Mapping[str, np.ndarray], jacobians: tuple) -> dict[str, Float[np.ndarray, "..."]]:
        """All quantities at one state, in jaxdyn's order."""
        motion = {name: self.G @ state[name] for name in ("v", "v_dot")}
        free_state = {**state, **motion, "q": self._q_from @ state["q"] + self._q_offset, "tau": motion["v"]}
        result = self._oracle.answers(free_state, jacobians)
        result |= {name: self.G.T @ result[name] for name in _PER_DOF}
        result |= {name: x @ self.G for name, x in result.items() if name.startswith("jacobian")}
        result["mass matrix"] = M = self.G.T @ result["mass matrix"] @ self.G
        bias = result["with wrenches"] - M @ state["v_dot"]
        result["forward dynamics"] = np.linalg.lstsq(M, state["tau"] - bias)[0]
        return result
