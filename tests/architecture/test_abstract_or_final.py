"""A class is abstract, and meant to be subclassed, or final. Nothing that is defined once is defined again."""

from collections.abc import Iterator

import equinox as eqx

from source_code import modules

DEFAULTS = {
    # q and v of a joint with an orientation and a translation need a step of their own (`SemiImplicitEuler`).
    "AbstractJoint.semi_implicit_step",
    # True of all joints of one abstract class.
    "AbstractJoint.has_plain_positions",
    "AbstractVectorSpaceJoint.has_plain_positions",
    # A closed form costs a third of differentiating `difference`, to compile and to run.
    "AbstractJoint.spring_gradient",
}
"""The concrete methods of abstract classes that a subclass may replace, with the reason."""


def records() -> list[type]:
    """Every `eqx.Module` class that jaxdyn defines."""

    def below(cls: type) -> Iterator[type]:
        for child in cls.__subclasses__():
            yield child
            yield from below(child)

    list(modules())
    return sorted(
        {cls for cls in below(eqx.Module) if cls.__module__.startswith("jaxdyn.")}, key=lambda c: c.__qualname__
    )


def is_abstract(cls: type) -> bool:
    return cls.__name__.lstrip("_").startswith("Abstract")


def overrides(cls: type) -> Iterator[str]:
    """Concrete members of the abstract classes above `cls` that `cls` defines again."""
    for base in cls.__mro__[1:]:
        if base.__module__.startswith("jaxdyn."):
            for name in vars(cls).keys() & vars(base).keys():
                concrete = callable(vars(base)[name]) or isinstance(vars(base)[name], property)
                if concrete and not name.startswith("__") and name not in getattr(base, "__abstractmethods__", ()):
                    if f"{base.__name__}.{name}" not in DEFAULTS:
                        yield f"{cls.__qualname__}.{name} replaces {base.__qualname__}.{name}"


def test_no_concrete_class_is_subclassed():
    found = [
        f"{cls.__qualname__} subclasses the final class {base.__qualname__}: wrap it instead"
        for cls in records()
        for base in cls.__bases__
        if base.__module__.startswith("jaxdyn.") and not is_abstract(base)
    ]
    assert not found, "\n".join(found)


def test_abstract_classes_and_no_others_are_named_abstract():
    wrong = [
        cls.__qualname__
        for cls in records()
        if is_abstract(cls) != bool(getattr(cls, "__abstractmethods__", ()) or getattr(cls, "__abstractvars__", ()))
    ]
    assert not wrong, f"Abstract by name or by definition, but not by both: {wrong}"


def test_concrete_methods_are_not_overridden():
    found = [line for cls in records() for line in overrides(cls)]
    assert not found, "\n".join(found)
