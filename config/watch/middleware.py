"""The record of every request: a log line, a count, and an id that the response has too."""

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
# A proxy's valid request id is kept; anything else must not reach the log.
_REQUEST_ID = re.compile(r"[0-9a-fA-F-]{16,64}")
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
# Machines request these every few seconds.
QUIET = frozenset({"health", "readiness", "figures"})


def operation_of(request: HttpRequest) -> str:
    """Return the operation's name from our own tables; never the address, which may contain anything."""
    match = request.resolver_match
    if match is None:
        return "none"
    view = getattr(match.func, "view_class", None)
    operation = getattr(view, "operations", {}).get(request.method) or getattr(view or match.func, "__name__", "none")
    return str(operation)


class Watch:
    """Logs and counts each request that reaches Django; the front end's files are served before it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        started = time.perf_counter()
        header = request.headers.get("X-Request-Id", "")
        identifier = header if _REQUEST_ID.fullmatch(header) else uuid.uuid4().hex
        token = request_id.set(identifier)
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
            request_id.reset(token)
        response.headers["X-Request-Id"] = identifier
        return response
