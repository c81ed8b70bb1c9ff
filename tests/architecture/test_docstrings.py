"""Public functions and root classes say what they are."""

import inspect

from source_code import public_packages


def test_public_names_have_docstrings():
    documented, undocumented = set(), set()
    for package in public_packages():
        for name, value in vars(package).items():
            ours = getattr(value, "__module__", "").startswith("jaxdyn.")
            if ours and not name.startswith("_") and (inspect.isroutine(value) or inspect.isclass(value)):
                # a class without a docstring of its own would show that of its base, or one made by dataclasses
                text = vars(value).get("__doc__") if inspect.isclass(value) else inspect.getdoc(value)
                made = f"{name}(" if inspect.isclass(value) else "\0"
                (documented if text and not text.startswith(made) else undocumented).add(f"{package.__name__}.{name}")
    share = len(documented) / max(1, len(documented) + len(undocumented))
    assert share >= 0.95, f"{share:.0%} of the public names have a docstring. Without: {sorted(undocumented)}"
