"""The table of a parity run: robot, base, size and the largest relative error of each quantity."""

import pytest

_ROW = "parity row"


@pytest.fixture
def record_row(record_property):
    """Hand a row to the table: robot, base, number of degrees of freedom, errors by quantity, and a remark."""

    def record(robot: str, base: str, num_velocities: int | None, errors: dict[str, float], remark: str = "") -> None:
        record_property(_ROW, [robot, base, num_velocities, errors, remark])

    return record


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reports = [report for reports in terminalreporter.stats.values() for report in reports]
    properties = [p for r in reports if getattr(r, "when", None) == "call" for p in r.user_properties]
    rows = sorted((row for name, row in properties if name == _ROW), key=lambda row: row[:2])
    compared = [row for row in rows if row[3]]
    if not rows:
        return
    terminalreporter.section("parity with Pinocchio")
    names = list(dict.fromkeys(name for row in compared for name in row[3]))
    for i, name in enumerate(names):
        terminalreporter.line(f"  ({i}) {name}")
    terminalreporter.line(f"{'robot':45} {'base':8} {'nv':>4} " + " ".join(f"{f'({i})':>7}" for i in range(len(names))))
    for robot, base, size, errors, remark in compared:
        figures = " ".join(f"{errors[name]:7.0e}" if name in errors else f"{'-':>7}" for name in names)
        terminalreporter.line(f"{robot:45} {base:8} {size:4} {figures} {remark}")
    worst = [max(row[3].get(name, 0.0) for row in compared) for name in names]
    terminalreporter.line(f"{'worst of ' + str(len(compared)):59} " + " ".join(f"{error:7.0e}" for error in worst))
    for robot, base, _, errors, remark in rows:
        if not errors:
            terminalreporter.line(f"not compared: {robot}, {base}: {remark}")
