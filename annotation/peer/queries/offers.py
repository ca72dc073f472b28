"""What boards and single items have in common: what people may do there, and whose names they see."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.bases.queries import holds
from annotation.items.models import Item, ItemHand, ItemRevision
from annotation.items.queries import protocol_content, publishable
from annotation.judging.models import Verdict
from annotation.judging.rules import WITH_JUDGING
from annotation.kinds.registry import LIVE
from annotation.peer import access
from annotation.peer.rules import PURPOSE, SEATS
from annotation.seats.models import Seat
from curation.benchmarks.models import Benchmark
from curation.images.models import hidden_from
from curation.people.access import names_visible
from curation.people.models import Person, Team


def offered_on(person: Person, benchmark: Benchmark, kind: str, team: Team | None) -> list[str]:
    """What a person may do on a board: create items, and star, judge, click on or decide about those of others.

    ``team`` is None on the board of a kind in the panel or pair track.
    """
    if team is None:
        track = access.track_of(benchmark, kind)
        theirs = {"item_create": kind not in LIVE and access.writes_alone(person, benchmark.pk, kind)}
        if track == Item.Track.PANEL:
            theirs["item_judge"] = access.judges(person, benchmark.pk, kind)
        else:
            theirs["item_click"] = access.clicks_on(person, benchmark.pk, kind)
            theirs["item_decide"] = access.decides_on(person, benchmark.pk, kind)
    else:
        checks = access.checks_all(person, benchmark.pk, kind)
        theirs = {
            "item_create": team.pk in access.writes_for(person, benchmark.pk, kind),
            "item_star": checks or team.pk in access.checks_for(person, benchmark.pk, kind),
        }
    return [name for name, is_theirs in theirs.items() if is_theirs and person.may(benchmark.pk, name, kind)]


def author_brief(newest: dict[str, Any] | None) -> dict[str, Any] | None:
    """The author in a row of ``newest_revision``; None before the first revision."""
    return {"id": newest["author_id"], "name": newest["author_name"]} if newest else None


def shows_names(viewer: Person, item: Any) -> bool:
    """Whether the viewer sees the names of those who work on an item."""
    return names_visible(viewer, item.benchmark_id, protocol_content(item.benchmark.protocol_id))


def returning_verdicts() -> QuerySet[Verdict]:
    """Verdicts that returned the newest revision of the outer query's item; a panel's only once all are in."""
    by_panel = Q(stage__in=WITH_JUDGING, outcome="fail", judging__outcome="failed")
    by_panel |= Q(item__track__in=[Item.Track.PANEL, Item.Track.PAIR], stage="inspection", outcome="wrong")
    returned = Q(stage=PURPOSE, outcome="return") | Q(stage="spot_check", outcome="wrong") | by_panel
    return Verdict.objects.filter(returned, item_id=OuterRef("pk"), revision_no=OuterRef("revision_no"))


def waiting_for(person: Person, benchmark: Benchmark, kind: str, track: str, teams: Collection[int]) -> QuerySet[Seat]:
    """The seats of a kind that are not done, on items that the person may check or judge and has not yet.

    ``teams`` are those whose items the person checks, in the peer track.
    """
    purpose = SEATS[track]
    rows = Seat.objects.filter(benchmark=benchmark, purpose=purpose, kind=kind).exclude(state=Seat.State.DONE)
    rows = rows.exclude(hidden_from(person.pk, "item__image_id"))
    if track == Item.Track.PEER:
        newest = access.author_of("item_id", "item__revision_no")
        return rows.filter(group_id__in=teams).alias(author=newest).exclude(author=person.pk, state=Seat.State.FREE)
    mine = Seat.objects.filter(item_id=OuterRef("item_id"), purpose=purpose, holder=person)
    if track == Item.Track.PANEL:
        mine = mine.filter(round=OuterRef("round"))
    wrote = ItemRevision.objects.filter(item_id=OuterRef("item_id"), author=person)
    involved = ItemHand.objects.filter(item_id=OuterRef("item__base__base_item_id"), person=person)
    rows = rows.filter(publishable("item__image__"), holds("item__")).exclude(Exists(involved))
    return rows.exclude(Exists(mine.exclude(pk=OuterRef("pk")))).exclude(Exists(wrote))
