"""Answers about dialogues. What the questioner gets names no picture, no item and no category until it is over."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from typing_extensions import TypedDict

from annotation.dialogues.rules import PARTS
from annotation.items.shapes import TextLanguage
from curation.core.shapes import OneOf


class DialoguePicture(TypedDict):
    """The picture, for the answerer alone; ``redaction_no`` is the version that is shown."""

    id: int
    view_url: str
    clean_url: str
    width: int
    height: int
    redaction_no: int


class DialogueBrief(TypedDict):
    """A dialogue of the reader's that is not over."""

    id: int
    state: Annotated[str, OneOf(("open", "paused", "done", "left"))]
    part: Annotated[str, OneOf(PARTS)]
    caption: str
    turn_no: int
    rounds: int
    paused_at: datetime | None


class Lobby(TypedDict):
    """Whether the reader waits, which parts they may take, how many others wait, and their unfinished dialogues."""

    kind: str
    benchmark_id: int
    parts: list[Annotated[str, OneOf(PARTS)]]
    waits_as: list[Annotated[str, OneOf(PARTS)]]
    since: datetime | None
    others: int
    sign_seconds: int
    dialogues: list[DialogueBrief]


class TurnRow(TypedDict):
    """A question or an answer; ``flags`` are codes of what was pointed out."""

    no: int
    part: Annotated[str, OneOf(PARTS)]
    text: str
    flags: list[str]
    created_at: datetime


class TurnList(TypedDict):
    """The turns after a number, and what the dialogue has come to; see ``DialogueShow`` for the partner's signs."""

    state: Annotated[str, OneOf(("open", "paused", "done", "left"))]
    turn_no: int
    turns: list[TurnRow]
    partner_is_ready: bool
    partner_away_seconds: int


class DialogueItem(TypedDict):
    """The item that a finished dialogue made."""

    id: int
    label: str


class DialogueShow(TypedDict):
    """A dialogue as one of its two people sees it.

    ``image`` is None for the questioner, ``item`` until the dialogue is done. ``turns_left`` counts those of both.
    ``reason`` is why it was left, one of ``rules.REASONS``, else empty. ``pauses_left`` is how often the reader may
    still pause it; ``is_ready`` and ``partner_is_ready`` say who came back to a paused one. ``partner_away_seconds`` is
    the time since the partner's last sign; a page without the live channel gives one every ``sign_seconds``.
    """

    id: int
    state: Annotated[str, OneOf(("open", "paused", "done", "left"))]
    part: Annotated[str, OneOf(PARTS)]
    caption: str
    language: TextLanguage
    rounds: int
    turn_no: int
    turns_left: int
    is_my_turn: bool
    turns: list[TurnRow]
    image: DialoguePicture | None
    item: DialogueItem | None
    reason: str
    pauses_left: int
    paused_at: datetime | None
    is_ready: bool
    partner_is_ready: bool
    partner_away_seconds: int
    away_minutes: int
    sign_seconds: int
    available_actions: list[str]
