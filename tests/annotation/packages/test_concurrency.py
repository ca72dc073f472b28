"""Many people at once, on real connections: what constraints and locks promise."""

import multiprocessing
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, connections

from annotation.items.errors import StaleRevision
from annotation.items.models import ItemRevision
from annotation.packages import services
from annotation.packages.models import Package, PackageItem
from curation.people.models import Person
from curation.people.rules import Role
from tests.people import person, world
from tests.protocols import captions_protocol
from tests.ready import accepted_pictures, five_captions

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def here():
    made = world(captions_protocol(size=1))
    accepted_pictures(made.benchmark, made.contributor, made.curator, 60)
    services.build_packages(
        actor=made.admin,
        benchmark_slug="cvlue",
        kind="captions",
        size=1,
        seed=1,
        complete_only=False,
        client_key=uuid.uuid4(),
    )
    return made


def _claim_in_process(person_id, gate, answers):
    gate.wait()
    who = Person.objects.get(pk=person_id)
    package, held = services.claim_package(actor=who, benchmark_slug="cvlue", kind="captions")
    answers.put((person_id, package.pk, held))
    connections.close_all()


def test_fifty_processes_get_fifty_packages(here):
    people = [person(f"many{i}", here.benchmark, Role.ANNOTATOR) for i in range(50)]
    connections.close_all()  # a forked child must not share the parent's connection
    fork = multiprocessing.get_context("fork")
    gate, answers = fork.Event(), fork.SimpleQueue()
    workers = [fork.Process(target=_claim_in_process, args=(p.pk, gate, answers)) for p in people]
    for worker in workers:
        worker.start()
    gate.set()
    told = [answers.get() for _ in workers]
    for worker in workers:
        worker.join(30)
    assert len({package for _, package, _ in told}) == 50
    assert {who for who, _, _ in told} == {p.pk for p in people}
    assert not any(held for _, _, held in told)
    assert Package.objects.filter(state="working").count() == 50
    assert {(p.assignee_id, p.pk) for p in Package.objects.filter(state="working")} == {(w, p) for w, p, _ in told}


def _at_once(count, call):
    def alone(n):
        try:
            return call(n)
        finally:
            connection.close()

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(alone, range(count)))


def test_one_person_on_fifty_connections_gets_one_package_and_is_told_which(here):
    told = _at_once(50, lambda _: services.claim_package(actor=here.annotator, benchmark_slug="cvlue", kind="captions"))
    assert len({package.pk for package, _ in told}) == 1
    assert [held for _, held in told].count(False) == 1
    assert Package.objects.filter(assignee=here.annotator).count() == 1
    assert Package.objects.filter(state="available").count() == 59


def test_identical_submissions_at_the_same_time_are_one_row(here):
    package, _ = services.claim_package(actor=here.annotator, benchmark_slug="cvlue", kind="captions")
    item_id = PackageItem.objects.get(package=package).item_id
    key = uuid.uuid4()
    told = _at_once(
        12,
        lambda _: services.submit_item(
            actor=here.annotator, item_id=item_id, base_no=0, content=five_captions(1), reasons={}, client_key=key
        ),
    )
    assert {revision.pk for _, revision, _ in told} == {ItemRevision.objects.get().pk}
    assert [replayed for _, _, replayed in told].count(False) == 1


def test_different_submissions_at_the_same_time_are_one_row_and_refusals(here):
    package, _ = services.claim_package(actor=here.annotator, benchmark_slug="cvlue", kind="captions")
    item_id = PackageItem.objects.get(package=package).item_id

    def submit(n):
        try:
            services.submit_item(
                actor=here.annotator,
                item_id=item_id,
                base_no=0,
                content=five_captions(n),
                reasons={},
                client_key=uuid.uuid4(),
            )
        except StaleRevision as refused:
            return refused.extra["theirs"]
        return None

    told = _at_once(8, submit)
    assert told.count(None) == 1
    stored = ItemRevision.objects.get().content
    assert [t for t in told if t is not None] == [stored] * 7
