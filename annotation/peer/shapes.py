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
from annotation.judging.shapes import JudgingBrief
from annotation.kinds.base import FindingRow
from curation.core.shapes import OneOf, Paged, PersonBrief
from curation.people.shapes import PairRow, TeamBrief


class TeamItem(TypedDict):
    """An item on the team's board; the author is null where names are hidden, and before the first revision.

    ``language`` is that of ``first_text`` where each team writes in its own. ``is_drafted``: another person has a draft
    on the newest revision; ``drafted_by`` is who saved theirs last, null where names are hidden. ``reader_drafted``:
    the reader has a draft.
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
    is_drafted: bool
    drafted_by: PersonBrief | None
    reader_drafted: bool


class TeamPicture(TypedDict):
    """A picture of the team with its items, without discarded ones."""

    image: PictureThumb
    items: list[TeamItem]


class TeamBoard(Paged):
    """A team's pictures with their items, and its progress; in the panel track, without a team, all pictures.

    ``maximum`` is the most items on a picture, ``required`` the number of accepted items that the protocol asks a team
    for, ``to_check`` the number of items that wait for the reader's star or verdict, 0 for those who may give none,
    ``drafts`` that of items of which the reader has a draft, ``mine_returned`` that of returned items whose newest
    revision is the reader's. ``authors`` wrote newest revisions, members or not; empty
    where names are hidden. ``counts`` leaves out discarded items. ``available_actions``: whether the reader may create
    items of the team, and star or judge those that others wrote.
    """

    team: TeamBrief | None
    kind: str
    maximum: int
    required: int
    accepted: int
    to_check: int
    drafts: int
    mine_returned: int
    authors: list[PersonBrief]
    counts: dict[str, int]
    available_actions: list[str]
    results: list[TeamPicture]


class PeerSentBack(TypedDict):
    """Why the newest revision was sent back, by a colleague, after a spot check, by a panel or by an inspector.

    The judge may be hidden, and a panel's are.
    """

    stage: Literal["peer", "spot_check", "panel", "inspection", "clicks"]
    reasons: list[str]
    comment: str
    by: PersonBrief | None


class BaseBrief(TypedDict):
    """The accepted work that an item rests on; it is not ``current`` while that is reopened or was changed since.

    ``text`` is the one that was drawn from it, such as the caption of a dialogue; empty where the item rests on all.
    """

    kind: str
    content: Content
    text: str
    current: bool


class PeerItem(TypedDict):
    """An item as people write and check it.

    ``team`` is null in the panel and pair tracks, where ``judging`` may be set; ``base`` is set in the pair track.

    ``held_until``: no one else may star, edit or send back the item before, because a colleague is checking it.
    ``may_create``: whether the reader may create another item of the kind on the picture.
    ``is_restored``: it was returned because its picture was restored.
    """

    id: int
    label: str
    kind: str
    slot: int
    track: Annotated[str, OneOf(Item.Track)]
    team: TeamBrief | None
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
    judging: JudgingBrief | None
    base: BaseBrief | None
    is_restored: bool
    held_until: datetime | None
    comments: int
    may_create: bool
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


class ShareInterval(TypedDict):
    """The exact 95% interval of the share of right items in the population."""

    method: str
    low: float
    high: float


class TeamSpotCheck(TypedDict):
    """What a spot check showed of a team's items.

    ``population``: accepted items from which were ``drawn``; ``changed``: drawn items that were edited or withdrawn
    before they were judged. The interval is null while items are ``open``, and if some ``changed``: the others are no
    random sample.
    """

    team: TeamBrief
    population: int
    drawn: int
    right: int
    wrong: int
    open: int
    changed: int
    interval: ShareInterval | None


class SpotCheck(TypedDict):
    """A draw with its result for each team that the reader may see."""

    id: int
    drawn_at: datetime
    percent: int
    teams: list[TeamSpotCheck]


class TeamDraw(TypedDict):
    """What a spot check would draw from a team now: ``size`` of the ``population`` accepted since the last draw."""

    team: TeamBrief
    population: int
    size: int


class SpotChecks(Paged):
    """The spot checks of a kind, newest first.

    ``percent``: the protocol's share of each team's accepted items; 0: none are drawn. ``to_judge``: the number of
    drawn items that the reader may judge. ``preview`` is empty unless it was asked for, and for those who may not draw.
    """

    kind: str
    percent: int
    to_judge: int
    preview: list[TeamDraw]
    available_actions: list[str]
    results: list[SpotCheck]


class SpotCheckItem(TypedDict):
    """A drawn item that waits to be judged.

    ``language`` is that of its team, where each team writes in its own. ``reader_edited``: the reader wrote an earlier
    revision; ``reader_starred``: the reader starred a revision. Someone else should judge it then.
    """

    id: int
    label: str
    team: TeamBrief
    state: Annotated[str, OneOf(Item.State)]
    revision_no: int
    image: PictureBrief
    language: TextLanguage | None
    content: Content | None
    findings: list[FindingRow]
    reasons: dict[str, str]
    author: PersonBrief | None
    comments: int
    reader_edited: bool
    reader_starred: bool


class SpotCheckSheet(TypedDict):
    """The first of the drawn items that the reader may judge, of ``total``; teams do not learn which were drawn."""

    kind: str
    rules: RulesRow
    total: int
    items: list[SpotCheckItem]


class TeamCredit(TypedDict):
    """A person's accepted items in a team, whether they lead it, and whether they are a member now."""

    team: TeamBrief
    validated: int
    leads: bool
    member: bool


class CreditRow(TypedDict):
    """A person's credit: accepted items of which they wrote the first revision; ``earned``: it suffices."""

    person: PersonBrief
    teams: list[TeamCredit]
    validated: int
    teams_led: int
    earned: bool


class Credit(TypedDict):
    """Credit towards authorship, most items first, with the protocol's conditions, of which one suffices.

    ``validated_items``: accepted items; ``teams_to_lead``: led teams; null where the protocol has no such condition.
    ``imported``: accepted items of the teams shown that count for no one, because their first version was imported.
    """

    validated_items: int | None
    teams_to_lead: int | None
    imported: int
    results: list[CreditRow]


class CategoryCounts(TypedDict):
    """Accepted items of a category, and the pictures that have some; the category is empty for items without one."""

    category: str
    items: int
    pictures: int


class TeamCounts(TypedDict):
    """A team's accepted items by category, without categories that have none.

    ``pictures`` may be fewer than the sum over categories: a picture may have items of several.
    """

    team: TeamBrief
    pair: PairRow | None
    items: int
    pictures: int
    categories: list[CategoryCounts]


class TeamStatistics(TypedDict):
    """Accepted items of a kind by team; ``required`` is the number that the protocol asks each team for, 0: none."""

    kind: str
    required: int
    teams: list[TeamCounts]
