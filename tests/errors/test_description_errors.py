"""What `read_urdf` refuses: each message says where the fault is and how to mend it."""

import re
import sys
from pathlib import Path

import pytest

from jaxdyn._errors import MissingDependencyError, ModelDescriptionError
from jaxdyn.description import read_urdf

pytest.importorskip("lxml")

INERTIA = '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'
LINKS = '<link name="a"/><link name="b"/><link name="c"/>'


def joint(name: str = "j", parent: str = "a", child: str = "b", kind: str = "continuous", body: str = "") -> str:
    return f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{body}</joint>'


def refused(text: str | Path, *parts: str) -> None:
    """The text is refused with a message that has these parts in this order, the remedy last."""
    pattern = ".*".join(re.escape(part) for part in parts)
    with pytest.raises(ModelDescriptionError, match=f"(?s){pattern}"):
        read_urdf(text)


def refused_body(body: str, *parts: str) -> None:
    """The same for the body of a robot, which begins on line 2."""
    refused(f'<robot name="r">\n{body}\n</robot>', "<text>", *parts)


def refused_link(body: str, *parts: str) -> None:
    refused_body(f'<link name="arm">\n{body}</link>', "line 3, link `arm`: ", *parts)


def refused_joint(body: str, *parts: str, kind: str = "continuous") -> None:
    refused_body(LINKS + "\n" + joint(kind=kind, body=body), "line 3, joint `j`: ", *parts)


