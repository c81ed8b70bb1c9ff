"""jaxdyn raises its own errors, and makes them where it raises them, so that tests/errors can ask for each one."""

import ast

import jaxdyn._errors
from source_code import function_name, sources

OWN = {name for name in vars(jaxdyn._errors) if name.endswith("Error") and name != "JaxdynError"}


def is_own_error(statement: ast.Raise) -> bool:
    """A bare `raise` of the error at hand, `raise SomeError(...)`, or a call of a function that makes the error."""
    if statement.exc is None:
        return True
    if not isinstance(statement.exc, ast.Call):
        return False
    name = ast.unparse(statement.exc.func).rpartition(".")[2]
    return name in OWN or name == "SystemExit" or name.lstrip("_")[:1].islower()


def test_raise_statements_make_an_error_of_jaxdyn():
    wrong = [
        f"{source.path}:{node.lineno}: {ast.unparse(node)[:80]} in {function_name(source.tree, node.lineno)}"
        for source in sources()
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Raise) and not is_own_error(node)
    ]
    assert not wrong, f"Expected `raise XError(...)` with one of {sorted(OWN)}:\n" + "\n".join(wrong)
