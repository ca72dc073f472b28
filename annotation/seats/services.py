"""Seats of pools: claim, renew, release, finish, and the sweep that frees expired ones.

The caller checks who may judge where: this module knows items and people, not packages or verdicts. The statement of
:func:`claim` was tested with fifty concurrent clients (docs/decisions/0025).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any

from django.db import connection, transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from annotation.items.models import Item, ItemHand
from annotation.seats import rules, states
from annotation.seats.access import seats_of
from annotation.seats.errors import NothingLeft, PoolEmpty, SeatNotHeld, TryAgain
from annotation.seats.models import Seat
from curation.core.transitions import Table, advance
from curation.lib.statements import prepared_cursor
from curation.people.models import Person

SWEPT_AT_ONCE = 1_000  # bounds how many rows one transaction locks; the next sweep takes the rest

# A free seat that the person may claim. The checks are subqueries with OFFSET 0, so that the planner runs them for each
# row of the index on free seats by rank instead of joining whole tables. Of several free seats of an item only the
# first counts, so that one claim never gets two seats of one item.
_OPEN_TO = """
    not exists (select 1 from annotation_seat t where t.item_id = s.item_id and t.purpose = s.purpose
                and (t.round = s.round or %(once)s) and t.holder_id = %(who)s offset 0)
    and not exists (select 1 from annotation_itembase b where b.item_id = s.item_id
                    and (not b.current or exists (select 1 from annotation_itemhand h
                                                  where h.item_id = b.base_item_id and h.person_id = %(who)s))
                    offset 0)
    and not exists (select 1 from annotation_itemhand h join annotation_item i on i.id = h.item_id
                    where h.item_id = s.item_id and h.person_id = %(who)s and h.hand = 'maker'
                    and h.span @> i.revision_no offset 0)
    and not exists (select 1 from annotation_item i join curation_blindfold d on d.image_id = i.image_id
                    where i.id = s.item_id and d.person_id = %(who)s offset 0)
    and s.group_id <> all(%(barred)s)
    and (not %(ticked)s or exists (
        select 1 from annotation_item i join curation_image g on g.id = i.image_id
        where i.id = s.item_id and g.pii_clear_by_id is not null offset 0))
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
    and s.state = 'free' order by s.rank limit %(front_size)s) front), 0)"""  # noqa: S608  (constants of this module; values are parameters)
_ONWARDS = f"""s.rank > (select coalesce(max(s.rank), 0) from annotation_seat s
    where {_POOL} and s.holder_id = %(who)s)"""  # noqa: S608  (constants of this module; values are parameters)
_WITHIN = "s.group_id = any(%(within)s)"
_REMAINING = f"""
    select count(*) filter (where s.state = 'free'), count(*) filter (where s.state = 'held'),
           min(s.lease_until) filter (where s.state = 'held')
    from annotation_seat s where {_POOL} and s.state in ('free', 'held') and {{where}} and {_OPEN_TO}
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
    """Create the seats of a package's or judging's items, one for each required judge; return how many.

    Args:
        benchmark_id: The pool's benchmark.
        kind: Kind of work.
        purpose: ``review``, ``inspection``, ``panel`` or ``clicks``.
        group_id: The id of the items' package, or of the judging.
        round_no: The package's round, or the judging's number.
        places: Each item's id with its position in the package, from 1.
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
    within: Collection[int] | None = None,
    ticked: bool = False,
    once: bool = False,
) -> list[int]:
    """Claim up to ``count`` seats of items that the actor did not write, so that they hold no more than ``most``.

    Items that rest on accepted work are left out while it is not accepted, and where the actor made or judged it; so
    are those on pictures that the actor asks about in a dialogue.

    Locked rows are skipped, so no request waits for another person's; requests of one person run one after the other.
    Expired leases are ignored: a sweep frees them.

    Args:
        actor: The person who judges.
        benchmark_id: The pool's benchmark.
        kind: Kind of work.
        purpose: ``review``, ``inspection``, ``peer``, ``panel`` or ``clicks``.
        count: How many seats to claim.
        most: How many seats a person may hold, over all kinds.
        barred: Packages in which the actor may not judge.
        within: The packages or teams whose items are claimed, a few; None: all.
        ticked: Only seats of items whose picture has its tick, without which no verdict is possible.
        once: Only seats of items that the actor judged in no earlier round either.

    Returns:
        The claimed seats; none if the actor already holds ``most``.

    Raises:
        PoolEmpty: No seat is free; seats that others hold may become free.
        NothingLeft: No seat is free or held by others.
        TryAgain: Other requests have the last free rows locked.
    """
    Person.objects.select_for_update(no_key=True).values_list("pk").get(pk=actor.pk)
    parameters: dict[str, Any] = {
        "who": actor.pk,
        "benchmark": benchmark_id,
        "kind": kind,
        "purpose": purpose,
        "count": min(count, rules.CLAIMED_AT_ONCE),
        "most": most,
        "lease": rules.LEASE,
        "front_size": rules.FRONT_SIZE,
        "barred": list(barred),
        "within": list(within or ()),
        "ticked": ticked,
        "once": once,
    }
    with connection.cursor() as cursor:
        for where in (_FRONT, _ONWARDS, "true") if within is None else (_WITHIN,):
            cursor.execute(_CLAIM.format(where=where), parameters)
            if claimed := [row[0] for row in cursor.fetchall()]:
                return claimed
        if _held_by(actor, benchmark_id, [purpose]).count() >= most:
            return []
        cursor.execute(_REMAINING.format(where="true" if within is None else _WITHIN), parameters)
        free, held, until = cursor.fetchone()
    if free:
        raise TryAgain
    if held:
        raise PoolEmpty(held=held, until=until.isoformat())
    raise NothingLeft


def _held_by(actor: Person, benchmark_id: int, purposes: Collection[str]) -> QuerySet[Seat]:
    return Seat.objects.filter(holder=actor, benchmark_id=benchmark_id, purpose__in=purposes, state=Seat.State.HELD)


@transaction.atomic
def renew(
    *, actor: Person, benchmark_id: int, purposes: Collection[str], seats: Collection[int]
) -> dict[int, datetime]:
    """Renew the lease of seats; return those that the actor still holds, with the new end of the lease."""
    mine = _locked(_held_by(actor, benchmark_id, purposes).filter(pk__in=seats))
    Seat.objects.filter(pk__in=mine).update(lease_until=Now() + rules.LEASE)
    rows = Seat.objects.filter(pk__in=mine).values_list("pk", "lease_until")
    return {pk: until for pk, until in rows if until is not None}


@transaction.atomic
def release(*, actor: Person, benchmark_id: int, purposes: Collection[str], seats: Collection[int]) -> int:
    """Release seats before their lease ends; return how many the actor held."""
    mine = _locked(_held_by(actor, benchmark_id, purposes).filter(pk__in=seats))
    return Seat.objects.filter(pk__in=mine).update(
        state=states.TABLE["release"].target, holder=None, hold_no=None, lease_until=None
    )


def _locked(rows: QuerySet[Seat], *, skip_locked: bool = False) -> list[int]:
    """Lock rows in the order of their ids, so that two requests cannot deadlock; return the ids."""
    locked = rows.select_for_update(no_key=True, skip_locked=skip_locked).order_by("pk")
    return list(locked.values_list("pk", flat=True))


def seat_of(actor: Person, *, item_id: int, purpose: str, round_no: int) -> Seat:
    """Lock the seat from which the actor judges a locked item: held, or lapsed and not claimed by anyone else since.

    Raises:
        SeatNotHeld.
    """
    rows = seats_of(actor, purpose).filter(item_id=item_id, round=round_no)
    seat = rows.select_for_update(no_key=True).order_by(F("lease_until").asc(nulls_last=True)).first()
    if seat is None:
        raise SeatNotHeld
    return seat


def finish(seat: Seat, *, actor: Person, action: str, table: Table = states.TABLE) -> None:
    """Close a locked seat after its verdict, within the verdict's transaction; by one of the moves of ``table``.

    Raises:
        ActionNotAllowed.
    """
    advance(seat, action, table=table)
    seat.holder, seat.lapsed_holder, seat.hold_no, seat.lease_until = actor, None, None, None
    seat.save(update_fields=["state", "holder", "lapsed_holder", "hold_no", "lease_until"])


def reopen(*, item_id: int, purpose: str, round_no: int) -> int:
    """Free an item's finished seats because its content changed, except those of its authors; return how many.

    The new revision needs new verdicts, from the same people or from others.
    """
    makers = ItemHand.objects.filter(item_id=item_id, hand="maker").values("person_id")
    done = Seat.objects.filter(item_id=item_id, purpose=purpose, round=round_no, state=Seat.State.DONE)
    return done.exclude(holder_id__in=makers).update(state=states.TABLE["reopen"].target, holder=None)


_OFFER = """
    insert into annotation_seat (benchmark_id, kind, purpose, item_id, group_id, round, no, rank, state)
    values (%(benchmark)s, %(kind)s, %(purpose)s, %(item)s, %(group)s, 1, 1, %(rank)s, 'free')
    on conflict (item_id, purpose, round, no) do update
      set state = 'free', rank = excluded.rank, holder_id = null, lapsed_holder_id = null, hold_no = null,
          lease_until = null
      where annotation_seat.state = 'done' or annotation_seat.holder_id = %(author)s
