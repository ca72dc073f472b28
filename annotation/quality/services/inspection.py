"""Inspection of the drawn sample (CVLUE section 3.5; W-Q1)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from annotation.items import states as item_states
from annotation.items.models import Item
from annotation.packages.access import lock_package_for
from annotation.packages.models import Package, PackageItem
from annotation.packages.services import check_revision, move_package
from annotation.quality import access, rules
from annotation.quality.errors import (
    InspectionTaken,
    NotAllInspected,
    NotDrawn,
)
from annotation.quality.models import Inspection, InspectionSample, Verdict
from annotation.quality.services.judging import check_reasons, item_event, replayed_verdict, return_items, write_verdict
from curation.core import audit, jobs
from curation.core.errors import ActionNotAllowed, OwnWork
from curation.core.models import AuditEvent
from curation.core.transitions import advance
from curation.people.models import Person


@transaction.atomic
def inspect_item(
    *,
    actor: Person,
    item_id: int,
    revision_no: int,
    outcome: str,
    reasons: Sequence[str],
    comment: str,
    client_key: UUID,
) -> int:
    """Call a drawn item ``right`` or ``wrong``; the first verdict makes its author the draw's inspector.

    Returns:
        The item's package.

    Raises:
        OwnWork: The actor wrote or reviewed in the package.
        InspectionTaken, NotDrawn, AlreadyJudged, StaleRow, ReasonNeeded, ReasonUnknown, ClientKeyReused, NotFound.
    """
    replayed = partial(
        replayed_verdict,
        actor,
        client_key,
        item_id=item_id,
        revision_no=revision_no,
        stage="inspection",
        outcome=outcome,
        reasons=reasons,
        comment=comment,
    )
    if done := replayed():
        return done
    member = access.lock_member_for(actor, item_id, "item_inspect", Package.State.INSPECTING)
    if done := replayed():  # the same request on another connection held the lock
        return done
    package = member.package
    if access.took_part(actor, package):
        raise OwnWork
    inspection = (
        Inspection.objects.select_for_update(of=("self",))
        .select_related("inspector")
        .get(package=package, round=package.round)
    )
    if inspection.inspector is not None and inspection.inspector_id != actor.pk:
        raise InspectionTaken(inspector=inspection.inspector.name)
    if not InspectionSample.objects.filter(inspection=inspection, item_id=item_id).exists():
        raise NotDrawn
    check_reasons(package, reasons, comment, needed=outcome == "wrong")
    write_verdict(
        actor=actor,
        member=member,
        revision_no=revision_no,
        stage="inspection",
        outcome=outcome,
        reasons=reasons,
        comment=comment,
        client_key=client_key,
    )
    if inspection.inspector_id is None:
        inspection.inspector = actor
        inspection.save(update_fields=["inspector"])
    return package.pk


@transaction.atomic
def complete_inspection(*, actor: Person, package_id: int, revision: int, client_key: UUID) -> Package:
    """End the inspection: the random stratum decides by integers whether the package passes.

    Passed: every item is accepted at its revision, except those called wrong, which leave the package with their
    reasons and wait to be packed anew. Returned: those called wrong go back to the annotator; a fresh draw follows.

    Raises:
        NotAllInspected, OwnWork, InspectionTaken, StaleRow, ActionNotAllowed, NotFound, OperationNotAllowed.
    """
    package = lock_package_for(actor, package_id, "package_inspection_complete")
    if audit.already_done(
        actor_id=actor.pk, client_key=client_key, action="package_inspection_complete", target_id=package.pk
    ):
        return package
    if access.took_part(actor, package):
        raise OwnWork
    check_revision(package, revision)
    if package.state != Package.State.INSPECTING:
        raise ActionNotAllowed(action="complete_inspection", state=package.state)
    inspection = (
        Inspection.objects.select_for_update(of=("self",))
        .select_related("inspector")
        .get(package=package, round=package.round)
    )
    verdicts = {v.item_id: v for v in Verdict.objects.filter(package=package, round=package.round, stage="inspection")}
    sample = list(InspectionSample.objects.filter(inspection=inspection))
    if lacking := [s.item_id for s in sample if s.item_id not in verdicts]:
        raise NotAllInspected(count=len(lacking), missing=lacking)
    if inspection.inspector is not None and inspection.inspector_id != actor.pk:
        raise InspectionTaken(inspector=inspection.inspector.name)
    wrong = {i: v for i, v in verdicts.items() if v.outcome == "wrong"}
    errors = sum(1 for s in sample if s.stratum == "random" and s.item_id in wrong)
    passed = rules.passes(errors, inspection.size, inspection.pass_over_percent)
    return_items(package, wrong, "fail", actor)
    if passed:
        PackageItem.objects.filter(package=package, item_id__in=list(wrong)).update(active=False)
        _accept_items(package, actor)
        transaction.on_commit(lambda: jobs.send("evaluation.sweep_predictions"))
    inspection.outcome = "passed" if passed else "returned"
    inspection.completed_at = timezone.now()
    inspection.save(update_fields=["outcome", "completed_at"])
    move_package(
        package,
        "pass" if passed else "fail",
        actor=actor,
        client_key=client_key,
        data={"errors": errors, "size": inspection.size, "wrong_items": sorted(wrong)},
    )
    return package


def _accept_items(package: Package, actor: Person) -> None:
    rows = list(
        Item.objects.select_for_update(no_key=True)
        .filter(memberships__package=package, memberships__active=True)
        .order_by("pk")
    )
    events = []
    for item in rows:
        left = advance(item, "accept", table=item_states.TABLE)
        item.accepted_no = item.revision_no
        events.append(item_event(package, item, left, actor))
    Item.objects.bulk_update(rows, ["state", "accepted_no"])
    AuditEvent.objects.bulk_create(events)
