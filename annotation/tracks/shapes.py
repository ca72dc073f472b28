"""Answers about items whatever their track, and about drafts and submissions."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from typing_extensions import TypedDict

from annotation.items.models import Item
from annotation.items.shapes import Content, PictureBrief, PictureThumb, RulesRow, TextLanguage
from annotation.judging.shapes import VerdictBrief
from annotation.kinds.base import FindingRow
from curation.core.shapes import OneOf, Paged, PersonBrief
from curation.people.shapes import TeamBrief


class DraftAnswer(TypedDict):
    """The stored draft's number and time, and the findings of the rules on it."""

    seq: int
    findings: list[FindingRow]
    saved_at: datetime


class SubmitAnswer(TypedDict):
    """The revision that was written, by this request or an earlier try."""

    item_id: int
    state: Annotated[str, OneOf(Item.State)]
    revision_no: int
    findings: list[FindingRow]
    replayed: bool


class PackageName(TypedDict):
    """A package as other pages name it."""

    id: int
    label: str


class PackagePlace(PackageName):
    """The package an item is in, with its state."""

    state: str


class ImageItemRow(TypedDict):
    """An item made on a picture."""

    id: int
    label: str
    kind: str
    state: Annotated[str, OneOf(Item.State)]
    revision_no: int
    package: PackageName | None


class ItemRow(ImageItemRow):
    """An item in a list; ``first_text`` is its first text or, in a search, the passage that matches.

    ``language`` is that of ``first_text`` where each team writes in its own.
    """

    slot: int
    image: PictureThumb
    language: TextLanguage | None
    first_text: str


class ItemPage(Paged):
    """A page of items; ``counts_are_capped`` where a category, an author or a search has too many to count them."""

    results: list[ItemRow]
    counts: dict[str, int]
    counts_are_capped: bool


class ExclusionBrief(TypedDict):
    """Why an accepted item was excluded, and by whom; null where names are hidden."""

    reason: str
    by: PersonBrief | None
    at: datetime


class ItemName(TypedDict):
    """An item by its id and label."""

    id: int
    label: str


class ItemAnswer(TypedDict):
    """One item.

    ``exclusion`` is null unless it was excluded after it was accepted; ``is_restored``: it was returned because its
    picture was restored. ``copy_no`` is 1 for the second of two items that different people do independently;
    ``double`` is the other one, for those who may compare them.
    """

    id: int
    number: int
    label: str
    kind: str
    track: Annotated[str, OneOf(Item.Track)]
    slot: int
    state: Annotated[str, OneOf(Item.State)]
    revision_no: int
    accepted_no: int | None
    is_restored: bool
    exclusion: ExclusionBrief | None
    image: PictureBrief
    content: Content | None
    reasons: dict[str, str]
    rules: RulesRow
    package: PackagePlace | None
    team: TeamBrief | None
    copy_no: int
    double: ItemName | None
    comments: int
    available_actions: list[str]


class RevisionRow(TypedDict):
    """One version of an item."""

    no: int
    author: PersonBrief | None
    origin: str
    content: Content
    reasons: dict[str, str]
    guideline_version: int | None
    active_ms: int | None
    created_at: datetime


class HistoryVerdict(VerdictBrief):
    """A verdict in an item's history."""

    revision_no: int
    stage: str
    created_at: datetime


class HistoryAnswer(TypedDict):
    """An item's history."""

    id: int
    label: str
    kind: str
    state: Annotated[str, OneOf(Item.State)]
    revision_no: int
    accepted_no: int | None
    revisions: list[RevisionRow]
    verdicts: list[HistoryVerdict]
