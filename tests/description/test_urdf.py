"""Values that `read_urdf` takes from small files, each a stated stress."""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from jaxdyn import merge_fixed_joints
from jaxdyn.description import JointDescription, LinkDescription, LoaderWarning, ModelDescription, load_urdf, read_urdf

pytest.importorskip("lxml")

INF = math.inf


def read_robot(body: str) -> ModelDescription:
    return read_urdf(f'<robot name="r">{body}</robot>')


def read_link(body: str) -> LinkDescription:
    return read_robot(f'<link name="base">{body}</link>').links[0]


def read_joint(body: str, kind: str = "revolute") -> JointDescription:
    """The joint of a robot with two links of 1 kg."""
    links = "".join(f'<link name="{name}"><inertial><mass value="1"/></inertial></link>' for name in "ab")
    joint = f'<joint name="j" type="{kind}"><parent link="a"/><child link="b"/>{body}</joint>'
    return read_robot(links + joint).joints[0]


def rotation_matrix(quaternion: np.ndarray) -> np.ndarray:
    w, x, y, z = quaternion
    half = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + 2 * w * half + 2 * half @ half


def rotation_about(axis: int, angle: float) -> np.ndarray:
    """Rotation about a coordinate axis, from the definition: one coordinate fixed, the next two turned."""
    i, j = (axis + 1) % 3, (axis + 2) % 3
    rotation = np.eye(3)
    rotation[i, i] = rotation[j, j] = math.cos(angle)
    rotation[j, i], rotation[i, j] = math.sin(angle), -math.sin(angle)
    return rotation


