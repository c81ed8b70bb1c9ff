"""What `load_urdf` refuses after the file was read."""

import pytest

import jaxdyn
from jaxdyn import ModelDescriptionError
from jaxdyn.joints import QuaternionFloating

ON_THE_WORLD = """<robot name="crane">
  <link name="world"/>
  <link name="mast"/>
  <joint name="weld" type="fixed"><parent link="world"/><child link="mast"/></joint>
</robot>"""
WITH_TRANSMISSION = """<robot name="crane">
  <link name="mast"/>
  <transmission name="motor"/>
</robot>"""


def test_root_joint_of_the_world():
    with pytest.raises(ModelDescriptionError, match=r"link `world` is the world.*change the joints of `mast`"):
        jaxdyn.load_urdf(ON_THE_WORLD, root_joint=QuaternionFloating())


def test_strict_loading():
    with pytest.raises(
        ModelDescriptionError, match=r"(?s)transmission.*Correct the file, or load it with `strict=False`"
    ):
        jaxdyn.load_urdf(WITH_TRANSMISSION, strict=True)


def test_loading_warns_of_what_strict_loading_refuses():
    with pytest.warns(jaxdyn.LoaderWarning, match="transmission"):
        assert jaxdyn.load_urdf(WITH_TRANSMISSION).body_names == ("mast",)
