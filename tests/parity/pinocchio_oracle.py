"""Pinocchio's answers in jaxdyn's order and conventions; everything is matched by names.

Pinocchio: linear part first; q of a floating joint (p, x, y, z, w), of a continuous joint (cos, sin); damping is
stored and ignored; fixed joints are frames; what is rigidly attached to the world is in `inertias[0]`, which no energy
counts.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import numpy as np
from jaxtyping import Float

import jaxdyn

pin: Any = import_module("pinocchio")  # compiled, without type stubs

_LINEAR_LAST = [3, 4, 5, 0, 1, 2]
_REFERENCE_FRAMES = {
    "world": pin.ReferenceFrame.WORLD,
    "world_aligned": pin.ReferenceFrame.LOCAL_WORLD_ALIGNED,
    "body": pin.ReferenceFrame.LOCAL,
}


class PinocchioOracle:
    """One URDF in Pinocchio, asked in jaxdyn's terms.

    Attributes:
        model: Pinocchio's model.
        v_order: Pinocchio's entry of v for each entry of jaxdyn's.
        damping: Damping of each entry of jaxdyn's v.
    """

    def __init__(self, text: str, mechanism: jaxdyn.Mechanism, *, is_floating: bool):
        root_joint = (pin.JointModelFreeFlyer(),) if is_floating else ()
        self.model = pin.buildModelFromXML(text, *root_joint)
        self.data = self.model.createData()
        self.body_names = mechanism.body_names
        self.v_order, self._joints = _joint_table(self.model, mechanism)
        self.damping = np.asarray(self.model.damping)[self.v_order]
        self._frames = {name: _frame_id(self.model, name) for name in mechanism.body_names}
        self._num_positions = mechanism.num_positions

    def add_frame(self, name: str, body: str, placement: Float[np.ndarray, "4 4"]) -> None:
        """A frame fixed to a body, placed as in jaxdyn."""
        parent = self.model.frames[self._frames[body]]
        X_JF = parent.placement * pin.SE3(placement)
        frame = pin.Frame(name, parent.parentJoint, self._frames[body], X_JF, pin.FrameType.OP_FRAME)
        self._frames[name] = self.model.addFrame(frame)
        self.data = self.model.createData()

    def frame_pose(self, name: str) -> Float[np.ndarray, "4 4"]:
        """Pose of a frame in the world at the state that was asked last."""
        return np.asarray(self.data.oMf[self._frames[name]].homogeneous)

    def configuration(self, q: Float[np.ndarray, " num_positions"]) -> Float[np.ndarray, " nq"]:
        """Pinocchio's q."""
        converted = np.empty(self.model.nq)
        for theirs, ours in self._joints:
            x = q[ours]
            if len(ours) == 7:
                w, i, j, k = x[:4] / np.sqrt(x[:4] @ x[:4])
                x = [*x[4:], i, j, k, w]
            elif theirs.nq == 2:
                x = [np.cos(x[0]), np.sin(x[0])]
            converted[theirs.idx_q : theirs.idx_q + theirs.nq] = x
        return converted

    def velocity(self, v: Float[np.ndarray, " num_velocities"]) -> Float[np.ndarray, " nv"]:
        """Pinocchio's v, v_dot or τ."""
        converted = np.empty(self.model.nv)
        converted[self.v_order] = v
        return converted

    def answers(self, state: Mapping[str, np.ndarray], jacobians: tuple) -> dict[str, np.ndarray]:
        """All quantities at one state, in jaxdyn's order."""
        model, data, order = self.model, self.data, self.v_order
        q = self.configuration(state["q"])
        v, v_dot, tau = (self.velocity(state[name]) for name in ("v", "v_dot", "tau"))
        passive = -self.damping * state["v"]
        pin.computeJointJacobians(model, data, q)
        pin.updateFramePlacements(model, data)
        poses = [data.oMf[self._frames[name]] for name in self.body_names]
        result = {
            "rotations": np.array([pose.rotation for pose in poses]),
            "translations": np.array([pose.translation for pose in poses]),
        }
        for i, (frame, expressed_in) in enumerate(jacobians):
            if model.nv == 0:  # Pinocchio would crash
                result[f"jacobian {i}"] = np.zeros((6, 0))
                continue
            J = pin.getFrameJacobian(model, data, self._frames[frame], _REFERENCE_FRAMES[expressed_in])
            result[f"jacobian {i}"] = J[_LINEAR_LAST][:, order]
        pin.forwardKinematics(model, data, q, v)
        for expressed_in, reference_frame in _REFERENCE_FRAMES.items():
            twists = [pin.getFrameVelocity(model, data, self._frames[n], reference_frame) for n in self.body_names]
            result[f"twists, {expressed_in}"] = np.array([twist.vector[_LINEAR_LAST] for twist in twists])
        local = self.joint_wrenches(state["wrenches"], poses, is_about_world=False)
        about_world = self.joint_wrenches(state["wrenches"], poses, is_about_world=True)
        zero = np.zeros(model.nv)
        held = np.array(pin.rnea(model, data, q, zero, zero))
        pushed = np.array(pin.rnea(model, data, q, zero, zero, about_world))
        result |= {
            "inverse dynamics": pin.rnea(model, data, q, v, v_dot)[order] - passive,
            "with wrenches": pin.rnea(model, data, q, v, v_dot, local)[order] - passive,
            "bias": pin.nonLinearEffects(model, data, q, v)[order] - passive,
            "gravity": pin.computeGeneralizedGravity(model, data, q)[order],
            "generalized forces": (held - pushed)[order],
            "forward dynamics": pin.aba(model, data, q, v, tau + self.velocity(passive), local)[order],
        }
        M = np.triu(pin.crba(model, data, q))
        result["mass matrix"] = (M + np.triu(M, 1).T)[np.ix_(order, order)]
        result["kinetic energy"] = np.array(pin.computeKineticEnergy(model, data, q, v))
        of_the_fixed = model.inertias[0].mass * (model.gravity.linear @ model.inertias[0].lever)
        result["potential energy"] = np.array(pin.computePotentialEnergy(model, data, q) - of_the_fixed)
        pin.computeCentroidalMomentum(model, data, q, v)
        result["momentum"] = data.h[0].vector[_LINEAR_LAST]  # about the world's origin, unlike `data.hg`
        return result

    def joint_wrenches(self, wrenches: np.ndarray, poses: list, *, is_about_world: bool) -> Any:
        """Wrenches in world axes, about each body's origin or the world's, in the frames of the joints that carry."""
        collected = [pin.Force.Zero() for _ in range(self.model.njoints)]
        for name, pose, wrench in zip(self.body_names, poses, wrenches, strict=True):
            joint = self.model.frames[self._frames[name]].parentJoint
            point = np.zeros(3) if is_about_world else pose.translation
            X_WP = pin.SE3(np.eye(3), point)
            force = X_WP.act(pin.Force(wrench[3:], wrench[:3]))
            collected[joint] += self.data.oMi[joint].actInv(force)
        vector = pin.StdVec_Force()
        for force in collected:
            vector.append(force)
        return vector


def _joint_table(model: Any, mechanism: jaxdyn.Mechanism) -> tuple[np.ndarray, list]:
    """Pinocchio's entry of v for each of jaxdyn's, and for each joint Pinocchio's joint and jaxdyn's entries of q."""
    v_order = np.full(mechanism.num_velocities, -1)
    joints = []
    for joint, name in zip(model.joints, model.names, strict=True):
        if name == "universe":
            continue
        entries = np.arange(joint.idx_v, joint.idx_v + joint.nv)
        v_order[mechanism.v_index(name)] = entries[_LINEAR_LAST] if joint.nv == 6 else entries
        joints.append((joint, mechanism.q_index(name)))
    assert model.nv == mechanism.num_velocities
    assert (v_order >= 0).all()
    return v_order, joints


def _frame_id(model: Any, name: str) -> int:
    assert model.existFrame(name, pin.FrameType.BODY), f"Pinocchio has no body `{name}`"
    return model.getFrameId(name, pin.FrameType.BODY)
