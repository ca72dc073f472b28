"""Decisions on skipped items: agree, or insist that the item is written."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction

from annotation.items import services as items
from annotation.items.models import Item
from annotation.judging.services import check_reasons
from annotation.packages.models import PackageItem
from annotation.quality import access
from annotation.quality.services import pools
from annotation.seats import services as seats
from curation.core.decisions import Decision
from curation.people.models import Person
from curation.people.services import notify


@transaction.atomic
def decide_skip(
    *, actor: Person, item_id: int, agree: bool, client_key: UUID, reasons: Sequence[str] = (), comment: str = ""
) -> tuple[int, int, bool]:
    """Agree to a skip, so that the item leaves its package; or insist, and return the item with reasons.

    The package's reviewer decides, or a holder of one of the item's review seats; one decision is enough.

    Returns:
        The ids of package and item, and whether the item left the package.

    Raises:
        OwnWork, SeatNotHeld, ActionNotAllowed, ReasonNeeded, ReasonUnknown, ClientKeyReused, NotFound,
        OperationNotAllowed.
    """
    decision = Decision(actor_id=actor.pk, action="item_skip_decide", target_id=item_id, client_key=client_key)
    request = {"agree": agree, "reasons": list(reasons)}
    # Before the lock, because an item that left its package is not found; after it, for a repeat at the same moment.
    if earlier := decision.earlier(**request):
        return earlier.data["package_id"], item_id, agree
    member = access.lock_item_to_judge(actor, item_id, "item_skip_decide")
    if earlier := decision.earlier(**request):
        return earlier.data["package_id"], item_id, agree
    package, item = member.package, member.item
    seat = pools.check_judge(actor, member, "item_skip_decide")
    check_reasons(package.kind, package.protocol_id, reasons, comment, needed=not agree)
    decision.row = item
    if agree:
        [state_from] = items.exclude([item], "set_aside", Item.Excluded.SKIP)
    else:
        [state_from] = items.send_back([item], "insist")
    place = PackageItem.objects.filter(package=package, item=item)
    if agree:
        place.update(active=False, checked_no=None, skipped={**(member.skipped or {}), "agreed_by_id": actor.pk})
    else:
        returned = {"stage": "review", "reasons": list(reasons), "comment": comment, "by_id": actor.pk}
        place.update(sent_back=returned, checked_no=None)
    decision.record_transition(state_from, item.state, **request, package_id=package.pk, round=package.round)
    if not agree:
        notify(
            person_ids=[package.assignee_id],
            code="skip_insisted",
            params={"item": item.label, "package": package.label},
            actor_id=actor.pk,
            benchmark_id=package.benchmark_id,
            target_type="item",
            target_id=item.pk,
        )
    if seat is not None:
        seats.finish(seat, actor=actor, action="decide_skip")
        seats.delete_open_seats([item.pk])
        pools.end_stage_if_done(package.pk, "review", actor)
    return package.pk, item_id, agree
