"""Senior review of every item, the seeded draw, and sampled inspection (CVLUE section 3.5; W-Q1)."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from annotation.items import services as items
from annotation.items import states as item_states
from annotation.items.models import Item, ItemRevision
from annotation.items.queries import kind_settings
from annotation.packages.access import lock_package_for, track_settings
from annotation.packages.models import Package, PackageItem
from annotation.packages.rules import seeded_order
from annotation.packages.services import check_revision, move_package
from annotation.quality import access, rules
from annotation.quality.errors import (
    AlreadyJudged,
    ContentNeeded,
    InspectionTaken,
    NotAllInspected,
    NotAllReviewed,
    NotDrawn,
    ReasonNeeded,
    ReasonUnknown,
)
from annotation.quality.models import Inspection, InspectionSample, Verdict
from annotation.quality.queries import unsettled
from curation.core import audit, jobs
from curation.core.errors import ActionNotAllowed, ClientKeyReused, NotFound, OwnWork, StaleRow
from curation.core.models import AuditEvent
from curation.core.transitions import advance
from curation.people.models import Person

# --- review -----------------------------------------------------------------------------------------------------------


@transaction.atomic
def take_review(*, actor: Person, package_id: int, revision: int, client_key: UUID) -> Package:
    """A senior takes a handed-over package; not one they wrote, and not one holding their own corrections unjudged.

    Raises:
        OwnWork, StaleRow, ActionNotAllowed, NotFound, OperationNotAllowed.
    """
    package = lock_package_for(actor, package_id, "package_review_take")
    if audit.already_done(actor_id=actor.pk, client_key=client_key, action="package_review_take", target_id=package.pk):
        return package
    if package.assignee_id == actor.pk:
        raise OwnWork
    check_revision(package, revision)
    if package.state != Package.State.HANDED_OVER:
        raise ActionNotAllowed(action="take_review", state=package.state)
    open_items = [m.item_id for m in unsettled(package)]
    if ItemRevision.objects.filter(item_id__in=open_items, author=actor).exists():
        raise OwnWork
    package.reviewer = actor
    move_package(package, "take_review", actor=actor, client_key=client_key, extra=["reviewer"])
    return package


@transaction.atomic
def review_item(
    *,
    actor: Person,
    item_id: int,
    revision_no: int,
    outcome: str,
    reasons: Sequence[str],
    comment: str,
    content: Mapping[str, Any] | None,
    overrides: Mapping[str, str],
    client_key: UUID,
) -> int:
    """Judge one item: ``accept``, ``correct`` in place, or ``return`` with what is wrong.

    A correction judges the annotator's revision and writes the next one, which this senior can never judge.

    Returns:
        The item's package.

    Raises:
        OwnWork: The actor wrote or revised the item; the database refuses it too.
        AlreadyJudged, StaleRow, ReasonNeeded, ReasonUnknown, ContentNeeded, ContentRefused, ClientKeyReused, NotFound.
    """
    if done := _replayed_verdict(actor, client_key, item_id, "review", outcome):
        return done
    member = access.lock_member_for(actor, item_id, "item_review", Package.State.REVIEWING)
    package, item = member.package, member.item
    if package.assignee_id == actor.pk:
        raise OwnWork
    if package.reviewer_id != actor.pk:
        raise NotFound
    _check_reasons(package, reasons, comment, needed=outcome == "return")
    if outcome == "correct" and content is None:
        raise ContentNeeded
    _write_verdict(
        actor=actor,
        member=member,
        revision_no=revision_no,
        stage="review",
        outcome=outcome,
        reasons=reasons,
        comment=comment,
        client_key=client_key,
    )
    if outcome == "correct" and content is not None:
        cleaned = items.clean_content(item.kind, package.protocol_id, content, draft=False)
        items.append_revision(
            item=item,
            action="correct",
            author_id=actor.pk,
            base_no=revision_no,
            content=cleaned,
            reasons=overrides,
            origin="senior",
            protocol_id=package.protocol_id,
            client_key=client_key,
        )
    return package.pk


@transaction.atomic
def complete_review(*, actor: Person, package_id: int, revision: int, client_key: UUID) -> Package:
    """End the review: back to the annotator when something was sent back, otherwise draw the sample in this moment.

    Items and revisions are final here, so neither side can foresee or repeat the draw.

    Raises:
        NotAllReviewed, StaleRow, ActionNotAllowed, NotFound, OperationNotAllowed.
    """
    package = lock_package_for(actor, package_id, "package_review_complete")
    if package.reviewer_id != actor.pk:
        raise NotFound
    if audit.already_done(
        actor_id=actor.pk, client_key=client_key, action="package_review_complete", target_id=package.pk
    ):
        return package
    check_revision(package, revision)
    if package.state != Package.State.REVIEWING:
        raise ActionNotAllowed(action="complete_review", state=package.state)
    if missing := unsettled(package):
        listed = [{"item_id": m.item_id, "position": m.position} for m in missing]
        raise NotAllReviewed(count=len(listed), missing=listed)
    returned = Verdict.objects.filter(package=package, round=package.round, stage="review", outcome="return")
    sent_back = {v.item_id: v for v in returned}
    if sent_back:
        _return_items(package, sent_back, "send_back", actor)
        move_package(package, "send_back", actor=actor, client_key=client_key, data={"returned": len(sent_back)})
        return package
    inspection = _draw(package)
    move_package(
        package,
        "draw",
        actor=actor,
        client_key=client_key,
        data={"inspection_id": inspection.pk, "size": inspection.size, "population": inspection.population},
    )
    return package


def _draw(package: Package) -> Inspection:
    """Draw the sample: 16 random bytes as seed, order by sha256(seed ‖ item id); corrected items join besides."""
    settings = track_settings(package.protocol_id)
    rows = list(PackageItem.objects.filter(package=package, active=True).values_list("item_id", "item__revision_no"))
    numbers = dict(rows)
    corrected = set(
        Verdict.objects.filter(package=package, stage="review", outcome="correct").values_list("item_id", flat=True)
    )
    size = rules.sample_size(len(numbers), settings.sample_percent)
    seed = secrets.token_bytes(16)
    inspection = Inspection.objects.create(
        package=package,
        round=package.round,
        seed=seed,
        population=len(numbers),
        percent=settings.sample_percent,
        pass_over_percent=settings.pass_over_percent,
        size=size,
        errors_allowed=rules.errors_allowed(size, settings.pass_over_percent),
    )
    order = seeded_order(seed, list(numbers))
    drawn = order[:size]
    besides = [i for i in order[size:] if i in corrected]
    InspectionSample.objects.bulk_create(
        InspectionSample(
            inspection=inspection,
            item_id=item_id,
            revision_no=numbers[item_id],
            stratum="random" if ordinal <= size else "corrected",
            ordinal=ordinal,
        )
        for ordinal, item_id in enumerate([*drawn, *besides], 1)
    )
    return inspection


# --- inspection -------------------------------------------------------------------------------------------------------


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
    if done := _replayed_verdict(actor, client_key, item_id, "inspection", outcome):
        return done
    member = access.lock_member_for(actor, item_id, "item_inspect", Package.State.INSPECTING)
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
    _check_reasons(package, reasons, comment, needed=outcome == "wrong")
    _write_verdict(
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
    _return_items(package, wrong, "fail", actor)
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
        events.append(_item_event(package, item, left, actor))
    Item.objects.bulk_update(rows, ["state", "accepted_no"])
    AuditEvent.objects.bulk_create(events)


# --- shared -----------------------------------------------------------------------------------------------------------


def _return_items(package: Package, verdicts: Mapping[int, Verdict], action: str, actor: Person) -> None:
    """Send items back with the verdicts' reasons, and say so at their places in the package."""
    if not verdicts:
        return
    rows = list(Item.objects.select_for_update(no_key=True).filter(pk__in=list(verdicts)).order_by("pk"))
    events = []
    for item in rows:
        left = advance(item, action, table=item_states.TABLE)
        verdict = verdicts[item.pk]
        events.append(_item_event(package, item, left, actor))
        note = {
            "stage": verdict.stage,
            "reasons": verdict.reasons,
            "comment": verdict.comment,
            "by": {"id": actor.pk, "name": actor.name},
        }
        PackageItem.objects.filter(package=package, item=item).update(sent_back=note)
    Item.objects.bulk_update(rows, ["state"])
    AuditEvent.objects.bulk_create(events)


