"""Answers about uploads by addresses."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

from typing_extensions import TypedDict

from curation.core.shapes import JobAnswer, OneOf, Paged
from curation.images.shapes import ImageRef, RowError

#: What became of a line: the file waits to be fetched or could not be; is an upload that is checked, ready, refused or
#: was removed; or was added as a picture.
LINE_STATES = ("waiting", "failed", "checking", "ready", "refused", "removed", "added")


class UrlSettingAnswer(TypedDict):
    """Whether contributors may upload by addresses; ``is_configured``: the operator allows it at all."""

    is_on: bool
    is_configured: bool
    most_lines: int
    available_actions: list[str]


class UrlLinePreview(TypedDict):
    """A line as it was read, with its errors."""

    line: int
    url: str
    licence: str
    author: str
    category: str
    page: str
    errors: list[RowError]


class UrlListPreview(TypedDict):
    """A list as it was read; ``valid`` is the number of lines without errors."""

    valid: int
    lines: list[UrlLinePreview]


class UrlListRow(TypedDict):
    """A list; the numbers are of its lines by what was done about them, ``job`` fetches the waiting ones."""

    id: int
    created_at: datetime
    lines: int
    waiting: int
    fetched: int
    failed: int
    job: JobAnswer | None
    available_actions: list[str]


class UrlListPage(Paged):
    """A page of lists."""

    results: list[UrlListRow]


class UrlLineRow(TypedDict):
    """A line of a list; ``upload`` is the upload that its file became."""

    line: int
    url: str
    state: Annotated[str, OneOf(LINE_STATES)]
    error: RowError | None
    upload: UUID | None
    image: ImageRef | None


class UrlListAnswer(UrlListRow):
    """A list with its lines."""

    rows: list[UrlLineRow]
    worker_alive: bool
