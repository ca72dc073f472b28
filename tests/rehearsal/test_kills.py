"""``make kills`` in small, and that its comparison sees what it is there to see."""

import sys

import pytest

from tests.rehearsal.kills import rounds, table
from tests.rehearsal.notes import Deed, Differences, Known, Notes, Tables, Text, differ


def test_what_was_acknowledged_is_there_once_whatever_is_killed(capsys: pytest.CaptureFixture[str]) -> None:
    def say(line: str) -> None:
        with capsys.disabled():
            sys.stdout.write(f"{line}\n")

    outcome = rounds(3, 8, 3, say)
    assert outcome.differences == Differences(), "\n" + table(outcome)
    assert outcome.killed.total() == 3
    assert outcome.killed["database"] == outcome.killed["web process"] == 1
    assert outcome.sent == outcome.acknowledged + outcome.abandoned + outcome.refused
    assert {"create", "write", "edit", "star", "return"} <= set(outcome.of_teams)


A, B, C = (Text("annotator", 1, (caption,)) for caption in "abc")
# "a" was acknowledged, "b" never answered, "c" refused; then a draft was saved.
NOTES = Notes(sent={"a": A, "b": B, "c": C}, acknowledged={"a": 1}, refused={"c"}, drafts={1: (4, ("d",))})


@pytest.mark.parametrize(
    ("revisions", "found"),
    [
        ([("a", A, 1)], Differences()),
        ([("a", A, 1), ("b", B, 2)], Differences()),
        ([], Differences(lost=1)),
        ([("a", A, 2)], Differences(lost=1)),
        ([("a", B, 1)], Differences(lost=1, strange=1)),
        ([("a", Text("another", 1, ("a",)), 1)], Differences(lost=1, strange=1)),
        ([("a", A, 1), ("a", A, 2)], Differences(doubled=1)),
        ([("a", A, 1), ("b", B, 2), ("b", B, 3), ("b", B, 4)], Differences(doubled=2)),
        ([("a", A, 1), ("c", C, 2)], Differences(strange=1)),
        ([("a", A, 1), ("nobody's", Text("annotator", 1, ("e",)), 2)], Differences(strange=1)),
    ],
)
def test_the_comparison_sees_what_it_is_there_to_see(
    revisions: list[tuple[str, Text, int]], found: Differences
) -> None:
    assert differ(Known(NOTES.acknowledged), Tables(revisions, {1: (4, ("d",))}, 0), [NOTES], over=True) == found


@pytest.mark.parametrize("kept", [{}, {1: (3, ("d",))}, {1: (4, ("e",))}])
def test_a_draft_that_was_acknowledged_is_missed(kept: dict[int, tuple[int, tuple[str, ...]]]) -> None:
    tables = Tables([("a", A, 1)], kept, 0)
    assert differ(Known(NOTES.acknowledged), tables, [NOTES], over=True) == Differences(drafts_lost=1)
    assert differ(Known(NOTES.acknowledged), tables, [NOTES], over=False) == Differences()


STAR, RETURN = Deed("colleague", "star", 1, 2), Deed("colleague", "return", 1, 3)
# "s" was acknowledged, "t" never answered, "r" refused.
CHECKED = Notes(deeds={"s": STAR, "t": RETURN, "r": STAR}, done={"s": 1}, refused={"r"})


@pytest.mark.parametrize(
    ("deeds", "without_star", "found"),
    [
        ([("s", STAR, 1)], 0, Differences()),
        ([("s", STAR, 1), ("t", RETURN, 1)], 0, Differences()),
        ([], 0, Differences(lost=1)),
        ([("s", STAR, 2)], 0, Differences(lost=1)),
        ([("s", RETURN, 1)], 0, Differences(lost=1, strange=1)),
        ([("s", STAR, 1), ("s", STAR, 1)], 0, Differences(doubled=1)),
        ([("s", STAR, 1), ("r", STAR, 1)], 0, Differences(strange=1)),
        ([("s", STAR, 1)], 1, Differences(without_star=1)),
    ],
)
def test_the_comparison_sees_stars_that_are_lost_and_acceptance_without_one(
    deeds: list[tuple[str, Deed, int]], without_star: int, found: Differences
) -> None:
    tables = Tables([], {}, 0, deeds, without_star)
    assert differ(Known({}, CHECKED.done), tables, [CHECKED], over=True) == found
