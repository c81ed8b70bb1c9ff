"""One door per package: a module whose name starts with an underscore is imported by its siblings only."""

import ast
import importlib.util
from collections.abc import Iterator

from source_code import Source, sources


def imported_modules(source: Source, known: set[str]) -> Iterator[tuple[int, str]]:
    """Line and absolute name of every module of jaxdyn that a file imports, relative imports included."""
    package = source.name if source.is_package else source.name.rpartition(".")[0]
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            target = importlib.util.resolve_name("." * node.level + (node.module or ""), package)
            submodules = [f"{target}.{alias.name}" for alias in node.names if f"{target}.{alias.name}" in known]
            yield from ((node.lineno, name) for name in submodules or [target])


def test_private_modules_are_imported_by_siblings_only():
    files = list(sources())
    found = []
    for source in files:
        for line, target in imported_modules(source, {file.name for file in files}):
            parts = target.split(".")
            private = next((i for i, part in enumerate(parts) if part.startswith("_") and part != "__main__"), None)
            if parts[0] == "jaxdyn" and private is not None:
                owner = ".".join(parts[:private])
                if source.name != owner and not source.name.startswith(owner + "."):
                    found.append(f"{source.path}:{line}: {target} belongs to {owner}; import from {owner}")
    assert not found, "\n".join(found)
