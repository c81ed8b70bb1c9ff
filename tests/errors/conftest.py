"""Notes which `raise` statements of jaxdyn the tests of this folder reach; `test_every_raise.py` asks for all of them.

A test needs to do nothing for it: whenever a `JaxdynError` is made while a test of this folder runs, the lines of
jaxdyn that are being executed are noted.
"""

import sys

import pytest

from jaxdyn import _errors
from source_code import PACKAGE

LAST = "test_every_raise.py"
REFUSED_EARLIER = ("wrong_shape", "wrong_number_of_wrenches", "TestKinds", "integrator_that_is_none", "other_kinds")
SELECTED = pytest.StashKey[bool]()


@pytest.fixture(scope="session")
def reached_lines() -> set[tuple[str, int]]:
    """File and line of every statement of jaxdyn that was being executed when an error was made."""
    return set()


@pytest.fixture(autouse=True)
def note_reached_lines(reached_lines: set[tuple[str, int]], monkeypatch: pytest.MonkeyPatch) -> None:
    def noting_init(self, *args, **kwargs):
        frame = sys._getframe(1)
        while frame is not None:
            if frame.f_code.co_filename.startswith(str(PACKAGE)):
                reached_lines.add((frame.f_code.co_filename, frame.f_lineno))
            frame = frame.f_back
        super(_errors.JaxdynError, self).__init__(*args, **kwargs)

    monkeypatch.setattr(_errors.JaxdynError, "__init__", noting_init)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The question whether every `raise` was reached comes after all other tests.

    Where shapes and types are checked at run time, that check refuses an argument of the wrong shape or type before
    jaxdyn can say what is wrong: the tests of that are left out.
    """
    items.sort(key=lambda item: item.path.name == LAST)
    if config.getoption("--jaxtyping-packages", None):
        here = [item for item in items if item.path.parent.name == "errors"]
        refused = [item for item in here if any(part in item.nodeid for part in REFUSED_EARLIER)]
        config.hook.pytest_deselected(items=refused)
        items[:] = [item for item in items if item not in refused]


def pytest_deselected(items: list[pytest.Item]) -> None:
    """Remember that part of this folder was left out (`-k`, `-m`, `--lf`)."""
    if any(item.path.parent.name == "errors" for item in items):
        items[0].config.stash[SELECTED] = True


@pytest.fixture
def is_complete(request: pytest.FixtureRequest) -> bool:
    """Whether this run contains every test of the folder."""
    folder = request.path.parent
    collected = {item.path for item in request.session.items}
    return collected >= set(folder.glob("test_*.py")) and not request.config.stash.get(SELECTED, False)
