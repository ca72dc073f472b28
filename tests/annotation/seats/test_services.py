"""Seats: who may sit where, for how long, and what is said when none is free."""

import uuid
from datetime import timedelta

import pytest
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.items.models import Item, ItemRevision
from annotation.seats import queries, rules, services
from annotation.seats.errors import NothingLeft, PoolEmpty, SeatNotHeld
from annotation.seats.models import Seat
from annotation.tallies import services as tallies
from curation.core.errors import ActionNotAllowed
from tests.people import world
from tests.protocols import captions_protocol
from tests.ready import accepted_pictures
from tests.sentences import five_captions
from tests.shared import shared

pytestmark = pytest.mark.django_db

POOL = {"kind": "captions", "purpose": "review"}


@shared
def here():
    return world(captions_protocol())


@shared
def items(here):
    return items_for(here, 4)


def items_for(here, count):
    images = accepted_pictures(here.benchmark, here.contributor, here.curator, count)
    return Item.objects.bulk_create(
        Item(benchmark=here.benchmark, kind="captions", image=image, number=n, state="made", revision_no=1)
        for n, image in enumerate(images, 1)
    )


def seats_for(here, items, people=1, group_id=7, round_no=1):
    places = [(item.pk, n) for n, item in enumerate(items, 1)]
    return services.open_seats(
        benchmark_id=here.benchmark.pk, group_id=group_id, round_no=round_no, places=places, people=people, **POOL
    )


def claim(here, who, count=1, most=3, **more):
    return services.claim(actor=who, benchmark_id=here.benchmark.pk, count=count, most=most, **(POOL | more))


def finish(who, item, action="review"):
    seat = services.seat_of(who, item_id=item.pk, purpose="review", round_no=1)
    services.finish(seat, actor=who, action=action)


def table():
    return sorted(Seat.objects.values_list("item_id", "no", "state", "holder_id", "hold_no"))


def lapse(*seats):
    Seat.objects.filter(pk__in=seats).update(lease_until=timezone.now() - timedelta(seconds=1))


def test_ranks_go_by_group_then_seat_then_place():
    assert [rules.rank(7, 1, 1), rules.rank(7, 1, 2), rules.rank(7, 2, 1), rules.rank(8, 1, 1)] == [
        7_010_001,
        7_010_002,
        7_020_001,
        8_010_001,
    ]
    assert (rules.LEASE_SECONDS, rules.HEARTBEAT_SECONDS) == (600, 60)


class TestClaim:
    def test_first_seats_of_all_items_come_before_second_ones(self, here, items):
        assert seats_for(here, items, people=2) == 8
        taken = claim(here, here.senior, count=3)
        rows = Seat.objects.filter(pk__in=taken).order_by("rank")
        assert [(s.item_id, s.no, s.hold_no) for s in rows] == [(i.pk, 1, n) for n, i in enumerate(items[:3], 1)]
        assert all(timedelta(minutes=9) < s.lease_until - timezone.now() <= rules.LEASE for s in rows)

    def test_no_more_than_allowed_are_held_and_a_free_number_is_used_again(self, here, items):
        seats_for(here, items)
        claim(here, here.senior, count=2)
        assert len(claim(here, here.senior, count=5)) == 1
        assert claim(here, here.senior, count=5) == []
        finish(here.senior, items[1])
        [taken] = claim(here, here.senior)
        assert (Seat.objects.get(pk=taken).item_id, Seat.objects.get(pk=taken).hold_no) == (items[3].pk, 2)

    def test_one_claim_never_takes_two_seats_of_an_item(self, here, items):
        seats_for(here, items[:2], people=2)
        assert len(claim(here, here.senior, count=3)) == 2
        with pytest.raises(NothingLeft):
            claim(here, here.senior, count=3)
        assert len(claim(here, here.senior2, count=3)) == 2

    def test_no_one_gets_seats_of_own_items_or_barred_packages(self, here, items):
        seats_for(here, items[:1], group_id=1)
        seats_for(here, items[1:], group_id=2)
        ItemRevision.objects.create(
            item=items[1],
            no=1,
            author=here.senior,
            origin="annotator",
            content=five_captions(1),
            protocol=here.benchmark.protocol,
            client_key=uuid.uuid4(),
        )
        taken = claim(here, here.senior, count=3, barred=[1])
        assert {s.item_id for s in Seat.objects.filter(pk__in=taken)} == {items[2].pk, items[3].pk}
        before = table()
        with pytest.raises(NothingLeft):
            claim(here, here.senior, barred=[1])
        assert table() == before

    def test_an_empty_pool_tells_who_holds_and_until_when(self, here, items):
        seats_for(here, items[:2])
        taken = claim(here, here.senior, count=2)
        until = Seat.objects.get(pk=taken[0]).lease_until
        with pytest.raises(PoolEmpty) as refused:
            claim(here, here.senior2)
        assert refused.value.params == {"held": 2, "until": until.isoformat()}
        for item in items[:2]:
            finish(here.senior, item)
        with pytest.raises(NothingLeft):
            claim(here, here.senior2)

    def test_expired_leases_are_freed_by_the_sweep_alone(self, here, items):
        seats_for(here, items[:1])
        lapse(*claim(here, here.senior))
        with pytest.raises(PoolEmpty):
            claim(here, here.senior2)
        assert (services.sweep(), services.sweep()) == (1, 0)
        assert len(claim(here, here.senior2)) == 1

    def test_who_judged_much_alone_goes_on_where_they_were(self, here, items, monkeypatch):
        monkeypatch.setattr(rules, "FRONT_SIZE", 2)
        seats_for(here, items[:2], people=2, group_id=1)
        seats_for(here, items[2:], group_id=2)
        claim(here, here.senior, count=2)
        assert [s.item_id for s in Seat.objects.filter(pk__in=claim(here, here.senior))] == [items[2].pk]


