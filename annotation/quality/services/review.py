"""Senior review of every item, and the seeded draw that ends it (CVLUE section 3.5; W-Q1)."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction

from annotation.items import services as items
from annotation.items.models import ItemRevision
from annotation.packages.access import lock_package_for, track_settings
from annotation.packages.models import Package, PackageItem
from annotation.packages.rules import seeded_order
from annotation.packages.services import check_revision, move_package
from annotation.quality import access, rules
from annotation.quality.errors import (
    ContentNeeded,
    NotAllReviewed,
)
from annotation.quality.models import Inspection, InspectionSample, Verdict
from annotation.quality.queries import unsettled
from annotation.quality.services.judging import check_reasons, replayed_verdict, return_items, write_verdict
from curation.core import audit
from curation.core.errors import ActionNotAllowed, NotFound, OwnWork
from curation.people.models import Person


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
    replayed = partial(
        replayed_verdict,
        actor,
        client_key,
        item_id=item_id,
        revision_no=revision_no,
        stage="review",
        outcome=outcome,
        reasons=reasons,
        comment=comment,
    )
    if done := replayed():
        return done
    member = access.lock_member_for(actor, item_id, "item_review", Package.State.REVIEWING)
    if done := replayed():  # the same request on another connection held the lock
        return done
    package, item = member.package, member.item
    if package.assignee_id == actor.pk:
        raise OwnWork
    if package.reviewer_id != actor.pk:
        raise NotFound
    check_reasons(package, reasons, comment, needed=outcome == "return")
    if outcome == "correct" and content is None:
        raise ContentNeeded
    write_verdict(
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
        return_items(package, sent_back, "send_back", actor)
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
