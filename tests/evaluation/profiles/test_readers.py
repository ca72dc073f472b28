"""Reading answers: every rule by hand-worked cases."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.profiles import blanks, dialogues, letters, short_answers
from evaluation.profiles.base import Gold
from evaluation.profiles.boxes import in_pixels, predicted_box
from evaluation.profiles.rows import Row, WrongInput

DATA = Path(__file__).parents[2] / "data" / "metrics"


def cases(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((DATA / f"{name}.json").read_text())
    return found


@pytest.mark.parametrize("case", cases("letters"), ids=lambda c: f"{c['reader']}: {c['response'][:24]!r}")
def test_letters(case: dict[str, Any]) -> None:
    read = getattr(letters, case["reader"])
    found = read(case["response"], case["options"]) if "options" in case else read(case["response"])
    assert (found.letters, found.rule) == (case["letters"], case["rule"]), case["comment"]


def test_every_rule_of_the_readers_has_a_case() -> None:
    seen = {case["rule"] for case in cases("letters") if case["reader"].startswith("robust")}
    assert seen == {
        "one letter",
        "announced",
        "refused",
        "leading letter",
        "text of the option",
        "brackets",
        "alone",
        "",
    }


@given(st.text(max_size=200), st.lists(st.text(min_size=1, max_size=8), min_size=2, max_size=6))
def test_readers_take_any_text(said: str, options: list[str]) -> None:
    valid = {*"ABCDEFGHIJ"[: len(options)]}
    found = letters.robust(said, options)
    assert found.letters is None or found.letters in valid
    for read in (
        letters.tcc_official,
        letters.cmmu_single,
        letters.cmmu_multiple,
        letters.vistai_official,
        letters.generated,
    ):
        assert isinstance(read(said), letters.Read)


_PIECES = [
    *(
        "最终答案是",
        "正确选项：",
        "我的選項",
        "標準答案應該為",
        "答案 (",
        "故选",
        "应選擇的是",
        "因此选",
        "还是选了",
        "改為選項",
        "更正:",
    ),
    *(
        "抱歉",
        "无法回答",
        "不能提供",
        "對不起",
        "很遗憾",
        "作为一个AI",
        "没有提供图",
        "我沒有看到",
        "图中有人",
        "《",
        "选项",
        "。",
    ),
    *("The correct answer is ", "my choice: ", "ANSWER=", "I'd choose ", "i would go with", "pick ", "Select "),
    *("correction: ", "corrected=", "best option would be ", "there is a gate", "option ", "Sorry", "I can't"),
    *("I'm unable", "I 'm not able", "cannot see", "as an AI", "\n", "İ", "ſ", "A", " B ", "ab"),
]
_NEGATIONS = ["不是", "并非", "不能選", "排除", "非", "除了", "ISN'T", "Neither", "rule  out"]


@given(st.lists(st.sampled_from(_PIECES), max_size=12).map("".join))
def test_looking_at_the_first_character_first_changes_no_match(text: str) -> None:
    for pattern in (letters._ANNOUNCED, letters._REFUSED):
        first = re.match(r"\(\?=\[(.*?)\]\)", pattern.pattern)
        assert first is not None
        plain = re.compile(pattern.pattern.removeprefix(first[0]), re.IGNORECASE)
        text = letters.normalize("NFKC", text)
        assert [m.span() for m in pattern.finditer(text)] == [m.span() for m in plain.finditer(text)]


@given(st.lists(st.sampled_from([*_PIECES, *_NEGATIONS])))
def test_the_last_character_decides_nothing_that_a_negation_would_not(pieces: list[str]) -> None:
    text = letters.normalize("NFKC", "".join(pieces))
    for end in range(len(text) + 1):
        before = text[:end].rstrip()
        ruled_out = re.search(r"rule\s+out\Z", before, re.IGNORECASE)
        assert letters._is_negated(text, end) == bool(letters._NEGATED.search(before) or ruled_out)


def test_a_short_reply_is_remembered_with_its_options() -> None:
    for options in (["石碑", "牌坊"], ["牌坊", "石碑"]) * 2:
        letter = "AB"[options.index("石碑")]
        assert letters.robust("图中是石碑", options) == letters.Read(letter, "text of the option")
    assert letters.robust("E", count=4) == letters.NOTHING
    assert letters.robust("E", count=5) == letters.Read("E", "one letter")


@pytest.mark.parametrize("case", cases("short_answers"), ids=lambda c: f"{c['gold']}: {c['answer']}")
def test_short_answers(case: dict[str, Any]) -> None:
    asked = case["gold"], case["answer"]
    assert short_answers.cvlue(*asked) == case["official"], case["comment"]
    assert short_answers.cvlue(*asked, strict=True) == case["strict"], case["comment"]
    assert short_answers.exact(*asked) == case["exact"], case["comment"]


@pytest.mark.parametrize("case", cases("blanks"), ids=lambda c: f"{c['gold']}: {c['answer']}")
def test_blanks_by_rules(case: dict[str, Any]) -> None:
    assert blanks.matches_by_rules(case["gold"], case["answer"]) == case["right"], case["comment"]


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ("{'analysis': '', 'correct': 1}", 1.0),
        ('{"analysis": "", "correct": 0}', 0.0),
        ('{"analysis": "x", "correct": true}', 0.0),  # JSON, but no Python: the search finds no 1
        ('broken { "correct" : 1', 1.0),
        ("I think so", None),
    ],
)
def test_replies_of_the_judge_of_blanks(reply: str, value: float | None) -> None:
    assert blanks.judge_verdict(reply) == value


@pytest.mark.parametrize("case", cases("votes"), ids=lambda c: c["reply"])
def test_votes(case: dict[str, Any]) -> None:
    assert dialogues.vote_as_published(case["reply"]) == case["official"], case["comment"]
    assert dialogues.vote(case["reply"]) == case["robust"], case["comment"]


# --- boxes ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("response", "more", "pixels"),
    [
        # Of a picture of 400 × 200.
        ("<box>(100,200),(300,400)</box>", {}, [40, 40, 80, 40]),
        ("<ref>左数第3,4,5,6只</ref><box>[[100, 200, 300, 400]]</box>", {}, [40, 40, 80, 40]),
        (
            "<|object_ref_start|>1,2,3,4<|object_ref_end|><|box_start|>(100,200),(300,400)<|box_end|>",
            {},
            [40, 40, 80, 40],
        ),
        ("(100,200),(300,400)", {"box_form": "grid1000"}, [40, 40, 80, 40]),
        ("[[100, 200, 300, 400]]", {"box_form": "grid1000"}, [40, 40, 80, 40]),
        (
            '```json\n[{"bbox_2d": [100, 200, 300, 400], "label": "1,2,3,4"}]\n```',
            {"box_form": "grid1000"},
            [40, 40, 80, 40],
        ),
        ('{"label": "1,2,3,4", "bbox_2d": [10, 20, 30, 40]}', {"box_form": "xyxy"}, [10, 20, 20, 20]),
        ('[{"bbox_2d": [10, 20, 30, 40]}]', {"box_form": "xyxy", "resized": [100, 100]}, [40, 40, 80, 40]),
        ("<box>(10,20),(30,40)</box>", {"box_form": "xyxy", "resized": [100, 100]}, [40, 40, 80, 40]),
        ("[10, 20, 30, 40]", {}, [10, 20, 30, 40]),
        ([10, 20, 30, 40], {"resized": [100, 100]}, [40, 40, 120, 80]),
        ("[0.1, 0.2, 0.3, 0.4]", {"box_form": "fraction"}, [40, 40, 80, 40]),
        # The mark is there, and the numbers are before it.
        ("(100,200),(300,400)<box>", {}, [40, 40, 80, 40]),
        ("<box></box>", {}, None),
        ("没有", {"box_form": "xyxy", "resized": [100, 100]}, None),
    ],
)
def test_boxes(response: Any, more: dict[str, Any], pixels: list[float] | None) -> None:
    row = predicted_box(Row("file", 1, {"response": response, **more}))
    found = in_pixels(Gold("1", [0.0] * 4, "a", {}, {"width": 400, "height": 200}), row)
    assert found == (None if pixels is None else pytest.approx(pixels))


def test_pixels_of_a_resized_picture_need_the_size_of_the_original() -> None:
    gold = Gold("1", [0.0] * 4, "a", {}, {"width": None, "height": None})
    for form in ("xywh", "xyxy"):
        row = Row("file", 1, {"response": [1, 2, 3, 4], "box_form": form, "resized": [100, 100]})
        assert in_pixels(gold, predicted_box(row)) is None
    assert in_pixels(gold, predicted_box(Row("file", 1, {"response": [1, 2, 3, 4]}))) == [1, 2, 3, 4]


@pytest.mark.parametrize("fields", [{"box_form": "yxyx"}, {"resized": [100]}, {"resized": [0, 10]}])
def test_an_unknown_form_and_a_wrong_size_are_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(WrongInput, match=next(iter(fields))):
        predicted_box(Row("file", 1, {"response": "[1, 2, 3, 4]", **fields}))


def test_texts_that_are_equal_but_for_case_fold_alike() -> None:
    cased = "".join(c for c in map(chr, range(0x110000)) if c != c.lower() or c != c.upper())
    for character in cased:
        equal = re.findall(re.escape(character), cased, re.IGNORECASE)
        assert {letters._folded(one) for one in equal} == {letters._folded(character)}
