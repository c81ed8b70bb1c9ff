"""Mechanisms that a certain program can hold; frames, axes and inertias are arbitrary numbers."""

from collections.abc import Sequence

import equinox as eqx
import jax.numpy as jnp

from jaxdyn import Mechanism, attach
from jaxdyn.joints import (
    AbstractJoint,
    Fixed,
    Helical,
    Planar,
    Prismatic,
    QuaternionSpherical,
    Reversed,
    Revolute,
    RPYSpherical,
    SinCosRevolute,
    Translation,
    Universal,
)
from models import Numbers

HINGE = Revolute([0.3, -1.1, 0.7])
SLIDER = Prismatic([-0.4, 0.2, -1.9])
SCREW = Helical([0.3, 0.2, 1.1], -0.4)
PLANE = Planar([0.3, -1.1, 0.7], [0.2, 0.1, 2.0])
CARDAN = Universal([1.0, 0.3, 0.2], [-0.3, 1.0, 0.0])
WHEEL = SinCosRevolute([0.2, 1.0, 0.1])
BALL = QuaternionSpherical()
SIMPLE = (HINGE, Fixed(), SLIDER, WHEEL, Reversed(HINGE), Reversed(SLIDER))
COMPOUND = (PLANE, CARDAN, RPYSpherical(), Translation())


def tree_of(
    root: AbstractJoint, joints: Sequence[AbstractJoint], *, seed: int, has_passive_forces: bool = False
) -> Mechanism:
    """A base on the world and the other joints in three branches, with rotors; hinges may have dampers and springs."""
    numbers = Numbers(seed)
    mechanism = attach(
        Mechanism.empty(gravity=[0.5, -1.0, -9.0]),
        "world",
        root,
        numbers.body("base", 3.0),
        name="root",
        placement=numbers.placement(),
        successor_placement=numbers.placement(),
    )
    names = ["base"] * 3
    for i, joint in enumerate(joints):
        body = numbers.body(f"body{i}")
        options = {"armature": 0.1 + 0.05 * i} if joint.num_velocities == 1 else {}
        if has_passive_forces and isinstance(joint, Revolute | Prismatic):
            options |= {"damping": 0.3 + 0.1 * i, "stiffness": 2.0 + i, "rest_configuration": [0.4]}
        mechanism = attach(
            mechanism,
            names[i % 3],
            joint,
            body,
            name=f"joint{i}",
            placement=numbers.placement(),
            successor_placement=numbers.placement(),
            **options,
        )
        names[i % 3] = body.name
    return mechanism


def without(mechanism: Mechanism, *fields: str) -> Mechanism:
    """The same mechanism without, for example, "damping"."""
    values = [getattr(mechanism, field) for field in fields]
    return eqx.tree_at(
        lambda m: [getattr(m, field) for field in fields], mechanism, [jnp.zeros_like(x) for x in values]
    )
