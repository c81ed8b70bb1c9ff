"""The programs in the README run as they are printed, one after another in one session."""

import re

import jax.numpy as jnp
import pytest

from source_code import REPOSITORY


@pytest.mark.long
def test_programs_of_the_readme(capsys):
    blocks = re.findall(r"```python\n(.*?)```", (REPOSITORY / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) == 3
    names: dict = {}
    for block in blocks:
        exec(compile(block, "README.md", "exec"), names)
    assert jnp.max(jnp.abs(names["v_dot"])) < 1e-10
    by_mass = names["by_arm"].spatial_inertias.mass
    assert jnp.all(by_mass[-2:] < -0.1), "a heavier hand makes the tool sink further"
    robot = names["robot"]
    assert robot.damping.tolist() == [0.0, 0.8]
    assert robot.spatial_inertias.mass.tolist() == [2.0, 1.0, 0.5]
    assert "rail: Prismatic" in capsys.readouterr().out
