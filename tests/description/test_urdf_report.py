"""What `read_urdf` reports: nothing is passed over in silence, and only what deserves a warning is a problem."""

import warnings

import pytest

from jaxdyn.description import LoaderWarning, ModelReport, ReportEntry, read_urdf

pytest.importorskip("lxml")


def report_of(body: str) -> ModelReport:
    return read_urdf(f'<robot name="r">\n{body}\n</robot>').report


def messages(report: ModelReport, severity: str) -> list[str]:
    return [entry.message for entry in report if entry.severity == severity]


def inertial(moments: str, mass: float = 1.0) -> str:
    xx, yy, zz = moments.split()
    products = 'ixy="0" ixz="0" iyz="0"'
    return f'<inertial><mass value="{mass}"/><inertia ixx="{xx}" iyy="{yy}" izz="{zz}" {products}/></inertial>'


MASSLESS_LINK = '<link name="a"/>'


def two_links(joint: str, kind: str = "revolute", base: str = MASSLESS_LINK) -> str:
    links = f'{base}<link name="b">{inertial("1 1 1")}</link>'
    return f'{links}<joint name="j" type="{kind}"><parent link="a"/><child link="b"/>{joint}</joint>'


def chain(*kinds: str, loaded: tuple[int, ...] = ()) -> str:
    """Links 0, 1, ... in a row; those that are named in `loaded` have a mass."""
    links = [f'<link name="{i}">{inertial("1 1 1") if i in loaded else ""}</link>' for i in range(len(kinds) + 1)]
    joints = [
        f'<joint name="j{i}" type="{kind}"><parent link="{i}"/><child link="{i + 1}"/></joint>'
        for i, kind in enumerate(kinds)
    ]
    return "".join(links + joints)


class TestIgnored:
    def test_tags_are_counted_with_their_lines(self):
        report = report_of('<link name="a"/>\n<transmission/>\n<gazebo/>\n<transmission/>')
        assert (
            str(report)
            == str(report.problems)
            == "<text>:\n  ignored: transmission x2 (lines 3, 5)\n  ignored: gazebo (line 4)"
        )

    def test_long_lists_of_lines_are_cut(self):
        text = str(report_of('<link name="a"/>' + "\n<gazebo/>" * 9))
        assert text.endswith("ignored: gazebo x9 (lines 3, 4, 5, 6, 7, 8 and 3 more)")

    def test_unknown_tags_and_attributes(self):
        report = report_of('<link name="a" colour="red"><origin xyz="0 0 0"/></link><lamp/>')
        assert messages(report.problems, "ignored") == [
            "unknown attribute link@colour",
            "unknown tag origin in link",
            "unknown tag lamp in robot",
        ]
        assert [(entry.line, entry.owner) for entry in report] == [(2, "link `a`"), (2, "link `a`"), (2, "")]

    def test_unknown_parts_of_inner_tags(self):
        joint = '<axis xyz="0 0 1" frame="x"/><dynamics damping="1" K="7000"/><limit lower="0" upper="1" jerk="1"/>'
        report = report_of(two_links(joint))
        assert messages(report.problems, "ignored") == [
            "unknown attribute axis@frame",
            "unknown attribute dynamics@K",
            "unknown attribute limit@jerk",
        ]
        assert {entry.owner for entry in report} == {"joint `j`"}

    def test_what_cannot_change_the_motion_is_listed_but_no_problem(self):
        joint = '<limit lower="0" upper="1" effort="1" velocity="1"/><safety_controller/><calibration/>'
        report = report_of(
            "<material/><sensor/>" + two_links(joint, base='<link name="a"><visual/><collision/></link>')
        )
        assert set(messages(report, "ignored")) == {
            "material",
            "sensor",
            "visual",
            "collision",
            "limit@effort, not modelled yet",
            "limit@velocity, not modelled yet",
            "safety_controller",
            "calibration",
        }
        assert len(report.problems) == 0
        assert str(report.problems) == "<text>: nothing ignored, repaired or suspicious"

    def test_friction_is_a_problem_unless_it_is_zero(self):
        report = report_of(two_links('<dynamics friction="0.1"/>', "continuous"))
        assert messages(report.problems, "ignored") == ["dynamics@friction, not modelled yet"]
        assert len(report_of(two_links('<dynamics friction="0"/>', "continuous"))) == 0
        assert len(report_of(two_links('<dynamics friction="0.1"/>', "fixed"))) == 0

    def test_numbers_without_meaning_for_the_kind_of_joint(self):
        report = report_of(two_links('<limit lower="0" upper="1"/>', "continuous"))
        expected = ["limit@lower of a continuous joint", "limit@upper of a continuous joint"]
        assert messages(report, "ignored") == expected
        assert len(report.problems) == 0
        for kind in ("floating", "planar"):
            report = report_of(two_links('<dynamics damping="1"/>', kind))
            assert messages(report.problems, "ignored") == [f"dynamics@damping of a {kind} joint"]
        report = report_of(two_links('<limit lower="-1" upper="1"/>', "planar"))
        ignored = ["limit@lower of a planar joint", "limit@upper of a planar joint"]
        assert messages(report.problems, "ignored") == ignored
        assert messages(report_of(two_links('<mimic joint="k"/>', "fixed")), "ignored") == ["mimic of a fixed joint"]


