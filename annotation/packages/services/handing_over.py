"""Self-check and hand-over of a whole package."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q

from annotation.items.models import Draft, Item
from annotation.packages import access
from annotation.packages.errors import NotAllChecked
from annotation.packages.models import Package, PackageItem
from annotation.packages.services.moving import check_revision, move_package
from curation.core import audit
from curation.core.errors import ClientKeyReused, NotFound, StaleRow
from curation.people.models import Person


@transaction.atomic
def self_check(*, actor: Person, package_id: int, revision: int, ticks: Mapping[int, int], client_key: UUID) -> Package:
    """Tick items at the revision the annotator read; a later edit thereby unticks itself. 0 takes a tick back.

    Raises:
        StaleRow, ActionNotAllowed, ClientKeyReused, NotFound, OperationNotAllowed.
    """
    package = access.lock_for(actor, package_id, "package_self_check")
    told = {str(item_id): no for item_id, no in ticks.items()}
    done = audit.already_done(
        actor_id=actor.pk, client_key=client_key, action="package_self_check", target_id=package.pk
    )
    if done is not None:
        if done.data["ticks"] != told:
            raise ClientKeyReused
        return package
    check_revision(package, revision)
    access.check_operation(package, "package_self_check")
    members = PackageItem.objects.filter(package=package, active=True, item_id__in=list(ticks)).select_related("item")
    if len(members) != len(ticks):
        raise NotFound  # an item of another package: nothing is ticked, and the log tells of nothing that was not
    for member in members:
        no = ticks[member.item_id]
        if no not in (0, member.item.revision_no):
            raise StaleRow(revision=member.item.revision_no, named=no)
        PackageItem.objects.filter(package=package, item_id=member.item_id).update(checked_no=no or None)
    audit.record(
        action="package_self_check",
        target_type="package",
        target_id=package.pk,
        label=package.label,
        actor_id=actor.pk,
        benchmark_id=package.benchmark_id,
        data={"ticks": told},
        client_key=client_key,
    )
    return package


@transaction.atomic
def hand_over(*, actor: Person, package_id: int, revision: int, client_key: UUID) -> Package:
    """Hand a package over for review; every item is written and ticked at its newest revision, or skipped.

    Raises:
        NotAllChecked: ``params.missing`` lists items that are not, with the reason.
        StaleRow, ActionNotAllowed, NotFound, OperationNotAllowed.
    """
    package = access.lock_for(actor, package_id, "package_hand_over")
    if audit.already_done(actor_id=actor.pk, client_key=client_key, action="package_hand_over", target_id=package.pk):
        return package
    check_revision(package, revision)
    members = PackageItem.objects.filter(package=package, active=True)
    unwritten = Q(item__state__in=[Item.State.TODO, Item.State.RETURNED])
    # Whoever skips an item has said why instead of reading it again; what they had typed waits for the reviewer's word.
    skipped = Q(item__state=Item.State.SKIPPED)
    unticked = ~skipped & (Q(checked_no__isnull=True) | ~Q(checked_no=F("item__revision_no")))
    needs_tick = access.track_settings(package.protocol_id).self_check
    lacking = members.filter(unwritten | unticked if needs_tick else unwritten).order_by("position")
    missing = [
        {
            "item_id": m.item_id,
            "position": m.position,
            "reason": "not_written" if m.item.state in (Item.State.TODO, Item.State.RETURNED) else "not_ticked",
        }
        for m in lacking.select_related("item")
    ]
    if missing:
        raise NotAllChecked(count=len(missing), missing=missing)
    package.round += 1
    move_package(package, "hand_over", actor=actor, client_key=client_key, extra=["round"])
    written = members.exclude(skipped).values("item_id")
    Draft.objects.filter(Q(author=actor) | Q(brought_in=True), item_id__in=written).delete()
    return package