class TestHolding:
    @shared
    def seat(self, here, items):
        seats_for(here, items[:1])
        return claim(here, here.senior)[0]

    def given(self, here, who, *seats):
        return {"actor": who, "benchmark_id": here.benchmark.pk, "purposes": ["review"], "seats": seats}

    def test_renewing_moves_the_end_of_the_lease(self, here, seat):
        lapse(seat)
        kept = services.renew(**self.given(here, here.senior, seat, seat + 1))
        assert list(kept) == [seat]
        assert kept[seat] > timezone.now() + timedelta(minutes=9)
        assert services.renew(**self.given(here, here.senior2, seat)) == {}
        assert services.sweep() == 0

    def test_a_released_seat_is_anybodys(self, here, items, seat):
        assert services.release(**self.given(here, here.senior2, seat)) == 0
        assert services.release(**self.given(here, here.senior, seat)) == 1
        assert table() == [(items[0].pk, 1, "free", None, None)]
        with pytest.raises(SeatNotHeld):
            finish(here.senior, items[0])
        assert claim(here, here.senior2) == [seat]

    def test_a_late_verdict_counts_until_someone_else_claims_the_seat(self, here, items, seat):
        lapse(seat)
        services.sweep()
        assert Seat.objects.get().lapsed_holder == here.senior
        with transaction.atomic():
            finish(here.senior, items[0])
            assert table() == [(items[0].pk, 1, "done", here.senior.pk, None)]
            transaction.set_rollback(True)
        claim(here, here.senior2)
        with pytest.raises(SeatNotHeld):
            finish(here.senior, items[0])
        assert table() == [(items[0].pk, 1, "held", here.senior2.pk, 1)]

    def test_a_finished_seat_is_not_finished_again(self, here, items, seat):
        finish(here.senior, items[0])
        with pytest.raises(SeatNotHeld):
            finish(here.senior, items[0])
        with pytest.raises(ActionNotAllowed):
            services.finish(Seat.objects.get(), actor=here.senior, action="review")

    def test_a_correction_reopens_seats_of_others_but_not_of_authors(self, here, items):
        seats_for(here, items[1:2], people=2)
        claim(here, here.senior2, count=2)
        claim(here, here.curator)
        for who in (here.senior2, here.curator):
            finish(who, items[1])
        ItemRevision.objects.create(
            item=items[1],
            no=2,
            author=here.curator,
            origin="senior",
            content=five_captions(1),
            protocol=here.benchmark.protocol,
            client_key=uuid.uuid4(),
        )
        assert services.reopen(item_id=items[1].pk, purpose="review", round_no=1) == 1
        assert table() == [(items[1].pk, 1, "free", None, None), (items[1].pk, 2, "done", here.curator.pk, None)]

    def test_open_seats_of_excluded_items_are_deleted(self, here, items):
        seats_for(here, items[:2], people=2)
        claim(here, here.senior, count=2)
        finish(here.senior, items[0])
        assert services.delete_open_seats([items[0].pk]) == 1
        assert table() == [
            (items[0].pk, 1, "done", here.senior.pk, None),
            (items[1].pk, 1, "held", here.senior.pk, 2),
            (items[1].pk, 2, "free", None, None),
        ]
        assert not services.all_done(group_id=7, purpose="review", round_no=1)
        services.delete_open_seats([items[1].pk])
        assert services.all_done(group_id=7, purpose="review", round_no=1)


