"""Checking a colleague's item: a star accepts it, a reason sends it back; and discarding one's own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Max

from annotation.items import services as items
from annotation.items.models import Draft, Item
from annotation.judging.models import Verdict
from annotation.judging.services import Judgement, check_reasons, drop_judging, replayed_verdict, write_verdict
from annotation.peer import access
from annotation.peer.access import Involvement
from annotation.peer.rules import PURPOSE, ROUND
from annotation.peer.services.pool import lock_seat
from annotation.peer.states import TABLE, TABLES
from annotation.seats import services as seats
from annotation.seats.states import PEER as SEATS
from curation.core import audit
from curation.core.decisions import Decision
from curation.core.errors import StaleRow
from curation.people.models import Person
from curation.people.services import notify


@transaction.atomic
def star_item(
    *, actor: Person, item_id: int, revision_no: int, client_key: UUID, picture_no: int | None = None
) -> Item:
    """Accept a colleague's newest revision.

    Raises:
        OwnWork: The actor wrote the newest revision.
        SeatHeld: A colleague is checking the item.
        StaleRow, ActionNotAllowed, ClientKeyReused, NotFound, OperationNotAllowed.
    """
    judgement = Judgement(item_id, revision_no, PURPOSE, "star", [], "", client_key, picture_no)
    involved = _judge(actor, judgement, "item_star")
    if involved is None:
        return Item.objects.get(pk=item_id)
    item: Item = involved.item
    [former] = items.accept([item], "star", table=TABLE)
    record_outcome(item, "item_accept", former, actor)
    return item


@transaction.atomic
def send_back_item(
    *,
    actor: Person,
    item_id: int,
    revision_no: int,
    client_key: UUID,
    reasons: Sequence[str] = (),
    comment: str = "",
    picture_no: int | None = None,
) -> Item:
    """Return a colleague's newest revision with reasons; its author is notified.

    Raises:
        OwnWork: The actor wrote the newest revision.
        SeatHeld: A colleague is checking the item.
        ReasonNeeded, ReasonUnknown, StaleRow, ActionNotAllowed, ClientKeyReused, NotFound, OperationNotAllowed.
    """
    judgement = Judgement(item_id, revision_no, PURPOSE, "return", list(reasons), comment, client_key, picture_no)
    involved = _judge(actor, judgement, "item_send_back")
    if involved is None:
        return Item.objects.get(pk=item_id)
    item: Item = involved.item
    [former] = items.send_back([item], "send_back", table=TABLE)
    record_outcome(item, "item_return", former, actor)
    notify(
        person_ids=[involved.newest_author],
        code="item_sent_back",
        params={"item": item.label},
        actor_id=actor.pk,
        benchmark_id=item.benchmark_id,
        target_type="item",
        target_id=item.pk,
    )
    return item


def _judge(actor: Person, judgement: Judgement, operation: str) -> Involvement | None:
    """Lock the item, write the verdict and close the seat; None if an earlier request with the same key did."""
    if replayed_verdict(actor, judgement):
        return None
    involved = access.lock_item_for(actor, judgement.item_id, operation)
    if replayed_verdict(actor, judgement):  # the same request on another connection held the lock
        return None
    item = involved.item
    if item.revision_no != judgement.revision_no:
        raise StaleRow(revision=item.revision_no, named=judgement.revision_no)
    action = access.check_action(actor, involved, operation)
    seat = lock_seat(actor, item)
    needed = judgement.outcome == "return"
    check_reasons(item.kind, item.benchmark.protocol_id, judgement.reasons, judgement.comment, needed=needed)
    write_verdict(actor, item, judgement, round_no=ROUND)
    if seat is not None:
        seats.finish(seat, actor=actor, action=action, table=SEATS)
    return involved


def record_outcome(item: Item, action: str, former: str, actor: Person | None) -> None:
    """Record in the audit log that a verdict moved an item from its former state; no actor: verdicts of several."""
    audit.record(
        action=action,
        target_type="item",
        target_id=item.pk,
        label=item.label,
        actor_id=actor.pk if actor else None,
        benchmark_id=item.benchmark_id,
        state_from=former,
        state_to=item.state,
        data={"revision_no": item.revision_no},
    )


@transaction.atomic
def reopen_item(
    *,
    actor: Person,
    item_id: int,
    revision_no: int,
    client_key: UUID,
    reasons: Sequence[str] = (),
    comment: str = "",
    picture_no: int | None = None,
) -> Item:
    """Return an accepted item of the panel or pair track to its author with a reason; corrected, it is judged again.

    Raises:
        OwnWork: The actor wrote a revision of the item.
        ReasonNeeded, ReasonUnknown.
        PictureChanged, StaleRow, ActionNotAllowed, ClientKeyReused, NotFound, OperationNotAllowed.
    """
    judgement = Judgement(item_id, revision_no, "inspection", "wrong", list(reasons), comment, client_key, picture_no)
    if replayed_verdict(actor, judgement):
        return Item.objects.get(pk=item_id)
    track = access.track_of_item(item_id, of=(Item.Track.PANEL, Item.Track.PAIR))
    involved = access.lock_item_for(actor, item_id, "item_reopen", track=track)
    if replayed_verdict(actor, judgement):  # the same request on another connection held the lock
        return Item.objects.get(pk=item_id)
    item: Any = involved.item
    if item.revision_no != revision_no:
        raise StaleRow(revision=item.revision_no, named=revision_no)
    access.check_action(actor, involved, "item_reopen")
    check_reasons(item.kind, item.benchmark.protocol_id, reasons, comment, needed=True)
    earlier = Verdict.objects.filter(item=item, stage="inspection").aggregate(n=Max("round"))["n"] or 0
    verdict = write_verdict(actor, item, judgement, round_no=earlier + 1, action="item_reopen")
    [former] = items.send_back([item], "reopen", table=TABLES[track])
    record_outcome(item, "item_return", former, actor)
    notify(
        person_ids=[verdict.author_id],
        code="item_reopened",
        params={"item": item.label},
        actor_id=actor.pk,
        benchmark_id=item.benchmark_id,
        target_type="item",
        target_id=item.pk,
    )
    changed: Item = involved.item
    return changed


@transaction.atomic
def discard_item(*, actor: Person, item_id: int, revision_no: int, client_key: UUID) -> Item:
    """Take an item out of the work, so that its slot is free; its revisions stay.

    Its first author or the lead may, and a curator where the team was closed.

    Raises:
        UnderJudgement: A verdict of a panel is in.
        StaleRow, ActionNotAllowed, ClientKeyReused, NotFound, OperationNotAllowed.
    """
    track = access.track_of_item(item_id)
    involved = access.lock_item_for(actor, item_id, "item_discard", track=track)
    item: Item = involved.item
    decision = Decision(actor_id=actor.pk, action="item_discard", row=item, client_key=client_key)
    if decision.is_repeat(revision_no=revision_no):
        return item
    if item.revision_no != revision_no:
        raise StaleRow(revision=item.revision_no, named=revision_no)
    action = access.check_action(actor, involved, "item_discard")
    if item.revision_no == 0 and Draft.objects.filter(item=item).exclude(author=actor).exists():
        # The statement that locked the item may have waited for a colleague's first draft, which its snapshot lacks.
        again = access.lock_item_for(actor, item_id, "item_discard", track=track)
        action = access.check_action(actor, again, "item_discard")
    [former] = items.exclude([item], action, Item.Excluded.DISCARD, table=TABLES[track])
    drop_judging(item)
    seats.delete_open_seats([item.pk])
    decision.record_transition(former, item.state, revision_no=revision_no)
    return item
