"""How much waits at the broker.

Messages only wake, so more than a worker can look at tell it nothing. Nothing in them goes by a clock: what keeps them
from piling up at a queue whose worker is away is that sweeps are not sent on top of many.
"""

from __future__ import annotations

from typing import Any, Final

from celery import Celery

# Messages in one queue from which on no sweep is added; each is a few hundred bytes.
MOST_WAITING: Final = 200


def crowded(app: Celery, queue: str) -> bool:
    """Whether so many messages wait in a queue that another sweep can be left out.

    False where there is no such queue yet, and where the broker does not answer: sending will tell.
    """
    with app.connection_for_write() as connection:
        silent: tuple[type[BaseException], ...] = (*connection.connection_errors, *connection.channel_errors, OSError)
        try:
            # Not ``default_channel``, which would wait for a broker that is away.
            connection.connect()
            channel: Any = connection.channel()
            waiting = channel.queue_declare(queue, passive=True).message_count
        except silent:
            return False
    return bool(waiting >= MOST_WAITING)
