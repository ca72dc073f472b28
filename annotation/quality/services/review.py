"""Review of every item, by a senior who takes the package or by whoever takes seats (CVLUE section 3.5; W-Q1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction

from annotation.items import services as items
from annotation.items.models import Item, ItemRevision
from annotation.packages.access import check_operation
from annotation.packages.models import Package
from annotation.packages.services import check_revision, move_package
from annotation.quality import access
from annotation.quality.errors import ContentNeeded, NotAllReviewed
from annotation.quality.queries import unsettled
from annotation.quality.services import pools
from annotation.quality.services.ending import end_review
from annotation.quality.services.judging import check_reasons, replayed_verdict, write_verdict
from annotation.seats import services as seats
from curation.core import audit
from curation.core.errors import ActionNotAllowed, OwnWork
from curation.people.models import Person


@transaction.atomic
def take_review(*, actor: Person, package_id: int, revision: int, client_key: UUID) -> Package:
    """A senior takes a handed-over package; not one they wrote, and not one holding their own corrections unjudged.

    Raises:
        OwnWork, StaleRow, ActionNotAllowed, NotFound, OperationNotAllowed.
    """
    package = access.lock_for(actor, package_id, "package_review_take")
    if audit.already_done(actor_id=actor.pk, client_key=client_key, action="package_review_take", target_id=package.pk):
        return package
    check_revision(package, revision)
    check_operation(package, "package_review_take")
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
    member = access.lock_item_to_judge(actor, item_id, "item_review")
    if done := replayed():  # the same request on another connection held the lock
        return done
    package, item = member.package, member.item
    seat = pools.check_judge(actor, member, "item_review")
    if item.state != Item.State.MADE:  # skipped, or sent back because the skip was not agreed to
        raise ActionNotAllowed(action="item_review", state=item.state)
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
        if seat is not None:
            seats.reopen(item_id=item_id, purpose=seat.purpose, round_no=seat.round)
    if seat is not None:
        seats.finish(seat, actor=actor, action="review")
        pools.end_when_over(package.pk, "review", actor)
    return package.pk


@transaction.atomic
def complete_review(*, actor: Person, package_id: int, revision: int, client_key: UUID) -> Package:
    """End the review: back to the annotator when something was sent back, otherwise draw the sample in this moment.

    Items and revisions are final here, so neither side can foresee or repeat the draw.

    Raises:
        NotAllReviewed, StaleRow, ActionNotAllowed, NotFound, OperationNotAllowed.
    """
    package = access.lock_for(actor, package_id, "package_review_complete")
    if audit.already_done(
        actor_id=actor.pk, client_key=client_key, action="package_review_complete", target_id=package.pk
    ):
        return package
    check_revision(package, revision)
    check_operation(package, "package_review_complete")
    if missing := unsettled(package):
        listed = [{"item_id": m.item_id, "position": m.position} for m in missing]
        raise NotAllReviewed(count=len(listed), missing=listed)
    return end_review(package, actor=actor, client_key=client_key)
