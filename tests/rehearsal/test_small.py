"""``make rehearsal`` in small: four packages, eight people, every kind of death, the exact counts."""

import sys

import pytest

from tests.rehearsal.ledger import FULL, SMALL, expected
from tests.rehearsal.play import rehearse, table


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
