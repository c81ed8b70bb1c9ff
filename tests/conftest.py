"""Settings of the whole suite: strict JAX, deterministic keys, and no silence about a missing oracle."""

import importlib.metadata
import os
import zlib

os.environ.setdefault("JAX_PLATFORMS", "cpu")  # the bounds are for IEEE double precision
# Nearly all the time goes into compiling programs that run once. `JAX_DISABLE_MOST_OPTIMIZATIONS=0 XLA_FLAGS= pytest`
# compiles as users do. XLA stops where it does not know a flag: this one is in jaxlib 0.6.2 to 0.10.2.
os.environ.setdefault("JAX_DISABLE_MOST_OPTIMIZATIONS", "1")
if tuple(map(int, importlib.metadata.version("jaxlib").split(".")[:2])) <= (0, 10):
    os.environ.setdefault("XLA_FLAGS", "--xla_cpu_use_fusion_emitters=false")
os.environ.setdefault("MPLBACKEND", "Agg")  # pictures are drawn without a screen

import hypothesis
import jax
import pytest

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_numpy_dtype_promotion", "strict")
jax.config.update("jax_numpy_rank_promotion", "raise")
jax.config.update("jax_compilation_cache_dir", None)  # a run neither reads nor leaves compiled programs

hypothesis.settings.register_profile("deterministic", derandomize=True, deadline=None, database=None)
hypothesis.settings.load_profile("deterministic")

ORACLES = (
    "airo-models",
    "drake",
    "example-robot-data",
    "frax",
    "idyntree",
    "jvrc-description",
    "mujoco",
    "pin",
    "upkie-description",
    "yourdfpy",
)
"""The packages with which results are compared, or whose robots are loaded, as pip names them."""


@pytest.fixture
def key(request: pytest.FixtureRequest) -> jax.Array:
    """A random key that depends on the test's name and parameters alone."""
    return jax.random.key(zlib.crc32(request.node.name.encode()))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name the missing oracles: a comparison that did not run must not look like one that passed."""
    for name in ORACLES:
        try:
            importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            terminalreporter.line(f"`{name}` is not installed: its tests were skipped. Run `pip install {name}`.")


LONGEST_FILES = ("laws/test_dynamics_laws", "laws/test_motion_laws", "parity/test_scenes", "simulation/test_rollout")
"""They begin first, so that no worker is left alone with one of them in the end."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: not any(name in item.nodeid for name in LONGEST_FILES))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Give a worker whole files, so that a program is compiled once, and all of tests/errors, which counts raises."""
    from xdist.scheduler import LoadScopeScheduling

    class ByFile(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.split("::", 1)[0]
            return "errors" if file.startswith("tests/errors/") else file

    return ByFile(config, log)
