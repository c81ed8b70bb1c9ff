"""All four programs as oracles, each robot in a program of its own, as a user's would be: one of each shape.

Arms, a robot with many rigidly attached links, a floating humanoid with hands, two mechanisms that cannot move.
"""

import pytest

pytest.importorskip("pinocchio", reason="`pin` is not installed")

from parity.robot_files import LIGHT_PACKAGES, robot
from parity.robot_parity import check_robot

ROBOTS = (
    ("franka_panda/panda", "fixed"),
    ("franka_panda/panda", "floating"),
    ("ur5e/ur5e", "fixed"),
    ("upkie/upkie", "floating"),
    ("jvrc/jvrc1", "floating"),
    ("unitree_g1/floating_g1_29dof_rev_1_0", "fixed"),
    ("d435/d435", "fixed"),
    ("kelo_robile/mobi", "floating"),
)


@pytest.mark.long
@pytest.mark.parametrize(("name", "base"), ROBOTS)
def test_all_quantities_agree_with_pinocchio(name: str, base: str, record_row):
    check_robot(robot(name, *LIGHT_PACKAGES), is_floating=base == "floating", record_row=record_row)
