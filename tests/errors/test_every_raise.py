"""Every refusal is tested, and tested for what it tells the user to do."""

import ast
from pathlib import Path

import pytest

from source_code import function_name, sources


def lines_of(statement: ast.stmt) -> range:
    return range(statement.lineno, (statement.end_lineno or statement.lineno) + 1)


def test_every_raise_is_reached(reached_lines: set[tuple[str, int]], is_complete: bool):
    """Add a test to this folder that provokes the error; nothing needs to be registered."""
    if not is_complete:
        pytest.skip("needs all of tests/errors in one run")
    missing = [
        f"{source.path}:{node.lineno}: raise {ast.unparse(node.exc)[:60]} in {function_name(source.tree, node.lineno)}"
        for source in sources()
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Raise) and node.exc is not None and not ast.unparse(node.exc).startswith("SystemExit")
        if not any((str(source.path), line) in reached_lines for line in lines_of(node))
    ]
    assert not missing, f"{len(missing)} raise statements without a test in tests/errors:\n" + "\n".join(missing)


def test_every_expected_error_is_matched():
    """`pytest.raises` here always has `match=`: the part of the message that says what to do."""
    found = [
        f"{path.name}:{node.lineno}: {ast.unparse(node)[:80]}"
        for path in sorted(Path(__file__).parent.glob("test_*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("raises")
        if not any(keyword.arg == "match" for keyword in node.keywords)
    ]
    assert not found, "Without `match=`:\n" + "\n".join(found)