class TestFollowers:
    """A joint `f` that mimics `l`, both with limits -1 and 1."""

    @pytest.mark.parametrize(
        ("mimic", "reach"), [('multiplier="2"', "-2 to 2"), ('multiplier="-1" offset="0.5"', "-0.5 to 1.5")]
    )
    def test_leader_goes_too_far(self, mimic: str, reach: str):
        (message,) = messages(report_of(followed(mimic)).problems, "suspicious")
        expected = f"mimics joint `l`, whose limits take it from {reach}, beyond its own limits -1 and 1; the leader's"
        assert message.startswith(expected)

    @pytest.mark.parametrize("mimic", ["", 'multiplier="-1"', 'multiplier="0.5" offset="0.5"', 'multiplier="0"'])
    def test_leader_does_not(self, mimic: str):
        assert not any("mimics" in message for message in messages(report_of(followed(mimic)), "suspicious"))

    def test_a_chain(self):
        """g = -(f - 0.7) and f = l + 0.5, so that g goes from -0.8 to 1.2."""
        chain = followed('offset="0.5"', '<mimic joint="f" multiplier="-1" offset="0.7"/>')
        first, second = messages(report_of(chain), "suspicious")[-2:]
        assert "take it from -0.5 to 1.5, beyond" in first
        assert "take it from -0.8 to 1.2, beyond" in second


def followed(mimic: str, mimic_of_g: str = "") -> str:
    joint = (
        '<joint name="{}" type="revolute"><parent link="a"/><child link="{}"/><limit lower="-1" upper="1"/>{}</joint>'
    )
    links = "".join(f'<link name="{name}">{inertial("1 1 1")}</link>' for name in "abcd")
    leader_and_follower = joint.format("l", "b", "") + joint.format("f", "c", f'<mimic joint="l" {mimic}/>')
    return links + leader_and_follower + joint.format("g", "d", mimic_of_g)


class TestRepaired:
    def test_robot_without_name(self, tmp_path):
        description = read_urdf('<robot><link name="a"/></robot>')
        assert description.name == "robot"
        assert messages(description.report.problems, "repaired") == ["the robot has no name; it is called `robot`"]
        path = tmp_path / "beetle.urdf"
        path.write_text('<robot><link name="a"/></robot>')
        assert read_urdf(path).name == "beetle"


