"""`python -m benchmarks`: check values, then time jaxdyn beside Pinocchio, MuJoCo and frax."""

import argparse
import json
import os
import sys
from functools import partial
from pathlib import Path

import jax

from .measure import Program, compiled, race
from .models import DEFAULT_MODELS, MODELS, MissingRobotError, Model
from .peers import PEERS, Peer
from .quantities import (
    DEFAULT_QUANTITIES,
    QUANTITIES,
    States,
    program_for_any_model,
    program_for_one_model,
    random_states,
)
from .table import ANY_MODEL, OURS, Report, Row, as_json, markdown
from .values import NUM_CHECKED, ValueCheck, bound


def main() -> int:
    """Run the command line; 1 where values disagree."""
    options = _parser().parse_args()
    if "all" in options.quantities:
        options.quantities = tuple(QUANTITIES)
    jax.config.update("jax_enable_x64", not options.float32)
    jax.config.update("jax_cpu_enable_async_dispatch", not options.synchronous)
    dtype = "float32" if options.float32 else "float64"
    report = Report(peers=tuple(options.peers), dtype=dtype, repeats=options.repeats)
    report.load_average["before"] = _load()
    disagreements = []
    for name in options.models:
        disagreements += _measure_model(report, name, options)
    report.load_average["after"] = _load()
    text = markdown(report)
    print(text)
    if options.markdown:
        options.markdown.write_text(text, encoding="utf-8")
    if options.json:
        options.json.write_text(json.dumps(as_json(report), indent=2), encoding="utf-8")
    for disagreement in disagreements:
        print(disagreement, file=sys.stderr)
    return 1 if disagreements else 0


def _measure_model(report: Report, name: str, options: argparse.Namespace) -> list[str]:
    """Fill the report for one model; what disagrees is returned and not timed."""
    try:
        model = MODELS[name]()
    except MissingRobotError as error:
        report.note(f"`{name}` was left out: {error}.")
        return []
    peers = _load_peers(report, model, options.peers)
    largest = max(
        NUM_CHECKED, *(min(b, QUANTITIES[q].largest_batch) for b in options.batches for q in options.quantities)
    )
    states = random_states(model.mechanism, largest)
    disagreements = []
    for quantity in options.quantities:
        check = ValueCheck(model, peers, quantity, states)
        for batch in sorted({min(batch, QUANTITIES[quantity].largest_batch) for batch in options.batches}):
            print(f"{name}, {quantity}, batch {batch}", file=sys.stderr, flush=True)
            programs = _programs(model, peers, quantity, states, batch)
            errors = check.errors(batch, {name: programs[name].call() for name in (OURS, ANY_MODEL)})
            report.add_errors(name, quantity, errors)
            limit = bound(quantity, model.mechanism.dtype)
            for program in [program for program, error in errors.items() if not error <= limit]:
                text = f"{name}, {quantity}: {program} disagrees by {errors[program]:.1e}, more than {limit:.0e}"
                report.note(f"{text}; it was not timed.")
                disagreements.append(text)
                del programs[program]
            if OURS in programs:
                report.rows.append(Row(name, quantity, batch, race(programs, options.repeats)))
    return disagreements


def _load_peers(report: Report, model: Model, names: list[str]) -> dict[str, Peer]:
    """The peers that are installed and can read the robot; the others are named in the report."""
    peers = {}
    for name in names:
        try:
            peers[name] = PEERS[name](model)
        except ImportError as error:
            report.note(f"{name} is missing: {error}.")
        except (ValueError, RuntimeError) as error:
            report.note(f"{name} cannot load `{model.name}`: {error}.")
    return peers


def _programs(model: Model, peers: dict[str, Peer], quantity: str, states: States, batch: int) -> dict[str, Program]:
    """The programs of jaxdyn and of the peers, compiled."""
    described = QUANTITIES[quantity]
    inputs = [states[name][0] if batch == 1 else states[name][:batch] for name in described.arguments]
    any_model = compiled(program_for_any_model(described, batch), (model.mechanism, *inputs), batch)
    one_model = compiled(program_for_one_model(described, batch, model.mechanism), tuple(inputs), batch)
    programs = {OURS: one_model, ANY_MODEL: any_model}
    for name, peer in peers.items():
        if quantity in peer.quantities:
            programs[name] = peer.program(quantity, states, batch)
    return programs


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Check values against Pinocchio, then time jaxdyn beside Pinocchio, MuJoCo and frax. The defaults "
        "leave out batch 8192 and the rollout gradient, which take long; ask for them with "
        "`--batches 1 1024 8192 --quantities all`.",
    )
    some = partial(parser.add_argument, nargs="+", metavar="NAME")
    some("--models", choices=MODELS, default=DEFAULT_MODELS, help=_names(MODELS, DEFAULT_MODELS))
    quantities = [*QUANTITIES, "all"]
    help_text = _names(quantities, DEFAULT_QUANTITIES)
    some("--quantities", choices=quantities, default=DEFAULT_QUANTITIES, help=help_text)
    caps = ", ".join(f"{name} at {q.largest_batch}" for name, q in QUANTITIES.items() if q.largest_batch < 1000)
    help_text = f"batch sizes (default: 1 1024); costly quantities stop earlier: {caps}"
    parser.add_argument("--batches", type=int, nargs="+", default=(1, 1024), metavar="N", help=help_text)
    some("--peers", choices=PEERS, default=tuple(PEERS), help=_names(PEERS, PEERS))
    parser.add_argument("--float32", action="store_true", help="single precision for jaxdyn and frax")
    help_text = "switch JAX's asynchronous dispatch off: no call is handed to another thread"
    parser.add_argument("--synchronous", action="store_true", help=help_text)
    parser.add_argument("--repeats", type=int, default=5, metavar="N", help="alternating repeats (default: 5)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the table that is printed")
    return parser


def _names(names, default) -> str:
    chosen = "all" if set(default) == set(names) else " ".join(f"'{name}'" if " " in name else name for name in default)
    return f"of {', '.join(names)} (default: {chosen})"


def _load() -> float:
    return os.getloadavg()[0]


if __name__ == "__main__":
    sys.exit(main())
