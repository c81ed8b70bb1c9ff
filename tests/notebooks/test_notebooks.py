"""The notebooks run as a user would run them, in an interpreter of their own; each ends in assertions of physics."""

import subprocess
import sys
from pathlib import Path

import pytest

jupytext = pytest.importorskip("jupytext", reason="`jupytext` is not installed")

NOTEBOOKS = sorted(Path(__file__).parents[2].joinpath("notebooks").glob("*.py"))


def test_there_is_one_for_each_use():
    assert [path.stem for path in NOTEBOOKS] == ["1_optimize", "2_identify", "3_roll_out"]


@pytest.mark.long
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path: Path):
    cells = jupytext.read(path).cells
    assert cells[0].cell_type == "markdown"
    assert cells[-1].source.splitlines()[-1].startswith("assert ")
    run = subprocess.run([sys.executable, path], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
