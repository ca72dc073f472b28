"""``python -m tests.rehearsal.kills`` in small, and that its comparison sees what it is there to see."""

import sys

import pytest

from tests.rehearsal.kills import Differences, rounds, table


def test_what_was_acknowledged_is_there_once_whatever_is_killed(capsys: pytest.CaptureFixture[str]) -> None:
    def say(line: str) -> None:
        with capsys.disabled():
            sys.stdout.write(f"{line}\n")

    outcome = rounds(3, 8, 3, say)
    assert outcome.differences == Differences(), "\n" + table(outcome)
    assert outcome.killed.total() == 3
    assert outcome.killed["database"] == outcome.killed["web process"] == 1
    assert outcome.sent == outcome.acknowledged + outcome.abandoned + outcome.refused
