"""Answers about the items of teams."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from typing_extensions import TypedDict

from annotation.items.models import Item
from annotation.items.shapes import (
    Content,
    DraftRow,
    GuidelineBrief,
    PictureBrief,
    PictureThumb,
    RulesRow,
    TextLanguage,
)
from annotation.kinds.base import FindingRow
from curation.core.shapes import OneOf, Paged, PersonBrief
from curation.people.shapes import TeamBrief


class TeamItem(TypedDict):
    """An item on the team's board; the author is null where names are hidden, and before the first revision.

    ``language`` is that of ``first_text`` where each team writes in its own.
    """

    id: int
    label: str
    slot: int
    state: Annotated[str, OneOf(Item.State)]
    revision_no: int
    author: PersonBrief | None
    mine: bool
    first_text: str
    language: TextLanguage | None
    held_until: datetime | None


class TeamPicture(TypedDict):
    """A picture of the team with its items, without discarded ones."""

    image: PictureThumb
    items: list[TeamItem]


class TeamBoard(Paged):
    """A team's pictures with their items, and its progress.

    ``maximum`` is the most items on a picture, ``required`` the number of accepted items that the protocol asks a team
    for, ``to_check`` the number of items that wait for the reader's star. ``counts`` leaves out discarded items.
    """

    team: TeamBrief
    kind: str
    maximum: int
    required: int
    accepted: int
    to_check: int
    counts: dict[str, int]
    available_actions: list[str]
    results: list[TeamPicture]


class PeerSentBack(TypedDict):
    """Why the newest revision was sent back, by a colleague or after a spot check; the judge may be hidden."""

    stage: Literal["peer", "spot_check"]
    reasons: list[str]
    comment: str
    by: PersonBrief | None


class PeerItem(TypedDict):
    """An item as its team writes and checks it.

    ``held_until``: no one else may star, edit or send back the item before, because a colleague is checking it.
    """

    id: int
    label: str
    kind: str
    slot: int
    team: TeamBrief
    state: Annotated[str, OneOf(Item.State)]
    revision_no: int
    image: PictureBrief
    rules: RulesRow
    guideline: GuidelineBrief | None
    content: Content | None
    draft: DraftRow | None
    findings: list[FindingRow]
    reasons: dict[str, str]
    author: PersonBrief | None
    mine: bool
    sent_back: PeerSentBack | None
    held_until: datetime | None
    comments: int
    available_actions: list[str]


class HeldPeerItem(PeerItem):
    """An item of which the person holds the seat."""

    seat: int
    lease_until: datetime


class PeerPool(TypedDict):
    """The items that wait for a colleague to check them, and those that the person holds.

    ``free`` counts the items that the person may claim, ``held`` those that others are checking.
    """

    kind: str
    free: int
    held: int
    held_maximum: int
    lease_seconds: int
    heartbeat_seconds: int
    items: list[HeldPeerItem]
