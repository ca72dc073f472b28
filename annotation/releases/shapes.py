"""Answers about releases."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from typing_extensions import TypedDict

from annotation.items.shapes import TextLanguage
from annotation.releases import rules
from annotation.releases.models import ErratumEvent, Release
from curation.core.shapes import JobAnswer, LocalisedText, OneOf, Paged, PersonBrief


class ReleaseRow(TypedDict):
    """A release in lists and after commands.

    ``images`` and ``items`` of a release that is not frozen are what it would hold now; of one of many items the
    pictures are those of the last check, null without one. ``checking``, ``freezing``: a worker is doing it. The seed
    is a string because JavaScript's integers are exact only up to 2^53.
    """

    id: int
    number: int
    label: str
    kinds: list[str]
    state: Annotated[str, OneOf(Release.State)]
    checking: bool
    freezing: bool
    seed: str
    created_at: datetime
    frozen_at: datetime | None
    published_at: datetime | None
    digest: str | None
    images: int | None
    items: int
    available_actions: list[str]


class ReleasePage(Paged):
    """A page of releases."""

    results: list[ReleaseRow]


class GateRow(TypedDict):
    """A failure that prevents freezing, with the page where people can fix it."""

    code: str
    params: dict[str, Any]
    label: str
    link: str


class GateCount(TypedDict):
    """How many failures a gate has, including those that are not listed."""

    code: str
    n: int


class LeftOutRow(TypedDict):
    """How many items or pictures a release leaves out for one reason, with the page that lists them."""

    code: Annotated[str, OneOf(rules.LEFT_OUT)]
    n: int
    link: str


class ReleaseFileRow(TypedDict):
    """A file to download; ``is_key``: it holds answers that the other files withhold.

    ``is_destroyed``: it had pictures inside, and something in one of the release was covered.

    ``kind`` is empty for files of the release as a whole.
    """

    name: str
    format: str
    kind: str
    is_key: bool
    is_destroyed: bool
    bytes: int
    sha256: str
    url: str


class ArchiveRow(TypedDict):
    """The release as one download: how many files it has, and its size in bytes."""

    files: int
    bytes: int
    url: str


class SplitRow(TypedDict):
    """A split and what it holds; ``withheld``: its answers are in a file of their own."""

    name: str
    images: int
    items: int
    withheld: bool


class ReleaseBrief(TypedDict):
    """A release as other pages name it."""

    id: int
    label: str


class ChangeCounts(TypedDict):
    """How many items were added, removed or changed since the previous release."""

    added: int
    removed: int
    changed: int


class KindOutlook(TypedDict):
    """What a release holds of one kind, by split, and what it leaves out."""

    left_out: dict[str, int]
    images: dict[str, int]
    items: dict[str, int]


class OutlookContent(TypedDict):
    """What a release would hold now, by split and by kind, and what prevents freezing it."""

    gates: list[GateRow]
    gate_counts: list[GateCount]
    warnings: list[GateRow]
    images: dict[str, int]
    kinds: dict[str, KindOutlook]


class ReleaseKindDetail(TypedDict):
    """What a release holds of one kind; the changes are those since the previous release with the kind."""

    kind: str
    digest: str | None
    images: int | None
    items: int
    previous: ReleaseBrief | None
    left_out: list[LeftOutRow]
    splits: list[SplitRow]
    formats: list[str]
    changes: ChangeCounts | None


class ReleaseDetail(ReleaseRow):
    """A release's page: gates and what is left out are current, or as they were when the release was frozen.

    Of a draft of many items they are those of the last check, at ``as_of``; before it ``is_computed`` is false, and
    there are none.

    ``covered_pictures`` were covered since it was frozen; its files with pictures are destroyed then.

    ``splits`` and ``changes`` are of all kinds together, and each picture is counted once; ``by_kind`` has those of
    each. ``warnings`` do not prevent freezing. A draft follows the benchmark's current protocol version, any other
    release the version that it was checked under.
    """

    protocol_version: int
    splits_from: Annotated[str, OneOf(Release.SplitsFrom)]
    notes: str
    checked_at: datetime | None
    withdrawn_at: datetime | None
    withdrawn_reason: str
    is_computed: bool
    as_of: datetime | None
    gates: list[GateRow]
    gate_counts: list[GateCount]
    warnings: list[GateRow]
    by_kind: list[ReleaseKindDetail]
    splits: list[SplitRow]
    formats: list[str]
    files: list[ReleaseFileRow]
    archive: ArchiveRow | None
    missing_files: list[str]
    covered_pictures: int
    changes: ChangeCounts | None
    job: JobAnswer | None


class ChangedImage(TypedDict):
    """The picture of a changed item."""

    label: str
    thumb_url: str


class ChangeRow(TypedDict):
    """An item that was added, removed or changed; the texts are the first of the record after and before.

    ``language`` is that of the texts where each team writes in its own; ``errata`` are the numbers of the confirmed
    errata that the change corrects.
    """

    label: str
    change: Annotated[str, OneOf(rules.CHANGES)]
    revision: int | None
    previous_revision: int | None
    image: ChangedImage
    language: TextLanguage | None
    first_text: str | None
    previous_text: str | None
    errata: list[int]


class ReleaseChangePage(Paged):
    """A page of changes."""

    results: list[ChangeRow]


class ImageReleaseRow(TypedDict):
    """A frozen release that holds a picture."""

    id: int
    label: str
    state: Annotated[str, OneOf(Release.State)]
    split: str
    frozen_at: datetime | None


class ErratumEventRow(TypedDict):
    """A decision about an erratum; ``by`` is null where names are hidden from the reader."""

    action: Annotated[str, OneOf(ErratumEvent.Action)]
    by: PersonBrief | None
    note: LocalisedText
    at: datetime


class ErratumRow(TypedDict):
    """A reported mistake in a published release with what was decided; ``item`` is null for the release as a whole.

    ``item_id`` and names are for those who read all errata.
    """

    id: int
    no: int
    state: Annotated[str, OneOf(rules.ERRATUM_STATES)]
    release: ReleaseBrief
    item: str | None
    item_id: int | None
    text: str
    reported_by: PersonBrief | None
    reported_at: datetime
    events: list[ErratumEventRow]
    available_actions: list[str]


class ErratumPage(Paged):
    """A page of errata."""

    results: list[ErratumRow]
