"""A board: pictures with the items that people created on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, JSONObject, Now

from annotation.bases.queries import bases_for, holds
from annotation.items.models import FREES_SLOT, Draft, Item, ItemRevision
from annotation.items.queries import (
    beginning,
    newest_revision,
    protocol_with,
    publishable,
    text_language,
    thumbnail,
)
from annotation.judging.models import Judging
from annotation.judging.rules import PANEL
from annotation.kinds.registry import LIVE
from annotation.peer import access
from annotation.peer.queries.offers import author_brief, offered_on, returning_verdicts, shows_names, waiting_for
from annotation.peer.rules import PURPOSE
from annotation.peer.shapes import TeamBoard, TeamItem, TeamPicture
from annotation.seats.models import Seat
from curation.benchmarks.models import Benchmark
from curation.benchmarks.rules import track_content, work_of
from curation.core.errors import NotFound
from curation.core.operations import Reach
from curation.core.pages import cut_page
from curation.core.shapes import PersonBrief
from curation.images.models import Image, Rendition, current_renditions, hidden_from
from curation.people.access import benchmark_for, brief_for, names_visible
from curation.people.models import Person, Team
from curation.people.shapes import team_brief


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
    """Show pictures, newest first, each with its items of a kind, and the progress of the work.

    In the peer track these are the pictures of a team, in the panel track all of the benchmark, in the pair track those
    with accepted work that items can rest on. Nine statements for any number of pictures.

    Args:
        person: The person who asks.
        benchmark_slug: The benchmark.
        kind: Kind of work.
        team: The team; None: the person's own, the oldest of several. Not looked at in the panel track.
        show: ``all`` pictures; those with ``room`` for another item; those with ``returned`` items; those with items
            ``to_check`` or to judge by the person, or of which the person has ``drafts``.
        category: Only pictures of this category.
        author: Only pictures with items whose newest revision this person wrote. Where names are hidden, no pictures
            unless this is the person who asks.
        reason: Only pictures with items that were returned for this reason.
        cursor: ``next`` of the previous page.
        page_size: Pictures per page.

    Raises:
        NotFound: Another team's, or the person is in no team.
        KindNotInProtocol, TrackNotInProtocol, OperationNotAllowed.
    """
    benchmark = benchmark_for(person, benchmark_slug, "team_board", kind)
    protocol = protocol_with(benchmark, kind)
    track = access.track_of(benchmark, kind)
    by_team = track == Item.Track.PEER
    shown = team_for(person, benchmark, kind, team)
    work = work_of(protocol.content, kind)
    maximum = work.per_picture.maximum
    settings = track_content(protocol.content, track, kind) or {}
    items = Item.objects.filter(benchmark=benchmark, kind=kind, team=shown, track=track)
    items = items.exclude(excluded_for__in=FREES_SLOT)
    offered = offered_on(person, benchmark, kind, shown)
    to_check = (
        _to_check(person, benchmark, kind, items, shown) if len(offered) > ("item_create" in offered) else items.none()
    )
    of_team = {"team": shown} if by_team else {}
    pictures = Image.objects.filter(publishable(shared=by_team), benchmark=benchmark, **of_team)
    pictures = pictures.exclude(hidden_from(person.pk)).filter(_shown(person, benchmark, kind, items))
    pictures = pictures.select_related("category")
    drafted = items.exclude(state=Item.State.EXCLUDED).filter(Exists(_drafts(OuterRef("pk"), person)))
    on_picture = items.filter(image_id=OuterRef("pk"))
    of_subset = publishable(subset=work.subset, shared=by_team)
    if track == Item.Track.PAIR:
        on_work = Exists(bases_for(kind).filter(image_id=OuterRef("pk")))
        of_subset &= Q(on_work)
        pictures = pictures.filter(on_work | Exists(on_picture))
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
        for_reason = returning_verdicts().filter(reasons__contains=[reason])
        pictures = pictures.filter(Exists(returned.filter(Exists(for_reason))))
    rows, page = cut_page(pictures, by="-number", cursor=cursor, page_size=page_size)
    counts = dict(items.values_list("state").annotate(n=Count("pk")).order_by())
    return {
        **page,
        "team": team_brief(shown) if shown else None,
        "kind": kind,
        "maximum": maximum,
        "required": settings.get("items_per_team", 0),
        "accepted": counts.get(Item.State.ACCEPTED, 0),
        "to_check": to_check.count(),
        "drafts": drafted.filter(publishable("image__", shared=by_team)).count(),
        "mine_returned": items.filter(state=Item.State.RETURNED)
        .alias(author=access.author_of("pk", "revision_no"))
        .filter(author=person.pk)
        .count(),
        "authors": _authors(items) if show_names else [],
        "counts": {state.value: counts.get(state.value, 0) for state in Item.State},
        "available_actions": offered,
        "results": _with_items(rows, items, person, shown),
    }


def _shown(person: Person, benchmark: Benchmark, kind: str, items: QuerySet[Item]) -> Q:
    """The condition on pictures of a board: of kinds that two people make live only those with items of the person's.

    They may be paired over the others. People who decide about every item see all.
    """
    sees_all = access.decides_on(person, benchmark.pk, kind) or access.oversees(person, benchmark.pk, kind)
    if kind not in LIVE or sees_all:
        return Q()
    return Q(Exists(items.filter(access.pair_items_opened_to(person), image_id=OuterRef("pk"))))


def _to_check(
    person: Person, benchmark: Benchmark, kind: str, items: QuerySet[Item], team: Team | None
) -> QuerySet[Item]:
    """Those of a board's items that the person may check, or judge and has not judged yet.

    In the pair track those about which a person who reviews or inspects decides, and for others those to click on.
    """
    made = items.filter(state=Item.State.MADE)
    if team is not None:
        return made.alias(author=access.author_of("pk", "revision_no")).exclude(author=person.pk)
    if access.track_of(benchmark, kind) == Item.Track.PAIR:
        if access.decides_on(person, benchmark.pk, kind):
            opened = Judging.objects.filter(item_id=OuterRef("pk"), closed_at=None)
            return made.filter(~Exists(opened), holds())
        waiting = waiting_for(person, benchmark, kind, Item.Track.PAIR, ())
        return made.filter(pk__in=waiting.values("item_id"))
    wrote = ItemRevision.objects.filter(item_id=OuterRef("pk"), author=person)
    seats = Seat.objects.filter(item_id=OuterRef("pk"), purpose=PANEL)
    open_seats = seats.exclude(state=Seat.State.DONE).filter(Q(holder=None) | Q(holder=person))
    judged = seats.filter(round=OuterRef("judging_no"), holder=person, state=Seat.State.DONE)
    newest = Judging.objects.filter(item_id=OuterRef("pk"), closed_at=None).values("no")[:1]
    made = made.filter(publishable("image__"))
    return made.alias(judging_no=Subquery(newest)).filter(~Exists(wrote), Exists(open_seats), ~Exists(judged))


def _drafts(item_id: Any, person: Person) -> QuerySet[Draft]:
    return Draft.objects.filter(item_id=item_id, author=person)


def _authors(items: QuerySet[Item]) -> list[PersonBrief]:
    """The authors of the newest revisions of items, by name: members, and curators and former members who wrote."""
    newest = ItemRevision.objects.filter(item__in=items.order_by(), no=F("item__revision_no"))
    rows = newest.order_by("author__name", "author_id").values_list("author_id", "author__name").distinct()
    return [{"id": pk, "name": name} for pk, name in rows]


def team_for(
    person: Person, benchmark: Benchmark, kind: str, team_id: int | None, operation: str = "team_board"
) -> Team | None:
    """A team whose items an operation shows to the person, their own without an id; None in tracks without teams."""
    if access.track_of(benchmark, kind) != Item.Track.PEER:
        return None
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


def _with_items(pictures: Sequence[Any], items: QuerySet[Item], person: Person, team: Team | None) -> list[TeamPicture]:
    of: dict[int, list[TeamItem]] = {image.pk: [] for image in pictures}
    # Of a panel several judge at the same time, so nobody waits for the holder of a seat.
    held = Seat.objects.filter(item_id=OuterRef("pk"), purpose=PURPOSE, lease_until__gt=Now()).exclude(holder=person)
    drafts = Draft.objects.filter(item_id=OuterRef("pk"), base_no=OuterRef("revision_no")).exclude(author=person)
    writer = drafts.order_by("-updated_at").values(row=JSONObject(id="author_id", name="author__name"))
    rows: QuerySet[Any] = items.filter(image_id__in=list(of)).annotate(
        newest=newest_revision("pk", "revision_no"),
        held_until=Subquery(held.values("lease_until")[:1]),
        writer=Subquery(writer[:1]),
        mine_drafted=Exists(_drafts(OuterRef("pk"), person)),
        wrote=Exists(ItemRevision.objects.filter(item_id=OuterRef("pk"), author=person)),
    )
    for item in rows.select_related("benchmark").order_by("slot"):
        sees_all = person.reach(item.benchmark_id, "item_show", item.kind) is Reach.ALL
        of[item.image_id].append(_team_item(item, person, team, sees_all=sees_all))
    thumbs: dict[int, list[Any]] = {}
    files = Rendition.objects.filter(current_renditions(), image_id__in=list(of), role="thumb")
    for row in files.order_by().values():
        thumbs.setdefault(row["image_id"], []).append(row)
    return [{"image": thumbnail(image, thumbs.get(image.pk, [])), "items": of[image.pk]} for image in pictures]


def _team_item(item: Any, viewer: Person, team: Team | None, *, sees_all: bool) -> TeamItem:
    protocol_id = item.benchmark.protocol_id
    show_names = shows_names(viewer, item)
    # What an expression means is found by people who did not read it before.
    hidden = item.track == Item.Track.PAIR and not (item.wrote or sees_all)
    newest = None if hidden else item.newest
    return {
        "id": item.pk,
        "label": item.label,
        "slot": item.slot,
        "state": item.state,
        "revision_no": item.revision_no,
        "author": brief_for(viewer, author_brief(item.newest), show_names=show_names),
        "mine": item.newest is not None and item.newest["author_id"] == viewer.pk,
        "first_text": beginning(protocol_id, item.kind, newest, team.language if team else ""),
        "language": text_language(protocol_id, team),
        "held_until": item.held_until,
        "is_drafted": item.writer is not None,
        "drafted_by": brief_for(viewer, item.writer, show_names=show_names),
        "reader_drafted": item.mine_drafted,
    }
