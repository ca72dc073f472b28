"""Logs as one JSON object per line, without personal data.

A line has an operation's name, never an address; a status; an error's type and stack, never its message, because
databases quote the rejected row. Django's own messages quote addresses and headers, so only their format strings are
kept.
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

from curation.core.text import storable

# The id of the thread's current request, added to all its lines.
request_id: contextvars.ContextVar[str] = contextvars.ContextVar("request_id", default="")

# Extra fields of a line; our own code sets them through ``extra=``.
FIELDS = ("operation", "method", "status", "ms")
NAMES_OF_TASKS = frozenset({"name", "id", "runtime"})
QUOTES_WHAT_WAS_SENT = ("django.", "allauth", "granian", "celery.worker.consumer")


def _where(trace: TracebackType | None) -> list[str]:
    """Return an error's frames in our own code, and the deepest frame."""
    frames = traceback.extract_tb(trace)
    deepest = len(frames) - 1
    visible = [f for n, f in enumerate(frames) if n == deepest or "site-packages" not in f.filename]
    return [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in visible[-12:]]


def error_fields(error: BaseException) -> dict[str, Any]:
    """Describe an error without its message: type, the database's code and constraint, frames."""
    fields: dict[str, Any] = {"type": f"{type(error).__module__}.{type(error).__qualname__}"}
    cause = error.__cause__
    for source in (error, cause):
        if state := getattr(source, "sqlstate", None):
            fields["sqlstate"] = state
            if constraint := getattr(getattr(source, "diag", None), "constraint_name", None):
                fields["constraint"] = constraint
            break
    fields["where"] = _where(error.__traceback__)
    if cause is not None:
        fields["cause"] = f"{type(cause).__module__}.{type(cause).__qualname__}"
    return fields


class OnlyErrors(logging.Filter):
    """Passes records of exceptions; a refused request has its own line already."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether the record has an exception."""
        return bool(record.exc_info)


class JsonLines(logging.Formatter):
    """Formats a record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": self._message(record),
        }
        if identifier := request_id.get():
            line["request_id"] = identifier
        for name in FIELDS:
            if (value := getattr(record, name, None)) is not None:
                line[name] = value
        if record.exc_info and record.exc_info[1] is not None:
            line["error"] = error_fields(record.exc_info[1])
        return json.dumps(storable(line), ensure_ascii=False)  # a lone surrogate could not be written

    @staticmethod
    def _message(record: logging.LogRecord) -> str:
        if record.name.startswith(QUOTES_WHAT_WAS_SENT):
            return str(record.msg)
        if not record.args:
            return record.getMessage()
        if isinstance(record.args, Mapping):  # Celery's records, with arguments, results and tracebacks of tasks
            return str(record.msg) % {k: v if k in NAMES_OF_TASKS else "..." for k, v in record.args.items()}
        # An exception among the arguments is reduced to its type like a caught one.
        arguments = tuple(type(a).__name__ if isinstance(a, BaseException) else a for a in record.args)
        return str(record.msg) % arguments


class TextLines(logging.Formatter):
    """Formats a record for people to read."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, with the fields of a request's line at its end."""
        line = super().format(record)
        fields = [str(value) for name in FIELDS if (value := getattr(record, name, None)) is not None]
        return " ".join([line, *fields])
