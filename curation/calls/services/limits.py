"""What waits because its model server limits requests: a row with ``limited_since`` and ``next_try_at``."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, NoReturn

from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from curation.calls.errors import CallLimited
from curation.calls.rules import LONGEST_WAIT, next_pause
from curation.core import jobs


def is_due(rows: QuerySet[Any]) -> bool:
    """Whether one of the rows is to be sent now; one that its server limits waits for its next try."""
    # A time further ahead than any wait counts as passed: the clock was set back since.
    waits = Q(next_try_at__gt=Now(), next_try_at__lte=Now() + LONGEST_WAIT)
    return rows.exclude(waits).exists()


def postpone(row: Any, error: CallLimited) -> NoReturn:
    """Put a row's request off after its server limited it.

    Raises:
        Postponed: It is sent again at the row's ``next_try_at``.
        CallLimited: It has waited as long as one may, or the server asks for a longer pause.
    """
    now = jobs.database_now()
    since = row.limited_since or now
    pause = next_pause(max(0.0, (now - since).total_seconds()), error.params["seconds"])
    if pause is None:
        raise error
    next_try_at = now + timedelta(seconds=pause)
    QuerySet(type(row)).filter(pk=row.pk).update(limited_since=since, next_try_at=next_try_at)
    raise jobs.Postponed(str(error)) from error
