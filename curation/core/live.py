"""Events for open pages: a person's page learns that something is new, and reads it by the usual operations.

An event is a NOTIFY of the transaction that wrote the rows, so it is sent if and only if that commits. It has ids and
a number, never a text, and gives nobody a right: reading is checked as always. ``config/channel``
passes events on to browsers; where it does not run, pages poll.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.db import connection
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from curation.core.models import Presence

#: The channel of PostgreSQL on which events are sent.
CHANNEL: Final = "lantern_live"
#: The channel on which a listener finds out whether notifications arrive; its payload is a random text.
PROBE_CHANNEL: Final = "lantern_live_probe"
#: What an event can be about.
TOPICS: Final = frozenset({"dialogue", "lobby", "typing"})

# PostgreSQL refuses a payload of 8,000 bytes; an id has at most 19 digits and a comma.
PEOPLE_IN_A_PAYLOAD: Final = 300


class Event(NamedTuple):
    """Something new for some people: about which row of a topic, and its number there."""

    people: tuple[int, ...]
    topic: str
    target: int
    n: int


def tell(person_ids: Collection[int], topic: str, target: int, n: int) -> None:
    """Send an event to people's open pages when this transaction commits.

    Args:
        person_ids: The people who may read what is new.
        topic: One of ``TOPICS``.
        target: Id of the row that the event is about.
        n: The newest number there, such as the number of turns; pages that have it already read nothing.

    Raises:
        ValueError: The topic does not exist, or a number is not a whole one from 0 on.
        RuntimeError: There is no transaction, so that the event could arrive before its rows or without them.
    """
    if topic not in TOPICS:
        raise ValueError(f"There is no topic {topic}.")
    if not all(is_number(value) for value in (target, n, *person_ids)):
        raise ValueError("An event has whole numbers from 0 on.")
    if not connection.in_atomic_block:
        raise RuntimeError("An event is sent in the transaction that writes what it is about.")
    people = sorted(set(person_ids))
    for first in range(0, len(people), PEOPLE_IN_A_PAYLOAD):
        part = people[first : first + PEOPLE_IN_A_PAYLOAD]
        notify(CHANNEL, json.dumps({"people": part, "topic": topic, "id": target, "n": n}, separators=(",", ":")))


def notify(channel: str, payload: str) -> None:
    """Send a notification in the current transaction, or at once without one."""
    with connection.cursor() as cursor:
        cursor.execute("select pg_notify(%s, %s)", [channel, payload])


def parse(payload: str) -> Event | None:
    """Read an event; None if it is not one, such as a topic of a newer version during an upgrade."""
    try:
        content = json.loads(payload)
    except ValueError:
        return None
    if not isinstance(content, dict) or content.keys() != {"people", "topic", "id", "n"}:
        return None
    people, topic = content["people"], content["topic"]
    if not isinstance(topic, str) or topic not in TOPICS or not isinstance(people, list):
        return None
    if not all(is_number(value) for value in (content["id"], content["n"], *people)):
        return None
    return Event(tuple(people), topic, content["id"], content["n"])


def is_number(value: object) -> bool:
    """Whether a value is a whole number from 0 on that fits into a column."""
    return type(value) is int and 0 <= value < 1 << 63


def record_presence(person_ids: Collection[int]) -> None:
    """Note that these people have a page open now; one statement."""
    Presence.objects.bulk_create(
        [Presence(person_id=person, seen_at=Now()) for person in sorted(person_ids)],
        update_conflicts=True,
        unique_fields=["person_id"],
        update_fields=["seen_at"],
    )


def last_signs(person_ids: Collection[int]) -> dict[int, datetime]:
    """When each of these people last had a page open, by person; people who never had one are left out."""
    return dict(Presence.objects.filter(person_id__in=person_ids).values_list("person_id", "seen_at"))


def present_within(seconds: int) -> QuerySet[Presence, int]:
    """Ids of the people who had a page open in the last so many seconds, for use in other queries."""
    since = timezone.now() - timedelta(seconds=seconds)
    return Presence.objects.filter(seen_at__gte=since).values_list("person_id", flat=True)
