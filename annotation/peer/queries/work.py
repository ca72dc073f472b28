"""An item as people write and check it, and the items that wait to be checked."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final, cast

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import BigIntegerField, Count, Exists, JSONField, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import JSONObject

from annotation.bases.queries import drawn_text
from annotation.items.models import FREES_SLOT, Draft, Item
from annotation.items.queries import (
    comments_on,
    picture,
    protocol_content,
    publishable,
    rules_for,
    with_pictures,
)
from annotation.judging.models import Judging
from annotation.judging.rules import WITH_JUDGING
from annotation.judging.shapes import JudgingBrief
from annotation.peer import access
from annotation.peer.queries.offers import author_brief, offered_on, returning_verdicts, shows_names, waiting_for
from annotation.peer.rules import free_slot
from annotation.peer.shapes import BaseBrief, HeldPeerItem, PeerItem, PeerPool, PeerSentBack
from annotation.peer.states import TABLES
from annotation.seats import queries as seats
from annotation.seats import rules
from annotation.seats.models import Seat
from curation.benchmarks.models import Benchmark
from curation.benchmarks.rules import work_of
from curation.images.models import Image
from curation.lib.statements import Param, Prepared
from curation.people.access import benchmark_for, brief_for
from curation.people.models import Person
from curation.people.shapes import team_brief

# --- Items


def _detailed(person_id: Any, track: str = Item.Track.PEER) -> QuerySet[Any]:
    """Rows of ``access.team_items`` with what :func:`_peer_item` shows besides: picture, draft, why it was returned."""
    draft = Draft.objects.filter(item_id=OuterRef("pk"), author_id=person_id)
    of_draft = {name: name for name in ("content", "seq", "base_no", "active_ms", "findings")}
    of_verdict = {name: name for name in ("stage", "reasons", "comment", "judge_id", "judge__name")}
    on_picture = Item.objects.filter(image=OuterRef("image"), kind=OuterRef("kind"))
    used = on_picture.exclude(excluded_for__in=FREES_SLOT).order_by().values("slot")
    by_team = track == Item.Track.PEER
    judging = Judging.objects.filter(item_id=OuterRef("pk"), closed_at=None)
    of_judging = {name: name for name in ("no", "people", "done", "form")}
    rows: QuerySet[Any] = with_pictures(access.team_items(person_id, track), "image_id").annotate(
        draft=Subquery(draft.values(row=JSONObject(**of_draft))[:1]),
        # Of a panel all that failed the revision, of others the last.
        refused=ArraySubquery(
            returning_verdicts().order_by("-pk").values(row=JSONObject(**of_verdict))[: 1 if by_team else None]
        ),
        judging=Value(None, JSONField()) if by_team else Subquery(judging.values(row=JSONObject(**of_judging))[:1]),
        comment_count=comments_on("pk"),
        used_slots=ArraySubquery(used),
        is_publishable=Exists(Image.objects.filter(publishable(shared=by_team), pk=OuterRef("image_id"))),
    )
    return rows.select_related("image__category")


def _single(track: str) -> Prepared[Any]:
    return Prepared(
        lambda: _detailed(Param("person", BigIntegerField()), track).filter(pk=Param("item", BigIntegerField()))
    )


_ITEM: Final = {track: _single(track) for track in TABLES}


def peer_item(person: Person, item_id: int) -> PeerItem:
    """Show an item as people write and check it; one statement in the peer track, two in the panel track.

    Raises:
        NotFound, OperationNotAllowed.
    """
    rows = (statement.row(person=person.pk, item=item_id) for statement in _ITEM.values())
    row = next((row for row in rows if row is not None), None)
    return _peer_item(person, access.check_reach(person, row, "peer_item_show"))


def _peer_item(person: Person, involved: access.Involvement) -> PeerItem:
    item, newest, draft = involved.item, involved.item.newest, involved.item.draft
    show_names = shows_names(person, item)
    guideline = next(iter(item.guidelines), None)
    return {
        "id": item.pk,
        "label": item.label,
        "kind": item.kind,
        "slot": item.slot,
        "track": item.track,
        "team": team_brief(item.team) if item.team else None,
        "state": item.state,
        "revision_no": item.revision_no,
        "image": picture(item.image, item.renditions),
        "rules": rules_for(item.benchmark.protocol_id, item.kind, item.team.language if item.team else ""),
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
        "author": brief_for(person, author_brief(newest), show_names=show_names),
        "mine": newest is not None and involved.newest_author == person.pk,
        "sent_back": _sent_back(item, person, show_names=show_names),
        "judging": _judging(item.judging),
        "base": _base(item),
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
    return has_room and "item_create" in offered_on(person, item.benchmark, item.kind, item.team)


def _base(item: Any) -> BaseBrief | None:
    """What an item rests on; None in tracks whose items rest on the picture alone."""
    if item.track != Item.Track.PAIR:
        return None
    base = item.base_of
    return {
        "kind": base["kind"],
        "content": base["content"],
        "text": drawn_text(base["content"], base["path"]),
        "current": base["current"],
    }


def _judging(row: dict[str, Any] | None) -> JudgingBrief | None:
    if row is None:
        return None
    return {"no": row["no"], "people": row["people"], "done": row["done"], "form": row["form"]}


def _sent_back(item: Any, viewer: Person, *, show_names: bool) -> PeerSentBack | None:
    """Why the newest revision was returned, if the item still is; of a panel everybody's reasons, without names."""
    if item.state != Item.State.RETURNED or not item.refused:
        return None
    last, *_ = item.refused
    judge = None if last["stage"] in WITH_JUDGING else {"id": last["judge_id"], "name": last["judge__name"]}
    in_order = item.refused[::-1]
    return {
        "stage": last["stage"],
        "reasons": list(dict.fromkeys(reason for verdict in in_order for reason in verdict["reasons"])),
        "comment": "\n".join(verdict["comment"] for verdict in in_order if verdict["comment"]),
        "by": brief_for(viewer, judge, show_names=show_names),
    }


