"""Self-check and submission of packages."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q

from annotation.items.models import Draft, Item
from annotation.packages import access
from annotation.packages.errors import NotAllChecked
from annotation.packages.models import Package, PackageItem
from annotation.packages.services.moving import move_package
from curation.core.decisions import Decision
from curation.core.errors import NotFound, StaleRow
from curation.people.models import Person


@transaction.atomic
def self_check(*, actor: Person, package_id: int, revision: int, ticks: Mapping[int, int], client_key: UUID) -> Package:
    """Tick items that were read again, at the revision that was read, so that a later edit removes the tick.

    Revision 0 removes a tick.

    Raises:
        StaleRow, ActionNotAllowed, ClientKeyReused, NotFound, OperationNotAllowed.
    """
    package = access.lock_for(actor, package_id, "package_self_check")
    decision = Decision(actor_id=actor.pk, action="package_self_check", row=package, client_key=client_key)
    recorded = {str(item_id): no for item_id, no in ticks.items()}  # JSON has no other keys
    if decision.is_repeat(revision=revision, ticks=recorded):
        return package
    access.check_operation(package, "package_self_check")
    members = PackageItem.objects.filter(package=package, active=True, item_id__in=list(ticks)).select_related("item")
    if len(members) != len(ticks):
        raise NotFound  # an item of another package
    for member in members:
        no = ticks[member.item_id]
        if no not in (0, member.item.revision_no):
            raise StaleRow(revision=member.item.revision_no, named=no)
        PackageItem.objects.filter(package=package, item_id=member.item_id).update(checked_no=no or None)
    decision.record(ticks=recorded)
    return package


@transaction.atomic
def submit_package(*, actor: Person, package_id: int, revision: int, client_key: UUID) -> Package:
    """Submit a package for review; every item has to be written and ticked at its newest revision, or skipped.

    Raises:
        NotAllChecked: ``params.missing`` lists the other items, each with the reason.
        StaleRow, ActionNotAllowed, NotFound, OperationNotAllowed.
    """
    package = access.lock_for(actor, package_id, "package_hand_over")
    decision = Decision(actor_id=actor.pk, action="package_hand_over", row=package, client_key=client_key)
    if decision.is_repeat(revision=revision):
        return package
    members = PackageItem.objects.filter(package=package, active=True)
    unwritten = Q(item__state__in=[Item.State.TODO, Item.State.RETURNED])
    # A skipped item needs no tick, and its draft is kept in case the reviewer insists on the item.
    skipped = Q(item__state=Item.State.SKIPPED)
    unticked = ~skipped & (Q(checked_no__isnull=True) | ~Q(checked_no=F("item__revision_no")))
    needs_tick = access.track_settings(package.protocol_id, package.kind).self_check
    unready = members.filter(unwritten | unticked if needs_tick else unwritten).order_by("position")
    missing = [
        {
            "item_id": m.item_id,
            "position": m.position,
            "reason": "not_written" if m.item.state in (Item.State.TODO, Item.State.RETURNED) else "not_ticked",
        }
        for m in unready.select_related("item")
    ]
    if missing:
        raise NotAllChecked(count=len(missing), missing=missing)
    package.round += 1
    move_package(package, "submit", decision, extra=["round"])
    written = members.exclude(skipped).values("item_id")
    Draft.objects.filter(Q(author=actor) | Q(brought_in=True), item_id__in=written).delete()
    return package
