"""Answers about the board."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from typing_extensions import TypedDict

from curation.board.rules import ACTIONS, ENTRY_STATES, VOUCHINGS
from curation.core.shapes import LocalisedText, OneOf, PersonBrief


class CategoryBoardField(TypedDict):
    """A semantic field of the board."""

    code: str
    name: LocalisedText


class BoardDraftRow(TypedDict):
    """A category that a person is about to propose; languages without a name are left out."""

    field: str
    name: dict[str, str]
    vouched: list[Annotated[str, OneOf(VOUCHINGS)]]


class BoardDraftFault(TypedDict):
    """What is wrong with a row of a draft, counted from 0, or with a whole field."""

    row: int | None
    field: str
    code: str
    params: dict[str, Any]


class BoardDraftAnswer(TypedDict):
    """The reader's own proposals before they are submitted, and what keeps them from being submitted."""

    rows: list[BoardDraftRow]
    revision: int
    submitted_at: datetime | None
    faults: list[BoardDraftFault]


class BoardProposer(TypedDict):
    """Somebody who proposed, or an existing list; ``name`` is null where colleagues' names are hidden."""

    person: PersonBrief | None
    list: str
    name: dict[str, str]


class BoardEventRow(TypedDict):
    """A step in the history of a proposed category."""

    no: int
    action: Annotated[str, OneOf(ACTIONS)]
    by: PersonBrief | None
    reason: str
    data: dict[str, Any]
    at: datetime


class BoardEntryRow(TypedDict):
    """A proposed category; ``group`` is the corrected cultural distance, ``computed_group`` what the programs found.

    ``search`` has the strings that find it while somebody types, pinyin included.
    """

    id: int
    field: str
    name: dict[str, str]
    state: Annotated[str, OneOf(ENTRY_STATES)]
    into: int | None
    group: str
    computed_group: str
    search: list[str]
    revision: int
    proposers: list[BoardProposer]
    decision: BoardEventRow | None
    actions: list[str]


class BoardEntryAnswer(BoardEntryRow):
    """A proposed category with its whole history."""

    history: list[BoardEventRow]


class BoardAgreement(TypedDict):
    """How far proposers agree; ``jaccard`` is null for fewer than two."""

    proposers: int
    entries: int
    shared: int
    jaccard: float | None


class BoardProgress(TypedDict):
    """A person who began to propose; how many they proposed is not shown before they submit."""

    person: PersonBrief | None
    submitted_at: datetime | None


class CategoryBoardAnswer(TypedDict):
    """The board as its reader sees it; ``is_hidden``: the proposals of others are not shown yet.

    ``new_entries`` and ``new_groups``: categories that were added, or whose group was corrected, since the list was
    frozen.
    """

    state: Annotated[str, OneOf(("open", "frozen"))]
    revision: int
    version: int | None
    new_entries: int
    new_groups: int
    expected_proposers: int
    minimum: int
    maximum: int
    fields: list[CategoryBoardField]
    draft: BoardDraftAnswer
    is_hidden: bool
    entries: list[BoardEntryRow]
    progress: list[BoardProgress]
    agreement: BoardAgreement
    available_actions: list[str]