def changed_item(person: Person, item: Item) -> PeerItem:
    """An item that the person created, starred, sent back or discarded."""
    return peer_item(person, item.pk)


# --- Checking one after the other


def peer_pool(person: Person, benchmark_slug: str, *, kind: str, team: int | None = None) -> PeerPool:
    """Show the items of which the person holds the seat, and how many others wait.

    Raises:
        KindNotInProtocol, TrackNotInProtocol, NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(person, benchmark_slug, "peer_pool_show", kind)
    track = access.track_of(benchmark, kind, of=(Item.Track.PEER, Item.Track.PANEL))
    by_team = track == Item.Track.PEER
    return _pool(person, benchmark, kind, access.teams_to_check(person, benchmark, kind, team) if by_team else set())


def claimed_pool(person: Person, claimed: tuple[Benchmark, str, set[int]]) -> PeerPool:
    """The pool of a kind after the person claimed items of some teams."""
    return _pool(person, *claimed)


def _pool(person: Person, benchmark: Benchmark, kind: str, teams: set[int]) -> PeerPool:
    # A person who left a team may still hold seats there.
    track = access.track_of(benchmark, kind)
    held = seats.held(person, benchmark.pk, track, kind).filter(access.seats_open_to(person, benchmark.pk))
    mine = {seat.item_id: seat for seat in held}
    waiting = waiting_for(person, benchmark, kind, track, teams)
    counts = waiting.aggregate(
        free=Count("item", distinct=True, filter=Q(state=Seat.State.FREE)),
        held=Count("item", distinct=True, filter=Q(state=Seat.State.HELD) & ~Q(holder=person)),
    )
    rows = _detailed(person.pk, track).filter(pk__in=list(mine)) if mine else []
    return {
        "kind": kind,
        "free": counts["free"],
        "held": counts["held"],
        "held_maximum": access.most_held(benchmark, kind),
        "lease_seconds": rules.LEASE_SECONDS,
        "heartbeat_seconds": rules.HEARTBEAT_SECONDS,
        "items": [_held_item(person, row, mine[row.pk]) for row in sorted(rows, key=lambda r: mine[r.pk].rank)],
    }


def _held_item(person: Person, row: Any, seat: Seat) -> HeldPeerItem:
    lease_until = cast("datetime", seat.lease_until)  # a held seat has one
    return {**_peer_item(person, access.involvement(person, row)), "seat": seat.pk, "lease_until": lease_until}
