"""Bars of counts: in the order of the counts, each with its number and share."""

from curation.charts.bars import bars
from curation.charts.drawing import svg

COUNTS = {"器物 <b>": 6, "Diet": 0, "Music": 2}


def define(counts, **more):
    return bars(counts, **({"title": "Questions", "subtitle": "8 questions", "lang": "en", "theme": "light"} | more))


def test_each_bar_has_its_number_and_its_share_of_all():
    defined = define(COUNTS)
    assert defined["data"]["values"] == [
        {"label": "器物 <b>", "count": 6, "number": "6 (75.0%)"},
        {"label": "Diet", "count": 0, "number": "0 (0.0%)"},
        {"label": "Music", "count": 2, "number": "2 (25.0%)"},
    ]
    assert defined["encoding"]["y"]["sort"] == [*COUNTS]


def test_equal_counts_are_drawn_as_equal_bytes_with_text_as_text():
    first, again = svg(define(COUNTS)), svg(define(dict(COUNTS)))
    assert first == again
    assert "器物 &lt;b&gt;".encode() in first
    assert first != svg(define(COUNTS, theme="dark"))


def test_numbers_behind_the_longest_bar_have_room_and_long_labels_are_cut():
    defined = define({"x" * 200: 1_000_000})
    assert defined["encoding"]["x"]["scale"]["domain"] == [0, 1_300_000]
    assert defined["data"]["values"][0]["label"].endswith("…")


def test_without_counts_the_drawing_is_empty():
    assert svg(define({})).startswith(b"<svg")
