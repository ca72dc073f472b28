"""A pool as whoever judges from it sees it."""

from __future__ import annotations

from typing import Any

from django.db.models import F

from annotation.items.queries import comments_on, kind_settings, newest_revision, with_pictures
from annotation.kinds.registry import KINDS, package_label
from annotation.packages.access import names_shown
from annotation.packages.models import PackageItem
from annotation.packages.queries.work import sent_back_by
from annotation.quality import access
from annotation.quality.queries.sheets import sheet_item, with_review
from annotation.seats import queries as seats
from annotation.seats import rules
from annotation.seats.models import Seat
from curation.people.models import Person


def pool(person: Person, slug: str, purpose: str, kind: str, operation: str = "pool_show") -> dict[str, Any]:
    """How much is free, and the items in the person's hands.

    Raises:
        PoolNotInProtocol, NotFound, OperationNotAllowed.
    """
    benchmark, settings = access.pool_for(person, slug, operation, purpose, kind)
    mine = {seat.item_id: seat for seat in seats.held(person, benchmark.pk, purpose, kind)}
    rows = PackageItem.objects.filter(item_id__in=list(mine), active=True).select_related("item__image__category")
    rows = with_pictures(rows, "item__image_id").annotate(
        newest=newest_revision("item_id", "item__revision_no"),
        comments=comments_on("item_id"),
        sent_back_by=sent_back_by(),
        package_no=F("package__number"),
    )
    protocol_id = benchmark.protocol_id
    shown = names_shown(person, benchmark.pk, protocol_id)
    items = []
    for member in sorted(with_review(rows, person), key=lambda m: mine[m.item_id].rank):
        member.draft = None  # what somebody typed and did not hand in is nobody else's to see
        seat = mine[member.item_id]
        items.append(
            sheet_item(member, person, shown=shown)
            | {
                "seat": seat.pk,
                "lease_until": seat.lease_until,
                "package": member.package_id,
                "package_label": package_label(kind, member.package_no),
                "round": seat.round,
            }
        )
    counted = next((c for c in seats.counts(benchmark.pk) if (c["purpose"], c["kind"]) == (purpose, kind)), None)
    return {
        "purpose": purpose,
        "kind": kind,
        **{state: counted[state] if counted else 0 for state in Seat.State.values},
        "mine": len(mine),
        "held_maximum": settings.held,
        "people": settings.people,
        "rules": KINDS[kind].rules(kind_settings(protocol_id, kind)),
        "lease_seconds": rules.LEASE_SECONDS,
        "heartbeat_seconds": rules.HEARTBEAT_SECONDS,
        "items": items,
    }


def pool_of(person: Person, slug: str, purpose: str, seat_ids: list[int]) -> dict[str, Any]:
    """The pool that some seats belong to; that of the protocol's first kind where they are gone.

    Raises:
        PoolNotInProtocol, NotFound, OperationNotAllowed.
    """
    benchmark, _ = access.pool_for(person, slug, "pool_show", purpose)
    here = Seat.objects.filter(pk__in=seat_ids, benchmark=benchmark, purpose=purpose)
    kinds = benchmark.protocol.content["kinds"] if benchmark.protocol else {}
    kind = here.values_list("kind", flat=True).first() or next(k for k in KINDS if k in kinds)
    return pool(person, slug, purpose, kind)
