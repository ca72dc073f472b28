"""``make rehearsal`` in small: CVLUE's five kinds by eight people, three teams, every death, exact counts."""

import sys

import pytest

from tests.rehearsal.ledger import BOXES, FULL, QUESTIONS, SMALL, expected
from tests.rehearsal.pair_play import PAIRS
from tests.rehearsal.play import rehearse, table
from tests.rehearsal.team_play import expected as expected_of_teams


def test_a_team_makes_a_benchmark_from_nothing_to_the_leaderboard_and_loses_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def say(line: str) -> None:
        with capsys.disabled():
            sys.stdout.write(f"{line}\n")

    planned, seen = rehearse(SMALL, say)
    assert seen == planned, "\n" + table(planned, seen)


def test_the_whole_rehearsal_expects_what_its_script_says() -> None:
    whole = expected(FULL)
    assert (whole["items made"], whole["packages passed"], whole["draws"]) == (240, 24, 27)
    assert (whole["items returned by inspection"], whole["items returned by review"]) == (9, 4)
    assert (whole["items corrected by review"], whole["items written again"]) == (3, 34)
    assert (whole["revisions"], whole["verdicts of review"], whole["doubled"], whole["lost"]) == (277, 274, 0, 0)


def test_questions_are_made_beside_captions_by_the_same_people():
    questions = expected(QUESTIONS[FULL])
    assert (questions["items made"], questions["packages passed"], questions["draws"]) == (60, 6, 7)
    assert (questions["revisions"], questions["verdicts of review"]) == (73, 72)
    small = expected(QUESTIONS[SMALL])
    assert (small["items made"], small["items returned by review"], small["packages returned by inspection"]) == (
        20,
        2,
        1,
    )


def test_boxes_are_drawn_beside_them_and_some_by_two_people():
    boxes = expected(BOXES[FULL])
    assert (boxes["pictures"], boxes["items made"], boxes["packages passed"], boxes["draws"]) == (60, 63, 6, 6)
    assert (boxes["revisions"], boxes["verdicts of review"], boxes["pictures done by two people"]) == (65, 65, 3)


def test_two_people_write_on_what_is_accepted():
    pairs = PAIRS[FULL]
    assert [pairs.failures(n) for n in range(6)] == [2, 2, 1, 1, 1, 0]
    assert [pairs.rounds(n) for n in range(6)] == [2, 2, 2, 2, 2, 1]
    assert (sum(pairs.rounds(n) for n in range(pairs.pictures)), pairs.accidents) == (29, 48)


def test_the_teams_script_has_what_it_is_there_to_show() -> None:
    teams = expected_of_teams()
    assert (teams["teams: questions accepted"], teams["teams: stars"], teams["teams: revisions"]) == (27, 27, 33)
    assert (teams["teams: sent back"], teams["teams: by a colleague or the curator"]) == (3, 3)
    assert (teams["teams: questions discarded"], teams["teams: rows in arz-EG"]) == (3, 9)
