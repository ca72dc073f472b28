"""What the live channel reads and writes with Django, in one thread with one connection."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from django.db import close_old_connections
from django.http import HttpRequest

from curation.core import live
from curation.people.access import sessions_in_force
from curation.people.api.session import SessionStore, person_of
from curation.people.models import Person

Result = TypeVar("Result")


class Database:
    """Runs Django's statements one after the other in a thread of their own."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="live")

    async def _run(self, work: Callable[[], Result]) -> Result:
        def fresh() -> Result:
            close_old_connections()
            try:
                return work()
            finally:
                close_old_connections()

        return await asyncio.get_running_loop().run_in_executor(self._thread, fresh)

    async def person(self, session_key: str) -> tuple[int, str] | None:
        """Return a session's person and password hash by the rules of every request; None without a valid session."""
        return await self._run(lambda: _person(session_key))

    async def in_force(self, session_keys: Collection[str]) -> dict[str, str]:
        """Return those of the sessions that are in force, with their password hashes."""
        return await self._run(lambda: sessions_in_force(session_keys))

    async def record_presence(self, people: Collection[int]) -> None:
        """Note that these people are here."""
        await self._run(lambda: live.record_presence(people))

    async def send_probe(self, token: str) -> None:
        """Send a notification as the application sends events."""
        await self._run(lambda: live.notify(live.PROBE_CHANNEL, token))


def _person(session_key: str) -> tuple[int, str] | None:
    request = HttpRequest()
    request.session = SessionStore(session_key)
    person = person_of(request)
    return (person.pk, person.get_session_auth_hash()) if isinstance(person, Person) else None
