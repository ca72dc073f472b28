"""Inspection of the drawn sample (CVLUE, section 3.5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast
from uuid import UUID

from django.db import transaction

from annotation.draws.models import Drawn
from annotation.judging.models import Verdict
from annotation.judging.services import Judgement, check_reasons, replayed_verdict, write_verdict
from annotation.packages.access import check_operation
from annotation.packages.models import Package
from annotation.quality import access
from annotation.quality.errors import InspectionTaken, NotAllInspected, NotDrawn
from annotation.quality.models import Inspection
from annotation.quality.services import pools
from annotation.quality.services.ending import end_inspection
from annotation.seats import services as seats
from curation.core.decisions import Decision
from curation.people.models import Person


@transaction.atomic
def inspect_item(
    *,
    actor: Person,
    item_id: int,
    revision_no: int,
    outcome: str,
    client_key: UUID,
    reasons: Sequence[str] = (),
    comment: str = "",
    picture_no: int | None = None,
) -> tuple[int, int]:
    """Judge a drawn item ``right`` or ``wrong``.

    The first verdict makes its author the draw's inspector; in a pool, holders of the item's seats judge it.

    Returns:
        The ids of package and item.

    Raises:
        OwnWork: The actor wrote or reviewed an item of the package.
        InspectionTaken, NotDrawn, SeatNotHeld, AlreadyJudged, StaleRow, ReasonNeeded, ReasonUnknown, ClientKeyReused,
        NotFound.
    """
    judgement = Judgement(item_id, revision_no, "inspection", outcome, list(reasons), comment, client_key, picture_no)
    if earlier := replayed_verdict(actor, judgement):
        return cast(int, earlier.package_id), item_id
    member = access.lock_item_to_judge(actor, item_id, "item_inspect")
    if earlier := replayed_verdict(actor, judgement):  # the same request on another connection held the lock
        return cast(int, earlier.package_id), item_id
    package = member.package
    seat = pools.check_judge(actor, member, "item_inspect")
    inspection = (
        Inspection.objects.select_for_update(of=("self",))
        .select_related("inspector", "draw")
        .get(package=package, round=package.round)
    )
    if inspection.inspector is not None and inspection.inspector_id != actor.pk:
        raise InspectionTaken
    if not Drawn.objects.filter(draw_id=inspection.draw_id, item_id=item_id).exists():
        raise NotDrawn
    check_reasons(package.kind, package.protocol_id, reasons, comment, needed=outcome == "wrong")
    write_verdict(actor, member.item, judgement, round_no=package.round, package_id=package.pk)
    if seat is not None:
        seats.finish(seat, actor=actor, action="inspect")
        pools.end_stage_if_done(package.pk, "inspection", actor)
    elif inspection.inspector_id is None:
        inspection.inspector = actor
        inspection.save(update_fields=["inspector"])
    return package.pk, item_id


@transaction.atomic
def complete_inspection(*, actor: Person, package_id: int, revision: int, client_key: UUID) -> Package:
    """End the inspection of a package that one inspector judged; see :func:`ending.end_inspection`.

    Raises:
        NotAllInspected, OwnWork, InspectionTaken, StaleRow, ActionNotAllowed, NotFound, OperationNotAllowed.
    """
    package = access.lock_for(actor, package_id, "package_inspection_complete")
    decision = Decision(actor_id=actor.pk, action="package_inspection_complete", row=package, client_key=client_key)
    if decision.is_repeat(revision=revision):
        return package
    check_operation(package, "package_inspection_complete")
    inspection = (
        Inspection.objects.select_for_update(of=("self",))
        .select_related("inspector", "draw")
        .get(package=package, round=package.round)
    )
    judged = Verdict.objects.filter(package_id=package.pk, round=package.round, stage="inspection").values("item_id")
    unjudged = Drawn.objects.filter(draw_id=inspection.draw_id).exclude(item_id__in=judged).order_by("ordinal")
    if missing := list(unjudged.values_list("item_id", flat=True)):
        raise NotAllInspected(count=len(missing), missing=missing)
    if inspection.inspector is not None and inspection.inspector_id != actor.pk:
        raise InspectionTaken
    return end_inspection(package, inspection, decision, actor=actor)
