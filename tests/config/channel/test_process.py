"""The live channel as a process: what arrives, what never does, when a stream ends."""

import time

import psycopg
import pytest
from django.db import connection, transaction

from curation.core.live import record_presence, tell
from curation.core.models import Presence
from curation.people.models import Person, PersonSession
from tests.config.channel.process import PAGE, address, live_process, wait_until
from tests.people import signed_in

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.system]
TOKEN = "t" * 30


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    return tmp_path_factory.mktemp("live") / "live.log"


@pytest.fixture(scope="module")
def live(log, django_db_setup, django_db_blocker):
    with django_db_blocker.unblock(), live_process(log) as running:
        wait_until(running.is_healthy, running)
        yield running


@pytest.fixture(autouse=True)
def close(live):
    """Leave no stream to the next test."""
    yield
    while live.readers:
        live.readers.pop().close()


@pytest.fixture
def two():
    return [Person.objects.create_person(username=name, name=name, password=None) for name in ("first", "second")]


def test_an_event_arrives_when_its_transaction_commits_and_never_otherwise(live, two):
    one, other = two
    reader, bystander = live.open(signed_in(one)), live.open(signed_in(other))
    before = live.figures(TOKEN)['lantern_live_sent_total{topic="lobby"}']
    with transaction.atomic():
        tell([one.pk], "lobby", 1, 1)
        transaction.set_rollback(True)
    began = time.monotonic()
    with transaction.atomic():
        tell([one.pk], "lobby", 7, 2)
    assert reader.next() == ("look", {"topic": "lobby", "id": 7, "n": 2})
    assert time.monotonic() - began < 1
    with transaction.atomic():
        tell([one.pk, one.pk, 99], "dialogue", 8, 0)
    assert reader.next() == ("look", {"topic": "dialogue", "id": 8, "n": 0})
    assert bystander.is_silent()
    figures = live.figures(TOKEN)
    assert figures['lantern_live_sent_total{topic="lobby"}'] == before + 1
    assert (figures["lantern_live_listening"], figures["lantern_live_streams"] >= 1) == (1.0, True)


def test_without_a_session_there_is_no_stream_and_strangers_learn_nothing(live, two):
    browser = signed_in(two[0])
    key = browser.cookies["sessionid"].value
    assert live.status() == 401
    assert live.status(session="a" * 32) == 401
    assert [live.status(method=method, session=key) for method in ("POST", "HEAD", "OPTIONS", "PUT")] == [405] * 4
    assert live.status(session=key, Host="evil.example.org") == 400
    assert live.status("/events/nothing", session=key) == 404
    assert live.status("/events/metrics") == 404
    assert live.status("/events/metrics", Authorization="Bearer wrong") == 404
    Person.objects.filter(pk=two[0].pk).update(is_active=False)
    assert live.status(session=key) == 401
    PersonSession.objects.all().delete()
    assert live.status(session=key) == 401


@pytest.mark.parametrize(
    "origin", ["https://evil.example.org", "http://localhost:8000.evil.example.org", "http://localhost:80001", "null"]
)
def test_pages_of_other_origins_get_no_stream(live, two, origin):
    asking, answer = live.ask(session=signed_in(two[0]).cookies["sessionid"].value, Origin=origin)
    asking.close()
    assert answer.status == 403
    assert [name for name, _ in answer.getheaders() if name.lower().startswith("access-control")] == []


def test_pages_of_the_one_origin_may_read_with_their_cookie(live, two):
    reader = live.open(signed_in(two[0]), Origin=PAGE)
    headers = dict(reader.response.getheaders())
    assert headers["access-control-allow-origin"] == PAGE
    assert headers["access-control-allow-credentials"] == "true"
    assert headers["vary"] == "Origin"
    assert headers["content-type"] == "text/event-stream; charset=utf-8"
    assert (headers["cache-control"], headers["x-accel-buffering"]) == ("no-store", "no")
    asking, refused = live.ask(Origin=PAGE)
    asking.close()
    assert (refused.status, refused.getheader("access-control-allow-origin")) == (401, PAGE)


def test_streams_end_with_their_session_account_or_password_and_only_those(live):
    names = ("out", "closed", "changed", "stays")
    people = {name: Person.objects.create_person(username=name, name=name, password="x" * 12) for name in names}
    readers = {name: live.open(signed_in(person)) for name, person in people.items()}
    began = time.monotonic()
    PersonSession.objects.filter(person=people["out"]).delete()
    Person.objects.filter(pk=people["closed"].pk).update(is_active=False)
    people["changed"].set_password("another-long-password")
    people["changed"].save()
    assert [readers[name].next() for name in ("out", "closed", "changed")] == [None] * 3
    assert time.monotonic() - began < 6
    with transaction.atomic():
        tell([person.pk for person in people.values()], "lobby", 1, 1)
    assert readers["stays"].next() == ("look", {"topic": "lobby", "id": 1, "n": 1})


def test_a_person_has_six_streams_and_others_have_theirs(live, two):
    browser = signed_in(two[0])
    readers = [live.open(browser) for _ in range(6)]
    asking, answer = live.ask(session=browser.cookies["sessionid"].value)
    assert (answer.status, answer.getheader("retry-after")) == (503, "5")
    assert b'"too_many_streams"' in answer.read()
    asking.close()
    live.open(signed_in(two[1]))
    readers[0].close()
    wait_until(lambda: live.figures(TOKEN)["lantern_live_streams"] == 6, live)
    live.open(browser)


def test_presence_is_noted_when_a_stream_opens(live, two):
    Presence.objects.create(person_id=two[0].pk, seen_at="2020-01-01T00:00:00Z")
    with connection.cursor() as cursor:
        cursor.execute("select now() - interval '2 seconds'")
        before = cursor.fetchone()[0]
    live.open(signed_in(two[0]))
    assert Presence.objects.get(person_id=two[0].pk).seen_at > before
    assert not Presence.objects.filter(person_id=two[1].pk).exists()
    record_presence([two[1].pk])
    assert Presence.objects.count() == 2


def test_when_listening_breaks_all_streams_end_and_the_next_one_begins_with_hello(live, two):
    browser = signed_in(two[0])
    reader = live.open(browser)
    again = live.figures(TOKEN)["lantern_live_listen_reopened_total"]
    with psycopg.connect(address(), autocommit=True) as database:
        database.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity "
            "where application_name = 'lantern live' and datname = current_database()"
        )
    assert reader.next() is None
    wait_until(live.is_healthy, live)
    reader = live.open(browser)
    with transaction.atomic():
        tell([two[0].pk], "dialogue", 3, 4)
    assert reader.next() == ("look", {"topic": "dialogue", "id": 3, "n": 4})
    assert live.figures(TOKEN)["lantern_live_listen_reopened_total"] == again + 1


def test_while_nothing_arrives_there_are_no_streams_and_the_log_says_why(tmp_path, two):
    """A database that hears none of the application's notifications stands for a pooler."""
    elsewhere = address().replace(f"/{connection.settings_dict['NAME']}", "/postgres")
    with live_process(tmp_path / "live.log", LIVE_DATABASE_URL=elsewhere) as deaf:
        wait_until(lambda: "without a pooler" in deaf.log.read_text(), deaf)
        assert deaf.status("/events/health") == 503
        assert deaf.status(session=signed_in(two[0]).cookies["sessionid"].value) == 503
