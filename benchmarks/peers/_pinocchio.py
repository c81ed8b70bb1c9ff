"""Pinocchio: the reference for all values. Linear part first; q of the floating base is (p, x, y, z, w)."""

from importlib import import_module
from typing import Any

import numpy as np

from ..models import TOOL, Model
from ..quantities import States
from ._peer import LoopingPeer

_SWAP = [3, 4, 5, 0, 1, 2]


class PinocchioPeer(LoopingPeer):
    """One robot in Pinocchio."""

    quantities = frozenset({"ID", "M", "FD", "poses", "jacobian", "dFD/dq"})

    def __init__(self, model: Model):
        self.pin = pin = import_module("pinocchio")
        root_joint = (pin.JointModelFreeFlyer(),) if model.is_floating else ()
        self.model: Any = pin.buildModelFromXML(model.text, *root_joint)
        parent = self.model.getFrameId(model.tool_body, pin.FrameType.BODY)
        carrier = self.model.frames[parent]
        placement = carrier.placement * pin.SE3(model.tool_placement)
        self.tool = self.model.addFrame(pin.Frame(TOOL, carrier.parentJoint, parent, placement, pin.FrameType.OP_FRAME))
        self.data = self.model.createData()
        names = model.mechanism.body_names
        self.pose_bodies = np.arange(len(names))
        self._frames = [self.model.getFrameId(name, pin.FrameType.BODY) for name in names]
        self._set_orders(model)

    def _set_orders(self, model: Model) -> None:
        """Our entry of q and of v for each of Pinocchio's."""
        mechanism = model.mechanism
        q_order, v_order = ([4, 5, 6, 1, 2, 3, 0], list(_SWAP)) if model.is_floating else ([], [])
        for name in list(self.model.names)[1 + model.is_floating :]:
            q_order.extend(mechanism.q_index(name))
            v_order.extend(mechanism.v_index(name))
        self._q_order, self._v_order = np.array(q_order), np.array(v_order)
        self._inverse = np.argsort(self._v_order)

    def native(self, states: States) -> list[tuple[np.ndarray, ...]]:
        """In double precision always."""
        q, *vectors = (np.asarray(states[name], dtype=float) for name in ("q", "v", "v_dot", "tau"))
        return list(zip(q[:, self._q_order], *(x[:, self._v_order] for x in vectors), strict=True))

    def function(self, quantity: str) -> Any:
        pin, model, data, tool = self.pin, self.model, self.data, self.tool
        axes = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        return {
            "ID": lambda q, v, v_dot, tau: pin.rnea(model, data, q, v, v_dot),
            "M": lambda q, v, v_dot, tau: pin.crba(model, data, q),
            "FD": lambda q, v, v_dot, tau: pin.aba(model, data, q, v, tau),
            "poses": lambda q, v, v_dot, tau: pin.framesForwardKinematics(model, data, q),
            "jacobian": lambda q, v, v_dot, tau: pin.computeFrameJacobian(model, data, q, tool, axes),
            "dFD/dq": lambda q, v, v_dot, tau: pin.computeABADerivatives(model, data, q, v, tau),
        }[quantity]

    def answers(self, quantity: str, states: States) -> np.ndarray:
        function = self.function(quantity)
        return np.array([self._ours(quantity, function(*state)) for state in self.native(states)])

    def _ours(self, quantity: str, result: Any) -> np.ndarray:
        order = self._inverse
        if quantity == "M":
            upper = np.triu(result)
            return (upper + np.triu(upper, 1).T)[np.ix_(order, order)]
        if quantity == "poses":
            return np.array([self.data.oMf[frame].homogeneous for frame in self._frames])
        if quantity == "jacobian":
            return result[_SWAP][:, order]
        if quantity == "dFD/dq":
            return np.array(self.data.ddq_dq)[np.ix_(order, order)]
        return np.array(result)[order]
