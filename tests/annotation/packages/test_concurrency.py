"""Many people at once, on real connections: what constraints and locks promise."""

import contextlib
import multiprocessing
import threading
import time
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, connections, transaction

from annotation.items.errors import StaleRevision
from annotation.items.models import Item, ItemRevision
from annotation.judging.models import Verdict
from annotation.packages import services
from annotation.packages.errors import NothingToPack
from annotation.packages.models import Package, PackageItem
from annotation.quality import services as quality
from annotation.seats.errors import TryAgain
from annotation.tracks import services as writing
from curation.core.errors import ActionNotAllowed, ClientKeyReused, NotFound, StaleRow
from curation.people.models import Person
from tests.annotation.track import command, items_of, review, submitted_package
from tests.people import Role, person, world
from tests.protocols import captions_protocol
from tests.ready import accepted_pictures
from tests.sentences import five_captions

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.system]


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


def test_one_person_on_fifty_connections_gets_one_package(here):
    told = _at_once(50, lambda _: services.claim_package(actor=here.annotator, benchmark_slug="cvlue", kind="captions"))
    assert len({package.pk for package, _ in told}) == 1
    assert [held for _, held in told].count(False) == 1
    assert Package.objects.filter(assignee=here.annotator).count() == 1
    assert Package.objects.filter(state="available").count() == 59


def test_giving_claiming_and_withdrawing_at_once_never_gives_a_package_twice(here):
    people = [person(f"many{i}", here.benchmark, Role.ANNOTATOR) for i in range(25)]
    packages = list(Package.objects.order_by("number"))

    def act(n):
        if n < 25:
            return services.claim_package(actor=people[n], benchmark_slug="cvlue", kind="captions")[0].pk
        given = {"actor": here.admin, "package_id": packages[n - 25].pk, "revision": 0, "client_key": uuid.uuid4()}
        try:
            if n % 5:
                return services.assign_package(person=people[n - 25].pk, **given).pk
            services.withdraw_package(**given)
        except (StaleRow, ActionNotAllowed):  # somebody was quicker
            return None

    told = _at_once(50, act)
    assert len(set(told[:25])) == 25
    working = Package.objects.filter(state="working")
    assert sorted(working.values_list("assignee_id", flat=True)) == sorted(p.pk for p in people)
    assert set(working.values_list("pk", flat=True)) == set(told[:25])
    given = Package.objects.exclude(assignee=None)
    assert given.count() == working.count() + Package.objects.filter(state="assigned").count()
    assert not PackageItem.objects.filter(package__state="withdrawn", active=True).exists()


def test_an_assigned_package_on_fifty_connections_is_claimed_once(here):
    given = {"actor": here.admin, "revision": 0, "client_key": uuid.uuid4(), "person": here.annotator.pk}
    assigned = services.assign_package(package_id=Package.objects.get(number=40).pk, **given)
    told = _at_once(50, lambda _: services.claim_package(actor=here.annotator, benchmark_slug="cvlue", kind="captions"))
    assert {package.pk for package, _ in told} == {assigned.pk}
    assert [held for _, held in told].count(False) == 1
    assert Package.objects.filter(state="available").count() == 59


def test_imports_and_builds_at_once_number_on_without_a_gap(here):
    Package.objects.update(state="withdrawn")
    PackageItem.objects.update(active=False)

    def act(n):
        if n % 2:
            rows = [{"image": str(60 - i), "slot": n} for i in range(10)]
            return services.import_items(
                actor=here.admin, benchmark_slug="cvlue", kind="captions", rows=rows, client_key=uuid.uuid4()
            )
        with contextlib.suppress(NothingToPack):
            services.build_packages(
                actor=here.admin,
                benchmark_slug="cvlue",
                kind="captions",
                size=7,
                seed=n,
                complete_only=True,
                client_key=uuid.uuid4(),
            )
        return None

    told = _at_once(12, act)
    assert told[1::2] == [{"made": 10, "existing": 0}] * 6
    assert sorted(Item.objects.values_list("number", flat=True)) == list(range(1, 121))
    packed = list(PackageItem.objects.filter(active=True).values_list("item_id", flat=True))
    assert len(packed) == len(set(packed)) >= 56
    numbers = sorted(Package.objects.values_list("number", flat=True))
    assert numbers == list(range(1, len(numbers) + 1))


