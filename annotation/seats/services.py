"""Handing out places to judge: claim, renew, release, finish, and the sweep that frees what nobody renewed.

Who may sit where is the caller's to say: this room knows items and people, never packages or verdicts. The statement
of :func:`claim` was tried with fifty clients before it was written down (docs/decisions/0025).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any

from django.db import connection, transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Now

from annotation.items.models import ItemHand
from annotation.seats import rules, states
from annotation.seats.access import seats_of
from annotation.seats.errors import NothingLeft, PoolEmpty, SeatNotHeld, TryAgain
from annotation.seats.models import Seat
from curation.core.transitions import advance
from curation.people.models import Person

SWEPT_AT_ONCE = 1_000

# A free seat that somebody may take. The probes are subqueries with OFFSET 0, so that the planner keeps them per row
# behind the index on free seats by rank instead of joining whole tables. Of several free seats of an item only the
# first counts, so that one claim never takes two of them.
_OPEN_TO = """
    not exists (select 1 from annotation_seat t where t.item_id = s.item_id and t.purpose = s.purpose
                and t.round = s.round and t.holder_id = %(who)s offset 0)
    and not exists (select 1 from annotation_itemhand h where h.item_id = s.item_id and h.person_id = %(who)s
                    and h.hand = 'maker' offset 0)
    and s.group_id <> all(%(barred)s)
"""
_POOL = "s.benchmark_id = %(benchmark)s and s.kind = %(kind)s and s.purpose = %(purpose)s"
_CLAIM = f"""
    with slots as materialized (
        select n, row_number() over (order by n) as k from generate_series(1, %(most)s) n
        where not exists (
            select 1 from annotation_seat h where h.holder_id = %(who)s and h.benchmark_id = %(benchmark)s
            and h.purpose = %(purpose)s and h.state = 'held' and h.hold_no = n)
        order by n limit %(count)s),
    found as materialized (
        select s.id, s.rank from annotation_seat s
        where {_POOL} and s.state = 'free' and {{where}} and {_OPEN_TO}
        and not exists (select 1 from annotation_seat e where e.item_id = s.item_id and e.purpose = s.purpose
                        and e.round = s.round and e.state = 'free' and e.no < s.no offset 0)
        order by s.rank limit (select count(*) from slots) for update of s skip locked),
    numbered as (select id, row_number() over (order by rank) as k from found)
    update annotation_seat s
    set state = 'held', holder_id = %(who)s, hold_no = slots.n, lapsed_holder_id = null, lease_until = now() + %(lease)s
    from numbered join slots using (k) where s.id = numbered.id
    returning s.id
"""  # noqa: S608  (constants of this module; values are parameters)
_FRONT = f"""s.rank <= coalesce((select max(rank) from (select s.rank from annotation_seat s where {_POOL}
    and s.state = 'free' order by s.rank limit %(looked_at)s) front), 0)"""  # noqa: S608  (constants of this module; values are parameters)
_ONWARDS = f"""s.rank > (select coalesce(max(s.rank), 0) from annotation_seat s
    where {_POOL} and s.holder_id = %(who)s)"""  # noqa: S608  (constants of this module; values are parameters)
_WHAT_IS_LEFT = f"""
    select count(*) filter (where s.state = 'free'), count(*) filter (where s.state = 'held'),
           min(s.lease_until) filter (where s.state = 'held')
    from annotation_seat s where {_POOL} and s.state in ('free', 'held') and {_OPEN_TO}