class TestInertia:
    def test_missing_inertial_is_exactly_massless(self):
        link = read_link("<visual/>")
        assert (link.mass, link.has_inertial, link.is_massless) == (0.0, False, True)
        assert not link.moment_about_center_of_mass.any()

    def test_zero_inertial_is_massless_but_present(self):
        zero = " ".join(f'{name}="0"' for name in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"))
        link = read_link(f'<inertial><mass value="0"/><inertia {zero}/></inertial>')
        assert (link.mass, link.has_inertial, link.is_massless) == (0.0, True, True)

    def test_moment_without_mass_is_not_massless(self):
        link = read_link(
            '<inertial><mass value="0"/><inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="1e-9"/></inertial>'
        )
        assert (link.mass, link.is_massless) == (0.0, False)

    def test_inertial_without_origin_keeps_the_tensor(self):
        link = read_link(
            '<inertial><mass value="3"/><inertia ixx=".1" ixy=".01" ixz=".02" iyy=".2" iyz=".03" izz=".25"/></inertial>'
        )
        assert link.mass == 3.0
        assert_allclose(link.center_of_mass, 0, atol=0)
        expected = [[0.1, 0.01, 0.02], [0.01, 0.2, 0.03], [0.02, 0.03, 0.25]]
        assert_allclose(link.moment_about_center_of_mass, expected, rtol=0, atol=0)

    def test_inertial_rotation_is_applied_on_both_sides(self):
        link = read_link(
            f'<inertial><origin xyz="1 2 3" rpy="{math.pi / 2} 0 0"/><mass value="1"/>'
            '<inertia ixx="1" ixy="0" ixz="0" iyy="2" iyz="0" izz="2.5"/></inertial>'
        )
        assert_allclose(link.moment_about_center_of_mass, np.diag([1, 2.5, 2]), atol=1e-15)
        assert_allclose(link.center_of_mass, [1, 2, 3], atol=0)

    def test_inertial_rotation_order(self):
        link = read_link(
            '<inertial><origin rpy="0.3 -0.8 1.9"/><mass value="1"/>'
            '<inertia ixx="1" ixy="0" ixz="0" iyy="2" iyz="0" izz="2.5"/></inertial>'
        )
        R = rotation_about(2, 1.9) @ rotation_about(1, -0.8) @ rotation_about(0, 0.3)
        assert_allclose(link.moment_about_center_of_mass, R @ np.diag([1, 2, 2.5]) @ R.T, atol=1e-14)

    def test_mass_without_inertia_is_a_point_mass(self):
        link = read_link('<inertial><origin xyz="0 0 0.1"/><mass value="0.072"/></inertial>')
        assert link.mass == 0.072
        assert not link.is_massless
        assert not link.moment_about_center_of_mass.any()

    def test_impossible_inertia_is_kept_as_authored(self):
        link = read_link(
            '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="0.3" iyz="0" izz="-0.3"/></inertial>'
        )
        assert_allclose(link.moment_about_center_of_mass, np.diag([1, 0.3, -0.3]), atol=0)


class TestJoint:
    @pytest.mark.parametrize("kind", ["revolute", "continuous", "prismatic", "floating", "planar", "fixed"])
    def test_kind(self, kind: str):
        assert read_joint("", kind).kind == kind

    def test_defaults(self):
        joint = read_joint("")
        assert (joint.lower, joint.upper, joint.damping) == (-INF, INF, 0.0)
        assert_allclose(joint.translation, 0, atol=0)
        assert_allclose(joint.rpy, 0, atol=0)
        assert_allclose(joint.quaternion, [1, 0, 0, 0], atol=0)
        assert_allclose(joint.axis, [1, 0, 0], atol=0)

    def test_origin_with_one_attribute(self):
        assert_allclose(read_joint('<origin xyz="1 2 3"/>').translation, [1, 2, 3], atol=0)
        assert_allclose(read_joint('<origin xyz="1 2 3"/>').rpy, 0, atol=0)
        assert_allclose(read_joint('<origin rpy="1 2 3"/>').rpy, [1, 2, 3], atol=0)
        assert_allclose(read_joint('<origin rpy="1 2 3"/>').translation, 0, atol=0)

    @pytest.mark.parametrize("axis", [(0, 0, 2), (0, -1, 0), (1, 1, 0), (-0.5, 0.25, 1e-3)])
    def test_axis_is_kept_as_authored(self, axis: tuple[float, ...]):
        text = " ".join(map(str, axis))
        assert_allclose(read_joint(f'<axis xyz="{text}"/>').axis, axis, atol=0)

    @pytest.mark.parametrize("kind", ["fixed", "floating"])
    def test_zero_axis_where_there_is_no_axis(self, kind: str):
        assert read_joint('<axis xyz="0 0 0"/>', kind).kind == kind

    def test_limits_and_damping(self):
        joint = read_joint(
            '<limit lower="-1.5" upper="2" effort="3" velocity="4"/><dynamics damping=".6" friction="0.1"/>'
        )
        assert (joint.lower, joint.upper, joint.damping) == (-1.5, 2.0, 0.6)

    @pytest.mark.parametrize(
        ("attributes", "expected"),
        [
            ("", (-INF, INF)),
            ('upper="1"', (-INF, 1.0)),
            ('lower="-1"', (-1.0, INF)),
            ('lower="-inf" upper="inf"', (-INF, INF)),
            ('lower="-Infinity" upper=" +INF "', (-INF, INF)),
        ],
    )
    def test_missing_and_infinite_limits(self, attributes: str, expected: tuple[float, float]):
        joint = read_joint(f"<limit {attributes}/>", "prismatic")
        assert (joint.lower, joint.upper) == expected

    @pytest.mark.parametrize("kind", ["continuous", "floating", "planar", "fixed"])
    def test_limits_where_there_are_none(self, kind: str):
        joint = read_joint('<limit lower="0" upper="1" effort="5" velocity="1"/>', kind)
        assert (joint.lower, joint.upper) == (-INF, INF)

    @pytest.mark.parametrize("kind", ["floating", "planar", "fixed"])
    def test_damping_where_it_has_no_meaning(self, kind: str):
        assert read_joint('<dynamics damping="1"/>', kind).damping == 0.0

    def test_mimic_of_a_fixed_joint_changes_nothing(self):
        joint = read_joint('<mimic joint="other"/>', "fixed")
        assert joint.kind == "fixed"
        assert joint.mimic is None

    def test_quarter_turn_down(self):
        quaternion = read_joint(f'<origin rpy="0 {-math.pi / 2} 0"/>').quaternion
        assert_allclose(rotation_matrix(quaternion), [[0, 0, -1], [0, 1, 0], [1, 0, 0]], atol=1e-15)

    @pytest.mark.parametrize("pitch", [0.4, math.pi / 2, -math.pi / 2, math.pi, 4.0])
    def test_rotation_is_yaw_after_pitch_after_roll(self, pitch: float):
        joint = read_joint(f'<origin rpy="0.3 {pitch!r} -2.9"/>')
        expected = rotation_about(2, -2.9) @ rotation_about(1, pitch) @ rotation_about(0, 0.3)
        assert_allclose(rotation_matrix(joint.quaternion), expected, atol=1e-14)
        assert_allclose(np.sum(joint.quaternion**2), 1.0, atol=1e-14)
        assert_allclose(joint.rpy, [0.3, pitch, -2.9], atol=0)


class TestNumbers:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("1 \t 2\n3", (1, 2, 3)),
            ("  1e-3 +.5 -1.E2 ", (1e-3, 0.5, -100.0)),
            ("-0 007 1E+2", (0, 7, 100)),
            ("1&#9;2&#10;3", (1, 2, 3)),
        ],
    )
    def test_forms(self, text: str, expected: tuple[float, ...]):
        assert_allclose(read_joint(f'<origin xyz="{text}"/>').translation, expected, atol=0)

    @given(st.tuples(*3 * [st.floats(allow_nan=False, allow_infinity=False)]))
    def test_every_finite_number_comes_back_exactly(self, values: tuple[float, ...]):
        text = " ".join(map(repr, values))
        assert tuple(read_joint(f'<origin xyz="{text}"/>').translation) == values


