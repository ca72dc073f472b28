"""The clock that wakes sweeps, untroubled by a machine whose own clock is put right."""

from __future__ import annotations

import time
from typing import Any

from celery.beat import PersistentScheduler

from curation.core.broker import crowded

# A step of the wall clock against the one that only runs forward, in seconds, from which on it counts as a jump.
JUMP = 5.0


class SteadyScheduler(PersistentScheduler):
    """Runs every entry at its interval, whatever the wall clock does.

    Celery remembers by the wall clock when an entry ran last. Set back by an hour, it would let no sweep run for an
    hour; here all entries count as just run and are lined up anew.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._ahead = time.time() - time.monotonic()
        super().__init__(*args, **kwargs)

    def setup_schedule(self) -> None:
        """Read what the last run left; what it put into the future stems from before the clock was set back."""
        super().setup_schedule()
        for entry in self.schedule.values():
            if entry.last_run_at and entry.last_run_at > entry.default_now():
                entry.last_run_at = entry.default_now()

    def apply_entry(self, entry: Any, producer: Any = None) -> None:
        """Send what is due, unless its queue holds more than its workers have come to."""
        if not crowded(self.app, entry.options.get("queue", self.app.conf.task_default_queue)):
            super().apply_entry(entry, producer=producer)

    def tick(self, *args: Any, **kwargs: Any) -> float:
        """Run what is due; return the seconds until something may be."""
        ahead = time.time() - time.monotonic()
        if abs(ahead - self._ahead) > JUMP:
            for entry in self.schedule.values():
                entry.last_run_at = entry.default_now()
            self._heap = None  # lined up anew by what follows
        self._ahead = ahead
        return float(super().tick(*args, **kwargs))
