"""URDFs with a floating base, read by jaxdyn and by each of the programs with its own loader."""

from importlib import import_module
from importlib.resources import files

import pytest

import jaxdyn
from engines.engine import Converters, check_engine
from engines.engine_models import without
from jaxdyn import Mechanism
from jaxdyn.joints import QuaternionFloating

QUADRUPED = (files("jaxdyn.description") / "data" / "quadruped.urdf").read_text(encoding="utf-8")
INERTIAL = """<inertial><origin xyz="0.1 0.2 -0.1" rpy="0.1 0.2 0.3"/><mass value="2"/>
  <inertia ixx="0.3" iyy="0.4" izz="0.5" ixy="0.01" ixz="0.02" iyz="0.03"/></inertial>"""
TABLE = f"""<robot name="table">
  <link name="base">{INERTIAL}</link><link name="table">{INERTIAL}</link><link name="wheel">{INERTIAL}</link>
  <joint name="plane" type="planar"><parent link="base"/><child link="table"/>
    <origin xyz="0.1 0.2 0.3" rpy="0.3 0.2 0.1"/><axis xyz="%s"/></joint>
  <joint name="spin" type="continuous"><parent link="table"/><child link="wheel"/>
    <origin xyz="-0.1 0.2 0.3" rpy="0.5 -0.2 0.1"/><axis xyz="0.6 0 0.8"/></joint>
</robot>"""


def check(program: str, text: str, mechanism: Mechanism) -> None:
    engine_of_urdf = import_module(f"engines.{program}_builder").engine_of_urdf
    converters = (getattr(jaxdyn.interop, f"{way}_{program}") for way in ("to", "from"))
    check_engine(mechanism, engine_of_urdf(text, mechanism.body_names), Converters(*converters))


@pytest.mark.parametrize("program", ["pinocchio", "mujoco", "drake", "idyntree"])
def test_quadruped_is_the_same_robot(program: str):
    check(program, QUADRUPED, without(jaxdyn.load_example("quadruped"), "damping"))


# Pinocchio reads planar joints as if their normal was z, iDynTree has none.
@pytest.mark.parametrize(
    ("program", "normal"),
    [("pinocchio", "0 0 1"), ("mujoco", "0 0 1"), ("mujoco", "-0.36 0.48 0.8"), ("drake", "-0.36 0.48 0.8")],
)
def test_planar_and_continuous_joints_have_the_same_axes(program: str, normal: str):
    text = TABLE % normal
    check(program, text, jaxdyn.load_urdf(text, root_joint=QuaternionFloating()))