class TestTree:
    def test_joints_before_links_root_last_and_child_before_parent(self):
        description = read_robot(
            '<joint name="elbow" type="continuous"><child link="hand"/><parent link="arm"/></joint>'
            '<joint name="shoulder" type="continuous"><parent link="base"/><child link="arm"/></joint>'
            '<link name="hand"/><link name="arm"/><link name="base"/>'
        )
        assert (description.root, description.root_is_world) == ("base", False)
        assert [joint.name for joint in description.joints] == ["elbow", "shoulder"]
        assert [(joint.parent, joint.child) for joint in description.joints] == [("arm", "hand"), ("base", "arm")]
        assert [link.name for link in description.links] == ["hand", "arm", "base"]

    def test_names_are_matched_exactly(self):
        names = ["right_finger[0]/joint_base", "right_finger[0]/joint_base_rot", "Gelenk Ä", "手首"]
        links = "".join(f'<link name="{name}"/>' for name in [*names, "root"])
        joints = "".join(
            f'<joint name="{name}" type="continuous"><parent link="root"/><child link="{name}"/></joint>'
            for name in names
        )
        description = read_robot(links + joints)
        assert [joint.name for joint in description.joints] == names
        assert [joint.child for joint in description.joints] == names

    def test_single_link(self):
        description = read_robot('<link name="stone"/>')
        assert (description.root, description.joints) == ("stone", ())

    def test_undeclared_world(self):
        description = read_robot(
            '<link name="a"/><link name="b"/>'
            '<joint name="j" type="fixed"><parent link="world"/><child link="a"/></joint>'
            '<joint name="k" type="floating"><parent link="world"/><child link="b"/></joint>'
        )
        assert (description.root, description.root_is_world) == ("world", True)
        assert [link.name for link in description.links] == ["a", "b"]

    def test_massless_root_named_world(self):
        description = read_robot(
            '<link name="world"/><link name="a"/>'
            '<joint name="j" type="fixed"><parent link="world"/><child link="a"/></joint>'
        )
        assert (description.root, description.root_is_world) == ("world", True)
        assert [link.name for link in description.links] == ["a"]

    def test_long_chain(self):
        links = "".join(f'<link name="{i}"/>' for i in range(3000))
        joints = "".join(
            f'<joint name="{i}" type="fixed"><parent link="{i}"/><child link="{i + 1}"/></joint>' for i in range(2999)
        )
        assert read_robot(joints + links).root == "0"


class TestDocument:
    def test_default_namespace_comments_and_instructions(self):
        description = read_urdf(
            '<?xml version="1.0"?><?author x?><!-- a --><robot xmlns="http://www.ros.org" '
            'xmlns:xacro="http://www.ros.org/wiki/xacro" name="r"><!-- b --><?c?>'
            '<link name="a"><!-- d --><inertial><?e?><mass value="2"/><!-- f --></inertial></link><!-- g --></robot>'
        )
        assert description.links[0].mass == 2.0

    def test_prefix_that_is_not_declared(self):
        description = read_robot('<link name="a"/><drake:filter a="1"/>')
        assert [entry.message for entry in description.report] == ["unknown tag drake:filter in robot"]

    def test_meshes_are_never_looked_at(self):
        link = read_link('<visual><geometry><mesh filename="package://nowhere/a.stl"/></geometry></visual>')
        assert link.name == "base"

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "iso-8859-1"])
    @pytest.mark.parametrize("newline", ["\n", "\r\n"])
    def test_files(self, tmp_path, encoding: str, newline: str):
        declared = encoding.removesuffix("-sig")
        lines = [f'<?xml version="1.0" encoding="{declared}"?>', '<robot name="Käfer">', '<link name="a"/>', "</robot>"]
        path = tmp_path / "käfer.urdf"
        path.write_bytes(newline.join(lines).encode(encoding))
        for argument in (path, str(path)):
            description = read_urdf(argument)
            assert (description.name, description.source) == ("Käfer", str(path))
            assert description.links[0].line == 3

    def test_text_after_space_a_byte_order_mark_and_a_wrong_declaration(self):
        text = '\ufeff \n\n<?xml version="1.0"\n encoding="ascii"?>\n<robot name="Käfer">\n<link name="a"/></robot>'
        description = read_urdf(text)
        assert (description.name, description.source) == ("Käfer", "<text>")
        assert description.links[0].line == 6

    def test_lines(self):
        description = read_urdf(
            '<robot name="r">\n<link name="a"/>\n<link name="b"/>\n'
            '<joint name="j" type="fixed">\n<parent link="a"/><child link="b"/></joint></robot>'
        )
        assert [link.line for link in description.links] == [2, 3]
        assert description.joints[0].line == 4

    def test_a_description_cannot_be_changed(self):
        joint = read_joint("")
        with pytest.raises(dataclasses.FrozenInstanceError):
            joint.name = "other"  # pyright: ignore[reportAttributeAccessIssue]
        with pytest.raises(ValueError, match="read-only"):
            joint.axis[0] = 2.0


