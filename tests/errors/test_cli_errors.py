"""What the command line refuses: one message on the standard error stream, exit code 2."""

import sys

import jax
import pytest

from jaxdyn import MechanismError, MissingDependencyError, load_urdf
from jaxdyn.cli import main
from jaxdyn.demo import run_demo

RIGID = '<robot name="rigid"><link name="base"><inertial><mass value="1"/></inertial></link></robot>'


@pytest.mark.parametrize(
    ("arguments", "remedy"),
    [
        (["info", "missing.urdf"], "Pass the path of an existing file"),
        (["info", "quadrupede"], "The examples are: `arm`, `quadruped`, `double_pendulum`"),
        (["demo", "missing.urdf"], "Pass the path of an existing file"),
    ],
)
def test_errors_are_one_message_with_exit_code_2(arguments, remedy, capsys):
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("jaxdyn: ")
    assert captured.err.count("\n") == 1
    assert remedy in captured.err
    assert "Traceback" not in captured.err


def test_unknown_part_of_the_demo(capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["demo", "--parts", "swing-down"])
    assert "swing-up" in capsys.readouterr().err


@pytest.mark.parametrize("package", ["lxml", "matplotlib", "tqdm"])
def test_missing_package(package, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingDependencyError, match=rf'needs the package {package}.*`pip install "jaxdyn\[demo\]"`'):
        run_demo(out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.filterwarnings("ignore::jaxdyn.LoaderWarning")
def test_rigid_robot(tmp_path):
    with pytest.raises(MechanismError, match="Choose a robot with a movable joint"):
        run_demo(robot=("rigid", load_urdf(RIGID)), out=tmp_path)


def test_32_bit_types(tmp_path):
    with jax.enable_x64(False), pytest.raises(MechanismError, match=r'Call `jax.config.update\("jax_enable_x64", True'):
        run_demo(out=tmp_path)
