"""Pinocchio as oracle on the robots of the light packages, fixed base."""

import pytest

pytest.importorskip("pinocchio", reason="`pin` is not installed")

from parity.robot_files import LIGHT_PACKAGES, RobotFile, parameters
from parity.robot_parity import check_robot


@pytest.mark.parametrize("file", parameters(*LIGHT_PACKAGES))
def test_all_quantities_agree_with_pinocchio(file: RobotFile, record_row):
    check_robot(file, is_floating=False, record_row=record_row)
