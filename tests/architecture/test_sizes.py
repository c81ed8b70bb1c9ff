"""A file is at most 500 lines long, a function 60 without its docstring."""

import ast

from source_code import Function, sources

LONGEST_FILE = 500
LONGEST_FUNCTION = 60


def num_lines(function: Function) -> int:
    """Lines from the signature to the end, decorators and docstring not counted."""
    lines = (function.end_lineno or function.lineno) - function.lineno + 1
    if ast.get_docstring(function) is not None:
        docstring = function.body[0]
        lines -= (docstring.end_lineno or docstring.lineno) - docstring.lineno + 1
    return lines


def test_files_are_short():
    long = [f"{source.path}: {n} lines" for source in sources() if (n := source.text.count("\n")) > LONGEST_FILE]
    assert not long, "\n".join(long)


def test_functions_are_short():
    long = [
        f"{source.path}:{node.lineno}: {node.name} has {num_lines(node)} lines"
        for source in sources()
        for node in ast.walk(source.tree)
        if isinstance(node, Function) and num_lines(node) > LONGEST_FUNCTION
    ]
    assert not long, "\n".join(long)
