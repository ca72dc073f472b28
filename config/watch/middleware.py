"""What is written down of every request: a line, a count, and an id that the answer carries too."""

from __future__ import annotations

import logging
import re
import time
import uuid
from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from config.watch import metrics
from config.watch.logs import request_id

log = logging.getLogger("lantern.request")
# An id that a proxy in front has given goes on; anything else that calls itself one does not get into the log.
_GIVEN = re.compile(r"[0-9a-fA-F-]{16,64}")
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
# Asked every few seconds by machines.
QUIET = frozenset({"health", "readiness", "figures"})


def operation_of(request: HttpRequest) -> str:
    """The name of what was asked for, from our own tables; an address is never one, because it may say anything."""
    match = request.resolver_match
    if match is None:
        return "none"
    view = getattr(match.func, "view_class", None)
    named = getattr(view, "operations", {}).get(request.method) or getattr(view or match.func, "__name__", "none")
    return str(named)


class Watch:
    """Logs and counts each request that reaches Django; the front end's files are sent before it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        started = time.perf_counter()
        given = request.headers.get("X-Request-Id", "")
        asked = given if _GIVEN.fullmatch(given) else uuid.uuid4().hex
        kept = request_id.set(asked)
        try:
            response = self.get_response(request)
            seconds = time.perf_counter() - started
            operation = operation_of(request)
            metrics.note(operation, response.status_code, seconds)
            log.log(
                logging.DEBUG if operation in QUIET else logging.INFO,
                "answered",
                extra={
                    "operation": operation,
                    "method": request.method if request.method in METHODS else "other",
                    "status": response.status_code,
                    "ms": round(1000 * seconds, 1),
                },
            )
        finally:
            request_id.reset(kept)
        response.headers["X-Request-Id"] = asked
        return response
