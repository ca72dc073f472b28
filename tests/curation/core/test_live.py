"""Events are part of the transaction that writes, and hold ids and numbers alone."""

import pytest
from django.db import connection, transaction

from curation.core import live
from curation.core.models import Presence

pytestmark = pytest.mark.django_db


@pytest.fixture
def sent(monkeypatch):
    found = []
    monkeypatch.setattr(live, "notify", lambda channel, payload: found.append((channel, live.parse(payload))))
    return found


def test_people_get_one_event_each_however_many_they_are(sent):
    people = [*range(700), 3, 3]
    live.tell(people, "lobby", 5, 6)
    assert [(channel, len(event.people)) for channel, event in sent] == [(live.CHANNEL, n) for n in (300, 300, 100)]
    assert [person for _, event in sent for person in event.people] == list(range(700))
    assert {(event.topic, event.target, event.n) for _, event in sent} == {("lobby", 5, 6)}


def test_nobody_needs_no_event(sent):
    live.tell([], "lobby", 5, 6)
    assert sent == []


@pytest.mark.parametrize(
    ("people", "topic", "target", "n"),
    [([1], "thread", 1, 1), ([1], "lobby", -1, 1), ([1], "lobby", 1, "a text"), (["a name"], "lobby", 1, 1)],
)
def test_other_topics_and_texts_are_refused(sent, people, topic, target, n):
    with pytest.raises(ValueError, match=r"no topic|whole numbers"):
        live.tell(people, topic, target, n)
    assert sent == []


@pytest.mark.django_db(transaction=True)
def test_without_a_transaction_it_is_refused(sent):
    with pytest.raises(RuntimeError, match="in the transaction"):
        live.tell([1], "lobby", 1, 1)
    assert sent == []


def test_the_longest_event_fits_into_a_notification():
    most = (1 << 63) - 1
    with transaction.atomic():
        live.tell(range(most - live.PEOPLE_IN_A_PAYLOAD, most), "dialogue", most, most)


def test_presence_is_one_row_of_a_person_and_one_statement(django_assert_num_queries):
    with django_assert_num_queries(1):
        live.record_presence({2, 1})
    Presence.objects.update(seen_at="2020-01-01T00:00:00Z")
    with django_assert_num_queries(1):
        live.record_presence([2, 3])
    with connection.cursor() as cursor:
        cursor.execute("select person_id from curation_presence where seen_at > '2020-01-02' order by 1")
        assert cursor.fetchall() == [(2,), (3,)]
    assert Presence.objects.count() == 3
