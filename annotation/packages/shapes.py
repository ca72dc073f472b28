"""Answers about packages, the items in them and the work on them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from typing_extensions import TypedDict

from annotation.items.models import Item
from annotation.items.shapes import Content, DraftRow, GuidelineBrief, PictureBrief, RulesRow, TextLanguage, TimeText
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
    """The packages of a build."""

    made: list[PackageRow]
    items: int
    left_over: int


class ReturnReasons(TypedDict):
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
    """An item in the workspace.

    ``language`` is its team's, where each team writes in its own; it replaces the one that the package's rules name.
    ``is_restored``: it was returned because its picture was restored. ``is_corrected``: a reviewer made its newest
    revision.
    """

    id: int
    number: int
    label: str
    position: int
    state: Annotated[str, OneOf(Item.State)]
    revision_no: int
    image: PictureBrief
    language: TextLanguage | None
    content: Content | None
    draft: DraftRow | None
    findings: list[FindingRow]
    reasons: dict[str, str]
    returned: ReturnReasons | None
    is_restored: bool
    is_corrected: bool
    skipped: SkippedRow | None
    comments: int
    checked: bool


class PackageDetail(PackageRow):
    """A package with its items and the rules that apply to them."""

    rules: RulesRow
    items: list[WorkItem]


class NextWork(TypedDict):
    """The item to write and those after it."""

    package: PackageRow
    rules: RulesRow
    guideline: GuidelineBrief | None
    items: list[WorkItem]


class SkipAnswer(TypedDict):
    """The item that was skipped, by this request or an earlier try."""

    item_id: int
    state: Annotated[str, OneOf(Item.State)]
    replayed: bool


class MixedRow(TypedDict):
    """How many items are on pictures of a category; slug and name are null for pictures without one."""

    slug: str | None
    name: LocalisedText | None
    n: int


class PreviewPackage(TypedDict):
    """A package that would be made."""

    number: int
    items: int
    categories: list[MixedRow]


class PassChanceRow(TypedDict):
    """The probability that a package with this share of right items passes."""

    right_percent: int
    chance: float


class PreviewInspection(TypedDict):
    """The sample size of a full package's inspection, and the chances of passing it."""

    size: int
    errors_allowed: int
    pass_chances: list[PassChanceRow]


class PreviewWarning(TypedDict):
    """A setting that is allowed but unwise; the browser translates ``code``."""

    code: str
    params: dict[str, Any]


class PreviewAnswer(TypedDict):
    """The packages that a build by this rule and seed would make now: the first 50 of ``total``.

    ``subset`` is the code of the kind's subset, null if the kind is made for all pictures. ``copies`` are items that a
    second person does as well; they are not among the ``chosen``.
    """

    waiting: int
    chosen: int
    copies: int
    left_over: int
    size: int
    subset: str | None
    seed: int
    total: int
    packages: list[PreviewPackage]
    categories: list[MixedRow]
    inspection: PreviewInspection
    warnings: list[PreviewWarning]


class ImportAnswer(TypedDict):
    """How many items an import created, and how many existed already."""

    made: int
    existing: int


class BoardRow(TypedDict):
    """Packages of a kind by state."""

    kind: str
    states: dict[str, int]


class StateOfPackages(TypedDict):
    """Packages in a state: how many, when the oldest one entered it, how many are stalled."""

    n: int
    oldest_at: datetime | None
    stalled: int


class KindProgress(TypedDict):
    """The progress of a kind of work."""

    kind: str
    items: dict[str, int]
    packages: dict[str, StateOfPackages]
    accepted: int
    target: int | None


class CategoryProgress(TypedDict):
    """Accepted pictures of a category, and the protocol's quota."""

    slug: str
    name: LocalisedText
    n: int
    minimum: int | None
    target: int | None


class PictureProgress(TypedDict):
    """Accepted pictures, and the protocol's quota."""

    accepted: int
    minimum: int | None
    categories: list[CategoryProgress]


class BoardAnswer(TypedDict):
    """The progress of a benchmark's work."""

    stall_days: int
    kinds: list[KindProgress]
    pictures: PictureProgress
    seats: list[SeatProgress]
