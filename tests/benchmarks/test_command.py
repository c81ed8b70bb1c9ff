"""`python -m benchmarks` on a short chain: every program agrees, and the table and the figures are written."""

import json
import subprocess
import sys
from importlib.util import find_spec

import pytest

from source_code import REPOSITORY

PEERS = {"Pinocchio": "pinocchio", "MuJoCo": "mujoco", "frax": "frax"}


@pytest.mark.long
def test_values_agree_and_a_table_is_printed(tmp_path):
    figures, table = tmp_path / "figures.json", tmp_path / "table.md"
    command = [sys.executable, "-m", "benchmarks", "--models", "chain8", "--quantities", "ID", "poses"]
    command += ["--batches", "2", "--repeats", "1", "--json", str(figures), "--markdown", str(table)]
    ran = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr

    report = json.loads(figures.read_text())
    installed = {name for name, module in PEERS.items() if find_spec(module)}
    assert [(row["quantity"], row["batch"]) for row in report["rows"]] == [("ID", 2), ("poses", 2)]
    for row in report["rows"]:
        assert set(row["timings"]) == {"jaxdyn", "any model", *installed}
        assert all(timing["median"] > 0 for timing in row["timings"].values())
    errors = [error for by_program in report["value_errors"]["chain8"].values() for error in by_program.values()]
    assert len(errors) == 2 * (1 + len(installed))
    assert max(errors, default=0.0) < 1e-9
    for name in PEERS.keys() - installed:
        assert any(note.startswith(f"{name} is missing") for note in report["notes"])

    assert table.read_text() in ran.stdout
    assert "| chain8 | ID | 2 |" in ran.stdout