class TestDocuments:
    def test_without_lxml(self, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setitem(sys.modules, "lxml", None)
        monkeypatch.setitem(sys.modules, "lxml.etree", None)
        with pytest.raises(MissingDependencyError, match=re.escape('pip install "jaxdyn[urdf]"')):
            read_urdf('<robot name="r"><link name="a"/></robot>')

    @pytest.mark.parametrize("name", ["nowhere.urdf", ""])
    def test_no_such_file(self, tmp_path: Path, name: str):
        refused(tmp_path / name, name, " cannot be read: ", "Pass the path of an existing file")

    def test_text_that_is_not_xml(self):
        refused("robot: {}\n" * 1000, "cannot be read", "or XML text that begins with `<`")

    @pytest.mark.parametrize(
        ("text", "line"),
        [
            ("<robot", 1),
            ("<!-- -->", 1),
            ('<robot>\n<link name="a">\n</robot>', 3),
            ("<robot>\n<link name=a/></robot>", 2),
            ('<robot>\n\n<link name="a" name="b"/></robot>', 3),
            ("<robot/>\n<robot/>", 2),
            ('<robot>\n<?xml version="1.0"?></robot>', 2),
            ("<robot>\n&foo;</robot>", 2),
        ],
    )
    def test_not_well_formed(self, text: str, line: int):
        refused(text, f"<text>, line {line}: not well-formed XML: ", "Repair the file")

    def test_not_well_formed_file(self, tmp_path: Path):
        path = tmp_path / "a.urdf"
        path.write_bytes(b'<?xml version="1.0" encoding="utf-8"?>\n<robot name="\xe4"/>')
        refused(path, f"{path}, line 2: not well-formed XML: ", "Repair the file")

    def test_entities_are_neither_expanded_nor_fetched(self, tmp_path: Path):
        secret = tmp_path / "secret.xml"
        secret.write_text('<link name="secret"/>')
        for entity in ('"x"', f'SYSTEM "{secret.as_uri()}"', 'SYSTEM "http://localhost:9/a"'):
            text = f'<!DOCTYPE robot [<!ENTITY e {entity}>]><robot name="r">&e;<link name="a"/></robot>'
            refused(text, "uses XML entities of its own", "Write their values in their place")
        attribute = '<!DOCTYPE robot [<!ENTITY e "a">]><robot name="r"><link name="&e;"/></robot>'
        refused(attribute, "uses XML entities of its own", "Write their values in their place")
        refused('<!DOCTYPE robot SYSTEM "r.dtd"><robot name="r">&e;<link name="a"/></robot>', "Write their values in")

    def test_exponential_entities(self):
        doubled = "".join(f'<!ENTITY e{i + 1} "{f"&e{i};" * 10}">' for i in range(12))
        text = f'<!DOCTYPE robot [<!ENTITY e0 "0123456789">{doubled}]><robot name="&e12;"/>'
        refused(text, "not well-formed XML: ", "Repair the file")

    @pytest.mark.parametrize("root", ["sdf", "mujoco", "Robot"])
    def test_other_formats(self, root: str):
        refused(
            f"<{root}/>", f"expected a URDF, whose root tag is `<robot>`, got `<{root}>`", "Convert the file to URDF"
        )

    @pytest.mark.parametrize(
        ("body", "tag"),
        [
            ('<xacro:include filename="a"/><xacro:b/>', "xacro:include"),
            ('<link name="${prefix}base"/>', "link"),
            ("<gazebo><mu>${mu}</mu></gazebo>", "mu"),
        ],
    )
    @pytest.mark.parametrize("declaration", ["", ' xmlns:xacro="http://www.ros.org/wiki/xacro"'])
    def test_xacro(self, body: str, tag: str, declaration: str):
        text = f'<robot name="r"{declaration}>\n{body}</robot>'
        refused(text, f"line 2: this is xacro, not URDF, as `<{tag}>` shows; expand it first", "Run `xacro in.xacro")

    def test_empty_robot(self):
        refused_body("", "the robot has no `<link>`", "Declare at least one; if the file is xacro, expand it first")

    def test_nothing_but_the_world(self):
        refused_body('<link name="world"/>', "the only link is the world", "a name other than `world`")


class TestTrees:
    def test_missing_names(self):
        refused_body("<link/>", "line 2: `<link>` has no `name`", 'Write `<link name="…">`')
        refused_body('<link name=""/>', "line 2: `<link>` has no `name`", 'Write `<link name="…">`')
        refused_body("<link name='a'/>\n<joint type='fixed'/>", "line 3: ", 'Write `<joint name="…">`')

    def test_two_links_of_one_name(self):
        refused_body('<link name="a"/>\n<link name="a"/>', "link `a`: ", "(lines 2 and 3)", "Rename all but one")

    def test_two_joints_of_one_name(self):
        body = f"{LINKS}\n{joint()}\n{joint(child='c')}"
        refused_body(body, "joint `j`: ", "(lines 3 and 4)", "Rename all but one")

    def test_undeclared_links(self):
        body = f"{LINKS}<link name='forearm'/>\n"
        remedy = "Declare the link or correct the name"
        nearest = f"{remedy}; the nearest are `forearm`"
        refused_body(body + joint(parent="forarm"), "line 3, joint `j`: its parent link `forarm` is not", nearest)
        refused_body(body + joint(child="nothing"), "line 3, joint `j`: its child link `nothing` is not", remedy)
        refused_body(body + joint(child="world"), "its child link `world` is not declared", remedy)

    def test_two_parents(self):
        body = f"{LINKS}\n{joint('j', 'a', 'c')}\n{joint('k', 'b', 'c')}"
        message = "line 4, link `c`: has two parents, through joint `j` (line 3) and joint `k`"
        refused_body(body, message, "Remove one of the two joints")

    @pytest.mark.parametrize(
        ("joints", "loop"),
        [
            ([("b", "c"), ("c", "b")], "`c` → `b` → `c`"),
            ([("a", "b"), ("b", "c"), ("c", "a")], "`b` → `c` → `a` → `b`"),
            ([("b", "b")], "`b` → `b`"),
            ([("c", "b"), ("c", "c"), ("b", "a")], "`c` → `c`"),
        ],
    )
    def test_loops(self, joints: list[tuple[str, str]], loop: str):
        body = LINKS + "".join(joint(f"j{i}", *ends) for i, ends in enumerate(joints))
        refused_body(body, f"links form a loop: {loop}. Remove one joint of the loop")

    def test_two_roots(self):
        refused_body(LINKS + joint(), "2 links without a parent: `a`, `c`", "Connect all but one to the tree")
        body = LINKS + joint(parent="world", child="a") + joint("k", "a", "b")
        refused_body(body, "2 links without a parent: `c`, `world`", "Connect all but one to the tree")

    def test_link_named_world_that_is_not_the_world(self):
        world = f'<link name="a"/>\n<link name="world"><inertial><mass value="1"/>{INERTIA}</inertial></link>'
        message = "line 3, link `world`: the name is kept for the world, which has no mass and no parent"
        refused_body(world + joint(parent="world", child="a"), message, "Rename the link")
        refused_body('<link name="a"/>\n<link name="world"/>' + joint(child="world"), message, "Rename the link")


class TestLinks:
    def test_missing_parts(self):
        refused_link(f"<inertial>{INERTIA}</inertial>", "`<inertial>` has no `<mass>`", "Add a `<mass>` tag")
        refused_link("<inertial><mass>3</mass></inertial>", "`<mass>` has no `value`", 'Write `<mass value="…">`')

    @pytest.mark.parametrize("name", ["ixx", "ixy", "ixz", "iyy", "iyz", "izz"])
    def test_missing_moment(self, name: str):
        inertia = re.sub(rf' {name}="\d"', "", INERTIA)
        body = f'<inertial><mass value="1"/>{inertia}</inertial>'
        refused_link(body, f"`<inertia>` has no `{name}`", f'Write `<inertia {name}="…">`')

    def test_negative_mass(self):
        body = f'<inertial><mass value="-0.1"/>{INERTIA}</inertial>'
        refused_link(body, "expected a mass of at least 0, got -0.1", "Give the mass in kg")

    def test_part_given_twice(self):
        body = '<inertial><mass value="1"/></inertial>\n<inertial><mass value="1"/></inertial>'
        refused_body(f'<link name="arm">{body}</link>', "line 2, link `arm`: ", "got 2 (lines 2 and 3)", "Keep one")


def mimicking(kind_of_leader: str, inside_leader: str) -> str:
    """A joint `f` that mimics a joint `l`."""
    links = '<link name="a"/><link name="b"/><link name="c"/>'
    ends = '<parent link="a"/><child link="{}"/>'
    leader = f'<joint name="l" type="{kind_of_leader}">{ends.format("b")}{inside_leader}</joint>'
    return f'{links}{leader}<joint name="f" type="continuous">{ends.format("c")}<mimic joint="l"/></joint>'


class TestJoints:
    def test_missing_parts(self):
        body = LINKS + '\n<joint name="j" type="fixed"><child link="b"/></joint>'
        refused_body(body, "line 3, joint `j`: `<joint>` has no `<parent>`", "Add a `<parent>` tag")
        body = LINKS + '\n<joint name="j" type="fixed"><parent link="b"/><child/></joint>'
        refused_body(body, "line 3, joint `j`: `<child>` has no `link`", 'Write `<child link="…">`')
        body = LINKS + '\n<joint name="j"><parent link="a"/><child link="b"/></joint>'
        refused_body(body, "line 3, joint `j`: `<joint>` has no `type`", 'Write `<joint type="…">`')
        refused_joint("<axis/>", "`<axis>` has no `xyz`", 'Write `<axis xyz="…">`')

    @pytest.mark.parametrize("kind", ["ball", "Revolute", "revolute "])
    def test_unknown_type(self, kind: str):
        known = "revolute, continuous, prismatic, floating, planar, fixed"
        refused_joint("", f"expected a joint type among {known}, got `{kind}`", "Choose one of these types", kind=kind)

    def test_mimic_of_another_kind_of_joint(self):
        remedy = "Remove the tag, or choose a joint type among revolute, continuous, prismatic"
        refused_joint(
            '<mimic joint="k"/>', "expected a joint with one position, got a planar joint", remedy, kind="planar"
        )

    def test_mimic_of_a_joint_that_does_not_exist(self):
        refused_joint('<mimic joint="k"/>', "it mimics joint `k`, which is not declared", "Correct the name")

    def test_mimic_of_a_joint_that_cannot_lead(self):
        problem = "joint `f`: it mimics joint `l`, a fixed joint, which has not one position"
        refused_body(mimicking("fixed", ""), problem, "choose a joint of type revolute, continuous, prismatic")

    def test_mimics_in_a_circle(self):
        problem = "joint `l`: mimic joints form a circle: `l` → `f` → `l`"
        refused_body(mimicking("continuous", '<mimic joint="f"/>'), problem, "Remove the `<mimic>` tag of one of them")

    def test_a_circle_that_another_joint_follows(self):
        first = '<joint name="e" type="continuous"><parent link="a"/><child link="d"/><mimic joint="f"/></joint>'
        body = f'<link name="d"/>{first}' + mimicking("continuous", '<mimic joint="f"/>')
        problem = "joint `e`: mimic joints form a circle: `e` → `f` → `l` → `f`"
        refused_body(body, problem, "Remove the `<mimic>` tag of one of them")

    @pytest.mark.parametrize(
        "text",
        [
            "1,5 0 0",
            "1, 5, 0",
            "nan 0 0",
            "inf 0 0",
            "1 2",
            "1 2 3 4",
            "1 2 nan 3",
            "",
            "1_0 0 0",
            "0x1 0 0",
            "1e999 0 0",
            "٣ 0 0",
        ],
    )
    def test_numbers(self, text: str):
        remedy = "separated by spaces, such as `0.1 0 -2e-3`" if text else 'Write `<origin rpy="…">`'
        refused_joint(f'<origin rpy="{text}"/>', text, remedy)
        refused_joint(f'<origin xyz="0 0 0" rpy="{text}"/>', "rpy", remedy)

    def test_numbers_say_what_was_expected(self):
        parts = "expected 3 finite numbers in `axis@xyz`, got `0 1`", "Write numbers with a decimal point"
        refused_joint('<axis xyz="0 1"/>', *parts, "such as `0.1 0 -2e-3`")
        parts = "expected 1 finite number in `limit@upper`, got `nan`", "Write numbers with a decimal point"
        refused_joint('<limit lower="0" upper="nan"/>', *parts, "such as `0.1 0 -2e-3`", kind="revolute")

    @pytest.mark.parametrize("kind", ["revolute", "continuous", "prismatic"])
    def test_zero_axis(self, kind: str):
        limit = '<limit lower="0" upper="1"/>'
        refused_joint(f'<axis xyz="0 0 0"/>{limit}', "got a zero axis", "Give a direction such as `0 0 1`", kind=kind)

    @pytest.mark.parametrize(("lower", "upper"), [("1", "-1"), ("inf", "inf"), ("-inf", "-inf"), ("inf", "0")])
    def test_limits_in_the_wrong_order(self, lower: str, upper: str):
        body = f'<limit lower="{lower}" upper="{upper}"/>'
        parts = f"expected lower ≤ upper, got lower {lower} and upper {upper}", "Exchange or correct the limits"
        refused_joint(body, *parts, kind="prismatic")

    @pytest.mark.parametrize("name", ["damping", "friction"])
    def test_negative_damping(self, name: str):
        body = f'<dynamics {name}="-1"/>'
        refused_joint(body, f"expected a {name} of at least 0, got -1", "Write it without the sign")
