"""A team's board, an item as its team writes and checks it, and the items that wait to be checked."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, cast

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import BigIntegerField, Count, Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, JSONObject, Now

from annotation.items.models import FREES_SLOT, Draft, Item, ItemRevision
from annotation.items.queries import (
    beginning,
    comments_on,
    newest_revision,
    picture,
    protocol_content,
    protocol_with,
    publishable,
    rules_for,
    text_language,
    thumbnail,
    with_pictures,
)
from annotation.judging.models import Verdict
from annotation.peer import access
from annotation.peer.rules import HELD, PURPOSE, free_slot
from annotation.peer.shapes import HeldPeerItem, PeerItem, PeerPool, PeerSentBack, TeamBoard, TeamItem, TeamPicture
from annotation.seats import queries as seats
from annotation.seats import rules
from annotation.seats.models import Seat
from curation.benchmarks.models import Benchmark
from curation.benchmarks.rules import track_content, work_of
from curation.core.errors import NotFound
from curation.core.operations import Reach
from curation.core.pages import cut_page
from curation.core.shapes import PersonBrief
from curation.images.models import Image, Rendition, current_renditions
from curation.lib.statements import Param, Prepared
from curation.people.access import benchmark_for, brief_for, names_visible
from curation.people.models import Person, Team
from curation.people.shapes import team_brief

# --- The board


def team_board(
    person: Person,
    benchmark_slug: str,
    *,
    kind: str,
    team: int | None = None,
    show: str = "all",
    category: str | None = None,
    author: int | None = None,
    reason: str | None = None,
    cursor: str | None = None,
    page_size: int,
) -> TeamBoard:
    """Show a team's pictures, newest first, each with its items of a kind, and the team's progress.

    Nine statements for any number of pictures.

    Args:
        person: The person who asks.
        benchmark_slug: The benchmark.
        kind: Kind of work.
        team: The team; None: the person's own, the oldest of several.
        show: ``all`` pictures; those with ``room`` for another item; those with ``returned`` items; those with items
            ``to_check`` by the person, or of which the person has ``drafts``.
        category: Only pictures of this category.
        author: Only pictures with items whose newest revision this person wrote. Where names are hidden, no pictures
            unless this is the person who asks.
        reason: Only pictures with items that were returned for this reason.
        cursor: ``next`` of the previous page.
        page_size: Pictures per page.

    Raises:
        NotFound: Another team's, or the person is in no team.
        KindNotInProtocol, OperationNotAllowed.
    """
    benchmark = benchmark_for(person, benchmark_slug, "team_board", kind)
    protocol = protocol_with(benchmark, kind)
    shown = team_for(person, benchmark, kind, team)
    work = work_of(protocol.content, kind)
    maximum = work.per_picture.maximum
    settings = track_content(protocol.content, Item.Track.PEER, kind) or {}
    items = Item.objects.filter(benchmark=benchmark, kind=kind, team=shown, track=Item.Track.PEER)
    items = items.exclude(excluded_for__in=FREES_SLOT)
    offered = _offered_on(person, benchmark, kind, shown)
    to_check = (
        items.filter(state=Item.State.MADE)
        .alias(author=access.author_of("pk", "revision_no"))
        .exclude(author=person.pk)
    )
    if "item_star" not in offered:
        to_check = to_check.none()
    pictures = Image.objects.filter(publishable(shared=True), benchmark=benchmark, team=shown).select_related(
        "category"
    )
    drafted = items.exclude(state=Item.State.EXCLUDED).filter(Exists(_drafts(OuterRef("pk"), person)))
    on_picture = items.filter(image_id=OuterRef("pk"))
    of_subset = publishable(subset=work.subset, shared=True)
    # Of other subsets only pictures with items that were created before.
    pictures = pictures.filter(of_subset | Exists(on_picture)) if work.subset else pictures
    match show:
        case "room":
            n = Subquery(on_picture.order_by().values("image_id").values(n=Count("pk")))
            pictures = pictures.alias(used=Coalesce(n, 0)).filter(of_subset, used__lt=maximum)
        case "returned":
            pictures = pictures.filter(Exists(on_picture.filter(state=Item.State.RETURNED)))
        case "to_check":
            pictures = pictures.filter(Exists(to_check.filter(image_id=OuterRef("pk"))))
        case "drafts":
            pictures = pictures.filter(Exists(drafted.filter(image_id=OuterRef("pk"))))
    if category is not None:
        pictures = pictures.filter(category__slug=category)
    show_names = names_visible(person, benchmark.pk, protocol.content)
    if author is not None:
        hidden = author != person.pk and not show_names
        written = on_picture.alias(author=access.author_of("pk", "revision_no")).filter(author=author)
        pictures = pictures.none() if hidden else pictures.filter(Exists(written))
    if reason is not None:
        returned = on_picture.filter(state=Item.State.RETURNED)
        for_reason = _refused().filter(reasons__contains=[reason])
        pictures = pictures.filter(Exists(returned.filter(Exists(for_reason))))
    rows, page = cut_page(pictures, by="-number", cursor=cursor, page_size=page_size)
    counts = dict(items.values_list("state").annotate(n=Count("pk")).order_by())
    return {
        **page,
        "team": team_brief(shown),
        "kind": kind,
        "maximum": maximum,
        "required": settings.get("items_per_team", 0),
        "accepted": counts.get(Item.State.ACCEPTED, 0),
        "to_check": to_check.count(),
        "drafts": drafted.filter(publishable("image__", shared=True)).count(),
        "authors": _authors(items) if show_names else [],
        "counts": {state.value: counts.get(state.value, 0) for state in Item.State},
        "available_actions": offered,
        "results": _with_items(rows, items, person, shown),
    }


def _drafts(item_id: Any, person: Person) -> QuerySet[Draft]:
    return Draft.objects.filter(item_id=item_id, author=person)


def _authors(items: QuerySet[Item]) -> list[PersonBrief]:
    """The authors of the newest revisions of items, by name: members, and curators and former members who wrote."""
    newest = ItemRevision.objects.filter(item__in=items.order_by(), no=F("item__revision_no"))
    rows = newest.order_by("author__name", "author_id").values_list("author_id", "author__name").distinct()
    return [{"id": pk, "name": name} for pk, name in rows]


def _refused() -> QuerySet[Verdict]:
    """Verdicts that returned the newest revision of the outer query's item."""
    refused = Q(stage=PURPOSE, outcome="return") | Q(stage="spot_check", outcome="wrong")
    return Verdict.objects.filter(refused, item_id=OuterRef("pk"), revision_no=OuterRef("revision_no"))


