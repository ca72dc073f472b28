"""Answers about pictures and uploads."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, NotRequired
from uuid import UUID

from typing_extensions import TypedDict

from curation.core.shapes import JobAnswer, LocalisedText, OneOf, Paged, PersonBrief
from curation.images.models import Image, Rendition, Upload
from curation.images.rules import CHECK_STATES, FLAGS, OUTCOMES, SOURCES, TICK_STATES


class RowError(TypedDict):
    """The error of one of many."""

    code: str
    params: dict[str, Any]
    detail: NotRequired[str]


# --- Uploads


class UsesField(TypedDict):
    """What a picture may be used for."""

    research: bool
    commercial: bool


class UploadCheck(TypedDict):
    """One check of an uploaded file."""

    code: str
    state: Annotated[str, OneOf(CHECK_STATES)]
    params: dict[str, Any]


class NearThumb(TypedDict):
    """A near duplicate; ``distance`` in bits of 64."""

    id: int
    label: str
    distance: int
    thumb_url: str


class ImageRef(TypedDict):
    """A picture by its name."""

    id: int
    label: str


class UploadDetails(TypedDict):
    """The details that the contributor has given so far."""

    source: NotRequired[Annotated[str, OneOf(SOURCES)]]
    site: NotRequired[str]
    url: NotRequired[str]
    author: NotRequired[str]
    licence: NotRequired[str]
    category: NotRequired[str]
    axes: NotRequired[dict[str, str]]
    team: NotRequired[int]
    uses: NotRequired[UsesField]
    waived: NotRequired[bool]
    donor_consent: NotRequired[bool]


class UploadRow(TypedDict):
    """An upload; ``job`` checks it, and is None while nothing is to be checked."""

    id: UUID
    filename: str
    bytes: int
    received: int
    kind: Annotated[str, OneOf(("picture", "zip"))]
    parent: UUID | None
    state: Annotated[str, OneOf(Upload.State)]
    checks: list[UploadCheck]
    job: JobAnswer | None
    error: RowError | None
    details: UploadDetails
    missing: list[str]
    width: int | None
    height: int | None
    thumb_url: str | None
    near: list[NearThumb]
    image: ImageRef | None
    expires_at: datetime


class UploadPage(Paged):
    """A page of uploads; ``waiting`` is how many are not checked yet."""

    results: list[UploadRow]
    worker_alive: bool
    waiting: int


class FinalizedRow(TypedDict):
    """The picture that an upload became, or the error."""

    id: UUID
    image: ImageRef | None
    error: RowError | None


class FinalizedRows(TypedDict):
    """The result of each upload."""

    results: list[FinalizedRow]


# --- Pictures


class ImageCategory(TypedDict):
    """The category that a picture was collected for."""

    slug: str
    name: LocalisedText


class ImageSource(TypedDict):
    """Where a picture comes from."""

    kind: Annotated[str, OneOf(SOURCES)]
    site: str
    url: str
    author: str
    uses: UsesField | None
    waived: bool
    donor_consent: bool


class ImageFlag(TypedDict):
    """Something for a curator to check; it never rejects the picture."""

    code: Annotated[str, OneOf(FLAGS)]
    params: dict[str, Any]


class NearImage(TypedDict):
    """A near duplicate; ``distance`` in bits of 64."""

    id: int
    label: str
    distance: int


class ImageObjects(TypedDict):
    """The counts of an inspector (CVLUE section 3.3); ``categories`` is null where no subset asks for it."""

    all: int
    listed: int
    main: int | None
    categories: int | None


class ImageFacts(TypedDict):
    """A picture without its near duplicates."""

    id: int
    number: int
    label: str
    state: Annotated[str, OneOf(Image.State)]
    width: int
    height: int
    sha256: str
    thumb_url: str
    view_url: str
    clean_url: str
    category: ImageCategory | None
    collected_for: ImageCategory | None
    axes: dict[str, str]
    subset: str
    objects: ImageObjects | None
    verdict_no: int
    source: ImageSource
    licence: str
    contributor: PersonBrief | None
    personal_information_clear: bool
    redaction_no: int
    tick: Annotated[str, OneOf(TICK_STATES)]
    flags: list[ImageFlag]
    created_at: datetime
    available_actions: list[str]


class ImageRow(ImageFacts):
    """A picture."""

    near: list[NearImage]


class ImagePage(Paged):
    """A page of pictures."""

    results: list[ImageRow]


class ImageVerdictRow(TypedDict):
    """A decision on a picture; ``judge`` is null where names are hidden from the reader."""

    id: int
    judge: PersonBrief | None
    outcome: Annotated[str, OneOf(OUTCOMES)]
    reasons: list[str]
    details: dict[str, Any]
    created_at: datetime


class RenditionRow(TypedDict):
    """A rendition."""

    id: int
    role: Annotated[str, OneOf(Rendition.Role)]
    version: int
    sha256: str
    bytes: int
    width: int
    height: int
    url: str


class TakedownRow(TypedDict):
    """A withdrawal or restoration of a picture; ``by`` is null where names are hidden from the reader."""

    restored: bool
    by: PersonBrief | None
    reason: str
    comment: str
    at: datetime


class NearImageDetail(NearThumb):
    """A near duplicate, for a comparison side by side."""

    view_url: str
    clean_url: str
    width: int
    height: int
    state: Annotated[str, OneOf(Image.State)]
    contributor: PersonBrief | None


class ImageAnswer(ImageFacts):
    """A picture with its files and decisions."""

    near: list[NearImageDetail]
    verdicts: list[ImageVerdictRow]
    takedowns: list[TakedownRow]
    original_kept: bool
    renditions: list[RenditionRow]


class SubsetCount(TypedDict):
    """Pictures of a subset, of one category or of all, against the protocol's quota."""

    subset: str
    accepted: int
    minimum: int | None
    target: int | None


class CategoryCount(TypedDict):
    """Pictures of a category against the protocol's quota; ``subsets`` has those with a quota of their own."""

    slug: str
    accepted: int
    received: int
    minimum: int | None
    target: int | None
    subsets: list[SubsetCount]


class ImageCounts(TypedDict):
    """How many pictures there are."""

    received: int
    accepted: int
    refused: int
    withdrawn: int
    clear: int
    to_judge: int
    to_check: int
    by_category: list[CategoryCount]
    by_subset: list[SubsetCount]


# --- Judging


class HeldAnswer(TypedDict):
    """The batch of pictures that is reserved for a curator."""

    images: list[ImageRow]
    until: datetime | None
    held_by_others: int
    others_until: datetime | None


class RenewedAnswer(TypedDict):
    """When the batch's reservation expires; null if the batch is empty."""

    until: datetime | None


class JudgedRow(TypedDict):
    """The picture after a decision, or the error."""

    image_id: int
    image: ImageRow | None
    error: RowError | None


class JudgedRows(TypedDict):
    """The result of each decision."""

    results: list[JudgedRow]


# --- Covering
