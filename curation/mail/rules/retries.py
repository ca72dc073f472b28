"""When a mail is tried again while the server is away or refuses it for now."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

_PAUSES: Final = (1, 5, 15, 60, 240, 480)  # minutes: more than 13 hours, a night
MAX_ATTEMPTS: Final = len(_PAUSES) + 1
#: A mail that is being sent for longer was left by a worker that died; the time limit of a task is 15 minutes.
SENDING_FOR: Final = timedelta(minutes=30)

#: Rows of mails that ended are kept for so long: longer than notifications are mailed and links are counted.
KEPT_FOR: Final = timedelta(days=30)


def retry_after(attempts: int) -> timedelta | None:
    """The pause before the next attempt; None after the last."""
    return timedelta(minutes=_PAUSES[attempts - 1]) if attempts < MAX_ATTEMPTS else None