def team_for(
    person: Person, benchmark: Benchmark, kind: str, team_id: int | None, operation: str = "team_board"
) -> Team:
    """A team whose items an operation shows to the person; their own if they name none."""
    own = access.teams_of(person, benchmark.pk, kind)
    if team_id is None and own:
        team_id = min(own)
    sees_all = person.reach(benchmark.pk, operation, kind) is Reach.ALL
    if team_id is None or not (sees_all or team_id in own):
        raise NotFound
    team = Team.objects.filter(pk=team_id, benchmark=benchmark).first()
    if team is None:
        raise NotFound
    return team


def _offered_on(person: Person, benchmark: Benchmark, kind: str, team: Team) -> list[str]:
    """What a person may do on a team's board: create items, and star those that others wrote."""
    writes = team.pk in access.writes_for(person, benchmark.pk, kind)
    checks = team.pk in access.checks_for(person, benchmark.pk, kind) or access.checks_all(person, benchmark.pk, kind)
    of_team = {"item_create": writes, "item_star": checks}
    return [name for name, is_theirs in of_team.items() if is_theirs and person.may(benchmark.pk, name, kind)]


def _with_items(pictures: Sequence[Any], items: QuerySet[Item], person: Person, team: Team) -> list[TeamPicture]:
    of: dict[int, list[TeamItem]] = {image.pk: [] for image in pictures}
    held = Seat.objects.filter(item_id=OuterRef("pk"), purpose=PURPOSE, lease_until__gt=Now()).exclude(holder=person)
    drafts = Draft.objects.filter(item_id=OuterRef("pk"), base_no=OuterRef("revision_no")).exclude(author=person)
    writer = drafts.order_by("-updated_at").values(row=JSONObject(id="author_id", name="author__name"))
    rows: QuerySet[Any] = items.filter(image_id__in=list(of)).annotate(
        newest=newest_revision("pk", "revision_no"),
        held_until=Subquery(held.values("lease_until")[:1]),
        writer=Subquery(writer[:1]),
        mine_drafted=Exists(_drafts(OuterRef("pk"), person)),
    )
    for item in rows.select_related("benchmark").order_by("slot"):
        of[item.image_id].append(_team_item(item, person, team))
    thumbs: dict[int, list[Any]] = {}
    files = Rendition.objects.filter(current_renditions(), image_id__in=list(of), role="thumb")
    for row in files.order_by().values():
        thumbs.setdefault(row["image_id"], []).append(row)
    return [{"image": thumbnail(image, thumbs.get(image.pk, [])), "items": of[image.pk]} for image in pictures]


