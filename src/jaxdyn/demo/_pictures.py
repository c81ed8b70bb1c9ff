"""Pictures of the results, drawn without a screen."""

from pathlib import Path
from typing import Any

import numpy as np

from ..mechanism import Mechanism
from ._identification import IdentificationResult
from ._rollouts import RolloutsResult
from ._swing_up import HEIGHT_AIM, TORQUE_LIMITS, SwingUpResult

BLUE, ORANGE, GREY = "#1f77b4", "#ff7f0e", "#999999"
CURVES = 100
POSES = 30


def draw_rollouts(result: RolloutsResult, mechanism: Mechanism, path: Path) -> None:
    """One joint's angle in many rollouts, and how fast the whole robot moves."""
    figure, (left, right) = _figure(2, (9.0, 3.6))
    joint = next((i for i, name in enumerate(mechanism.joint_names) if len(mechanism.q_index(name)) == 1), None)
    column = 0 if joint is None else int(mechanism.q_index(joint)[0])
    left.plot(result.times, result.q[:CURVES, :, column].T, color=BLUE, alpha=0.25, linewidth=0.8)
    left.set(xlabel="time [s]", ylabel="q[0]" if joint is None else f"{mechanism.joint_names[joint]} [rad or m]")
    left.set_title(f"{min(CURVES, len(result.q))} of {len(result.q)} rollouts")
    speeds = np.sqrt(np.mean(result.v**2, axis=-1))
    low, middle, high = np.quantile(speeds, [0.05, 0.5, 0.95], axis=0)
    right.fill_between(result.times, low, high, color=ORANGE, alpha=0.3, linewidth=0, label="5 % to 95 %")
    right.plot(result.times, middle, color=ORANGE, label="median")
    right.set(xlabel="time [s]", ylabel="root mean square of v")
    right.set_title(f"{result.steps_per_second:,.0f} steps/s, {result.dtype}")
    right.legend(frameon=False)
    figure.savefig(path)


def draw_swing_up(result: SwingUpResult, path: Path) -> None:
    """The motion as a strip of poses, the height of the tip and the torques over time."""
    from matplotlib import colormaps

    figure, axes = _figure(3, (10.0, 3.8), width_ratios=[1.0, 1.1, 1.1])
    strip, height, torque = axes
    colors = colormaps["viridis_r"]
    rows = np.unique(np.linspace(0, len(result.times) - 1, POSES).astype(int))
    strip.plot(result.tip[:, 0], result.tip[:, 1], color=GREY, linewidth=0.8)
    for row in rows:
        points = np.stack([np.zeros(2), result.elbow[row], result.tip[row]])
        color, last = colors(row / rows[-1]), row == rows[-1]
        strip.plot(
            *points.T, "o-", color=color, alpha=1.0 if last else 0.45, linewidth=3 if last else 1.5, markersize=4
        )
    strip.plot(0, 0, "ks", markersize=6)
    reach = 1.1 * result.length
    strip.set(aspect="equal", xlim=(-reach, reach), ylim=(-reach, reach), xlabel="x [m]", ylabel="z [m]")
    strip.set_title("swing-up, light to dark")
    height.plot(result.times, result.tip[:, 1] / result.length, color=BLUE)
    height.axhline(HEIGHT_AIM, color=GREY, linestyle="--", linewidth=1)
    height.annotate(f"aim {HEIGHT_AIM:g}", (0, HEIGHT_AIM), xytext=(0, -12), textcoords="offset points", color=GREY)
    height.set(xlabel="time [s]", ylabel="height of the tip / length", ylim=(-1.1, 1.1))
    height.set_title(f"at the end {result.end_height:.3f}")
    for column, (name, limit, color) in enumerate(
        zip(("shoulder", "elbow"), TORQUE_LIMITS, (BLUE, ORANGE), strict=True)
    ):
        torque.step(result.times[:-1], result.controls[:, column], where="post", color=color, label=name)
        for sign in (-1, 1):
            torque.axhline(sign * limit, color=color, linestyle="--", linewidth=1, alpha=0.5)
    torque.set(xlabel="time [s]", ylabel="torque [N m]")
    torque.set_title("found by gradient descent")
    torque.legend(frameon=False, loc="upper right", ncols=2)
    torque.set_ylim(-1.15 * max(TORQUE_LIMITS), 1.35 * max(TORQUE_LIMITS))
    figure.savefig(path)


def draw_identification(result: IdentificationResult, path: Path) -> None:
    """Masses at the start and found, in units of the true ones, and the error over the iterations."""
    figure, (left, right) = _figure(2, (9.0, 3.6), width_ratios=[1.6, 1.0])
    place = np.arange(len(result.names))
    left.bar(place - 0.2, result.start / result.true, 0.4, color=GREY, label="start")
    left.bar(place + 0.2, result.found / result.true, 0.4, color=BLUE, label="found")
    left.axhline(1, color="black", linewidth=0.8)
    left.set_xticks(place, result.names, rotation=60, ha="right")
    left.set(ylabel="mass / true mass", ylim=(0, 1.6))
    left.legend(frameon=False, ncols=2)
    right.semilogy(np.maximum(result.error_history, np.finfo(float).eps), "o-", color=BLUE)
    right.set(xlabel="iteration", ylabel="largest relative error")
    figure.savefig(path)


def _figure(columns: int, size: tuple[float, float], **ratios: Any) -> tuple[Any, Any]:
    """A figure with axes side by side; it belongs to no window and to no global state."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, dpi=110, layout="constrained")
    return figure, figure.subplots(1, columns, gridspec_kw=ratios)
