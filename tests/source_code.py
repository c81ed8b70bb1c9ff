"""The package as text and as modules, for the tests that read it."""

import ast
import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import jaxdyn

PACKAGE = Path(jaxdyn.__file__).parent
REPOSITORY = Path(__file__).parent.parent

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Source(NamedTuple):
    """One file of the package."""

    path: Path
    name: str  # "jaxdyn.joints._revolute"; a package's `__init__` has the name of the package
    is_package: bool
    text: str
    tree: ast.Module


def sources() -> Iterator[Source]:
    """Every Python file of the package, parsed."""
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = ("jaxdyn", *path.relative_to(PACKAGE).with_suffix("").parts)
        is_package = parts[-1] == "__init__"
        text = path.read_text(encoding="utf-8")
        yield Source(path, ".".join(parts[:-1] if is_package else parts), is_package, text, ast.parse(text))


def modules() -> Iterator[ModuleType]:
    """Every module of the package, imported, except `__main__`, which would run the command line."""
    yield jaxdyn
    for info in pkgutil.walk_packages(jaxdyn.__path__, "jaxdyn."):
        if not info.name.endswith(".__main__"):
            yield importlib.import_module(info.name)


def public_packages() -> Iterator[ModuleType]:
    """`jaxdyn` and its packages: the doors through which a user comes in."""
    yield jaxdyn
    for info in pkgutil.iter_modules(jaxdyn.__path__, "jaxdyn."):
        if info.ispkg:
            yield importlib.import_module(info.name)


def function_name(tree: ast.Module, line: int) -> str:
    """Name of the innermost function or class around a line, for messages."""
    scopes = (node for node in ast.walk(tree) if isinstance(node, Function | ast.ClassDef))
    around = [node for node in scopes if node.lineno <= line <= (node.end_lineno or node.lineno)]
    return max(around, key=lambda node: node.lineno).name if around else "<module>"