def _item_event(package: Package, item: Item, left: str, actor: Person) -> AuditEvent:
    accepted = item.state == Item.State.ACCEPTED
    return AuditEvent(
        benchmark_id=package.benchmark_id,
        actor_id=actor.pk,
        action="item_accept" if accepted else "item_return",
        target_type="item",
        target_id=item.pk,
        state_from=left,
        state_to=item.state,
        data={"package_id": package.pk, "revision_no": item.revision_no, "round": package.round},
    )


def _check_reasons(package: Package, reasons: Sequence[str], comment: str, *, needed: bool) -> None:
    known = set(kind_settings(package.protocol_id, package.kind).reason_codes)
    for reason in reasons:
        if reason not in known:
            raise ReasonUnknown(reason=reason)
    if needed and not reasons and not comment:
        raise ReasonNeeded


def _write_verdict(
    *,
    actor: Person,
    member: PackageItem,
    revision_no: int,
    stage: str,
    outcome: str,
    reasons: Sequence[str],
    comment: str,
    client_key: UUID,
) -> None:
    package, item = member.package, member.item
    if item.revision_no != revision_no:
        raise StaleRow(revision=item.revision_no, named=revision_no)
    author_id = ItemRevision.objects.values_list("author_id", flat=True).get(item=item, no=revision_no)
    if author_id == actor.pk:
        raise OwnWork
    try:
        with transaction.atomic():
            Verdict.objects.create(
                item=item,
                revision_no=revision_no,
                author_id=author_id,
                judge=actor,
                stage=stage,
                package=package,
                round=package.round,
                outcome=outcome,
                reasons=list(reasons),
                comment=comment,
                client_key=client_key,
            )
    except IntegrityError as error:
        raise _refusal_of(error) from error
    audit.record(
        action="item_review" if stage == "review" else "item_inspect",
        target_type="item",
        target_id=item.pk,
        actor_id=actor.pk,
        benchmark_id=package.benchmark_id,
        state_from=item.state,
        state_to=item.state,
        data={"outcome": outcome, "reasons": list(reasons), "revision_no": revision_no, "package_id": package.pk},
    )


def _refusal_of(error: IntegrityError) -> Exception:
    """What a constraint's refusal means to a person."""
    text = str(error)
    if "item_hand_nobody_judges_own" in text or "verdict_not_own" in text:
        return OwnWork()
    if "verdict_once" in text:
        return AlreadyJudged()
    if "verdict_key_once" in text:
        return ClientKeyReused()
    return error


def _replayed_verdict(actor: Person, client_key: UUID, item_id: int, stage: str, outcome: str) -> int | None:
    verdict = Verdict.objects.filter(judge=actor, client_key=client_key).first()
    if verdict is None:
        return None
    if (verdict.item_id, verdict.stage, verdict.outcome) != (item_id, stage, outcome):
        raise ClientKeyReused
    return verdict.package_id
