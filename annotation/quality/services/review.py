"""Review of every item, by the package's reviewer or by holders of seats (CVLUE, section 3.5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, cast
from uuid import UUID

from django.db import transaction

from annotation.items import services as items
from annotation.items.models import Item, ItemRevision
from annotation.items.queries import context_of
from annotation.judging.services import Judgement, check_reasons, replayed_verdict, write_verdict
from annotation.packages.access import check_operation
from annotation.packages.models import Package
from annotation.packages.services import move_package
from annotation.quality import access
from annotation.quality.errors import ContentNeeded, NotAllReviewed
from annotation.quality.queries import undecided_items
from annotation.quality.services import pools
from annotation.quality.services.ending import end_review
from annotation.seats import services as seats
from curation.core.decisions import Decision
from curation.core.errors import ActionNotAllowed, OwnWork
from curation.people.models import Person


@transaction.atomic
def start_review(*, actor: Person, package_id: int, revision: int, client_key: UUID) -> Package:
    """Start the review of a submitted package; the actor becomes its reviewer.

    Raises:
        OwnWork: The actor is the assignee, or wrote a revision of an item that is to be reviewed.
        StaleRow, ActionNotAllowed, NotFound, OperationNotAllowed.
    """
    package = access.lock_for(actor, package_id, "package_review_take")
    decision = Decision(actor_id=actor.pk, action="package_review_take", row=package, client_key=client_key)
    if decision.is_repeat(revision=revision):
        return package
    check_operation(package, "package_review_take")
    open_items = [m.item_id for m in undecided_items(package)]
    if ItemRevision.objects.filter(item_id__in=open_items, author=actor).exists():
        raise OwnWork
    package.reviewer = actor
    move_package(package, "start_review", decision, extra=["reviewer"])
    return package


@transaction.atomic
def review_item(
    *,
    actor: Person,
    item_id: int,
    revision_no: int,
    outcome: str,
    client_key: UUID,
    reasons: Sequence[str] = (),
    comment: str = "",
    content: Mapping[str, Any] | None = None,
    overrides: Mapping[str, str] = MappingProxyType({}),
    picture_no: int | None = None,
) -> tuple[int, int]:
    """Review an item: ``accept``, ``correct`` in place, or ``return`` with reasons.

    A correction is a verdict on the annotator's revision and also writes the next one, which its author cannot judge.

    Returns:
        The ids of package and item.

    Raises:
        OwnWork: The actor wrote a revision of the item; constraints forbid it too.
        AlreadyJudged, StaleRow, ReasonNeeded, ReasonUnknown, ContentNeeded, ContentRefused, ClientKeyReused, NotFound.
    """
    judgement = Judgement(item_id, revision_no, "review", outcome, list(reasons), comment, client_key, picture_no)
    if earlier := replayed_verdict(actor, judgement):
        return cast(int, earlier.package_id), item_id
    member = access.lock_item_to_judge(actor, item_id, "item_review")
    if earlier := replayed_verdict(actor, judgement):  # the same request on another connection held the lock
        return cast(int, earlier.package_id), item_id
    package, item = member.package, member.item
    seat = pools.check_judge(actor, member, "item_review")
    if item.state != Item.State.MADE:  # skipped, or returned because the reviewer insisted
        raise ActionNotAllowed(action="item_review", state=item.state)
    check_reasons(package.kind, package.protocol_id, reasons, comment, needed=outcome == "return")
    if outcome == "correct" and content is None:
        raise ContentNeeded
    write_verdict(actor, member.item, judgement, round_no=package.round, package_id=package.pk)
    if outcome == "correct" and content is not None:
        context = context_of(package.protocol_id, package.kind, **member.picture)
        cleaned = items.clean_content(item.kind, package.protocol_id, content, context, draft=False)
        items.append_revision(
            item=item,
            action="correct",
            author_id=actor.pk,
            base_no=revision_no,
            content=cleaned,
            context=context,
            reasons=overrides,
            origin="senior",
            protocol_id=package.protocol_id,
            client_key=client_key,
        )
        if seat is not None:
            seats.reopen(item_id=item_id, purpose=seat.purpose, round_no=seat.round)
    if seat is not None:
        seats.finish(seat, actor=actor, action="review")
        pools.end_stage_if_done(package.pk, "review", actor)
    return package.pk, item_id


@transaction.atomic
def complete_review(*, actor: Person, package_id: int, revision: int, client_key: UUID) -> Package:
    """End the review: return the package if an item was returned, otherwise draw the sample; see ``ending.end_review``.

    Raises:
        NotAllReviewed, StaleRow, ActionNotAllowed, NotFound, OperationNotAllowed.
    """
    package = access.lock_for(actor, package_id, "package_review_complete")
    decision = Decision(actor_id=actor.pk, action="package_review_complete", row=package, client_key=client_key)
    if decision.is_repeat(revision=revision):
        return package
    check_operation(package, "package_review_complete")
    if missing := undecided_items(package):
        listed = [{"item_id": m.item_id, "position": m.position} for m in missing]
        raise NotAllReviewed(count=len(listed), missing=listed)
    return end_review(package, decision, actor=actor)
