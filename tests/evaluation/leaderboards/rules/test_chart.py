"""Charts: one definition, drawn the same each time, with text as text and whiskers where the numbers have them."""

import io
import json
import os
import re
import signal
import xml.etree.ElementTree as ET

import pytest
from PIL import Image

from curation.charts import drawing
from curation.charts.drawing import NotDrawn, png, svg, writes_chinese
from evaluation.leaderboards.rules.cells import Board, Cell, Group, System
from evaluation.leaderboards.rules.chart import MOST_WITH_WHISKERS, define


def board(groups=(), name="花灯 <b>&系统</b>"):
    systems = [System(1, name, "a", "1", False, False), System(2, "b", "b", "1", True, True)]
    cells = [
        Cell(s.key, scope, metric, group.key, 0.25 * s.key, 0.25 * s.key - 0.125, 0.25 * s.key + 0.125, 8, 8, 0, 0)
        for s in systems
        for scope in ("t2i", "i2t")
        for metric in ("R@1", "R@5")
        for group in (groups or [Group("", "")])
    ]
    by = "category" if groups else ""
    return Board("captions-v1", "p", "0" * 64, by, ("t2i", "i2t"), ("R@1", "R@5"), systems, groups, cells)


def test_the_numbers_of_the_definition_are_those_of_the_board():
    found = define(board(), lang="en", theme="light")
    assert found["data"]["values"][0] == {
        "system": "花灯 <b>&系统</b>",
        "scope": "Text to picture",
        "series": "R@1",
        "value": 25.0,
        "low": 12.5,
        "high": 37.5,
    }
    assert len(found["data"]["values"]) == 8
    (points,) = found["spec"]["layer"]
    rule = points["layer"][0]["encoding"]
    assert (rule["x"]["field"], rule["x2"]["field"]) == ("low", "high")


def test_many_groups_are_a_heat_map_of_the_first_metric():
    few = tuple(Group(f"g{n}", f"组{n}") for n in range(MOST_WITH_WHISKERS))
    many = (*few, Group("more", "再一组"))
    whiskers, heat = (define(board(g), lang="zh-Hans", theme="light")["spec"]["layer"][0] for g in (few, many))
    assert (whiskers["layer"][0]["mark"]["type"], heat["mark"]) == ("rule", "rect")
    values = define(board(many), lang="zh-Hans", theme="light")["data"]["values"]
    assert len(values) == 2 * 2 * len(many)  # systems, ways, groups: R@1 alone


def questions(groups=(), chance=0.25):
    """A board of questions: a metric with the level of guessing, one without an interval, one that is no share."""
    base = board(groups)
    cells = [
        cell._replace(scope="", metric=metric, chance=chance if metric == "accuracy" else None, **more)
        for cell in base.cells
        if (cell.scope, cell.metric) == ("t2i", "R@1")
        for metric, more in (("accuracy", {}), ("plain", {"low": None, "high": None}), ("votes", {"value": 5.0}))
    ]
    return base._replace(scopes=[""], metrics=["accuracy", "plain", "votes"], cells=cells)


def test_questions_have_a_line_for_guessing_and_a_heat_map_of_any_number_of_groups():
    found = define(questions(), lang="en", theme="light")
    line, points = found["spec"]["layer"]
    assert (line["mark"]["type"], line["encoding"]["x"]["datum"], "y" in line["encoding"]) == ("rule", 25.0, False)
    assert points["encoding"]["yOffset"]["sort"] == ["Accuracy"]
    assert {value["series"] for value in found["data"]["values"]} == {"Accuracy"}
    assert found["title"]["subtitle"] == "Accuracy (%, whiskers: 95% interval; dashed line: guessing (25.0))"
    assert len(define(questions(chance=None), lang="en", theme="light")["spec"]["layer"]) == 1
    pairs = define(questions((Group("a", "甲"), Group("b", "乙"))), lang="zh-Hant", theme="light")
    assert pairs["spec"]["layer"][0]["mark"] == "rect"
    assert pairs["title"]["subtitle"] == "正確率"


def test_groups_without_intervals_are_a_heat_map_too():
    of_one = questions((Group("a", "甲"), Group("b", "乙")))
    of_one = of_one._replace(cells=[cell._replace(low=None, high=None) for cell in of_one.cells])
    drawn = define(of_one, lang="zh-Hans", theme="light")
    assert (drawn["spec"]["layer"][0]["mark"], drawn["title"]["subtitle"]) == ("rect", "正确率")
    assert {value["value"] for value in drawn["data"]["values"]} == {25.0, 50.0}
    assert b"<svg" in svg(drawn)


def test_a_drawing_is_the_same_each_time_and_its_text_is_text():
    definition = define(board(), lang="zh-Hans", theme="dark")
    drawn = svg(definition)
    drawing._drawn.cache_clear()
    assert svg(json.loads(json.dumps(definition))) == drawn
    texts = [e.text for e in ET.fromstring(drawn).iter("{http://www.w3.org/2000/svg}text")]  # noqa: S314 - our own
    assert {"花灯 <b>&系统</b>", "b (演示, 不全)", "由句子找图片", "由图片找句子", "captions-v1", "R@5"} <= set(texts)
    assert b"#1b1f25" in drawn  # the dark ground


