"""Reading answers: every rule by hand-worked cases."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.profiles import blanks, dialogues, letters, short_answers

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
