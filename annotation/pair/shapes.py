"""Answers about clicks. What the second person gets has neither boxes nor keys, and never a verdict."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from typing_extensions import TypedDict

from annotation.items.shapes import TextLanguage
from annotation.pair.rules import ANSWERS
from curation.core.shapes import OneOf, PersonBrief


class ClickedPicture(TypedDict):
    """A picture without its name and category; ``redaction_no`` is the version that is shown."""

    id: int
    view_url: str
    clean_url: str
    width: int
    height: int
    redaction_no: int


class Clicking(TypedDict):
    """The item of which the reader holds the seat: one of its texts, and where it comes among them.

    ``position`` counts from 1 to ``count``.
    """

    id: int
    seat: int
    lease_until: datetime
    image: ClickedPicture
    position: int
    count: int
    text: str
    language: TextLanguage


class ClickingPool(TypedDict):
    """The item that the reader holds, if any, and how many others wait for a second person who may be the reader."""

    kind: str
    waiting: int
    lease_seconds: int
    heartbeat_seconds: int
    item: Clicking | None


class ClickRow(TypedDict):
    """What a second person answered to an expression, which had this ``text`` then.

    ``key``: the object that it means; ``hit``: the one that the point is in.
    """

    position: int
    key: str
    text: str
    answer: Annotated[str, OneOf(ANSWERS)]
    x: float | None
    y: float | None
    hit: str
    correct: bool


class ClickRoundRow(TypedDict):
    """One second person's answers about a revision; ``outcome`` is empty while it is open, ``by`` may be hidden."""

    no: int
    revision_no: int
    outcome: str
    by: PersonBrief | None
    clicks: list[ClickRow]


class ClickRounds(TypedDict):
    """The rounds of an item, the newest first."""

    rounds: list[ClickRoundRow]
