"""Pools, as judges see them."""

from __future__ import annotations

from datetime import datetime
from typing import cast

from django.db.models import F

from annotation.items.queries import comments_on, names_visible, newest_revision, rules_for, with_pictures
from annotation.kinds.registry import package_label
from annotation.packages.models import PackageItem
from annotation.packages.queries.work import returned_by
from annotation.quality import access
from annotation.quality.queries.sheets import sheet_item, with_earlier, with_review
from annotation.quality.shapes import PoolAnswer, PoolItem
from annotation.seats import queries as seats
from annotation.seats import rules
from annotation.seats.models import Seat
from annotation.seats.shapes import SeatProgress
from curation.images.models import hidden_from
from curation.people.models import Person


def pool(person: Person, benchmark_slug: str, purpose: str, kind: str) -> PoolAnswer:
    """Show how many seats of a pool are free, held and done, and the items of those that the person holds.

    Raises:
        PoolNotInProtocol, NotFound, OperationNotAllowed.
    """
    benchmark, settings = access.pool_for(person, benchmark_slug, "pool_show", purpose, kind)
    mine = {seat.item_id: seat for seat in seats.held(person, benchmark.pk, purpose, kind)}
    rows = PackageItem.objects.filter(item_id__in=list(mine), active=True).select_related(
        "item__image__category", "item__team"
    )
    rows = with_pictures(rows.exclude(hidden_from(person.pk, "item__image_id")), "item__image_id").annotate(
        newest=newest_revision("item_id", "item__revision_no"),
        comments=comments_on("item_id"),
        returned_by=returned_by(),
        package_no=F("package__number"),
    )
    protocol_id = benchmark.protocol_id or 0  # a pool has one
    show_names = names_visible(person, benchmark.pk, protocol_id)
    items: list[PoolItem] = []
    for member in sorted(with_earlier(with_review(rows, person)), key=lambda m: mine[m.item_id].rank):
        member.draft = None  # only its author sees it
        if purpose != "review":
            member.earlier = None  # inspectors judge the text alone
        seat = mine[member.item_id]
        items.append(
            {
                **sheet_item(member, person, protocol_id, show_names=show_names),
                "seat": seat.pk,
                "lease_until": cast("datetime", seat.lease_until),  # a held seat has one
                "package": member.package_id,
                "package_label": package_label(kind, member.package_no),
                "round": seat.round,
            }
        )
    none: SeatProgress = {"purpose": purpose, "kind": kind, "free": 0, "held": 0, "done": 0}
    counts = next((c for c in seats.counts(benchmark.pk) if (c["purpose"], c["kind"]) == (purpose, kind)), none)
    return {
        **counts,
        "mine": len(mine),
        "held_maximum": settings.held,
        "people": settings.people,
        "rules": rules_for(protocol_id, kind),
        "lease_seconds": rules.LEASE_SECONDS,
        "heartbeat_seconds": rules.HEARTBEAT_SECONDS,
        "items": items,
    }


def pool_of(person: Person, benchmark_slug: str, purpose: str, seat_ids: list[int]) -> PoolAnswer:
    """Show the pool of these seats; if they no longer exist, that of the first kind with a pool.

    Raises:
        PoolNotInProtocol, NotFound, OperationNotAllowed.
    """
    benchmark, _ = access.pool_for(person, benchmark_slug, "pool_show", purpose)
    seats_of_pool = Seat.objects.filter(pk__in=seat_ids, benchmark=benchmark, purpose=purpose)
    kinds = access.kinds_with_pool(benchmark.protocol.content if benchmark.protocol else {}, purpose)
    kind = seats_of_pool.values_list("kind", flat=True).first() or kinds[0]
    return pool(person, benchmark_slug, purpose, kind)
