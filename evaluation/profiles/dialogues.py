"""Profiles of VisTai-Dialogue: scores that a judge model gives to free answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from curation.core.text import normalize
from evaluation.profiles.base import Answers, Gold, Profile, Status, Unit, picture_of, tags_of
from evaluation.profiles.rows import Row, WrongInput

_VOTES: Final = 5  # the published code counts no more of an item
_MARKER: Final = "[評分]: "
_SCORE: Final = re.compile(
    r"(?:评分|評分|分数|分數|得分|score|rating)[\])】*\s]*(?:(?:[:是为為=]+|[\[(【])[\s*\[(【]*)?(-?\d+(?:\.\d+)?)",
    re.IGNORECASE,
)
_BARE: Final = re.compile(r"\s*(-?\d+(?:\.\d+)?)\s*(?:(?:分|/\s*10)\s*)?(?:\.\s*)?")


def gold(row: Row) -> Iterator[Gold]:
    """Read VisTai-Dialogue's rows ``{thread_id, question, ground_truth}`` or plain ones; ids of 19 digits stay text."""
    name = row.id("id", "thread_id", "question_id")
    yield Gold(
        name,
        row.fields.get("gold", row.fields.get("ground_truth")) or "",  # the judge needs it, scoring its votes does not
        picture_of(row.fields, name),
        tags_of(row.fields),
        {},
    )


def _name(row: Row) -> str:
    return row.id("id", "thread_id", "question_id")


def _keep(row: Row) -> dict[str, Any]:
    """Read one reply of a judge, or the ``judge_responses`` of a judge log."""
    fields = row.fields
    if isinstance(fields.get("judge_responses"), list):
        replies = [vote.get("response") if isinstance(vote, dict) else None for vote in fields["judge_responses"]]
        return {"replies": [reply for reply in replies if isinstance(reply, str)]}
    response = fields.get("response", fields.get("judge_reply"))
    if response is not None and not isinstance(response, str):
        raise WrongInput(row.file, row.line, "response", "a judge's reply as text")
    return {"replies": [] if response is None else [response]}


def vote_as_published(reply: str) -> float | None:
    """Return the integer after the last ``[評分]: ``. The published code checks no range: 12 and -1 pass."""
    try:
        return float(int(reply.rsplit(_MARKER, maxsplit=1)[-1]))
    except ValueError:
        return None


def vote(reply: str) -> float | None:
    """Return the last score in a reply, or a reply that is a number: 0 to 10, fractions allowed."""
    text = normalize("NFKC", reply)
    scores = _SCORE.findall(text)
    match = None if scores else _BARE.fullmatch(text)
    value = float(scores[-1]) if scores else float(match[1]) if match else None
    return value if value is not None and 0 <= value <= 10 else None


def _judged(
    read: Callable[[str], float | None], *, most: int | None
) -> Callable[[Iterable[Gold], Answers], Iterator[Unit]]:
    def units(questions: Iterable[Gold], answers: Answers) -> Iterator[Unit]:
        for question in questions:
            rows: list[Mapping[str, Any]] = list(answers.all(question.id))
            replies = [reply for row in rows for reply in row["replies"]]
            votes = [value for reply in replies if (value := read(reply)) is not None][:most]
            if votes:
                values = {"score": sum(votes) / len(votes), "votes": float(len(votes))}
                yield question.unit("scored", values, votes, "votes")
            else:
                status: Status = "missing" if not replies else "unparsable"
                rule = "no response" if not replies else ""
                yield question.unit(status, {}, None, rule)

    return units


_NEEDS: Final = {"response": "the judge, whose replies are the rows"}
PROFILES: Final = (
    Profile(
        "vistai-dialogue/official",
        "VisTai's published code: five parsable votes at most, an item without any is left out",
        gold,
        _name,
        _keep,
        _judged(vote_as_published, most=_VOTES),
        repeats="each",
        needs=_NEEDS,
        decides="",
    ),
    Profile(
        "vistai-dialogue/robust",
        "Ours: every vote from 0 to 10 that can be read, however it is written",
        gold,
        _name,
        _keep,
        _judged(vote, most=None),
        repeats="each",
        needs=_NEEDS,
        decides="",
    ),
)