def _team_item(item: Any, viewer: Person, team: Team) -> TeamItem:
    protocol_id = item.benchmark.protocol_id
    show_names = _shows_names(viewer, item)
    return {
        "id": item.pk,
        "label": item.label,
        "slot": item.slot,
        "state": item.state,
        "revision_no": item.revision_no,
        "author": brief_for(viewer, _author_of(item.newest), show_names=show_names),
        "mine": item.newest is not None and item.newest["author_id"] == viewer.pk,
        "first_text": beginning(protocol_id, item.kind, item.newest, team.language),
        "language": text_language(protocol_id, team),
        "held_until": item.held_until,
        "is_drafted": item.writer is not None,
        "drafted_by": brief_for(viewer, item.writer, show_names=show_names),
        "reader_drafted": item.mine_drafted,
    }


def _author_of(newest: dict[str, Any] | None) -> dict[str, Any] | None:
    return {"id": newest["author_id"], "name": newest["author_name"]} if newest else None


def _shows_names(viewer: Person, item: Any) -> bool:
    return names_visible(viewer, item.benchmark_id, protocol_content(item.benchmark.protocol_id))


# --- Items


def _detailed(person_id: Any) -> QuerySet[Any]:
    """Rows of ``access.team_items`` with what :func:`_peer_item` shows besides: picture, draft, why it was returned."""
    draft = Draft.objects.filter(item_id=OuterRef("pk"), author_id=person_id)
    of_draft = {name: name for name in ("content", "seq", "base_no", "active_ms", "findings")}
    of_verdict = {name: name for name in ("stage", "reasons", "comment", "judge_id", "judge__name")}
    on_picture = Item.objects.filter(image=OuterRef("image"), kind=OuterRef("kind"))
    used = on_picture.exclude(excluded_for__in=FREES_SLOT).order_by().values("slot")
    rows: QuerySet[Any] = with_pictures(access.team_items(person_id), "image_id").annotate(
        draft=Subquery(draft.values(row=JSONObject(**of_draft))[:1]),
        refused=Subquery(_refused().order_by("-pk").values(row=JSONObject(**of_verdict))[:1]),
        comment_count=comments_on("pk"),
        used_slots=ArraySubquery(used),
        is_publishable=Exists(Image.objects.filter(publishable(shared=True), pk=OuterRef("image_id"))),
    )
    return rows.select_related("image__category")


_ITEM: Prepared[Any] = Prepared(
    lambda: _detailed(Param("person", BigIntegerField())).filter(pk=Param("item", BigIntegerField()))
)


def peer_item(person: Person, item_id: int) -> PeerItem:
    """Show an item of a team as its members write and check it; one statement.

    Raises:
        NotFound, OperationNotAllowed.
    """
    row = _ITEM.row(person=person.pk, item=item_id)
    return _peer_item(person, access.check_reach(person, row, "peer_item_show"))