@pytest.mark.parametrize(
    ("change", "constraint"),
    [
        ({"no": 1}, "seat_once"),
        ({"state": "held"}, "seat_free_has_no_holder"),
        ({"state": "free", "hold_no": 1}, "seat_held_has_lease"),
        ({"state": "lost"}, "seat_"),
        ({"purpose": "exam"}, "seat_purpose"),
    ],
)
def test_the_database_refuses_what_cannot_be(here, items, change, constraint):
    seats_for(here, items[:1], people=2)
    with pytest.raises(DatabaseError, match=constraint), transaction.atomic():
        Seat.objects.filter(no=2).update(**change)


def test_the_database_refuses_a_person_twice_at_an_item_and_one_hold_too_many(here, items):
    seats_for(here, items[:2], people=2)
    claim(here, here.senior)
    held = {"state": "held", "holder": here.senior, "lease_until": timezone.now()}
    with pytest.raises(DatabaseError, match="seat_one_each"), transaction.atomic():
        Seat.objects.filter(item=items[0], no=2).update(hold_no=2, **held)
    with pytest.raises(DatabaseError, match="seat_held_at_most"), transaction.atomic():
        Seat.objects.filter(item=items[1], no=2).update(hold_no=1, **held)


def test_a_claim_reads_a_bounded_number_of_rows_among_a_hundred_thousand(here, items):
    """The front is judged by somebody alone: their second seats are free and not for them."""
    with connection.cursor() as cursor:
        cursor.execute("alter table annotation_seat disable trigger all")  # foreign keys of made-up items
        cursor.execute(
            "insert into annotation_seat (benchmark_id, kind, purpose, item_id, group_id, round, no, rank, state,"
            " holder_id) select %s, 'captions', 'review', 1000000 + i, i / 100, 1, no,"
            " ((i / 100) * 100 + no)::bigint * 10000 + i %% 100 + 1,"
            " case when i < 20000 and no = 1 then 'done' else 'free' end,"
            " case when i < 20000 and no = 1 then %s end"
            " from generate_series(0, 49999) i, generate_series(1, 2) no",
            [here.benchmark.pk, here.senior.pk],
        )
        cursor.execute("alter table annotation_seat enable trigger user")
        tallies.check(repair=True)
        cursor.execute("analyze annotation_seat")
        read = (
            "select coalesce(sum(pg_stat_get_xact_tuples_fetched(oid) + pg_stat_get_xact_tuples_returned(oid)), 0)"
            " from pg_class where relname like 'annotation_seat%%' or relname like 'seat_%%'"
            " or relname like 'annotation_itemhand%%'"
        )
        for who, first in ((here.senior, (200, 1, 1)), (here.senior2, (0, 2, 1))):
            cursor.execute(read)
            [before] = cursor.fetchone()
            with CaptureQueriesContext(connection) as asked:
                taken = claim(here, who, count=3)
            cursor.execute(read)
            [after] = cursor.fetchone()
            ranks = sorted(Seat.objects.filter(pk__in=taken).values_list("rank", flat=True))
            assert ranks == [rules.rank(*first) + n for n in range(3)]
            assert len([q for q in asked.captured_queries if "SAVEPOINT" not in q["sql"]]) <= 3
            assert after - before < 10 * rules.FRONT_SIZE
    with CaptureQueriesContext(connection) as asked:
        assert queries.counts(here.benchmark.pk) == [
            {"purpose": "review", "kind": "captions", "free": 79_994, "held": 6, "done": 20_000}
        ]
    assert len(asked) == 1