@pytest.mark.parametrize("fonts", ["none", "absent"])
def test_a_png_is_drawn_with_whatever_fonts_there_are(fonts, tmp_path):
    folder = tmp_path / fonts
    if fonts == "none":
        folder.mkdir()
    with Image.open(io.BytesIO(png(define(board(), lang="en", theme="light"), fonts=folder))) as picture:
        assert (picture.format, picture.mode) == ("PNG", "RGBA")
        assert picture.width > 1200
    assert writes_chinese(folder) in (True, False)


def test_a_long_name_ends_in_an_ellipsis_rather_than_pushing_the_chart_away():
    long = define(board(name="花灯" * 40), lang="zh-Hans", theme="light")
    label = long["data"]["values"][0]["system"]
    assert (len(label) < 25, label[-1]) == (True, "…")
    assert long["spec"]["layer"][0]["encoding"]["y"]["axis"]["maxExtent"] <= 268


def twelve(name):
    """A board of one system in twelve manners: two ways to ask, with and without pictures, and three of examples."""
    manners = [
        ((asked, "3", f"{shots}-shot"), blind)
        for asked in ("cot", "direct")
        for blind in (False, True)
        for shots in (0, 1, 3)
    ]
    systems = [
        System(key, name, "a", "1", True, False, f"run-{key}", manner, blind)
        for key, (manner, blind) in enumerate(manners, 1)
    ]
    cells = [Cell(n, "", "accuracy", "", n / 16, n / 16 - 0.01, n / 16 + 0.01, 8, 8, 0, 0) for n in range(1, 13)]
    return Board("set-1", "p", "", "", ("",), ("accuracy",), systems, (), cells)


MARK = re.compile(r'aria-roledescription="point" transform="([^"]*)"')


def test_twelve_runs_of_one_system_are_twelve_rows_of_a_chart():
    found = define(twelve("Demo scripted replies"), lang="en", theme="light")
    labels = [value["system"] for value in found["data"]["values"]]
    assert (labels[0], labels[-1]) == (
        "Demo scripted repl… cot 0-shot (demo)",
        "Dem… direct 3-shot (no picture, demo)",
    )
    assert (len(set(labels)), found["spec"]["layer"][0]["encoding"]["y"]["sort"]) == (12, labels)
    assert len(set(MARK.findall(svg(found).decode()))) == 12


def test_rows_that_would_be_cut_to_equality_end_in_the_runs_number():
    runs = twelve("花灯" * 40)
    long = [one._replace(manner=(f"{'x' * 60}{one.key}",), is_blind=False) for one in runs.systems]
    found = define(runs._replace(systems=long), lang="en", theme="light")
    labels = [value["system"] for value in found["data"]["values"]]
    assert [label.rpartition("… ")[2] for label in labels] == [f"#run-{n}" for n in range(1, 13)]
    alike = twelve("a")
    alike = alike._replace(systems=[one._replace(manner=(), is_blind=False) for one in alike.systems])
    labels = [value["system"] for value in define(alike, lang="en", theme="light")["data"]["values"]]
    assert labels == [f"a #run-{n} (demo)" for n in range(1, 13)]


@pytest.mark.parametrize("lang", ["zh-Hans", "zh-Hant", "en"])
def test_headings_of_a_narrow_heat_map_have_room(lang):
    many = tuple(Group(f"g{n}", f"组{n}") for n in range(MOST_WITH_WHISKERS + 1))
    one = board(many)
    one = one._replace(systems=one.systems[:1], cells=[cell for cell in one.cells if cell.system == 1])
    found = define(one, lang=lang, theme="light")
    assert found["spec"]["width"] >= (13 * 6 if lang != "en" else 13 * 0.58 * len("Text to picture"))
    assert define(board(many), lang=lang, theme="light")["spec"]["width"] >= 2 * 46


def test_a_refused_definition_says_why_and_the_next_is_drawn():
    with pytest.raises(NotDrawn, match="conversion failed"):
        svg({"mark": 7, "data": {"values": []}})
    assert svg(define(board(name="next"), lang="en", theme="light")).startswith(b"<svg")


def test_a_process_that_was_killed_is_replaced():
    svg(define(board(name="before"), lang="en", theme="light"))
    before = drawing._ARTIST._process
    os.kill(before.pid, signal.SIGKILL)
    assert svg(define(board(name="after"), lang="en", theme="light")).startswith(b"<svg")
    assert drawing._ARTIST._process.pid != before.pid


def test_a_drawing_that_takes_too_long_is_given_up(monkeypatch):
    monkeypatch.setattr(drawing, "LONGEST_S", 0.0)
    with pytest.raises(NotDrawn, match="no answer"):
        svg(define(board(name="slow"), lang="en", theme="light"))
    assert drawing._ARTIST._process is None


def test_equal_charts_come_from_one_process():
    svg(define(board(name="one"), lang="en", theme="light"))
    first = drawing._ARTIST._process.pid
    png(define(board(name="two"), lang="en", theme="dark"))
    assert drawing._ARTIST._process.pid == first