"""  # noqa: S608  (constants of this module; values are parameters)


def open_seats(
    *,
    benchmark_id: int,
    kind: str,
    purpose: str,
    group_id: int,
    round_no: int,
    places: Iterable[tuple[int, int]],
    people: int,
) -> int:
    """Make the seats of a group's items, as many an item as people are wanted; return how many.

    Args:
        benchmark_id: Whose pool it is.
        kind: Kind of work.
        purpose: ``review`` or ``inspection``.
        group_id: The batch the items came in with.
        round_no: The batch's round.
        places: Each item with its place in the batch, from 1.
        people: How many different people judge each item.
    """
    made = [
        Seat(
            benchmark_id=benchmark_id,
            kind=kind,
            purpose=purpose,
            item_id=item_id,
            group_id=group_id,
            round=round_no,
            no=no,
            rank=rules.rank(group_id, no, place),
        )
        for item_id, place in places
        for no in range(1, people + 1)
    ]
    Seat.objects.bulk_create(made, batch_size=1_000)
    return len(made)


@transaction.atomic
def claim(
    *,
    actor: Person,
    benchmark_id: int,
    kind: str,
    purpose: str,
    count: int,
    most: int,
    barred: Collection[int] = (),
) -> list[int]:
    """Take up to ``count`` seats, so that no more than ``most`` are held; never at one's own work.

    Rows that others hold locked are passed over, so nobody waits for anybody; one person's own requests come one after
    the other. Expired leases are not looked at here: a sweep frees them.

    Args:
        actor: Who judges.
        benchmark_id: The pool's benchmark.
        kind: Kind of work.
        purpose: ``review`` or ``inspection``.
        count: How many are wanted.
        most: How many somebody may hold, over all kinds.
        barred: Groups that the actor has a part in.

    Returns:
        The seats taken; none when the actor holds ``most`` already.

    Raises:
        PoolEmpty: Nothing is free; others hold some that may come back.
        NothingLeft: Neither.
        TryAgain: Others hold the last free rows at this moment.
    """
    Person.objects.select_for_update(no_key=True).values_list("pk").get(pk=actor.pk)
    given: dict[str, Any] = {
        "who": actor.pk,
        "benchmark": benchmark_id,
        "kind": kind,
        "purpose": purpose,
        "count": min(count, rules.CLAIMED_AT_ONCE),
        "most": most,
        "lease": rules.LEASE,
        "looked_at": rules.LOOKED_AT,
        "barred": list(barred),
    }
    with connection.cursor() as cursor:
        for where in (_FRONT, _ONWARDS, "true"):
            cursor.execute(_CLAIM.format(where=where), given)
            if taken := [row[0] for row in cursor.fetchall()]:
                return taken
        if _held_by(actor, benchmark_id, purpose).count() >= most:
            return []
        cursor.execute(_WHAT_IS_LEFT, given)
        free, held, until = cursor.fetchone()
    if free:
        raise TryAgain
    if held:
        raise PoolEmpty(held=held, until=until.isoformat())
    raise NothingLeft


def _held_by(actor: Person, benchmark_id: int, purpose: str) -> QuerySet[Seat]:
    return Seat.objects.filter(holder=actor, benchmark_id=benchmark_id, purpose=purpose, state=Seat.State.HELD)


@transaction.atomic
def renew(*, actor: Person, benchmark_id: int, purpose: str, seats: Collection[int]) -> dict[int, datetime]:
    """Hold seats for another lease; return those that are still the actor's with the lease's new end."""
    mine = _locked(_held_by(actor, benchmark_id, purpose).filter(pk__in=seats))
    Seat.objects.filter(pk__in=mine).update(lease_until=Now() + rules.LEASE)
    rows = Seat.objects.filter(pk__in=mine).values_list("pk", "lease_until")
    return {pk: until for pk, until in rows if until is not None}


@transaction.atomic
def release(*, actor: Person, benchmark_id: int, purpose: str, seats: Collection[int]) -> int:
    """Give seats back before their time; return how many were the actor's."""
    mine = _locked(_held_by(actor, benchmark_id, purpose).filter(pk__in=seats))
    return Seat.objects.filter(pk__in=mine).update(
        state=states.TABLE["release"].target, holder=None, hold_no=None, lease_until=None
    )


def _locked(rows: QuerySet[Seat], *, skip_locked: bool = False) -> list[int]:
    """The rows' ids, locked in one order, so that two requests never wait for each other."""
    locked = rows.select_for_update(no_key=True, skip_locked=skip_locked).order_by("pk")
    return list(locked.values_list("pk", flat=True))


def seat_of(actor: Person, *, item_id: int, purpose: str, round_no: int) -> Seat:
    """The seat from which the actor judges a locked item: held, or lapsed and not handed on; locked.

    Raises:
        SeatNotHeld.
    """
    rows = seats_of(actor, purpose).filter(item_id=item_id, round=round_no)
    seat = rows.select_for_update(no_key=True).order_by(F("lease_until").asc(nulls_last=True)).first()
    if seat is None:
        raise SeatNotHeld
    return seat


def finish(seat: Seat, *, actor: Person, action: str) -> None:
    """Close a locked seat after its verdict, within the verdict's transaction.

    Raises:
        ActionNotAllowed.
    """
    advance(seat, action, table=states.TABLE)
    seat.holder, seat.lapsed_holder, seat.hold_no, seat.lease_until = actor, None, None, None
    seat.save(update_fields=["state", "holder", "lapsed_holder", "hold_no", "lease_until"])


def reopen(*, item_id: int, purpose: str, round_no: int) -> int:
    """Free an item's finished seats because its content changed; those of people who wrote in it stay done.

    Whoever judged the older revision and did not correct it has to look again, or somebody in their place.
    """
    makers = ItemHand.objects.filter(item_id=item_id, hand="maker").values("person_id")
    done = Seat.objects.filter(item_id=item_id, purpose=purpose, round=round_no, state=Seat.State.DONE)
    return done.exclude(holder_id__in=makers).update(state=states.TABLE["reopen"].target, holder=None)


def drop_open(item_ids: Collection[int]) -> int:
    """Remove what is not done of the seats of items that are judged no more; done ones stay as a record."""
    dropped = Seat.objects.filter(item_id__in=item_ids).exclude(state=Seat.State.DONE)
    return Seat.objects.filter(pk__in=_locked(dropped)).delete()[0]


def is_over(*, group_id: int, purpose: str, round_no: int) -> bool:
    """Whether nobody has anything left to judge in a group; ask with the group's row locked."""
    rows = Seat.objects.filter(group_id=group_id, purpose=purpose, round=round_no)
    return not rows.exclude(state=Seat.State.DONE).exists()


@transaction.atomic
def sweep() -> int:
    """Free seats whose lease ran out, some at a time; return how many. Beat calls it, never a claim."""
    lapsed = Seat.objects.filter(state=Seat.State.HELD, lease_until__lt=Now())
    ids = list(
        lapsed.select_for_update(no_key=True, skip_locked=True)
        .order_by("lease_until")
        .values_list("pk", flat=True)[:SWEPT_AT_ONCE]
    )
    values: dict[str, Any] = {"state": states.TABLE["lapse"].target, "hold_no": None, "lease_until": None}
    return Seat.objects.filter(pk__in=ids).update(lapsed_holder=F("holder"), holder=None, **values)
