"""The model zoo: every joint class, and small mechanisms, each of which is nasty in a way of its own.

No axis goes through an origin, no inertia is diagonal, no centre of mass is an origin, unless a model says so.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache

import jax
import numpy as np

from jaxdyn import Body, Mechanism, add_frame, attach
from jaxdyn.joints import (
    AbstractJoint,
    Fixed,
    Helical,
    Planar,
    Prismatic,
    QuaternionFloating,
    QuaternionSpherical,
    Reversed,
    Revolute,
    RPYSpherical,
    SinCosRevolute,
    SPQuatFloating,
    Translation,
    Universal,
)
from jaxdyn.spatial import SpatialInertia, Transform
from user_joints import Cam, Cardan


class Zoo(Mapping):
    """Things by name, each made when it is first asked for."""

    def __init__(self, **makers: Callable):
        self.makers = {name: cache(maker) for name, maker in makers.items()}

    def __getitem__(self, name: str):
        return self.makers[name]()

    def __iter__(self) -> Iterator[str]:
        return iter(self.makers)

    def __len__(self) -> int:
        return len(self.makers)


ALL_JOINTS: Mapping[str, AbstractJoint] = Zoo(
    fixed=Fixed,
    revolute=lambda: Revolute([0.3, -1.1, 0.7]),
    revolute_down=lambda: Revolute([0.0, 0.0, -2.0]),
    prismatic=lambda: Prismatic([-0.4, 0.2, -1.9]),
    quaternion_spherical=QuaternionSpherical,
    quaternion_floating=QuaternionFloating,
    helical=lambda: Helical([0.3, -1.1, 0.7], -0.4),
    planar=lambda: Planar([0.3, -1.1, 0.7], [0.2, 0.1, 2.0]),
    sp_quat_floating=SPQuatFloating,
    sin_cos_revolute=lambda: SinCosRevolute([0.3, -1.1, 0.7]),
    universal=lambda: Universal([0.3, -1.1, 0.7], [0.2, 0.4, 2.0]),
    rpy_spherical=RPYSpherical,
    translation=Translation,
    reversed_floating=lambda: Reversed(QuaternionFloating()),
    reversed_planar=lambda: Reversed(Planar([0.3, -1.1, 0.7], [0.2, 0.1, 2.0])),
    cam=lambda: Cam(0.7),
    reversed_cam=lambda: Reversed(Cam(0.7)),
    cardan=Cardan,
)
"""An instance of every final joint class of jaxdyn, and joints that a user wrote."""


class Numbers:
    """Arbitrary numbers, always the same ones."""

    def __init__(self, seed: int):
        self.numbers = iter(np.asarray(jax.random.uniform(jax.random.key(seed), (1000,), minval=-1.0, maxval=1.0)))

    def take(self, *shape: int) -> np.ndarray:
        """Numbers between -1 and 1."""
        return np.array([next(self.numbers) for _ in range(int(np.prod(shape)))], dtype=float).reshape(shape)

    def placement(self) -> Transform:
        """A turn by up to 120° about any axis and a shift of about half a metre."""
        return Transform.from_quaternion(np.array([0.6, 0, 0, 0]) + self.take(4) * [0.1, 1, 1, 1], 0.6 * self.take(3))

    def inertia(self, mass: float = 1.0) -> SpatialInertia:
        """Five particles around a point that is not the origin."""
        masses = mass * (0.3 + 0.1 * self.take(5))
        positions = 0.3 * self.take(5, 3) + 0.2 * self.take(3)
        moments = np.sum(positions**2, axis=1)[:, None, None] * np.eye(3) - positions[:, :, None] * positions[:, None]
        moment = np.tensordot(masses, moments, axes=1)[np.triu_indices(3)]
        return SpatialInertia(masses.sum(), masses @ positions, moment)

    def body(self, name: str, mass: float = 1.0) -> Body:
        """A body with an arbitrary inertia."""
        return Body(name, self.inertia(mass))


def pendulum() -> Mechanism:
    """Plain on purpose: 2 kg, 0.5 m below a hinge along y, with 0.03 kg m² about the centre, at the world's origin."""
    inertia = SpatialInertia.from_center_of_mass(2.0, [0.0, 0.0, -0.5], [0.03, 0.0, 0.0, 0.03, 0.0, 0.01])
    return attach(Mechanism.empty(), "world", Revolute([0.0, 1.0, 0.0]), Body("bob", inertia), name="hinge")


