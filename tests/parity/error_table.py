"""A table at the end of a run: robot, base, size and the largest relative error of each quantity."""

from collections.abc import Callable

import pytest

Errors = dict[str, tuple[float, float]]
"""(error, bound) by quantity."""


def row_recorder(record_property: Callable, title: str) -> Callable[..., None]:
    """A function that hands one row to the table of this title; rows travel with the test's report."""

    def record(
        robot: str,
        base: str,
        num_velocities: int | None,
        errors: Errors,
        remark: str = "",
        program: str = "Pinocchio",
    ) -> None:
        figures = {name: error for name, (error, _) in errors.items()}
        record_property(title, [robot, base, num_velocities, figures, remark, program])

    return record


def rows_of(terminalreporter: pytest.TerminalReporter, title: str) -> list[list]:
    """All rows that were recorded under this title, by robot and base."""
    reports = [report for reports in terminalreporter.stats.values() for report in reports]
    properties = [entry for r in reports if getattr(r, "when", None) == "call" for entry in r.user_properties]
    return sorted((row for name, row in properties if name == title), key=lambda row: row[:2])


def print_table(terminalreporter: pytest.TerminalReporter, title: str) -> None:
    """Print all rows that were recorded under this title, the worst of each column, and what was not compared."""
    rows = rows_of(terminalreporter, title)
    compared = [row for row in rows if row[3]]
    if not rows:
        return
    terminalreporter.section(title)
    names = list(dict.fromkeys(name for row in compared for name in row[3]))
    for i, name in enumerate(names):
        terminalreporter.line(f"  ({i}) {name}")
    terminalreporter.line(f"{'robot':47} {'base':8} {'nv':>4} " + " ".join(f"{f'({i})':>5}" for i in range(len(names))))
    for robot, base, size, errors, remark, _ in compared:
        figures = " ".join(f"{errors[name]:.0e}" if name in errors else f"{'-':>5}" for name in names)
        terminalreporter.line(f"{robot:47} {base:8} {size:4} {figures} {remark}")
    worst = [max(row[3].get(name, 0.0) for row in compared) for name in names]
    terminalreporter.line(f"{f'worst of {len(compared)}':61} " + " ".join(f"{error:.0e}" for error in worst))
    for robot, base, _, errors, remark, _ in rows:
        if not errors:
            terminalreporter.line(f"not compared: {robot}, {base} base: {remark}")


def require(errors: Errors, subject: str) -> None:
    """Fail unless every error is within its bound, naming the quantities."""
    wrong = {name: f"{error:.1e} > {bound:.0e}" for name, (error, bound) in errors.items() if not error <= bound}
    assert not wrong, f"{subject}: {wrong}"
