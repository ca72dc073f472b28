"""Answers about packages, the items in them and the work on them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from typing_extensions import TypedDict

from annotation.items.models import Item
from annotation.items.shapes import Content, PictureBrief, PictureThumb, RulesRow, TimeText
from annotation.kinds.base import FindingRow
from annotation.packages.models import Package
from annotation.seats.shapes import SeatProgress
from curation.core.shapes import LocalisedText, OneOf, Paged, PersonBrief


class PackageRow(TypedDict):
    """A package."""

    id: int
    number: int
    label: str
    kind: str
    state: Annotated[str, OneOf(Package.State)]
    round: int
    revision: int
    size: int
    written: int
    checked: int
    assignee: PersonBrief | None
    reviewer: PersonBrief | None
    state_changed_at: datetime
    available_actions: list[str]


class PackagePage(Paged):
    """A page of packages, and how many are in each state."""

    results: list[PackageRow]
    counts: dict[str, int]


class ClaimAnswer(PackageRow):
    """A claimed package."""

    already_held: bool


class BuildAnswer(TypedDict):
    """What a build made."""

    made: list[PackageRow]
    items: int
    left_over: int


class DraftRow(TypedDict):
    """What was typed and not submitted."""

    content: Content
    seq: int
    base_no: int
    active_ms: int


class SentBack(TypedDict):
    """Why an item was returned."""

    stage: str
    reasons: list[str]
    comment: str
    by: PersonBrief | None


class SkippedRow(TypedDict):
    """Why an item was skipped."""

    reasons: list[str]
    comment: str
    at: TimeText


class WorkItem(TypedDict):
    """An item in the workspace."""

    id: int
    number: int
    label: str
    position: int
    state: Annotated[str, OneOf(Item.State)]
    revision_no: int
    image: PictureBrief
    content: Content | None
    draft: DraftRow | None
    findings: list[FindingRow]
    reasons: dict[str, str]
    returned: SentBack | None
    skipped: SkippedRow | None
    comments: int
    checked: bool


class PackageDetail(PackageRow):
    """A package with its items."""

    items: list[WorkItem]


class GuidelineBrief(TypedDict):
    """The newest guidelines of a kind, and whether the person has acknowledged them."""

    version: int
    acknowledged: bool


class NextWork(TypedDict):
    """The item to write and those after it."""

    package: PackageRow
    rules: RulesRow
    guideline: GuidelineBrief | None
    items: list[WorkItem]


class DraftAnswer(TypedDict):
    """The draft that is stored, and what the rules say about it."""

    seq: int
    findings: list[FindingRow]
    saved_at: datetime


class SubmitAnswer(TypedDict):
    """The revision that was written, now or at an earlier try."""

    item_id: int
    state: Annotated[str, OneOf(Item.State)]
    revision_no: int
    findings: list[FindingRow]
    replayed: bool


class SkipAnswer(TypedDict):
    """The item that was skipped, now or at an earlier try."""

    item_id: int
    state: Annotated[str, OneOf(Item.State)]
    replayed: bool


class MixedRow(TypedDict):
    """How many items are on pictures of a category; null for pictures that have none."""

    slug: str | None
    name: LocalisedText | None
    n: int


class PreviewPackage(TypedDict):
    """A package that would be made."""

    number: int
    items: int
    categories: list[MixedRow]


class PassChanceRow(TypedDict):
    """The chance that a package of which this share is right passes."""

    right_percent: int
    chance: float


class PreviewInspection(TypedDict):
    """What the inspection of a full package would draw, and what passing would mean."""

    size: int
    errors_allowed: int
    pass_chances: list[PassChanceRow]


class PreviewWarning(TypedDict):
    """Something hardly anybody wants; translated by ``code``."""

    code: str
    params: dict[str, Any]


class PreviewAnswer(TypedDict):
    """What a build by this rule and seed would make now; the first 50 of ``total`` packages."""

    waiting: int
    chosen: int
    left_over: int
    size: int
    seed: int
    total: int
    packages: list[PreviewPackage]
    categories: list[MixedRow]
    inspection: PreviewInspection
    warnings: list[PreviewWarning]


class PackageName(TypedDict):
    """A package as other pages name it."""

    id: int
    label: str


class PackagePlace(PackageName):
    """The package an item is in, with its state."""

    state: Annotated[str, OneOf(Package.State)]


class ImageItemRow(TypedDict):
    """An item made on a picture."""

    id: int
    label: str
    kind: str
    state: Annotated[str, OneOf(Item.State)]
    revision_no: int
    package: PackageName | None


class ItemRow(ImageItemRow):
    """An item in a list."""

    slot: int
    image: PictureThumb
    first_text: str


class ItemPage(Paged):
    """A page of items; ``counts_are_capped`` where a category or an author has too many to count them all."""

    results: list[ItemRow]
    counts: dict[str, int]
    counts_are_capped: bool


class ItemAnswer(TypedDict):
    """One item."""

    id: int
    number: int
    label: str
    kind: str
    slot: int
    state: Annotated[str, OneOf(Item.State)]
    revision_no: int
    accepted_no: int | None
    image: PictureBrief
    content: Content | None
    reasons: dict[str, str]
    rules: RulesRow
    package: PackagePlace | None
    comments: int
    available_actions: list[str]


class ImportAnswer(TypedDict):
    """How many items an import made, and how many existed already."""

    made: int
    existing: int


class BoardRow(TypedDict):
    """Packages of a kind by state."""

    kind: str
    states: dict[str, int]


class StateOfPackages(TypedDict):
    """Packages in a state: how many, since when the oldest is in it, how many have not moved for too long."""

    n: int
    oldest_at: datetime | None
    stalled: int


class KindProgress(TypedDict):
    """How far a kind of work is."""

    kind: str
    items: dict[str, int]
    packages: dict[str, StateOfPackages]
    accepted: int
    target: int | None


class CategoryProgress(TypedDict):
    """Accepted pictures of a category against what the protocol asks for."""

    slug: str
    name: LocalisedText
    n: int
    minimum: int | None
    target: int | None


class PictureProgress(TypedDict):
    """Accepted pictures against what the protocol asks for."""

    accepted: int
    minimum: int | None
    categories: list[CategoryProgress]


class BoardAnswer(TypedDict):
    """How far a benchmark's work is."""

    stall_days: int
    kinds: list[KindProgress]
    pictures: PictureProgress
    seats: list[SeatProgress]
