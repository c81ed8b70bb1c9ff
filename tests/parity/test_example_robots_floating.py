"""Pinocchio as oracle on the robots of example-robot-data, floating base."""

import pytest

pytest.importorskip("pinocchio", reason="`pin` is not installed")

from parity.robot_files import EXAMPLE_PACKAGE, RobotFile, parameters
from parity.robot_parity import check_robot

pytestmark = pytest.mark.long


@pytest.mark.parametrize("file", parameters(EXAMPLE_PACKAGE))
def test_all_quantities_agree_with_pinocchio(file: RobotFile, record_row):
    check_robot(file, is_floating=True, record_row=record_row)