class TestMimic:
    """Joints are in an order of their own in the file: the follower first, then a chain."""

    TEXT = """<robot name="r"><link name="a"/><link name="b"/><link name="c"/><link name="d"/>
    <joint name="last" type="prismatic"><parent link="b"/><child link="c"/><mimic joint="middle" multiplier="-2"/>
      <limit lower="-1" upper="1"/></joint>
    <joint name="middle" type="revolute"><parent link="a"/><child link="b"/><mimic joint="first" offset="0.5"/></joint>
    <joint name="first" type="continuous"><parent link="a"/><child link="d"/></joint></robot>"""

    def test_tags_as_authored(self):
        joints = {joint.name: joint for joint in read_urdf(self.TEXT).joints}
        mimic = joints["last"].mimic
        assert mimic is not None
        assert (mimic.leader, mimic.multiplier, mimic.offset, mimic.line) == ("middle", -2.0, 0.0, 2)
        assert joints["first"].mimic is None

    def test_limits_are_reported(self):
        report = read_urdf(self.TEXT).report
        (entry,) = (entry for entry in report if "limit of a mimic joint" in entry.message)
        assert (entry.line, entry.owner, entry.harmless) == (3, "joint `last`", True)

    def test_mechanism(self):
        with pytest.warns(LoaderWarning, match="moves no mass"):
            mechanism = load_urdf(self.TEXT)
        assert (mechanism.num_positions, mechanism.num_velocities) == (1, 1)
        assert mechanism.mimics is not None
        numbers = dict(zip(mechanism.topology.mimics, mechanism.mimics.ratio.tolist(), strict=True))
        first, middle, last = (mechanism.joint_index(name) for name in ("first", "middle", "last"))
        assert numbers == {(middle, first): 1.0, (last, first): -2.0}
        assert mechanism.mimics.offset.tolist() == [0.5, -1.0]

    def test_chain_of_three(self):
        link = '<link name="e"/><joint name="end" type="prismatic"><parent link="c"/><child link="e"/>'
        text = self.TEXT.replace(
            "</robot>", f'{link}<mimic joint="last" multiplier="3" offset="0.25"/></joint></robot>'
        )
        with pytest.warns(LoaderWarning, match="moves no mass"):
            mechanism = load_urdf(text)
        assert mechanism.num_velocities == 1
        assert mechanism.mimics is not None
        assert sorted(mechanism.mimics.ratio.tolist()) == [-6.0, -2.0, 1.0]
        assert sorted(mechanism.mimics.offset.tolist()) == [-2.75, -1.0, 0.5]


def test_fixed_joints_merged():
    """The same as an edit of the whole: link names stay as names of frames, and their masses count on the carrier."""
    mass = '<inertial><mass value="2"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
    text = f"""<robot name="r"><link name="base"/><link name="arm">{mass}</link><link name="tool">{mass}</link>
    <joint name="turn" type="continuous"><parent link="base"/><child link="arm"/></joint>
    <joint name="weld" type="fixed"><origin xyz="0.5 0 0"/><parent link="arm"/><child link="tool"/></joint></robot>"""
    merged = load_urdf(text, merge_fixed=True)
    assert (merged.body_names, merged.frame_names, merged.joint_names) == (("arm",), ("base", "tool"), ("turn",))
    assert merged.spatial_inertias.mass.tolist() == [4.0]
    assert merged.spatial_inertias.first_moment.tolist() == [[1.0, 0.0, 0.0]]
    whole = load_urdf(text)
    assert merged.topology == merge_fixed_joints(whole).topology
    assert whole.num_bodies == 3
