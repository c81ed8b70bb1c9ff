"""The pictures are drawn and written, also where nothing is plain."""

import numpy as np
import pytest

from jaxdyn import load_example
from jaxdyn.demo import IdentificationResult, RolloutsResult, SwingUpResult
from jaxdyn.demo._pictures import draw_identification, draw_rollouts, draw_swing_up

PNG = b"\x89PNG\r\n"


@pytest.mark.parametrize("name", ["quadruped", "double_pendulum"])
def test_rollouts(name, tmp_path):
    robot = load_example(name)
    times = np.linspace(0, 1, 11)
    q, v = (np.sin(np.arange(3 * 11 * n).reshape(3, 11, n)) for n in (robot.num_positions, robot.num_velocities))
    path = tmp_path / "picture.png"
    draw_rollouts(RolloutsResult("float32", times, q, v, 1.0, 2.0), robot, path)
    assert path.read_bytes().startswith(PNG)


def test_swing_up(tmp_path):
    angle = np.linspace(0, np.pi, 101)
    tip = np.stack([np.sin(angle), -np.cos(angle)], axis=1)
    controls = np.tile([[5.0, -2.0]], (100, 1))
    path = tmp_path / "picture.png"
    draw_swing_up(SwingUpResult(np.linspace(0, 1, 101), tip / 2, tip, controls, 1.0, 0.0, 7, 1.0), path)
    assert path.read_bytes().startswith(PNG)


def test_identification(tmp_path):
    true = np.array([1.0, 2.0])
    result = IdentificationResult(("a", "b"), ("base",), true, 1.3 * true, true, (0.3, 0.01, 0.0), 10)
    path = tmp_path / "picture.png"
    draw_identification(result, path)
    assert path.read_bytes().startswith(PNG)
