"""The one connection that LISTENs, kept up: it is made again whenever it breaks or stops delivering."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Awaitable, Callable
from typing import Any, Final

import psycopg
from django.conf import settings
from django.db.utils import ConnectionHandler

from curation.core.live import CHANNEL, PROBE_CHANNEL

log = logging.getLogger(__name__)
#: Seconds until a connection must be made, and a notification arrive.
PATIENCE: Final = 5.0
#: Seconds between questions to the server, which find out that it is gone without having closed the connection.
CHECK_EVERY: Final = 10.0
#: Pauses before another try, doubled up to the longest.
FIRST_PAUSE: Final = 0.5
LONGEST_PAUSE: Final = 8.0


class NothingArrivesError(Exception):
    """The connection accepts LISTEN, and notifications do not arrive on it."""


def parameters() -> dict[str, Any]:
    """Return psycopg's parameters for ``LIVE_DATABASE_URL``, or for ``DATABASE_URL`` where it is not set."""
    address = settings.LIVE_DATABASE or settings.DATABASES["default"]
    wrapper = ConnectionHandler({"default": dict(address)})["default"]
    arguments = wrapper.get_connection_params()
    for name in ("cursor_factory", "context", "server_side_binding", "prepare_threshold"):
        arguments.pop(name, None)
    return {"connect_timeout": int(PATIENCE), "application_name": "lantern live", **arguments}


class Listener:
    """Listens for events.

    Args:
        on_payload: Gets the payload of each event.
        on_lost: Is called when events may have been missed.
        send_probe: Sends a text on ``PROBE_CHANNEL`` by another connection, as the application sends events.
    """

    def __init__(
        self,
        on_payload: Callable[[str], None],
        on_lost: Callable[[], None],
        send_probe: Callable[[str], Awaitable[None]],
    ) -> None:
        self.on_payload = on_payload
        self.on_lost = on_lost
        self.send_probe = send_probe
        self._is_up = False
        #: How many times listening began.
        self.began = 0

    def is_listening(self) -> bool:
        """Whether events arrive."""
        return self._is_up

    async def run(self) -> None:
        """Listen until cancelled."""
        pause = FIRST_PAUSE
        while True:
            try:
                await self._listen()
            except NothingArrivesError:
                log.error(  # noqa: TRY400  (says itself what is wrong; the stack would not)
                    "no notification arrives: LIVE_DATABASE_URL has to name the database of DATABASE_URL without a "
                    "pooler that assigns connections per transaction, such as PgBouncer"
                )
            except (psycopg.Error, OSError, TimeoutError) as error:
                log.warning("the connection that listens is lost: %s", error)
            except Exception:
                log.exception("listening failed")
            if self._is_up:
                pause = FIRST_PAUSE
            self._is_up = False
            self.on_lost()
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _listen(self) -> None:
        async with await psycopg.AsyncConnection.connect(autocommit=True, **parameters()) as connection:
            for channel in (CHANNEL, PROBE_CHANNEL):
                await connection.execute(f"listen {channel}".encode())
            try:
                await self._wait_for_probe(connection)
            except NothingArrivesError:
                # A pooler would give the connection that LISTENs to others.
                await connection.execute("unlisten *")
                raise
            self._is_up = True
            self.began += 1
            log.info("listening")
            while True:
                async for notification in connection.notifies(timeout=CHECK_EVERY):
                    self._take(notification)
                async with asyncio.timeout(PATIENCE):
                    await connection.execute("select 1")

    async def _wait_for_probe(self, connection: psycopg.AsyncConnection) -> None:
        """Return when a notification has arrived that another connection sent."""
        token = secrets.token_hex(8)
        await self.send_probe(token)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                async for notification in connection.notifies(timeout=PATIENCE):
                    if notification.channel == PROBE_CHANNEL and notification.payload == token:
                        return
        raise NothingArrivesError

    def _take(self, notification: psycopg.Notify) -> None:
        if notification.channel == CHANNEL:
            self.on_payload(notification.payload)
