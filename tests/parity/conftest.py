import pytest

from parity.error_table import row_recorder
from parity.program_table import print_programs

_TITLE = "parity with other programs: digits that agree"


@pytest.fixture
def record_row(record_property):
    return row_recorder(record_property, _TITLE)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    print_programs(terminalreporter, _TITLE)
