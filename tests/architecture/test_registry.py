"""Every joint class is subject to every law: a new one belongs in `ALL_JOINTS`, and then needs no test of its own."""

from jaxdyn.joints import AbstractJoint
from models import ALL_JOINTS
from source_code import modules


def final_classes(cls: type) -> set[type]:
    below = cls.__subclasses__()
    return {cls} if not below else set().union(*(final_classes(child) for child in below))


def test_every_final_joint_class_is_in_the_registry():
    list(modules())
    ours = {cls for cls in final_classes(AbstractJoint) if cls.__module__.startswith("jaxdyn.")}
    missing = ours - {type(joint) for joint in ALL_JOINTS.values()}
    assert not missing, f"Add an instance to `ALL_JOINTS` in tests/models.py: {sorted(c.__name__ for c in missing)}"
