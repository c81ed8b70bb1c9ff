"""Every robot that is installed against Pinocchio, MuJoCo, Drake and iDynTree, some twenty in one program."""

import pytest

pytest.importorskip("pinocchio", reason="`pin` is not installed")

from parity.robot_files import EXAMPLE_PACKAGE, LIGHT_PACKAGES, follows, robot_files
from parity.robot_parity import check_scene

_PACKAGES = (*LIGHT_PACKAGES, EXAMPLE_PACKAGE)
_SCENES = {"light": (LIGHT_PACKAGES, 1), "example": ((EXAMPLE_PACKAGE,), 3), "mimic": (_PACKAGES, 1)}


@pytest.mark.long
@pytest.mark.parametrize("base", ["fixed", "floating"])
@pytest.mark.parametrize(("kind", "scene"), [(kind, i) for kind, (_, count) in _SCENES.items() for i in range(count)])
def test_all_quantities_agree_with_pinocchio(kind: str, scene: int, base: str, record_row):
    packages, count = _SCENES[kind]
    files = [file for package in packages for file in robot_files(package)]
    files = [file for file in files if follows(file) == (kind == "mimic")][scene::count]
    if not files:
        pytest.skip(f"none of these is installed: {', '.join(packages)}")
    check_scene(files, is_floating=base == "floating", record_row=record_row)
