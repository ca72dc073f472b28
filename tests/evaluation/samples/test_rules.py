"""What a person may read in a reply, which part of it the rules read, and results by question."""

import pytest

from evaluation.profiles.base import Unit
from evaluation.profiles.registry import PROFILES
from evaluation.profiles.results import LONGEST_EXTRACT, results_of
from evaluation.samples.rules import (
    Form,
    OtherLetters,
    answer_text,
    evidence,
    form_of,
    override_answer,
    result_of,
    shares,
)
from evaluation.suites.rules import SUITES, Entry

OPTIONS = ["茶", "酒", "水", "油"]
CHOICE = Entry("1", 1, "x", {"question": "?", "options": OPTIONS}, options=tuple(OPTIONS), names=tuple("ABCD"))


def marked(profile, text):
    """The part of a reply that decides, and what is read."""
    row = {"id": "1", "response": text}
    read = lambda other: result_of(PROFILES[profile], CHOICE, "B", {**row, "response": other}).extracted  # noqa: E731
    letter = read(text)
    place = evidence(text, letter, OPTIONS, read)
    return letter, place and (text[: place[0]][-4:], text[slice(*place)])


@pytest.mark.parametrize(
    ("profile", "text", "letter", "part"),
    [
        ("tcc-mcq/robust", "选A吗？不，𠮷，答案：B", "B", ("答案：", "B")),
        ("tcc-mcq/robust", "A？更正：答案是Ｂ。", "B", ("答案是", "Ｂ")),
        ("tcc-mcq/robust", "图里是酒。", "B", ("图里是", "酒")),
        ("tcc-mcq/paper", "(A) 不对\n答案 C 或 B", "B", ("C 或 ", "B")),
        ("tcc-mcq/paper", "看不出来", None, None),
        ("cvqa-mcq/generated", "The answer is (C).", "C", ("is (", "C")),
        ("vistai-mcq/robust", "b", "B", ("", "b")),
    ],
)
def test_the_part_that_decides_is_marked(profile, text, letter, part):
    found, place = marked(profile, text)
    assert (found, place and place[1]) == (letter, part and part[1])
    assert place is None or place[0].endswith(part[0][-2:])


def test_a_long_reply_is_searched_in_bounded_time():
    reads = []

    def read(text):
        reads.append(text)
        return "B"

    assert evidence("AB" * 40_000, "B", OPTIONS, read) is None
    assert len(reads) <= 50


def test_a_text_that_is_read_as_a_whole_is_marked_without_its_blanks():
    assert evidence(" 竹子\n", "竹子", (), lambda text: text.strip()) == (1, 3)
    assert evidence("", "", (), str) is None
    assert evidence("(1, 2), (3, 4)", [1.0, 2.0, 2.0, 2.0], (), str) is None


@pytest.mark.parametrize(
    ("suite", "type_", "form"),
    [
        ("cvqa", "", Form("letter", "ABCD")),
        ("tcc", "", Form("letter", "ABCD")),
        ("vistai", "", Form("letter", "ABCD")),
        ("cmmu", "MCQ", Form("letter", "ABCD")),
        ("cmmu", "MRQ", Form("letters", "ABCD")),
        ("cmmu", "FBQ", None),
        ("vqa", "", Form("text", "")),
        ("grounding", "", None),
        ("vistai-dialogue", "", None),
    ],
)
def test_a_suite_says_how_a_reply_is_read(suite, type_, form):
    assert form_of(SUITES[suite], Entry("1", 1, "x", {"options": OPTIONS}, type=type_)) == form


LETTER, LETTERS, TEXT = Form("letter", "ABCD"), Form("letters", "ABCD"), Form("text", "")


@pytest.mark.parametrize(
    ("form", "answer", "read"),
    [
        (LETTER, "B", "B"),
        (LETTER, " b ", "B"),
        (LETTER, "Ｂ", "B"),
        (LETTER, None, None),
        (LETTER, "  ", None),
        (LETTERS, "ca", "AC"),
        (LETTERS, "D", "D"),
        (TEXT, " 竹子 ", "竹子"),
        (TEXT, "", None),
    ],
)
def test_an_answer_is_written_as_profiles_read_it(form, answer, read):
    assert override_answer(form, answer) == read


@pytest.mark.parametrize(
    ("form", "answer"),
    [(LETTER, "E"), (LETTER, "AB"), (LETTER, "茶"), (LETTERS, "AA"), (LETTERS, "A C"), (LETTERS, "AE")],
)
def test_other_letters_are_rejected(form, answer):
    with pytest.raises(OtherLetters):
        override_answer(form, answer)


def test_shares_add_up_also_for_unlikely_candidates():
    assert shares([-2000.0, -2000.0]) == [0.5, 0.5]
    assert sum(shares([-1.0, -5.0, -900.0])) == pytest.approx(1)


def test_answers_are_written_for_people():
    assert [answer_text(one) for one in (None, "B", [1.0, 2.5, 30.0, 4.0], ["A", None])] == [
        "",
        "B",
        "1, 2.5, 30, 4",
        "A, ",
    ]


@pytest.mark.parametrize(
    ("status", "values", "outcome"),
    [
        ("scored", {"accuracy": 1.0}, "right"),
        ("scored", {"accuracy": 0.0}, "wrong"),
        ("scored", {}, "scored"),
        ("unparsable", {"accuracy": 0.0}, "unparsed"),
        ("refused", {"accuracy": 0.0}, "refused"),
        ("failed", {"accuracy": 0.0}, "failed"),
        ("missing", {}, "missing"),
    ],
)
def test_every_status_has_an_outcome(status, values, outcome):
    unit = Unit("1", "x", {}, status, values, "字" * 600)
    (result,) = results_of(PROFILES["tcc-mcq/paper"], unit)
    assert (result.outcome, result.value, len(result.extracted)) == (outcome, values.get("accuracy"), LONGEST_EXTRACT)


def test_a_box_is_right_by_its_overlap():
    (result,) = results_of(PROFILES["cvlue-vg/paper"], Unit("1", "x", {}, "scored", {"IoU": 0.4, "IoU>0.5": 0.0}))
    assert (result.outcome, result.value) == ("wrong", 0)
