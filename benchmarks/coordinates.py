"""Coordinates with the linear part first, as MuJoCo and frax have them, from jaxdyn's and back.

Their floating base: q = (p, w, x, y, z) and v = (velocity of the origin in *world* axes, angular velocity in the
*body's* axes); jaxdyn's: q = (w, x, y, z, p) and v = (angular, linear), both in the body's axes. With v_theirs =
T(q) v_ours the rest follows: forces by T⁻ᵀ = T, since T is orthogonal, and v_dot with the rate of T.
"""

from collections.abc import Sequence

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from jaxdyn import Mechanism
from jaxdyn.spatial import quaternion_to_matrix

_BASE = 6
_SWAP = np.array([3, 4, 5, 0, 1, 2])


class LinearFirst:
    """Conversions of one robot, for one state; differentiable.

    Args:
        mechanism: The robot; a floating base, if any, is its first body.
        joint_names: The moving joints in the other program's order, without the floating base.
        is_floating: Whether there is a floating base.
    """

    def __init__(self, mechanism: Mechanism, joint_names: Sequence[str], is_floating: bool):
        base_q = [4, 5, 6, 0, 1, 2, 3] if is_floating else []
        base_v = list(_SWAP) if is_floating else []
        self.is_floating = is_floating
        self.q_order = np.array([*base_q, *(i for name in joint_names for i in mechanism.q_index(name))])
        self.v_order = np.array([*base_v, *(i for name in joint_names for i in mechanism.v_index(name))])
        self.v_inverse = np.argsort(self.v_order)
        self.q_inverse = np.argsort(self.q_order)

    def q(self, q: Array) -> Array:
        """Their configuration."""
        return q[self.q_order]

    def v(self, q: Array, v: Array) -> Array:
        """Their velocity, or force."""
        return self._turned(q, v[self.v_order])

    def v_dot(self, q: Array, v: Array, v_dot: Array) -> Array:
        """Their acceleration: the base's linear velocity is differentiated in world axes."""
        return self.v(q, v_dot + self._rate(v))

    def q_back(self, q: Array) -> Array:
        """Our configuration of theirs."""
        return q[self.q_inverse]

    def v_back(self, q: Array, v: Array) -> Array:
        """Our velocity, or force, of theirs; `q` is ours."""
        return self._turned(q, v, back=True)[self.v_inverse]

    def v_dot_back(self, q: Array, v: Array, v_dot: Array) -> Array:
        """Our acceleration of theirs; `q` and `v` are ours."""
        return self.v_back(q, v_dot) - self._rate(v)

    def matrix(self, q: Array) -> Float[Array, "nv nv"]:
        """T, as a matrix: theirs = T ours."""
        columns = jnp.eye(len(self.v_order), dtype=q.dtype)[self.v_order]
        return columns if not self.is_floating else columns.at[:3].set(quaternion_to_matrix(q[:4]) @ columns[:3])

    def _turned(self, q: Array, v: Array, back: bool = False) -> Array:
        if not self.is_floating:
            return v
        R_WB = quaternion_to_matrix(q[:4])
        return jnp.concatenate([(R_WB.T if back else R_WB) @ v[:3], v[3:]])

    def _rate(self, v: Array) -> Array:
        """ω × v of the base in the place of its linear velocity, in our order."""
        if not self.is_floating:
            return jnp.zeros_like(v)
        return jnp.zeros_like(v).at[3:_BASE].set(jnp.cross(v[:3], v[3:_BASE]))


def jacobian_back(jacobian: Array, T: Array) -> Array:
    """A Jacobian of ours from theirs with linear rows first."""
    return jacobian[_SWAP] @ T
