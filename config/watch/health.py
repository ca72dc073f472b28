"""Whether the site works, for load balancers and whoever watches: two addresses without sign-in that tell no secret.

``/healthz`` says that the process answers, nothing more: a process that cannot reach its database is not mended by
starting it anew. ``/readyz`` says whether requests can be served: it looks at everything a request needs, each within a
time limit, and names what is wrong in one word.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as TookTooLong
from functools import cache

from celery import current_app
from django.core.cache import caches
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from config.watch import metrics
from curation.core.stores import store

log = logging.getLogger(__name__)
# Seconds that one part gets to answer. A part that hangs keeps its thread, so there are only so many of them.
PATIENCE = 2.0
# Whoever asks more often than this is told the last answer: asking must not be a way to keep the site busy.
KEPT_SECONDS = 1.0
_threads = ThreadPoolExecutor(max_workers=8, thread_name_prefix="readiness")
_lock = threading.Lock()
_last: tuple[float, dict[str, str]] | None = None
_hanging: dict[str, Future[str]] = {}


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute(f"set statement_timeout = {int(1000 * PATIENCE)}")
            cursor.execute("select 1")
        return "ok"
    finally:
        connection.close()  # This thread's own.


@cache
def _wanted() -> frozenset[tuple[str, str]]:
    """Every migration that this version comes with."""
    return frozenset(MigrationLoader(None).graph.nodes)


def _migrations() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute(f"set statement_timeout = {int(1000 * PATIENCE)}")
            cursor.execute("select app, name from django_migrations")
            applied = set(cursor.fetchall())
        return "ok" if _wanted() <= applied else "behind"
    finally:
        connection.close()


def _broker() -> str:
    with current_app.connection_for_write(connect_timeout=PATIENCE) as broker:
        broker.ensure_connection(max_retries=1, interval_start=0, timeout=int(PATIENCE))
    return "ok"


def _cache() -> str:
    caches["default"].get("readiness")
    return "ok"


def _storage() -> str:
    store().check()
    return "ok"


CHECKS: dict[str, Callable[[], str]] = {
    "database": _database,
    "migrations": _migrations,
    "broker": _broker,
    "cache": _cache,
    "storage": _storage,
}
# Without a broker work that was accepted is safe and only waits; requests are served all the same.
NOT_NEEDED = frozenset({"broker"})


def look() -> dict[str, str]:
    """What each part says: ``ok``, ``behind``, ``failed`` or ``slow``."""
    asked = {}
    for name, check in CHECKS.items():
        hanging = _hanging.get(name)
        # The answer to the last question is still awaited: another thread would wait for it as well.
        asked[name] = hanging if hanging is not None and not hanging.done() else _threads.submit(check)
    until = time.monotonic() + PATIENCE
    told = {}
    for name, answer in asked.items():
        try:
            told[name] = answer.result(max(0.0, until - time.monotonic()))
            _hanging.pop(name, None)
        except TookTooLong:
            told[name] = "failed" if answer.done() else "slow"
            _hanging[name] = answer
        except Exception:
            log.warning("not ready: %s", name, exc_info=True)
            told[name] = "failed"
    return told


def _state() -> dict[str, str]:
    global _last  # noqa: PLW0603  (the last answer of this process)
    with _lock:
        if _last is None or time.monotonic() - _last[0] > KEPT_SECONDS:
            told = look()
            _last = (time.monotonic(), told)
        return _last[1]


@require_safe
def health(request: HttpRequest) -> HttpResponse:
    """Say that the process answers, without touching anything else."""
    return HttpResponse("ok", content_type="text/plain")


@require_safe
def readiness(request: HttpRequest) -> JsonResponse:
    """Say whether requests can be served: 200, or 503 with what is in the way."""
    told = _state()
    ready = all(state == "ok" for name, state in told.items() if name not in NOT_NEEDED)
    response = JsonResponse({"ready": ready, "parts": told}, status=200 if ready else 503)
    response.headers["Cache-Control"] = "no-store"
    return response


@require_safe
def figures(request: HttpRequest) -> HttpResponse:
    """Figures for Prometheus, to whoever brings the token of the settings; to others the address is not there."""
    if not metrics.may_read(request.headers.get("Authorization", "")):
        raise Http404
    return HttpResponse(metrics.exposition(), content_type="text/plain; version=0.0.4; charset=utf-8")
