"""Answers about bulk actions."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from typing_extensions import TypedDict

from annotation.bulk.models import Bulk
from annotation.bulk.rules import NAMES
from curation.core.shapes import OneOf, Paged, PersonBrief


class BulkReason(TypedDict):
    """Why some rows were or would be refused: an error with its parameters, how many rows, and some of their labels."""

    code: str
    params: dict[str, Any]
    count: int
    examples: list[str]


class BulkCounts(TypedDict):
    """Rows by what became of them; ``kept`` were changed, and someone changed them again, so they are not undone."""

    pending: int
    refused: int
    done: int
    undone: int
    kept: int


class BulkGiven(TypedDict):
    """What an action does to its rows.

    ``person`` is whom packages are assigned to, ``value`` the category or licence that pictures get; null or empty for
    other actions.
    """

    action: Annotated[str, OneOf(NAMES)]
    target: str
    person: PersonBrief | None
    value: str


class BulkRow(BulkGiven):
    """A bulk action that was applied, in the list of earlier ones.

    ``applied_by`` applied it. While it is worked on, ``counts`` follow its blocks.
    """

    id: int
    state: Annotated[str, OneOf(Bulk.State)]
    error_code: str
    counts: BulkCounts
    applied_by: PersonBrief | None
    applied_at: datetime | None
    available_actions: list[str]


class BulkPage(Paged):
    """A page of earlier bulk actions, newest first."""

    results: list[BulkRow]


class BulkDetail(BulkGiven):
    """A bulk action; before it is applied, a preview.

    ``rows`` are all that were chosen, while a job makes the preview more than ``counts`` has. ``error_code`` says why
    it stopped. ``undoable``: whether it can be undone at all. ``examples`` are labels of the rows that can be changed.
    """

    id: int
    state: Annotated[str, OneOf(Bulk.State)]
    error_code: str
    undoable: bool
    rows: int
    counts: BulkCounts
    examples: list[str]
    reasons: list[BulkReason]
    created_at: datetime
    available_actions: list[str]