class TestSuspiciousInertia:
    def test_triangle_inequality(self):
        (entry,) = report_of(f'\n<link name="a">{inertial("1 0.3 0.3")}</link>')
        assert str(entry) == (
            "suspicious: line 3, link `a`: inertia violates the triangle inequality: principal moments "
            "0.3, 0.3, 1 kg m², the largest exceeds the sum of the others by 0.4 kg m² (40 % of itself); "
            "kept as authored"
        )

    def test_triangle_inequality_of_the_principal_moments(self):
        inertia = '<inertia ixx="1" iyy="1" izz="1" ixy="1" ixz="1" iyz="1"/>'
        (message,) = messages(
            report_of(f'<link name="a"><inertial><mass value="1"/>{inertia}</inertial></link>'), "suspicious"
        )
        assert "principal moments 0, 0, 3 kg m²" in message

    @pytest.mark.parametrize("moments", ["1 1 2", "0.1 0.7 0.8", "1e-9 1e-9 2e-9", "0 1 1", "0 0 0"])
    def test_plates_rods_and_points_are_possible(self, moments: str):
        assert len(report_of(f'<link name="a">{inertial(moments)}</link>')) == 0

    def test_not_positive_semidefinite(self):
        (message,) = messages(report_of(f'<link name="a">{inertial("-0.1 1 1")}</link>'), "suspicious")
        assert message == "inertia is not positive semidefinite: principal moments -0.1, 1, 1 kg m²; kept as authored"

    def test_noise_below_the_rounding_of_the_robot(self):
        body = f'<link name="a">{inertial("1 1 1")}</link><link name="b">{inertial("-1e-20 0 1e-19")}</link>'
        assert len(report_of(f'{body}<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>')) == 0

    def test_moment_without_mass(self):
        (message,) = messages(report_of(f'<link name="a">{inertial("1 1 1", mass=0)}</link>'), "suspicious")
        assert message.startswith("has a moment of inertia without mass (principal moments 1, 1, 1 kg m²)")

    def test_mass_without_inertia(self):
        report = report_of('<link name="a"><inertial><mass value="1"/></inertial></link>')
        assert messages(report, "suspicious") == ["has a mass but no `<inertia>`; read as a point mass"]
        assert len(report_of('<link name="a"><inertial><mass value="0"/></inertial></link>')) == 0


class TestSuspiciousJoints:
    @pytest.mark.parametrize(("axis", "is_suspicious"), [("0 0 2", True), ("1 1 0", True), ("0 0 1.0009", False)])
    def test_norm_of_the_axis(self, axis: str, is_suspicious: bool):
        found = messages(report_of(two_links(f'<axis xyz="{axis}"/>', "continuous")), "suspicious")
        assert [message.startswith("axis has norm") for message in found] == [True] * is_suspicious
        assert len(report_of(two_links(f'<axis xyz="{axis}"/>', "fixed"))) == 0

    @pytest.mark.parametrize("kind", ["revolute", "prismatic"])
    def test_missing_limits(self, kind: str):
        def found(joint: str) -> list[str]:
            return messages(report_of(two_links(joint, kind)), "suspicious")

        assert found("") == ["has no lower and no upper position limit; read as unbounded there"]
        assert found('<limit upper="1"/>') == ["has no lower position limit; read as unbounded there"]
        assert found('<limit lower="-inf" upper="inf"/>') == []

    def test_equal_limits(self):
        found = messages(report_of(two_links('<limit lower="0" upper="0"/>')), "suspicious")
        assert found == ["lower and upper limit are both 0; the joint cannot move within them"]

    @pytest.mark.parametrize(
        ("body", "owners"),
        [
            (chain("continuous"), ["joint `j0`"]),
            (chain("floating"), ["joint `j0`"]),
            (chain("fixed"), []),
            (chain("continuous", loaded=(0,)), ["joint `j0`"]),
            (chain("continuous", loaded=(1,)), []),
            (chain("continuous", "continuous", loaded=(2,)), []),  # a universal joint
            (chain("continuous", "continuous", loaded=(1,)), ["joint `j1`"]),
            (chain("continuous", "fixed", "continuous"), ["joint `j0`"]),  # of a chain, the first
            (chain("fixed", "continuous", "fixed"), ["joint `j1`"]),
            (chain("continuous", "fixed", loaded=(2,)), []),
        ],
    )
    def test_joints_that_move_no_mass(self, body: str, owners: list[str]):
        found = [entry for entry in report_of(body) if "moves no mass" in entry.message]
        assert [entry.owner for entry in found] == owners

    def test_joint_from_the_world_that_moves_no_mass(self):
        body = '<link name="a"/><joint name="j" type="continuous"><parent link="world"/><child link="a"/></joint>'
        assert [entry.owner for entry in report_of(body)] == ["joint `j`"]


def test_entries_are_in_the_order_of_the_file():
    report = report_of(f'<link name="a">\n<lamp/>{inertial("-1 1 1")}</link>\n<gazebo/>')
    assert [entry.line for entry in report] == [2, 3, 4]


def test_a_report_can_be_warned_about():
    report = ModelReport(
        "a.urdf", (ReportEntry("ignored", "lamp", "a.urdf", 3), ReportEntry("repaired", "x", "a.urdf"))
    )
    with pytest.warns(LoaderWarning, match=r"a\.urdf:\n  ignored: lamp \(line 3\)\n  repaired: x"):
        warnings.warn(str(report), LoaderWarning, stacklevel=1)
