"""Waiting for a server that takes no requests."""

from __future__ import annotations

import time
from collections.abc import Callable
from http import HTTPStatus
from typing import Final, TypeVar

from curation.calls.errors import CallFailed, CallInDoubt, CallWaits
from evaluation.answering.services.progress import Progress
from evaluation.backends.errors import ModelServerUnreachable

T = TypeVar("T")

#: Seconds before each further try, about half an hour in all; the transport has tried several times before the first.
PAUSES: Final = (10, 30, 60, 120, 240, 480, 960)
# Requests without a usable reply count as paid each time, so they are sent again only so often. Replies to the others
# of a chunk are kept and cost nothing again.
_MOST_LOST: Final = 2


def patiently(ask: Callable[[], T], progress: Progress, sleep: Callable[[float], None] = time.sleep) -> T:
    """Return what ``ask`` returns, however often the server has to be waited for.

    Raises:
        CallWaits, ModelServerUnreachable: The server takes no requests for half an hour.
        CallFailed: The server refuses the request, or answered with 5xx for half an hour.
        CallInDoubt: Requests were lost again and again.
    """
    lost, pauses = 0, iter(PAUSES)
    while True:
        try:
            return ask()
        except (CallWaits, CallFailed, CallInDoubt, ModelServerUnreachable) as error:
            if isinstance(error, CallFailed) and not _is_of_server(error):
                raise
            lost += isinstance(error, CallInDoubt)
            pause = next(pauses, None)
            if pause is None or lost > _MOST_LOST:
                raise
            progress.note(f"{error.code}: {error} Trying again in {pause} seconds.")
            sleep(pause)


def _is_of_server(error: CallFailed) -> bool:
    """Whether the server is at fault (5xx) and not the request, so that it may be answered later."""
    return bool(error.params.get("status", 0) >= HTTPStatus.INTERNAL_SERVER_ERROR)
