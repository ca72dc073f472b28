"""No two curators are shown the same picture to judge."""

import multiprocessing
import threading
import uuid
from datetime import timedelta

import pytest
from django.db import connection, connections
from django.utils import timezone

from curation.images.errors import HeldByAnother
from curation.images.models import Image, InspectionHold
from curation.images.services import hold_images, release_holds, renew_holds
from curation.people.models import Person
from tests.people import person
from tests.pictures import judge


def rows(benchmark, contributor, count, start=0):
    """Pictures without files."""
    return Image.objects.bulk_create(
        Image(
            benchmark=benchmark,
            number=n,
            sha256=f"{n:064x}",
            phash=n,
            width=800,
            height=600,
            contributor=contributor,
            source={"kind": "own"},
            licence="own-work",
            client_key=uuid.uuid4(),
        )
        for n in range(start + 1, start + count + 1)
    )


def hold(who, size=10, **more):
    return hold_images(actor=who, benchmark_slug="cvlue", size=size, **more)


def test_a_batch_is_the_oldest_pictures_of_others(here):
    theirs = rows(here.benchmark, here.contributor, 3)
    rows(here.benchmark, here.curator, 2, start=3)
    held = hold(here.curator)
    assert held.image_ids == [i.pk for i in theirs]
    assert (held.held_by_others, held.others_until) == (0, None)
    assert hold(here.curator, 2).image_ids == [i.pk for i in theirs[:2]]  # the rest falls back
    other = hold(here.curator2)
    assert len(other.image_ids) == 3  # the third, and the curator's own two
    assert other.held_by_others == 2
    assert other.others_until == held.until or other.others_until > timezone.now()
    assert hold(here.curator).image_ids == [i.pk for i in theirs[:2]]


def test_a_batch_runs_out_is_renewed_and_given_back(here):
    rows(here.benchmark, here.contributor, 2)
    hold(here.curator)
    InspectionHold.objects.update(held_until=timezone.now() - timedelta(seconds=1))
    taken_over = hold(here.curator2)
    assert len(taken_over.image_ids) == 2
    assert renew_holds(actor=here.curator, benchmark_slug="cvlue") is None
    assert renew_holds(actor=here.curator2, benchmark_slug="cvlue") > timezone.now() + timedelta(minutes=9)
    release_holds(actor=here.curator2, benchmark_slug="cvlue")
    assert not InspectionHold.objects.exists()
    assert len(hold(here.curator).image_ids) == 2


def test_a_batch_of_one_category(here):
    first, _ = rows(here.benchmark, here.contributor, 2)
    first.category = here.benchmark.categories.get()
    first.save(update_fields=["category"])
    assert hold(here.curator, category="lantern").image_ids == [first.pk]
    assert hold(here.curator2, category="panda").image_ids == []


def test_what_another_holds_is_not_judged_and_what_is_judged_is_let_go(here):
    first, second = rows(here.benchmark, here.contributor, 2)
    hold(here.curator)
    with pytest.raises(HeldByAnother) as refused:
        judge(here.curator2, first)
    assert refused.value.params["by"] == here.curator.name
    judge(here.curator, first)
    assert list(InspectionHold.objects.values_list("image_id", flat=True)) == [second.pk]
    assert hold(here.curator2).image_ids == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("curators", [2, 12])
def test_curators_at_once_never_hold_the_same_picture(make_world, curators):
    here = make_world()
    rows(here.benchmark, here.contributor, 60)
    people = [person(f"c{n}", here.benchmark, "curator") for n in range(curators)]
    for who in people:
        who.grants  # noqa: B018  (loaded before the threads begin)
    gate, held = threading.Barrier(curators), {}

    def run(n):
        try:
            gate.wait()
            held[n] = [hold(people[n], 5 + round_no).image_ids for round_no in range(4)][-1]
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(n,)) for n in range(curators)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    everything = [image_id for ids in held.values() for image_id in ids]
    assert len(everything) == len(set(everything)) == min(60, curators * 8)
    assert dict(InspectionHold.objects.values_list("image_id", "holder_id")) == {
        image_id: people[n].pk for n, ids in held.items() for image_id in ids
    }


def _in_process(name, gate, answers):
    connections.close_all()
    who = Person.objects.get(username=name)
    gate.wait()
    answers.put(hold(who, 10).image_ids)
    connections.close_all()


@pytest.mark.django_db(transaction=True)
def test_twenty_processes_at_once(make_world):
    here = make_world()
    rows(here.benchmark, here.contributor, 150)
    names = [person(f"p{n}", here.benchmark, "curator").username for n in range(20)]
    connections.close_all()
    fork = multiprocessing.get_context("fork")
    gate, answers = fork.Barrier(20), fork.Queue()
    processes = [fork.Process(target=_in_process, args=(name, gate, answers)) for name in names]
    [p.start() for p in processes]
    held = [image_id for _ in processes for image_id in answers.get(timeout=60)]
    [p.join(20) for p in processes]
    assert len(held) == len(set(held)) == 150
    assert InspectionHold.objects.count() == 150