def fixed_body() -> Mechanism:
    """No degree of freedom: two bodies fixed to the world, with a frame."""
    numbers = Numbers(1)
    mechanism = attach(Mechanism.empty(), "world", Fixed(), numbers.body("a"), placement=numbers.placement())
    mechanism = attach(mechanism, "a", Fixed(), numbers.body("b"), placement=numbers.placement())
    return add_frame(mechanism, "tool", "b", numbers.placement())


def free_body() -> Mechanism:
    """One floating body, without springs, dampers or armature; its joint is placed off the world's origin."""
    numbers = Numbers(2)
    mechanism = attach(
        Mechanism.empty(),
        "world",
        QuaternionFloating(),
        numbers.body("body", 2.0),
        name="root",
        placement=numbers.placement(),
        successor_placement=numbers.placement(),
    )
    return add_frame(mechanism, "camera", "body", numbers.placement())


def branching_arm() -> Mechanism:
    """Hinges and sliders with fixed joints in between: massless links, fixed leaves, a tool of its own, side branches.

    The bodies are attached out of depth-first order. Joints have springs with a rest position, dampers and rotors; one
    limit is two-sided, one is one-sided.
    """
    numbers = Numbers(3)
    mechanism = Mechanism.empty(gravity=[1.2, -3.0, -8.0])
    for predecessor, joint, body, options in (
        ("world", Fixed(), Body("mount"), {}),
        ("mount", Revolute([0.2, -0.3, 2.0]), numbers.body("turret", 3.0), {"armature": 0.3, "damping": 0.5}),
        ("turret", Fixed(), numbers.body("bracket", 0.5), {}),
        (
            "turret",
            Prismatic([0.1, 2.0, -0.5]),
            numbers.body("counterweight"),
            {"stiffness": 7.0, "position_lower": -0.4},
        ),
        ("bracket", Revolute([1.0, 0.1, 0.2]), Body("link"), {"position_lower": -0.5, "position_upper": 1.5}),
        ("link", Revolute([0.3, 1.0, -0.2]), numbers.body("forearm"), {"stiffness": 3.0, "rest_configuration": [0.4]}),
        ("forearm", Fixed(), Body("adapter"), {}),
        ("adapter", Fixed(), numbers.body("hand", 0.4), {}),
        ("adapter", Fixed(), Body("antenna"), {}),
        ("hand", Prismatic([1.0, 0.3, 0.1]), numbers.body("left_finger", 0.1), {"armature": 0.02, "damping": 0.1}),
        ("hand", Prismatic([-1.0, 0.2, 0.3]), numbers.body("right_finger", 0.1), {"position_upper": 0.2}),
    ):
        options["placement"] = numbers.placement()
        if body.name in ("bracket", "forearm", "left_finger"):
            options["successor_placement"] = numbers.placement()
        mechanism = attach(mechanism, predecessor, joint, body, **options)
    mechanism = add_frame(mechanism, "tip", "antenna", numbers.placement())
    return add_frame(mechanism, "station", "world", numbers.placement())


def floating_tree() -> Mechanism:
    """A floating base whose joint is neither at the world's nor at the body's origin, with a ball joint and a slider.

    The head hangs on a ball joint with a spring at a rest orientation; the base's velocity is damped, too.
    """
    numbers = Numbers(4)
    rest = [0.7, 0.1, -0.5, 0.3]
    mechanism = Mechanism.empty(gravity=[0.4, 2.0, -9.0])
    for predecessor, joint, body, options in (
        ("world", QuaternionFloating(), Body("floater"), {"damping": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]}),
        ("floater", Fixed(), numbers.body("torso", 4.0), {}),
        (
            "torso",
            QuaternionSpherical(),
            numbers.body("head"),
            {"stiffness": 2.0, "rest_configuration": rest, "armature": 0.1},
        ),
        ("head", Fixed(), numbers.body("hat", 0.2), {}),
        ("torso", Revolute([0.0, 1.0, 0.0]), numbers.body("thigh"), {"damping": 0.3}),
        (
            "thigh",
            Prismatic([0.0, 0.0, -1.0]),
            numbers.body("shank", 0.7),
            {"stiffness": 20.0, "rest_configuration": [0.2]},
        ),
    ):
        options |= {"placement": numbers.placement(), "successor_placement": numbers.placement()}
        mechanism = attach(mechanism, predecessor, joint, body, **options)
    return add_frame(mechanism, "eye", "hat", numbers.placement())