def test_identical_submissions_at_the_same_time_are_one_row(here):
    package, _ = services.claim_package(actor=here.annotator, benchmark_slug="cvlue", kind="captions")
    item_id = PackageItem.objects.get(package=package).item_id
    key = uuid.uuid4()
    told = _at_once(
        12,
        lambda _: writing.submit_item(
            actor=here.annotator, item_id=item_id, base_no=0, content=five_captions(1), reasons={}, client_key=key
        ),
    )
    assert {revision.pk for _, revision, _ in told} == {ItemRevision.objects.get().pk}
    assert [replayed for _, _, replayed in told].count(False) == 1


def test_of_different_concurrent_submissions_one_is_stored(here):
    package, _ = services.claim_package(actor=here.annotator, benchmark_slug="cvlue", kind="captions")
    item_id = PackageItem.objects.get(package=package).item_id

    def submit(n):
        try:
            writing.submit_item(
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


def test_the_last_package_in_another_open_transaction_is_no_empty_pool(here):
    Package.objects.exclude(number=1).update(state="withdrawn")
    people = [person(f"late{i}", here.benchmark, Role.ANNOTATOR) for i in range(2)]
    claimed, asked = threading.Event(), threading.Event()

    def first():
        with contextlib.suppress(ZeroDivisionError), transaction.atomic():
            services.claim_package(actor=people[0], benchmark_slug="cvlue", kind="captions")
            claimed.set()
            asked.wait(20)
            raise ZeroDivisionError  # whatever undoes it

    def second():
        claimed.wait(20)
        try:
            with pytest.raises(TryAgain):
                services.claim_package(actor=people[1], benchmark_slug="cvlue", kind="captions")
        finally:
            asked.set()

    _at_once(2, lambda n: (first, second)[n]())
    package, held = services.claim_package(actor=people[1], benchmark_slug="cvlue", kind="captions")
    assert (package.number, held) == (1, False)


def test_no_item_is_submitted_while_its_package_is_submitted(here):
    package, _ = services.claim_package(actor=here.annotator, benchmark_slug="cvlue", kind="captions")
    item_id = PackageItem.objects.get(package=package).item_id
    given = {"actor": here.annotator, "item_id": item_id, "reasons": {}}
    writing.submit_item(base_no=0, content=five_captions(1), client_key=uuid.uuid4(), **given)
    command(services.self_check, here.annotator, package, ticks={item_id: 1})
    handed, submitting = threading.Event(), threading.Event()

    def submit_package():
        with transaction.atomic():
            command(services.submit_package, here.annotator, package)
            handed.set()
            submitting.wait(20)
            time.sleep(0.3)  # the other connection waits for the package meanwhile

    def edit():
        handed.wait(20)
        submitting.set()
        with pytest.raises(NotFound):
            writing.submit_item(base_no=1, content=five_captions(2), client_key=uuid.uuid4(), **given)

    _at_once(2, lambda n: (submit_package, edit)[n]())
    assert ItemRevision.objects.count() == 1
    assert PackageItem.objects.get(package=package).checked_no == 1


@pytest.mark.parametrize("outcome", ["accept", "return", "correct"])
def test_identical_reviews_at_the_same_time_are_one_verdict(here, outcome):
    package = submitted_package(here)
    command(quality.start_review, here.senior, package)
    [item] = items_of(package)
    more = {"reasons": ["wrong_fact"], "content": five_captions(99) if outcome == "correct" else None}
    key = uuid.uuid4()
    told = _at_once(8, lambda _: review(here.senior, item, outcome, client_key=key, **more))
    assert told == [(package.pk, item.pk)] * 8
    assert Verdict.objects.get().outcome == outcome
    assert ItemRevision.objects.count() == (2 if outcome == "correct" else 1)
    with pytest.raises(ClientKeyReused):
        review(here.senior, item, outcome, client_key=key, **more, comment="more")
