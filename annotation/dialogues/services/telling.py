"""Notifying open pages of dialogues and of the lobby.

Everything is sent in the transaction that writes, without content: pages read by the usual operations.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Collection

from django.db.models import Exists, OuterRef, Q

from annotation.dialogues.access import partner_of
from annotation.dialogues.models import Dialogue
from annotation.dialogues.rules import FRESH_SECONDS, KIND, MOST_NOTIFIED, TYPING_SECONDS
from curation.benchmarks.models import Benchmark
from curation.core import live
from curation.people.models import Person
from curation.people.queries import people_who_may


def tell_both(dialogue: Dialogue) -> None:
    """Notify the two that something in their dialogue is new."""
    live.tell([dialogue.questioner_id, dialogue.answerer_id], "dialogue", dialogue.pk, dialogue.turn_no)


def tell_lobby(benchmark: Benchmark, also: Collection[int] = ()) -> None:
    """Notify people with a page open that who waits has changed, those who are in a dialogue excepted.

    Args:
        benchmark: The lobby's benchmark.
        also: People who are notified in any case, such as the two who were just paired.
    """
    party = Q(questioner_id=OuterRef("pk")) | Q(answerer_id=OuterRef("pk"))
    busy = Dialogue.objects.filter(party, state=Dialogue.State.OPEN)
    may = Person.objects.filter(pk__in=people_who_may(benchmark, "lobby_join", KIND))
    there = may.filter(pk__in=live.present_within(FRESH_SECONDS)).exclude(Exists(busy)).order_by("pk")
    live.tell([*there.values_list("pk", flat=True)[:MOST_NOTIFIED], *also], "lobby", benchmark.pk, 0)


def tell_typing(person_id: int, dialogue: Dialogue) -> None:
    """Notify the partner alone that the next turn is being typed; more often than every two seconds nothing is sent."""
    following = dialogue.turn_no + 1
    if not _typing.is_due((dialogue.pk, following)):
        return
    live.tell([partner_of(person_id, dialogue)], "typing", dialogue.pk, following)


class _Limit:
    """At most one event in so many seconds for each key, in this process."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._sent: dict[tuple[int, int], float] = {}
        self._lock = threading.Lock()

    def is_due(self, key: tuple[int, int]) -> bool:
        """Whether an event may be sent now, which counts as sent then."""
        now = time.monotonic()
        with self._lock:
            if now - self._sent.get(key, -self._seconds) < self._seconds:
                return False
            self._sent = {one: at for one, at in self._sent.items() if now - at < self._seconds}
            self._sent[key] = now
        return True


_typing = _Limit(TYPING_SECONDS)
