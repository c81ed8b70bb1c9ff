"""Importing jaxdyn does nothing: no setting, no output, no optional package, no device, no array."""

import subprocess
import sys
from types import ModuleType

import jax

from source_code import modules

OPTIONAL = ("lxml", "matplotlib", "tqdm", "pinocchio", "mujoco", "pydrake", "idyntree", "frax", "yourdfpy")

IMPORT = f"""
import sys, warnings
import jax, equinox, optax, jaxtyping
before = dict(jax.config.values)
warnings.simplefilter("error")
import jaxdyn
changed = {{name for name, value in jax.config.values.items() if before.get(name) != value}}
assert not changed, f"settings changed: {{changed}}"
loaded = set({OPTIONAL!r}) & set(sys.modules)
assert not loaded, f"optional packages loaded: {{loaded}}"
from jax._src import xla_bridge
assert not xla_bridge.backends_are_initialized(), "a device was initialised, by a module-level array for example"
"""


def test_import_in_a_fresh_process_has_no_effect():
    result = subprocess.run([sys.executable, "-c", IMPORT], capture_output=True, text=True, timeout=300)
    assert result.returncode == 0, result.stderr
    assert result.stdout + result.stderr == ""


def test_no_module_holds_an_array():
    found = [
        f"{module.__name__}.{name}"
        for module in modules()
        for name, value in vars(module).items()
        if not isinstance(value, ModuleType | type)
        and any(isinstance(leaf, jax.Array) for leaf in jax.tree.leaves(value))
    ]
    assert not found, f"Made at import, with the settings of that moment: {found}"
