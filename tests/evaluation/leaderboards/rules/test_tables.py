"""Tables: nothing a spreadsheet would run, nothing LaTeX would obey, the same bytes each time."""

import csv
import io

import pytest

from curation.charts.latex import escaped
from evaluation.leaderboards.rules.cells import Board, Cell, Group, System, display_names
from evaluation.leaderboards.rules.pairs import fourfold
from evaluation.leaderboards.rules.tables import to_csv, to_latex

METRICS = ("R@1", "R@5")


def board(*named, group_by="", groups=()):
    systems = [System(n, name, f"s{n}", "a1b2c3d4e5f6a7b8", False, False) for n, name in enumerate(named, 1)]
    cells = [
        Cell(s.key, "t2i", metric, group.key, 0.25 * s.key, 0.125, 0.5, 8, 8, 0, 0)
        for s in systems
        for metric in METRICS
        for group in (groups or [Group("", "")])
    ]
    return Board("captions-v1", "retrieval/ties-against", "0" * 64, group_by, ("t2i",), METRICS, systems, groups, cells)


@pytest.mark.parametrize("name", ["=1+1", "  =1+1", "＝1"])
def test_no_text_is_a_formula(name):
    (first, _) = csv.DictReader(io.StringIO(to_csv(board(name)).decode("utf-8-sig"), newline=""))
    assert (first["name"], first["value"], first["n_scored"]) == (f"'{name}", "0.25", "8")


def test_a_number_that_does_not_exist_is_an_empty_cell():
    given = board("a")
    given = given._replace(cells=[given.cells[0]._replace(value=None, low=None, high=None, n_scored=0)])
    (only,) = csv.DictReader(io.StringIO(to_csv(given).decode("utf-8-sig")))
    assert (only["value"], only["low"], only["n_scored"]) == ("", "", "0")
    assert " & -- & -- \\\\" in to_latex(given, lang="en").decode()


def test_latex_sets_what_stands_there():
    assert escaped(r"a_b & 50% $x$ #1 {y} ~ ^ \input{/etc/passwd} [z]") == (
        r"a\_b \& 50\% \$x\$ \#1 \{y\} \textasciitilde{} \textasciicircum{} "
        r"\textbackslash{}input\{/etc/passwd\} {[}z{]}"
    )
    table = to_latex(board("a\n\\input{x}"), lang="en").decode()
    assert "\\input" not in table
    assert "a \\textbackslash{}input\\{x\\} & " in table


def test_the_best_of_a_column_is_bold_and_so_is_its_equal():
    given = board("a", "b", "c")
    given = given._replace(cells=[c._replace(value=0.50001) if c.system == 3 else c for c in given.cells])
    lines = [line for line in to_latex(given, lang="en").decode().splitlines() if line[:2] in ("a ", "b ", "c ")]
    shown = "{\\scriptsize [12.5, 50.0]}"
    assert lines == [
        f"a & 25.0 {shown} & 25.0 {shown} \\\\",
        f"b & \\textbf{{50.0}} {shown} & \\textbf{{50.0}} {shown} \\\\",
        f"c & \\textbf{{50.0}} {shown} & \\textbf{{50.0}} {shown} \\\\",
    ]


def test_groups_are_lines():
    groups = (Group("coco", "与 MS-COCO 重合"), Group("closest", "文化关联最密切"))
    table = to_latex(board("a", "b", group_by="distance", groups=groups), lang="zh-Hans").decode()
    assert "文化距离 & a & b \\\\" in table
    assert table.index("与 MS-COCO 重合 & 25.0") < table.index("文化关联最密切 & 25.0")


def test_systems_of_one_name_are_told_apart():
    given = board("a", "a", "b", "c", "c", "c", "d", "d", "e", "e")
    more = [
        {},
        {"revision": "b1b2c3d4e5f6a7b8"},
        {"is_demo": True, "lacks": True},
        {"manner": ("letter", "zh")},
        {"manner": ("letter", "en")},
        {"manner": ("letter", "en"), "is_blind": True},
        {"row": "submission-1"},
        {"row": "submission-2"},
        {"row": "run-3", "manner": ("letter", "zh")},
        {"row": "submission-4", "revision": ""},
    ]
    given = given._replace(systems=[s._replace(**facts) for s, facts in zip(given.systems, more, strict=True)])
    assert list(display_names(given.systems, "en").values()) == [
        "a @ a1b2c3d4e5f6",
        "a @ b1b2c3d4e5f6",
        "b (demo, incomplete)",
        "c zh",
        "c en",
        "c en (no picture)",
        "d #submission-1",
        "d #submission-2",
        "e @ a1b2c3d4e5f6",
        "e",
    ]


def test_common_units_are_counted_by_picture():
    one = {"b": {"1": 1, "2": 0}, "a": {"3": 1, "4": 1, "5": 0}, "only": {"6": 1}}
    other = {"b": {"1": 0, "2": 0}, "a": {"3": 1, "4": 0}, "c": {"7": 1}}
    assert fourfold(one, other).tolist() == [[2, 1, 1, 0], [2, 0, 1, 0]]
    assert fourfold(other, one).tolist() == [[2, 1, 0, 1], [2, 0, 0, 1]]
    assert fourfold(one, {}).shape == (0, 4)
