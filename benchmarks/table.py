"""The figures as a Markdown table and as JSON."""

import dataclasses
import importlib.metadata
import os
import platform
from dataclasses import dataclass, field
from typing import Any

import jax

from .measure import Timing

OURS = "jaxdyn"
"""The model's numbers are constants of the program, as in frax: a control loop or a training run for one robot."""
ANY_MODEL = "any model"
"""jaxdyn with the model as an argument, so that one program serves all numbers: identification, randomized models."""
_PACKAGES = {"jax": "jax", "jaxlib": "jaxlib", OURS: "jaxdyn", "Pinocchio": "pin", "MuJoCo": "mujoco", "frax": "frax"}


@dataclass(frozen=True)
class Row:
    """One quantity of one model at one batch size; times per state."""

    model: str
    quantity: str
    batch: int
    timings: dict[str, Timing]


@dataclass
class Report:
    """Everything that was found.

    Attributes:
        peers: Names of the peers that were asked, in the order of the columns.
        dtype: Type of jaxdyn's and frax's numbers; Pinocchio and MuJoCo compute in double precision.
        repeats: Number of alternating repeats.
        notes: What is missing, and why.
        value_errors: Largest relative difference by model, quantity and program.
        rows: The times.
        load_average: Of the last minute, before and after.
    """

    peers: tuple[str, ...]
    dtype: str
    repeats: int
    notes: list[str] = field(default_factory=list)
    value_errors: dict[str, dict[str, dict[str, float]]] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    load_average: dict[str, float] = field(default_factory=dict)

    def note(self, text: str) -> None:
        """Add a note once."""
        if text not in self.notes:
            self.notes.append(text)

    def add_errors(self, model: str, quantity: str, errors: dict[str, float]) -> None:
        """Keep the worst error of each program."""
        known = self.value_errors.setdefault(model, {}).setdefault(quantity, {})
        known.update({name: max(error, known.get(name, 0.0)) for name, error in errors.items()})


def as_json(report: Report) -> dict[str, Any]:
    """The report with the circumstances under which it was made."""
    return {"circumstances": circumstances(), **dataclasses.asdict(report)}


def circumstances() -> dict[str, Any]:
    """Versions, machine, flags."""
    return {
        "versions": {name: version for name, package in _PACKAGES.items() if (version := _version(package))},
        "python": platform.python_version(),
        "processor": platform.machine(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "XLA_FLAGS": os.environ.get("XLA_FLAGS", ""),
        "async dispatch": jax.config.read("jax_cpu_enable_async_dispatch"),
    }


def markdown(report: Report) -> str:
    """Circumstances, times, and the checks of values, as Markdown."""
    return "\n\n".join([_introduction(report), _times(report), _errors(report)]) + "\n"


def _introduction(report: Report) -> str:
    facts = circumstances()
    versions = ", ".join(f"{name} {version}" for name, version in facts["versions"].items())
    load = " before, ".join(f"{value:.1f}" for value in report.load_average.values())
    lines = [
        f"Times per state in µs: median (lowest–highest) of {report.repeats} alternating repeats, {report.dtype} for "
        f"{OURS} and frax, {facts['cores']} cores, load average {load} after, `XLA_FLAGS='{facts['XLA_FLAGS']}'`, "
        f"asynchronous dispatch {'on' if facts['async dispatch'] else 'off'}.",
        f"{OURS}: the model's numbers are constants of the program, as in frax; `{ANY_MODEL}`: the mechanism is an "
        "argument, one program for all numbers. Pinocchio and MuJoCo: from Python, one thread, double precision. "
        f"Batch 1 is one call with its dispatch. Ratios are {OURS} / peer: under 1, {OURS} is faster. Compiling: "
        "tracing and lowering + XLA, in s.",
        f"Versions: {versions}.",
    ]
    return "\n".join([*lines, *(f"- {note}" for note in report.notes)])


def _times(report: Report) -> str:
    compiled_peers = [name for name in report.peers if any(_has_compiled(row, name) for row in report.rows)]
    programs, with_compilation = (OURS, ANY_MODEL, *report.peers), (OURS, ANY_MODEL, *compiled_peers)
    titles = ["model", "quantity", "batch", *programs, *(f"/ {name}" for name in report.peers)]
    titles += [f"compile {name}" for name in with_compilation]
    lines = [_line(titles), _line(["---", "---", *["--:"] * (len(titles) - 2)])]
    for row in report.rows:
        cells = [row.model, row.quantity, str(row.batch)]
        cells += [_time(row.timings.get(name)) for name in programs]
        cells += [_ratio(row, name) for name in report.peers]
        cells += [_compile_time(row.timings.get(name)) for name in with_compilation]
        lines.append(_line(cells))
    return "\n".join(lines)


def _errors(report: Report) -> str:
    """The worst difference of each program over all models."""
    worst: dict[str, dict[str, float]] = {}
    for by_quantity in report.value_errors.values():
        for quantity, errors in by_quantity.items():
            known = worst.setdefault(quantity, {})
            for name, error in errors.items():
                known[name] = max(error, known.get(name, 0.0))
    names = (OURS, ANY_MODEL, *report.peers)
    lines = [
        "Values, checked before timing: largest difference from Pinocchio, relative to the largest entry, over all "
        f"models. Without Pinocchio the reference is {OURS}; its rollout gradient is compared with finite differences.",
        "",
        _line(["quantity", *names]),
        _line(["---", *["--:"] * len(names)]),
    ]
    for quantity, errors in worst.items():
        lines.append(_line([quantity, *(f"{errors[name]:.0e}" if name in errors else "" for name in names)]))
    return "\n".join(lines)


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _time(timing: Timing | None) -> str:
    if timing is None:
        return ""
    return f"{_number(timing.median)} ({_number(timing.lowest)}–{_number(timing.highest)})"


def _ratio(row: Row, name: str) -> str:
    return f"{row.timings[OURS].median / row.timings[name].median:.2f}" if name in row.timings else ""


def _compile_time(timing: Timing | None) -> str:
    if timing is None or timing.lowering is None or timing.compiling is None:
        return ""
    return f"{timing.lowering:.1f} + {timing.compiling:.1f}"


def _has_compiled(row: Row, name: str) -> bool:
    return name in row.timings and row.timings[name].compiling is not None


def _number(microseconds: float) -> str:
    return f"{microseconds:.{0 if microseconds >= 100 else 1 if microseconds >= 10 else 2}f}"


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None
