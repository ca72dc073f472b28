"""Limits and order of streams, without a server."""

import asyncio

import pytest

from config.channel.streams import HELLO, PING, WAITING_ROWS, Presences, Stream, Streams, end_those_without, look
from curation.core.live import PEOPLE_IN_A_PAYLOAD, Event, parse


def stream(person=1, key="k"):
    return Stream(person, key, "p")


def waiting(one):
    return asyncio.run(one.take(0.01))


def test_what_browsers_get_has_no_people():
    assert look(Event((1, 2), "lobby", 5, 6)) == b'event: look\ndata: {"topic":"lobby","id":5,"n":6}\n\n'
    assert (HELLO, PING) == (b"event: hello\ndata: {}\n\n", b"event: ping\ndata: {}\n\n")


def test_an_event_goes_to_all_streams_of_its_people_and_to_no_other():
    streams = Streams()
    first, second, other = stream(1), stream(1), stream(2)
    assert all(streams.add(one) for one in (first, second, other))
    assert streams.send(Event((1, 3), "lobby", 5, 6)) == 2
    assert waiting(first) == waiting(second) == look(Event((), "lobby", 5, 6))
    assert waiting(other) == PING


def test_of_a_row_the_newest_event_is_sent():
    streams, one = Streams(), stream()
    streams.add(one)
    for n in range(500):
        streams.send(Event((1,), "dialogue", 5, n))
    streams.send(Event((1,), "lobby", 5, 0))
    assert waiting(one) == look(Event((), "dialogue", 5, 499)) + look(Event((), "lobby", 5, 0))
    assert waiting(one) == PING


def test_a_stream_that_is_not_read_ends_and_keeps_nothing():
    streams, one = Streams(), stream()
    streams.add(one)
    for row in range(WAITING_ROWS):
        streams.send(Event((1,), "lobby", row, 1))
    assert not one.has_ended
    streams.send(Event((1,), "lobby", WAITING_ROWS, 1))
    assert one.has_ended
    streams.send(Event((1,), "lobby", 1, 2))
    assert waiting(one) == b""


def test_places_are_limited_for_a_person_and_in_all_and_free_again():
    streams = Streams(per_person=2, in_all=3)
    mine = [stream(1) for _ in range(3)]
    assert [streams.add(one) for one in mine] == [True, True, False]
    assert streams.is_full(opening=1)
    assert not streams.is_full()
    assert streams.add(stream(2))
    assert not streams.add(stream(3))
    streams.remove(mine[0])
    streams.remove(mine[0])
    streams.remove(mine[2])  # never added
    assert (len(streams), list(streams.people)) == (2, [1, 2])
    assert streams.add(stream(3))


def test_streams_without_a_session_in_force_end():
    kept, gone, changed = stream(1, "a"), stream(1, "b"), stream(2, "c")
    end_those_without([kept, gone, changed], {"a": "p", "c": "another"})
    assert [one.has_ended for one in (kept, gone, changed)] == [False, True, True]


def test_ending_all_wakes_them():
    streams, one = Streams(), stream()
    streams.add(one)
    streams.end_all()
    assert (one.has_ended, asyncio.run(one.take(60))) == (True, b"")


def test_presence_is_due_once_in_its_seconds():
    presences = Presences(20)
    assert presences.due([1, 2], 100) == [1, 2]
    assert presences.due([1, 2, 3], 119.9) == [3]
    assert presences.due([1, 3], 120) == [1]


def test_an_event_is_read_as_it_was_written():
    assert parse('{"people":[1,2],"topic":"lobby","id":3,"n":0}') == Event((1, 2), "lobby", 3, 0)
    longest = ",".join(["9223372036854775807"] * PEOPLE_IN_A_PAYLOAD)
    assert len(f'{{"people":[{longest}],"topic":"dialogue","id":{1 << 62},"n":{1 << 62}}}') < 8000


@pytest.mark.parametrize(
    "payload",
    [
        "",
        "{",
        "[]",
        "null",
        '{"people":[1],"topic":"lobby","id":3}',
        '{"people":[1],"topic":"lobby","id":3,"n":0,"text":"x"}',
        '{"people":[1],"topic":"thread","id":3,"n":0}',
        '{"people":[1],"topic":["lobby"],"id":3,"n":0}',
        '{"people":1,"topic":"lobby","id":3,"n":0}',
        '{"people":[true],"topic":"lobby","id":3,"n":0}',
        '{"people":["1"],"topic":"lobby","id":3,"n":0}',
        '{"people":[1],"topic":"lobby","id":-3,"n":0}',
        '{"people":[1],"topic":"lobby","id":3,"n":9223372036854775808}',
        '{"people":[1],"topic":"lobby","id":3,"n":1.0}',
    ],
)
def test_anything_else_is_no_event(payload):
    assert parse(payload) is None