"""


def offer_seat(*, item: Item, purpose: str, group_id: int, rank: int, author_id: int) -> None:
    """Open the only seat of an item that was submitted: a new one, or that of the verdict on an earlier revision.

    A colleague's held seat stays theirs; the author's own is freed, because they cannot judge what they wrote.

    Args:
        item: The locked item.
        purpose: ``peer``.
        group_id: The id of the item's team.
        rank: The place in the order of claims.
        author_id: The author of the revision.
    """
    with prepared_cursor() as cursor:
        cursor.execute(
            _OFFER,
            {
                "benchmark": item.benchmark_id,
                "kind": item.kind,
                "purpose": purpose,
                "item": item.pk,
                "group": group_id,
                "rank": rank,
                "author": author_id,
            },
        )


def lock_seat(*, item_id: int, purpose: str) -> Seat | None:
    """Lock the only seat of a locked item, also if another person holds it; None if it has none."""
    return Seat.objects.select_for_update(no_key=True).filter(item_id=item_id, purpose=purpose).first()


def is_held_by_other(seat: Seat, person: Person) -> bool:
    """Whether someone else holds a seat, with a lease that has not ended."""
    held = seat.lease_until is not None and seat.lease_until > timezone.now()
    return held and seat.holder_id != person.pk


def delete_open_seats(item_ids: Collection[int]) -> int:
    """Delete the free and held seats of items that are not judged any more; done seats stay as a record."""
    open_rows = Seat.objects.filter(item_id__in=item_ids).exclude(state=Seat.State.DONE)
    return Seat.objects.filter(pk__in=_locked(open_rows)).delete()[0]


def all_done(*, group_id: int, purpose: str, round_no: int) -> bool:
    """Whether every seat of a package's round is done; the caller has locked the package."""
    rows = Seat.objects.filter(group_id=group_id, purpose=purpose, round=round_no)
    return not rows.exclude(state=Seat.State.DONE).exists()


@transaction.atomic
def sweep() -> int:
    """Free up to ``SWEPT_AT_ONCE`` seats whose lease expired; return how many. Beat calls it, claims do not."""
    lapsed = Seat.objects.filter(state=Seat.State.HELD, lease_until__lt=Now())
    ids = list(
        lapsed.select_for_update(no_key=True, skip_locked=True)
        .order_by("lease_until")
        .values_list("pk", flat=True)[:SWEPT_AT_ONCE]
    )
    values: dict[str, Any] = {"state": states.TABLE["lapse"].target, "hold_no": None, "lease_until": None}
    return Seat.objects.filter(pk__in=ids).update(lapsed_holder=F("holder"), holder=None, **values)
