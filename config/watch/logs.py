"""One JSON object a line, without personal data.

A line says what happened where: an operation's name, never an address; a status; an error's type and the places it went
through, never its words, because a database quotes the row it refused. What Django logs by itself quotes addresses and
headers, so of its lines the pattern alone is kept.
"""

from __future__ import annotations

import contextvars
import json
import logging
import traceback
from collections.abc import Mapping
from datetime import UTC, datetime
from types import TracebackType
from typing import Any

# The request that this thread answers, so that every line written meanwhile names it.
request_id: contextvars.ContextVar[str] = contextvars.ContextVar("request_id", default="")

# What a line may carry beside its message: set by ``extra=`` where our own code logs.
FIELDS = ("operation", "method", "status", "ms")
NAMES_OF_TASKS = frozenset({"name", "id", "runtime"})
QUOTES_WHAT_WAS_SENT = ("django.", "allauth", "granian", "celery.worker.consumer")


def _where(trace: TracebackType | None) -> list[str]:
    """The places of our own that an error went through, and the deepest one."""
    frames = traceback.extract_tb(trace)
    deepest = len(frames) - 1
    kept = [f for n, f in enumerate(frames) if n == deepest or "site-packages" not in f.filename]
    return [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in kept[-12:]]


def said_of(error: BaseException) -> dict[str, Any]:
    """An error without its words: its type, the database's code and constraint where it has them, and where it was."""
    told: dict[str, Any] = {"type": f"{type(error).__module__}.{type(error).__qualname__}"}
    cause = error.__cause__
    for source in (error, cause):
        if state := getattr(source, "sqlstate", None):
            told["sqlstate"] = state
            if constraint := getattr(getattr(source, "diag", None), "constraint_name", None):
                told["constraint"] = constraint
            break
    told["where"] = _where(error.__traceback__)
    if cause is not None:
        told["cause"] = f"{type(cause).__module__}.{type(cause).__qualname__}"
    return told


class OnlyErrors(logging.Filter):
    """Keeps what was raised; that an answer was a refusal stands in the request's own line."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the record brings an error."""
        return bool(record.exc_info)


class JsonLines(logging.Formatter):
    """Writes a record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": self._message(record),
        }
        if asked := request_id.get():
            line["request_id"] = asked
        for name in FIELDS:
            if (value := getattr(record, name, None)) is not None:
                line[name] = value
        if record.exc_info and record.exc_info[1] is not None:
            line["error"] = said_of(record.exc_info[1])
        return json.dumps(line, ensure_ascii=False)

    @staticmethod
    def _message(record: logging.LogRecord) -> str:
        if record.name.startswith(QUOTES_WHAT_WAS_SENT):
            return str(record.msg)
        if not record.args:
            return record.getMessage()
        if isinstance(record.args, Mapping):  # Celery's, with arguments, answers and tracebacks of tasks among them
            return str(record.msg) % {k: v if k in NAMES_OF_TASKS else "..." for k, v in record.args.items()}
        # An exception handed in as an argument is named like one that was caught.
        given = tuple(type(a).__name__ if isinstance(a, BaseException) else a for a in record.args)
        return str(record.msg) % given


class TextLines(logging.Formatter):
    """Writes a record for somebody who reads along."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, with what a request's line carries at its end."""
        line = super().format(record)
        told = [str(value) for name in FIELDS if (value := getattr(record, name, None)) is not None]
        return " ".join([line, *told])
