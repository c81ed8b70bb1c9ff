"""The command line: `jaxdyn info ROBOT` and `jaxdyn demo [ROBOT]`."""

import argparse
import sys
import warnings
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

import jax
import numpy as np

from ._errors import JaxdynError
from .description import LoaderWarning, load_example, load_urdf, mechanism_report
from .mechanism import Mechanism

PARTS = ("rollouts", "gradient", "swing-up", "identification")  # of the demo, which is imported only when it runs
ROBOT_HELP = "path of a URDF file, or the name of an example: arm, quadruped, double_pendulum"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command.

    Args:
        arguments: What is written after `jaxdyn`; by default what the process was called with.

    Returns:
        The exit code: 0 if all went well, 1 if a part of the demo missed its aim, 2 if the command cannot be carried
        out, which a message on the standard error stream explains.
    """
    options = _parser().parse_args(arguments)
    try:
        return options.command(options)
    except JaxdynError as error:
        print(f"jaxdyn: {error}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="jaxdyn", description="Differentiable rigid-body dynamics in JAX.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    info = commands.add_parser("info", help="show a robot: its tree, masses, limits and what its file leaves open")
    info.add_argument("robot", metavar="ROBOT", help=ROBOT_HELP)
    info.set_defaults(command=_info)
    demo = commands.add_parser(
        "demo",
        help="a tour in a minute or two: rollouts, a checked gradient, a swing-up, masses found from motion",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    demo.add_argument("robot", metavar="ROBOT", nargs="?", help=f"{ROBOT_HELP}; the examples if left out")
    demo.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS, help="run only these parts")
    demo.add_argument("--float64", action="store_true", help="run rollouts and swing-up in 64 bits instead of 32")
    demo.add_argument("--out", type=Path, default=Path("jaxdyn-demo"), metavar="DIR", help="folder for the pictures")
    demo.add_argument("--seed", type=int, default=0, help="seed of all random numbers")
    demo.set_defaults(command=_demo)
    return parser


def _demo(options: argparse.Namespace) -> int:
    from .demo import run_demo

    jax.config.update("jax_enable_x64", True)  # an application may; the library never does
    robot = None if options.robot is None else (options.robot, _load(options.robot))
    parts = [part for part in PARTS if part in options.parts]
    reached = run_demo(parts, robot=robot, float64=options.float64, out=options.out, seed=options.seed)
    return 0 if reached else 1


def _info(options: argparse.Namespace) -> int:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LoaderWarning)  # the report says it all
        mechanism = _load(options.robot)
    example = _example_text(options.robot)
    print(mechanism)
    print(f"\n{_masses(mechanism)}")
    print(f"\n{_limits(mechanism)}")
    print(f"\nLoader report: {mechanism_report(options.robot if example is None else example)}")
    return 0


def _example_text(robot: str) -> str | None:
    """The file of an example, or None if there is no example of this name."""
    file = files("jaxdyn.description") / "data" / f"{robot}.urdf"
    return file.read_text(encoding="utf-8") if robot.isidentifier() and file.is_file() else None


def _load(robot: str) -> Mechanism:
    """An example where the argument looks like a bare name, a file otherwise."""
    is_name = robot.isidentifier() and not Path(robot).exists()
    return load_example(robot) if is_name or _example_text(robot) is not None else load_urdf(robot)


def _masses(mechanism: Mechanism) -> str:
    masses = np.asarray(mechanism.spatial_inertias.mass, dtype=np.float64)
    names = [*mechanism.body_names, "total"]
    width = max(len(name) for name in names)
    values = [*masses, masses.sum()]
    lines = [f"  {name:<{width}}  {value:10.5g}" for name, value in zip(names, values, strict=True)]
    return "\n".join(["Masses [kg]", *lines])


def _limits(mechanism: Mechanism) -> str:
    """Position limits of the joints that have some."""
    lines = []
    for joint in mechanism.joint_names:
        for v in mechanism.v_index(joint):
            lower, upper = float(mechanism.position_lower[v]), float(mechanism.position_upper[v])
            if np.isfinite(lower) or np.isfinite(upper):
                lines.append((joint, f"{lower:10.5g}  {upper:10.5g}"))
    width = max((len(joint) for joint, _ in lines), default=0)
    return "\n".join(
        ["Position limits [rad or m]", *(f"  {joint:<{width}}  {text}" for joint, text in lines or [("none", "")])]
    )
