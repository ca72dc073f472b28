"""Fifty people at once, each on a connection of their own: what the seats' constraints and locks promise."""

import multiprocessing
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, connections

from annotation.items.models import Item
from annotation.seats import services
from annotation.seats.errors import NothingLeft, PoolEmpty, TryAgain
from annotation.seats.models import Seat
from curation.people.models import Person
from tests.people import Role, person, world
from tests.protocols import captions_protocol
from tests.ready import accepted_pictures

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.system]

ITEMS, QUOTA, PEOPLE, MOST = 1_000, 2, 50, 5


@pytest.fixture
def here():
    made = world(captions_protocol())
    [image] = accepted_pictures(made.benchmark, made.contributor, made.curator, 1)
    Item.objects.bulk_create(
        Item(benchmark=made.benchmark, kind="captions", image=image, slot=n, number=n, state="made", revision_no=1)
        for n in range(1, ITEMS + 1)
    )
    places = [(pk, n) for n, pk in enumerate(Item.objects.order_by("pk").values_list("pk", flat=True), 1)]
    services.open_seats(
        benchmark_id=made.benchmark.pk,
        kind="captions",
        purpose="review",
        group_id=1,
        round_no=1,
        places=places,
        people=QUOTA,
    )
    return made


def _claim(who, benchmark_id, count=MOST):
    return services.claim(
        actor=who, benchmark_id=benchmark_id, kind="captions", purpose="review", count=count, most=MOST
    )


def _judge_until_nothing_is_left(person_id, benchmark_id, gate, answers):
    gate.wait()
    who = Person.objects.get(pk=person_id)
    taken, claims, waits = [], 0, 0
    while True:
        try:
            got = _claim(who, benchmark_id)
        except (PoolEmpty, TryAgain):
            waits += 1
            time.sleep(0.002)
            continue
        except NothingLeft:
            # What was said has to be true for this person at this very moment: nothing free that they have not judged.
            judged = Seat.objects.filter(holder=who).values("item_id")
            free_left = Seat.objects.filter(state="free").exclude(item_id__in=judged).count()
            break
        claims += 1
        for seat in Seat.objects.in_bulk(got).values():
            services.finish(seat, actor=who, action="review")
            taken.append((seat.pk, seat.item_id))
    answers.put((person_id, taken, claims, waits, free_left))
    connections.close_all()


def test_fifty_processes_judge_two_thousand_seats_to_the_end(here, capsys):
    people = [person(f"many{i}", here.benchmark, Role.SENIOR) for i in range(PEOPLE)]
    connections.close_all()  # a forked child must not share the parent's connection
    fork = multiprocessing.get_context("fork")
    gate, answers = fork.Event(), fork.SimpleQueue()
    given = (here.benchmark.pk, gate, answers)
    workers = [fork.Process(target=_judge_until_nothing_is_left, args=(p.pk, *given)) for p in people]
    for worker in workers:
        worker.start()
    began = time.perf_counter()
    gate.set()
    told = [answers.get() for _ in workers]
    took = time.perf_counter() - began
    for worker in workers:
        worker.join(30)
    with capsys.disabled():
        sys.stdout.write(
            f"\n{ITEMS * QUOTA} seats, {PEOPLE} processes: {ITEMS * QUOTA / took:.0f} seats/s, {took:.1f} s,"
            f" {sum(t[2] for t in told)} claims, {sum(t[3] for t in told)} empty answers\n"
        )
    seats = Counter(seat for _, taken, *_ in told for seat, _ in taken)
    assert (len(seats), set(seats.values())) == (ITEMS * QUOTA, {1})
    for _, taken, *_ in told:
        assert max(Counter(item for _, item in taken).values(), default=1) == 1
    assert [free for *_, free in told] == [0] * PEOPLE
    assert Counter(Seat.objects.values_list("state", flat=True)) == {"done": ITEMS * QUOTA}
    assert set(Counter(Seat.objects.values_list("item_id", flat=True)).values()) == {QUOTA}
    held_by = Counter(Seat.objects.values_list("holder_id", flat=True))
    assert held_by == {who: len(taken) for who, taken, *_ in told if taken}


def test_one_person_on_fifty_connections_holds_exactly_as_many_as_allowed(here):
    def alone(_):
        try:
            return _claim(here.senior, here.benchmark.pk, count=2)
        finally:
            connection.close()

    with ThreadPoolExecutor(50) as pool:
        told = [seat for taken in pool.map(alone, range(50)) for seat in taken]
    assert len(told) == len(set(told)) == MOST
    held = Seat.objects.filter(state="held")
    assert (set(held.values_list("pk", flat=True)), set(held.values_list("holder_id", flat=True))) == (
        set(told),
        {here.senior.pk},
    )
    assert sorted(held.values_list("hold_no", flat=True)) == [1, 2, 3, 4, 5]