def two_trees() -> Mechanism:
    """Two trees on the world and a body that is fixed to it; one tree branches at its first, massless body."""
    numbers = Numbers(5)
    mechanism = Mechanism.empty(gravity=[0.0, 9.0, 1.0])
    for predecessor, joint, body, options in (
        ("world", Revolute([0.1, 0.2, 1.0]), Body("a"), {}),
        ("world", QuaternionSpherical(), numbers.body("b"), {"damping": 0.2}),
        ("world", Fixed(), numbers.body("rock", 9.0), {}),
        ("a", Revolute([1.0, 0.0, 0.3]), numbers.body("aa"), {"stiffness": 1.5}),
        ("a", Prismatic([0.0, 1.0, 0.3]), numbers.body("ab"), {}),
        ("b", Prismatic([0.5, 1.0, 0.3]), numbers.body("ba"), {"armature": 0.7}),
        ("b", Revolute([-0.5, 1.0, 0.3]), numbers.body("bb"), {}),
    ):
        mechanism = attach(mechanism, predecessor, joint, body, placement=numbers.placement(), **options)
    return mechanism


def user_joints() -> Mechanism:
    """A chain of joints whose motion subspaces depend on the configuration."""
    numbers = Numbers(6)
    mechanism = Mechanism.empty()
    for predecessor, joint, body, options in (
        ("world", Cardan(), numbers.body("gimbal"), {"stiffness": [1.0, 2.0], "damping": [0.3, 0.1]}),
        ("gimbal", Cam(0.7), numbers.body("follower"), {"armature": 0.2, "stiffness": 4.0}),
        ("gimbal", Cam(-0.2), numbers.body("other_follower"), {}),
        ("follower", Cardan(), numbers.body("end"), {}),
    ):
        options |= {"placement": numbers.placement(), "successor_placement": numbers.placement()}
        mechanism = attach(mechanism, predecessor, joint, body, **options)
    return mechanism


def rare_joints() -> Mechanism:
    """A floating tree of the joints that few robots have."""
    numbers = Numbers(7)
    mechanism = Mechanism.empty(gravity=[1.0, -0.5, -9.0])
    for predecessor, joint, body, options in (
        ("world", SPQuatFloating(), numbers.body("base", 4.0), {"damping": 0.3}),
        ("base", Planar([1.0, 0.2, 0.0], [0.0, 1.0, 0.5]), numbers.body("table"), {"damping": [0.1, 0.2, 0.3]}),
        ("table", Universal([1.0, 0.0, 0.2], [0.3, 1.0, 0.0]), numbers.body("shaft"), {"stiffness": [1.0, 2.0]}),
        ("shaft", Helical([0.0, 0.3, 1.0], 0.2), numbers.body("nut", 0.5), {"armature": 0.2}),
        ("base", Reversed(Helical([1.0, 0.0, 0.3], -0.3)), numbers.body("screw"), {"stiffness": 3.0}),
        ("screw", Translation(), numbers.body("stage"), {"stiffness": 9.0, "rest_configuration": [0.1, 0.0, 0.2]}),
        ("base", SinCosRevolute([0.2, 1.0, 0.1]), numbers.body("wheel"), {"stiffness": 2.0, "damping": 0.1}),
        ("wheel", RPYSpherical(), numbers.body("knob", 0.5), {"damping": 0.2}),
    ):
        options |= {"placement": numbers.placement(), "successor_placement": numbers.placement()}
        mechanism = attach(mechanism, predecessor, joint, body, **options)
    return mechanism


def massless_base() -> Mechanism:
    """A body of 5 kg that moves in a plane on three joints without any mass in between; its centre is its origin."""
    body = Body("body", SpatialInertia.solid_box(5.0, [0.4, 0.3, 0.2]))
    mechanism = attach(Mechanism.empty(), "world", Prismatic([1.0, 0.0, 0.0]), Body("x"))
    mechanism = attach(mechanism, "x", Prismatic([0.0, 1.0, 0.0]), Body("y"))
    return attach(mechanism, "y", Revolute([0.0, 0.0, 1.0]), body)


ALL_MODELS: Mapping[str, Mechanism] = Zoo(
    pendulum=pendulum,
    fixed_body=fixed_body,
    free_body=free_body,
    branching_arm=branching_arm,
    floating_tree=floating_tree,
    two_trees=two_trees,
    user_joints=user_joints,
    rare_joints=rare_joints,
    massless_base=massless_base,
)
"""The mechanisms for which every law must hold."""
