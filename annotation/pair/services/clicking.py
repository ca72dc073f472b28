"""A second person finds what expressions mean, by clicks on the picture (CVLUE, appendix A.2.4)."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db import transaction

from annotation.bases.errors import BaseChanged
from annotation.items import services as items
from annotation.items.models import Item
from annotation.judging import services as judging
from annotation.judging.models import Judging, Verdict
from annotation.judging.rules import CLICKS
from annotation.judging.services import Judgement, write_verdict
from annotation.kinds.registry import OBJECTS_OF_BASE, TEXTS_TO_FIND
from annotation.pair.errors import OutOfOrder, PointNotOnPicture, SeesEveryItem
from annotation.pair.models import Click, ClickRound
from annotation.pair.rules import POINT, in_order, object_at
from annotation.peer import access
from annotation.peer.services.checking import record_outcome
from annotation.peer.states import PAIR as TABLE
from annotation.seats import services as seats
from annotation.seats.errors import SeatNotHeld
from annotation.seats.models import Seat
from annotation.seats.states import CLICKS as SEATS
from curation.benchmarks.models import Benchmark
from curation.core.errors import ClientKeyReused
from curation.people.access import benchmark_for
from curation.people.models import Person
from curation.people.services import notify


@transaction.atomic
def claim_clicking(*, actor: Person, benchmark_slug: str, kind: str) -> tuple[Benchmark, str]:
    """Claim the item that has waited longest for a second person; the one that the actor holds is kept.

    Nobody gets an item that they wrote or tried before, nor one whose base they made or judged.

    Raises:
        SeesEveryItem: The actor can open every item of the kind.
        PoolEmpty, NothingLeft, TryAgain: See :func:`annotation.seats.services.claim`.
        KindNotInProtocol, TrackNotInProtocol, NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(actor, benchmark_slug, "click_claim", kind)
    access.track_of(benchmark, kind, of=(Item.Track.PAIR,))
    if not access.clicks_on(actor, benchmark.pk, kind):
        raise SeesEveryItem
    held = Seat.objects.filter(holder=actor, benchmark=benchmark, purpose=CLICKS, state=Seat.State.HELD)
    if not held.filter(kind=kind).exists():
        seats.claim(
            actor=actor,
            benchmark_id=benchmark.pk,
            kind=kind,
            purpose=CLICKS,
            count=1,
            most=held.count() + 1,
            ticked=True,
            once=True,
        )
    return benchmark, kind


@transaction.atomic
def click(
    *,
    actor: Person,
    item_id: int,
    position: int,
    answer: str,
    client_key: UUID,
    x: float | None = None,
    y: float | None = None,
    ms: int | None = None,
    picture_no: int | None = None,
) -> None:
    """Answer the next expression of the item whose seat the actor holds; the last answer decides about the item.

    Nothing is returned, so that the actor does not learn whether the answer is right.

    Args:
        actor: The second person.
        item_id: The item.
        position: The answer's number, from 1.
        answer: ``point``, ``not_found`` or ``several`` (more than one object fits).
        client_key: A repeat with the same key has the same result.
        x: The point in pixels of the picture, from the left.
        y: The point in pixels of the picture, from the top.
        ms: Time since the expression was shown.
        picture_no: The version of the picture that the actor saw.

    Raises:
        OutOfOrder: Another expression is next.
        PointNotOnPicture.
        BaseChanged: The boxes are not accepted any more.
        PictureChanged, SeatNotHeld, OwnWork, ActionNotAllowed, ClientKeyReused, NotFound, OperationNotAllowed.
    """
    given = {"position": position, "answer": answer, "x": x, "y": y}
    if _is_repeat(actor, item_id, client_key, given):
        return
    involved = access.lock_item_for(actor, item_id, "item_click", track=Item.Track.PAIR)
    if _is_repeat(actor, item_id, client_key, given):  # the same request on another connection held the lock
        return
    item: Any = involved.item
    access.check_action(actor, involved, "item_click")
    if not item.base_of["current"]:
        raise BaseChanged
    _check_point(item, answer, x, y)
    opened = judging.lock_judging(item, CLICKS)
    if opened is None:
        raise SeatNotHeld
    seat = seats.seat_of(actor, item_id=item.pk, purpose=CLICKS, round_no=opened.no)
    keys = TEXTS_TO_FIND[item.kind](item.newest["content"])
    order = in_order(bytes(ClickRound.objects.get(judging=opened).seed), actor.pk, keys)
    mine = Click.objects.filter(judging=opened, person=actor)
    before = list(mine.values_list("correct", flat=True))
    if position != len(before) + 1:
        raise OutOfOrder(position=len(before) + 1)
    key = order[position - 1]
    objects = OBJECTS_OF_BASE[item.kind](item.base_of["content"])
    hit = object_at(objects, x, y) if x is not None and y is not None else ""
    Click.objects.create(
        judging=opened, person=actor, key=key, hit=hit, correct=hit == key, ms=ms, client_key=client_key, **given
    )
    if position == len(order):
        is_right = all(before) and hit == key
        judgement = Judgement(
            item_id, item.revision_no, CLICKS, "pass" if is_right else "fail", [], "", client_key, picture_no
        )
        write_verdict(actor, item, judgement, round_no=opened.no, judging=opened)
        seats.finish(seat, actor=actor, action="click", table=SEATS)
        _decide(item, opened, judging.settle(opened))


def _is_repeat(actor: Person, item_id: int, client_key: UUID, given: dict[str, Any]) -> bool:
    """Whether an earlier request with the same key gave this answer.

    Raises:
        ClientKeyReused: It gave another one.
    """
    earlier = Click.objects.select_related("judging").filter(person=actor, client_key=client_key).first()
    if earlier is None:
        return False
    if earlier.judging.item_id != item_id or any(getattr(earlier, name) != value for name, value in given.items()):
        raise ClientKeyReused
    return True


def _check_point(item: Any, answer: str, x: float | None, y: float | None) -> None:
    if answer != POINT:
        fits = x is None and y is None
    else:
        fits = x is not None and y is not None and 0 <= x <= item.facts["width"] and 0 <= y <= item.facts["height"]
    if not fits:
        raise PointNotOnPicture


def _decide(item: Any, opened: Judging, verdicts: list[Verdict]) -> None:
    """Accept a locked item whose every expression was found, or return it; after the last try it waits for a decision.

    The entries in the audit log and the notifications name nobody, because the second person decides nothing.
    """
    if opened.outcome == Judging.Outcome.PASSED:
        [former] = items.accept([item], "pass", table=TABLE)
        record_outcome(item, "item_accept", former, None)
        return
    failures = Judging.objects.filter(item=item, purpose=CLICKS, outcome=Judging.Outcome.FAILED).count()
    if failures >= access.pair_settings(item.benchmark.protocol_id, item.kind).attempts:
        return
    [former] = items.send_back([item], "fail", table=TABLE)
    record_outcome(item, "item_return", former, None)
    notify(
        person_ids=[verdicts[0].author_id],
        code="item_click_failed",
        params={"item": item.label},
        actor_id=None,
        benchmark_id=item.benchmark_id,
        target_type="item",
        target_id=item.pk,
    )
