"""The public names are a list in the repository, so that a change of the interface is a change one can see."""

from pathlib import Path
from types import ModuleType

from source_code import public_packages

LIST = Path(__file__).with_name("public_api.txt")


def public_names() -> str:
    """One `package.name` a line. Modules are left out: imports and import hooks put them there."""
    names = {
        f"{package.__name__}.{name}"
        for package in public_packages()
        for name, value in vars(package).items()
        if not name.startswith("_") and not isinstance(value, ModuleType)
    }
    return "".join(f"{name}\n" for name in sorted(names))


def test_public_names_are_those_of_the_list():
    listed, found = set(LIST.read_text().split()), set(public_names().split())
    assert found == listed, (
        f"New: {sorted(found - listed)}. Gone: {sorted(listed - found)}. "
        "If the change is intended, say so in CHANGELOG.md and rewrite the list with "
        "`PYTHONPATH=tests python tests/architecture/test_public_api.py`."
    )


if __name__ == "__main__":
    LIST.write_text(public_names())
