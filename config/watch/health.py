"""Health checks for load balancers and monitoring: two public addresses.

``/healthz`` only reports that the process responds, because a restart does not fix a missing database. ``/readyz``
reports whether requests can be served: it checks everything that a request needs, each within a time limit. Clients
with the token for metrics also get the state of each part in one word; the log names failing parts.
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
# Time limit of one check in seconds. A hanging check keeps its thread, so the pool has a fixed size.
TIMEOUT_SECONDS = 2.0
# More frequent requests get the last result, so that they cannot keep the site busy.
CACHE_SECONDS = 1.0
_threads = ThreadPoolExecutor(max_workers=8, thread_name_prefix="readiness")
_lock = threading.Lock()
_last: tuple[float, dict[str, str]] | None = None
_hanging: dict[str, Future[str]] = {}


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute(f"set statement_timeout = {int(1000 * TIMEOUT_SECONDS)}")
            cursor.execute("select 1")
        return "ok"
    finally:
        connection.close()  # this thread's own


@cache
def _expected_migrations() -> frozenset[tuple[str, str]]:
    """Return every migration of this version."""
    return frozenset(MigrationLoader(None).graph.nodes)


def _migrations() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute(f"set statement_timeout = {int(1000 * TIMEOUT_SECONDS)}")
            cursor.execute("select app, name from django_migrations")
            applied = set(cursor.fetchall())
        return "ok" if _expected_migrations() <= applied else "behind"
    finally:
        connection.close()


def _broker() -> str:
    with current_app.connection_for_write(connect_timeout=TIMEOUT_SECONDS) as broker:
        broker.ensure_connection(max_retries=1, interval_start=0, timeout=int(TIMEOUT_SECONDS))
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
# Without a broker requests are served; accepted work is safe and waits.
NOT_NEEDED = frozenset({"broker"})


def run_checks() -> dict[str, str]:
    """Return the state of each part: ``ok``, ``behind``, ``failed`` or ``slow``."""
    pending = {}
    for name, check in CHECKS.items():
        hanging = _hanging.get(name)
        # The previous check still hangs; another thread would only hang too.
        pending[name] = hanging if hanging is not None and not hanging.done() else _threads.submit(check)
    until = time.monotonic() + TIMEOUT_SECONDS
    states = {}
    for name, answer in pending.items():
        try:
            states[name] = answer.result(max(0.0, until - time.monotonic()))
            _hanging.pop(name, None)
        except TookTooLong:
            states[name] = "failed" if answer.done() else "slow"
            _hanging[name] = answer
        except Exception:
            log.warning("not ready: %s", name, exc_info=True)
            states[name] = "failed"
    return states


def _state() -> dict[str, str]:
    global _last  # noqa: PLW0603  (the last answer of this process)
    with _lock:
        if _last is None or time.monotonic() - _last[0] > CACHE_SECONDS:
            states = run_checks()
            _last = (time.monotonic(), states)
        return _last[1]


@require_safe
def health(request: HttpRequest) -> HttpResponse:
    """Report that the process responds; check nothing else."""
    return HttpResponse("ok", content_type="text/plain")


@require_safe
def readiness(request: HttpRequest) -> JsonResponse:
    """Report whether requests can be served: 200 or 503; with the token for metrics also the state of each part."""
    states = _state()
    ready = all(state == "ok" for name, state in states.items() if name not in NOT_NEEDED)
    is_known = metrics.may_read(request.headers.get("Authorization", ""))
    parts = {"parts": states} if is_known else {}
    response = JsonResponse({"ready": ready, **parts}, status=200 if ready else 503)
    response.headers["Cache-Control"] = "no-store"
    return response


@require_safe
def figures(request: HttpRequest) -> HttpResponse:
    """Return metrics for Prometheus to clients with the settings' token; for others the address does not exist."""
    if not metrics.may_read(request.headers.get("Authorization", "")):
        raise Http404
    return HttpResponse(metrics.exposition(), content_type="text/plain; version=0.0.4; charset=utf-8")
