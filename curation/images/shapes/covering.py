"""Answers about covering what may not be seen in a picture."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from typing_extensions import TypedDict

from curation.core.shapes import OneOf, PersonBrief
from curation.images.rules import ORIGINS, REGION_TREATMENTS, REGION_TYPES, STYLES, TICK_STATES
from curation.images.shapes.pictures import ImageRow


class CoverRegion(TypedDict):
    """A region of a picture and what a person decided; ``box`` is left, top, width, height in pixels."""

    key: str
    box: list[float]
    what: Annotated[str, OneOf(REGION_TYPES)]
    how: Annotated[str, OneOf(REGION_TREATMENTS)]
    reason: str
    origin: Annotated[str, OneOf(ORIGINS)]


class DetectedRegion(TypedDict):
    """A region that a detector found; ``score`` from 0 to 1."""

    key: str
    box: list[float]
    what: Annotated[str, OneOf(REGION_TYPES)]
    score: float


class ProposedRegions(TypedDict):
    """What a detector found in the current version; an empty list if it found nothing, or ``failed`` to search."""

    detector: str
    at: datetime
    failed: bool
    regions: list[DetectedRegion]


class RedactionRow(TypedDict):
    """An earlier decision; ``covers``: it made the version ``no``. ``by`` is null where names are hidden."""

    no: int
    covers: bool
    by: PersonBrief | None
    at: datetime
    regions: list[CoverRegion]


class CoverRow(ImageRow):
    """A picture that waits for a tick; ``proposals`` are found and not decided, null if no detector looked yet."""

    proposals: int | None


class CoverAnswer(TypedDict):
    """The pictures that are reserved for a curator to look at."""

    images: list[CoverRow]
    until: datetime | None
    held_by_others: int
    others_until: datetime | None


class CoverDetail(TypedDict):
    """A picture with its regions. ``open`` has the keys of found regions that nobody decided on.

    ``searches`` is what the protocol has detectors look for, ``pending`` what none has looked for in this version.
    """

    image: CoverRow
    redaction_no: int
    tick: Annotated[str, OneOf(TICK_STATES)]
    width: int
    height: int
    view_url: str
    clean_url: str
    style: Annotated[str, OneOf(STYLES)]
    keep_originals: bool
    searches: list[str]
    pending: list[str]
    proposals: list[ProposedRegions]
    open: list[str]
    history: list[RedactionRow]
    available_actions: list[str]
