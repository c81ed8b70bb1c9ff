import pytest

from parity.error_table import print_table, row_recorder

_TITLE = "parity with other programs: largest relative errors"


@pytest.fixture
def record_row(record_property):
    return row_recorder(record_property, _TITLE)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    print_table(terminalreporter, _TITLE)
