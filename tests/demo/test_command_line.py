"""What the command line prints, and its exit codes."""

import subprocess
import sys

import pytest

import jaxdyn.demo
from jaxdyn import load_example, total_mass
from jaxdyn.cli import PARTS, main

PENDULUM = """
<robot name="pendulum">
  <link name="world"/>
  <link name="bob">
    <inertial>
      <origin xyz="0 0 -0.3"/>
      <mass value="0.5"/>
      <inertia ixx="1e-3" ixy="0" ixz="0" iyy="1e-3" iyz="0" izz="1e-3"/>
    </inertial>
  </link>
  <joint name="swing" type="revolute">
    <parent link="world"/>
    <child link="bob"/>
    <axis xyz="0 1 0"/>
    <limit lower="-1.5" upper="1.25"/>
    <dynamics damping="0" friction="0.1"/>
  </joint>
</robot>
"""


@pytest.mark.parametrize("name", ["arm", "quadruped", "double_pendulum"])
def test_info_of_an_example(name, capsys):
    robot = load_example(name)
    assert main(["info", name]) == 0
    printed = capsys.readouterr().out
    assert str(robot) in printed
    for body in robot.body_names:
        assert f"\n  {body} " in printed
    assert printed.split("total")[1].split()[0] == f"{float(total_mass(robot)):.5g}"


def test_info_of_a_file(tmp_path, capsys):
    path = tmp_path / "pendulum.urdf"
    path.write_text(PENDULUM)
    assert main(["info", str(path)]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "swing -1.5 1.25" in printed
    assert "dynamics@friction, not modelled yet" in printed


@pytest.mark.long
def test_demo_of_a_file_says_what_is_left_out(tmp_path, capsys):
    path, out = tmp_path / "pendulum.urdf", tmp_path / "out"
    path.write_text(PENDULUM.replace(' friction="0.1"', ""))
    assert main(["demo", str(path), "--parts", "swing-up", "identification", "--out", str(out)]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "swing-up: left out" in printed
    assert f"identification ({path})" in printed
    assert "not identifiable none" in printed
    assert [picture.name for picture in out.iterdir()] == ["identification.png"]


@pytest.mark.long
def test_demo_that_misses_an_aim_has_exit_code_1(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("jaxdyn.demo._gradient.AIM", 0.0)
    path = tmp_path / "pendulum.urdf"
    path.write_text(PENDULUM.replace(' friction="0.1"', ""))
    assert main(["demo", str(path), "--parts", "gradient", "--out", str(tmp_path)]) == 1
    assert "A part missed its aim" in capsys.readouterr().out


def test_parts_are_those_of_the_demo():
    assert PARTS == jaxdyn.demo.PARTS


def test_info_loads_neither_the_demo_nor_pictures():
    code = (
        "import sys; from jaxdyn.cli import main; main(['info', 'double_pendulum']); "
        "loaded = {'jaxdyn.demo', 'matplotlib', 'tqdm'} & set(sys.modules); assert not loaded, loaded"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, timeout=300)


def test_python_dash_m():
    result = subprocess.run([sys.executable, "-m", "jaxdyn", "--help"], check=True, capture_output=True, timeout=300)
    assert b"demo" in result.stdout
