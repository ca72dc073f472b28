"""Answers about imports."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from typing_extensions import TypedDict

from annotation.imports.models import OUTCOMES, Import
from annotation.imports.rules import FORMATS
from curation.core.shapes import JobAnswer, OneOf, Paged, PersonBrief
from curation.people.shapes import TeamBrief


class ImportCounts(TypedDict):
    """The number of rows in the file, as far as it was read, and of each outcome."""

    rows: int
    made: int
    drafted: int
    unchanged: int
    refused: int


class ImportDetail(TypedDict):
    """One imported file; ``reason`` overrides findings in all of its rows, ``team`` is that of all its rows."""

    id: int
    kind: str
    team: TeamBrief | None
    format: Annotated[str, OneOf(FORMATS)]
    target: Annotated[str, OneOf(Import.Target)]
    name: str
    bytes: int
    reason: str
    created_by: PersonBrief
    created_at: datetime
    finished_at: datetime | None
    counts: ImportCounts
    job: JobAnswer | None


class ImportPage(Paged):
    """A page of imports; ``maximum_bytes`` limits the size of a file."""

    results: list[ImportDetail]
    maximum_bytes: int


class ImportedItem(TypedDict):
    """The item of a row."""

    id: int
    label: str


class ImportReportRow(TypedDict):
    """The outcome of a row; ``code`` says why it was rejected."""

    line: int
    outcome: Annotated[str, OneOf(OUTCOMES)]
    label: str
    code: str | None
    params: dict[str, Any]
    item: ImportedItem | None


class ImportReportPage(Paged):
    """A page of an import's rows."""

    results: list[ImportReportRow]
