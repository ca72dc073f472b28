"""Verdicts of a panel: independent, and without effect until all are in (TCC-Bench, section 3.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any
from uuid import UUID

from django.db import transaction

from annotation.items import services as items
from annotation.items.models import Item
from annotation.judging import services as judging
from annotation.judging.models import Judging, Verdict
from annotation.judging.rules import PANEL
from annotation.judging.services import Judgement, check_reasons, replayed_verdict, write_verdict
from annotation.panel.rules import is_returned
from annotation.peer import access
from annotation.peer.services.checking import record_outcome
from annotation.peer.states import PANEL as TABLE
from annotation.seats import services as seats
from annotation.seats.errors import SeatNotHeld
from annotation.seats.states import PANEL as SEATS
from curation.core.errors import StaleRow
from curation.people.models import Person
from curation.people.services import notify


@transaction.atomic
def judge_item(
    *,
    actor: Person,
    item_id: int,
    revision_no: int,
    outcome: str,
    client_key: UUID,
    reasons: Sequence[str] = (),
    comment: str = "",
    values: Mapping[str, Any] = MappingProxyType({}),
    picture_no: int | None = None,
) -> Item:
    """Pass or fail an item of whose panel the actor holds a seat; the last verdict decides about it.

    Args:
        actor: The judge.
        item_id: The item.
        revision_no: The revision that the judge read.
        outcome: ``pass`` or ``fail``.
        client_key: A repeat with the same key has the same result.
        reasons: Codes of the kind's review reasons; a failure needs one of them, or a comment.
        comment: The judge's comment.
        values: The values of the form's other fields.
        picture_no: The version of the picture that the judge saw.

    Raises:
        OwnWork: The actor wrote a revision of the item.
        SeatNotHeld: The actor has no seat, or has judged already.
        FormValueMissing, FormFieldUnknown, FormValueInvalid, ReasonNeeded, ReasonUnknown.
        PictureChanged, StaleRow, ActionNotAllowed, AlreadyJudged, ClientKeyReused, NotFound, OperationNotAllowed.
    """
    judgement = Judgement(
        item_id, revision_no, PANEL, outcome, list(reasons), comment, client_key, picture_no, dict(values)
    )
    if _is_repeat(actor, judgement):
        return Item.objects.get(pk=item_id)
    involved = access.lock_item_for(actor, item_id, "item_judge", track=Item.Track.PANEL)
    if _is_repeat(actor, judgement):  # the same request on another connection held the lock
        return Item.objects.get(pk=item_id)
    item: Any = involved.item
    if item.revision_no != revision_no:
        raise StaleRow(revision=item.revision_no, named=revision_no)
    access.check_action(actor, involved, "item_judge")
    opened = judging.lock_judging(item)
    if opened is None:
        raise SeatNotHeld
    seat = seats.seat_of(actor, item_id=item.pk, purpose=PANEL, round_no=opened.no)
    check_reasons(item.kind, item.benchmark.protocol_id, reasons, comment, needed=outcome == "fail")
    judgement = judgement._replace(values=judging.values_for(opened, values))
    write_verdict(actor, item, judgement, round_no=seat.no, judging=opened)
    seats.finish(seat, actor=actor, action="judge", table=SEATS)
    if verdicts := judging.settle(opened):
        _decide(item, opened, verdicts)
    changed: Item = involved.item
    return changed


def _is_repeat(actor: Person, judgement: Judgement) -> bool:
    """Whether an earlier request with the same key gave this verdict.

    Raises:
        ClientKeyReused, FormValueMissing, FormFieldUnknown, FormValueInvalid.
    """
    earlier = Verdict.objects.select_related("judging").filter(judge=actor, client_key=judgement.client_key).first()
    if earlier is not None and earlier.judging is not None:
        judgement = judgement._replace(values=judging.values_for(earlier.judging, judgement.values))
    return replayed_verdict(actor, judgement) is not None


def _decide(item: Any, opened: Judging, verdicts: Sequence[Verdict]) -> None:
    """Accept, return or exclude a locked item after the last verdict of its judging.

    The entries in the audit log and the notifications name nobody, because no single judge decides.
    """
    if opened.outcome == Judging.Outcome.PASSED:
        [former] = items.accept([item], "pass", table=TABLE)
        record_outcome(item, "item_accept", former, None)
        return
    # Judgings that were dropped, and those that it passed before it was reopened, use up no attempt.
    failures = Judging.objects.filter(item=item, outcome=Judging.Outcome.FAILED).count()
    if is_returned(access.panel_settings(item.benchmark.protocol_id, item.kind), failures):
        [former] = items.send_back([item], "fail_and_return", table=TABLE)
        record_outcome(item, "item_return", former, None)
    else:
        [former] = items.exclude([item], "fail", Item.Excluded.PANEL, table=TABLE)
        record_outcome(item, "item_exclude", former, None)
    code = "item_panel_returned" if item.state == Item.State.RETURNED else "item_panel_excluded"
    notify(
        person_ids=[verdicts[0].author_id],
        code=code,
        params={"item": item.label},
        actor_id=None,
        benchmark_id=item.benchmark_id,
        target_type="item",
        target_id=item.pk,
    )
