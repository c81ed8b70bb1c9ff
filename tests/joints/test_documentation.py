"""The joint of docs/adding-a-joint.md is one, and obeys the laws that the page names."""

import re

import jax.numpy as jnp
import numpy as np

from comparison import assert_close
from source_code import REPOSITORY


def test_the_joint_of_the_page():
    text = (REPOSITORY / "docs" / "adding-a-joint.md").read_text(encoding="utf-8")
    names: dict = {}
    for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        exec(compile(block, "adding-a-joint.md", "exec"), names)
    assert_close(names["tau"], jnp.array([2 * 2.0 * 9.81 * 0.05 * 1.5]))
    assert_close(names["by_rise"], jnp.array(2 * 2.0 * 9.81 * 1.5))
    joint, q, v = names["joint"], names["q"], names["v"]
    assert_close(names["twist"], joint.motion_subspace(q) @ v)
    assert_close(names["rate"], joint.bias_acceleration(q, v))
    assert_close(joint.constraint_wrench_subspace(q).T @ joint.motion_subspace(q), jnp.zeros((5, 1)))
    assert np.linalg.matrix_rank(joint.constraint_wrench_subspace(q)) == 5