def _peer_item(person: Person, involved: access.Involvement) -> PeerItem:
    item, newest, draft = involved.item, involved.item.newest, involved.item.draft
    show_names = _shows_names(person, item)
    guideline = next(iter(item.guidelines), None)
    return {
        "id": item.pk,
        "label": item.label,
        "kind": item.kind,
        "slot": item.slot,
        "team": team_brief(item.team),
        "state": item.state,
        "revision_no": item.revision_no,
        "image": picture(item.image, item.renditions),
        "rules": rules_for(item.benchmark.protocol_id, item.kind, item.team.language),
        "guideline": {"version": guideline["version"], "acknowledged": guideline["acknowledged"]}
        if guideline
        else None,
        "content": newest["content"] if newest else None,
        "draft": {
            "content": draft["content"],
            "seq": draft["seq"],
            "base_no": draft["base_no"],
            "active_ms": draft["active_ms"],
        }
        if draft
        else None,
        "findings": (draft or newest or {"findings": []})["findings"],
        "reasons": newest["reasons"] if newest else {},
        "author": brief_for(person, _author_of(newest), show_names=show_names),
        "mine": newest is not None and involved.newest_author == person.pk,
        "sent_back": _sent_back(item, person, show_names=show_names),
        "is_restored": item.is_restored,
        "held_until": involved.held_until,
        "comments": item.comment_count,
        "may_create": _may_create(person, item),
        "available_actions": access.actions(person, involved),
    }


def _may_create(person: Person, item: Any) -> bool:
    """Whether a person may create another item of the kind on the picture of a row of :func:`_detailed`."""
    work = work_of(protocol_content(item.benchmark.protocol_id), item.kind)
    fits = bool(item.is_publishable) and work.subset in (None, item.image.subset)
    has_room = fits and free_slot(item.used_slots, work.per_picture.maximum) is not None
    return has_room and "item_create" in _offered_on(person, item.benchmark, item.kind, item.team)


def _sent_back(item: Any, viewer: Person, *, show_names: bool) -> PeerSentBack | None:
    """Why the newest revision was returned, if the item still is."""
    refused = item.refused
    if item.state != Item.State.RETURNED or refused is None:
        return None
    judge = {"id": refused["judge_id"], "name": refused["judge__name"]}
    return {
        "stage": refused["stage"],
        "reasons": refused["reasons"],
        "comment": refused["comment"],
        "by": brief_for(viewer, judge, show_names=show_names),
    }


def changed_item(person: Person, item: Item) -> PeerItem:
    """An item that the person created, starred, sent back or discarded."""
    return peer_item(person, item.pk)


# --- Checking one after the other


def peer_pool(person: Person, benchmark_slug: str, *, kind: str, team: int | None = None) -> PeerPool:
    """Show the items of which the person holds the seat, and how many others wait.

    Raises:
        KindNotInProtocol, NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(person, benchmark_slug, "peer_pool_show", kind)
    return _pool(person, benchmark, kind, access.teams_to_check(person, benchmark, kind, team))


def claimed_pool(person: Person, claimed: tuple[Benchmark, str, set[int]]) -> PeerPool:
    """The pool of a kind after the person claimed items of some teams."""
    return _pool(person, *claimed)


def _pool(person: Person, benchmark: Benchmark, kind: str, teams: set[int]) -> PeerPool:
    # A person who left a team may still hold seats there.
    held = seats.held(person, benchmark.pk, PURPOSE, kind).filter(access.seats_open_to(person, benchmark.pk))
    mine = {seat.item_id: seat for seat in held}
    waiting = Seat.objects.filter(benchmark=benchmark, purpose=PURPOSE, kind=kind, group_id__in=teams)
    waiting = waiting.exclude(state=Seat.State.DONE).alias(author=access.author_of("item_id", "item__revision_no"))
    counts = waiting.aggregate(
        free=Count("pk", filter=Q(state=Seat.State.FREE) & ~Q(author=person.pk)),
        held=Count("pk", filter=Q(state=Seat.State.HELD) & ~Q(holder=person)),
    )
    rows = _detailed(person.pk).filter(pk__in=list(mine)) if mine else []
    return {
        "kind": kind,
        "free": counts["free"],
        "held": counts["held"],
        "held_maximum": HELD,
        "lease_seconds": rules.LEASE_SECONDS,
        "heartbeat_seconds": rules.HEARTBEAT_SECONDS,
        "items": [_held_item(person, row, mine[row.pk]) for row in sorted(rows, key=lambda r: mine[r.pk].rank)],
    }


def _held_item(person: Person, row: Any, seat: Seat) -> HeldPeerItem:
    lease_until = cast("datetime", seat.lease_until)  # a held seat has one
    return {**_peer_item(person, access.involvement(person, row)), "seat": seat.pk, "lease_until": lease_until}
