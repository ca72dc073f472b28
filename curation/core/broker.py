"""The queues of background work, the limits of its tasks, and the number of messages that wait at the broker.

Messages only wake workers, so more of them than a worker can handle are useless. They have no expiry. Instead no sweep
is sent while many messages wait, so that they do not pile up in a queue without a worker.
"""

from __future__ import annotations

from typing import Any, Final

from celery import Celery

#: The queue of imports, releases, scoring and sweeps.
DEFAULT: Final = "default"
#: The queue of picture checks. They have workers of their own, so that no picture delays anything else.
PICTURES: Final = "pictures"

#: Hard limits of tasks in seconds, after which their process is killed: of sweeps and single files, and of work that
#: grows with a benchmark, such as writing a release or predicting for it.
TIME_LIMIT: Final = 15 * 60
LONG_TIME_LIMIT: Final = 6 * 3600

#: Bytes of memory that one process of a pool may allocate; a task that needs more fails as any other. Measured: 470 MB
#: at most. Workers of models, which are no pools, have no such limit.
MEMORY_LIMIT: Final = 2 << 30
#: The same for a process that only checks pictures, and for the child process that decodes one, which inherits it. The
#: largest accepted pictures take 600 MB, and three are checked at a time (``docs/performance.md``).
PICTURES_MEMORY_LIMIT: Final = 1 << 30

# From this many messages in a queue on, no sweep is sent; each has a few hundred bytes.
MOST_WAITING: Final = 200


def crowded(app: Celery, queue: str) -> bool:
    """Return whether so many messages wait in a queue that another sweep can be skipped.

    False if the queue does not exist yet or the broker does not respond; sending reports the error then.
    """
    with app.connection_for_write() as connection:
        silent: tuple[type[BaseException], ...] = (*connection.connection_errors, *connection.channel_errors, OSError)
        try:
            # Not ``default_channel``, which would wait for an unavailable broker.
            connection.connect()
            channel: Any = connection.channel()
            waiting = channel.queue_declare(queue, passive=True).message_count
        except silent:
            return False
    return bool(waiting >= MOST_WAITING)
