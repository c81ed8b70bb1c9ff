"""A table at the end of a run: robots × quantities × programs, one letter for each program in each cell."""

from collections import defaultdict

import numpy as np
import pytest

from parity.error_table import rows_of

_PROGRAMS = ("Pinocchio", "MuJoCo", "Drake", "iDynTree")
_LEGEND = f"""\
Each cell has a letter for {", ".join(_PROGRAMS)}: the digits that agree, up to 15, in base sixteen. So b is an error
below 1e-11 of the largest entry, and f one below 1e-15. Not compared: "-". All robots of a scene stand in one world and
are one program here; energies, centre of mass and momentum are compared for the whole scene."""


def print_programs(terminalreporter: pytest.TerminalReporter, title: str) -> None:
    """Print all rows that were recorded under this title, the worst of each program, and what was not compared."""
    rows = rows_of(terminalreporter, title)
    if not rows:
        return
    cells: dict[tuple, dict[str, dict[str, float]]] = defaultdict(dict)
    remarks: dict[tuple, str] = {}
    for robot, base, size, errors, remark, program in rows:
        if errors:
            cells[robot, base, size].setdefault(program, {}).update(errors)
            remarks[robot, base, size] = remarks.get((robot, base, size)) or remark
    names = list(dict.fromkeys(name for row in cells.values() for errors in row.values() for name in errors))
    terminalreporter.section(title)
    for line in _LEGEND.splitlines():
        terminalreporter.line(line)
    for i, name in enumerate(names):
        terminalreporter.line(f"  ({i}) {name}")
    numbers = " ".join(f"{f'({i})':>4}" for i in range(len(names)))
    terminalreporter.line(f"{'robot':47} {'base':8} {'nv':>4} {numbers}")
    for (robot, base, size), row in cells.items():
        digits = " ".join("".join(_digits(row.get(p, {}).get(name)) for p in _PROGRAMS) for name in names)
        terminalreporter.line(f"{robot:47} {base:8} {size:4} {digits} {remarks[robot, base, size]}")
    terminalreporter.line("largest error of each quantity; robots with their bases:")
    terminalreporter.line(f"{'':10} " + " ".join(f"{f'({i})':>5}" for i in range(len(names))))
    for program in _PROGRAMS:
        of_it = [row[program] for row in cells.values() if program in row]
        worst = [max((errors[name] for errors in of_it if name in errors), default=None) for name in names]
        figures = " ".join(f"{'-':>5}" if x is None else f"{x:.0e}" for x in worst)
        terminalreporter.line(f"{program:10} {figures} {len(of_it)}")
    for robot, base, _, errors, remark, program in rows:
        if not errors:
            terminalreporter.line(f"not compared: {robot}, {base} base, {program}: {remark}")


def _digits(error: float | None) -> str:
    if error is None:
        return "-"
    return f"{int(np.clip(-np.log10(max(error, 1e-15)) + 1e-9, 0, 15)):x}"
