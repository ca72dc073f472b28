"""How many parts of uploads one web process receives at the same time, in all and of one person.

Each part occupies a thread of the server until its last byte, however slowly that arrives. The limit for one person
leaves slots to everybody else.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings

from curation.images.errors import UploadsBusy


class PartSlots:
    """Counts the parts that are being received, by person."""

    def __init__(self, total: int, per_person: int) -> None:
        self._total, self._per_person = total, per_person
        self._lock = threading.Lock()
        self._receiving: Counter[int] = Counter()

    @contextmanager
    def held_by(self, person_id: int) -> Iterator[None]:
        """Occupy a slot.

        Raises:
            UploadsBusy: The server receives as many parts as it can, or as many of this person as it may.
        """
        with self._lock:
            if self._receiving.total() >= self._total or self._receiving[person_id] >= self._per_person:
                raise UploadsBusy(seconds=1)
            self._receiving[person_id] += 1
        try:
            yield
        finally:
            with self._lock:
                self._receiving[person_id] -= 1
                if not self._receiving[person_id]:
                    del self._receiving[person_id]


slots = PartSlots(settings.UPLOADS_AT_ONCE, settings.UPLOADS_AT_ONCE_PER_PERSON)
