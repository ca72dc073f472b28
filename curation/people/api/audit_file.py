"""The audit log as CSV that spreadsheets open as text, whatever stands in it."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

from curation.lib.spreadsheets import as_text

COLUMNS: Final = (
    "id",
    "at",
    "actor_id",
    "actor",
    "action",
    "target_type",
    "target_id",
    "label",
    "state_from",
    "state_to",
    "data",
)


class _Line:
    """A file that hands back what it is given, so that the csv module writes one line at a time."""

    def write(self, line: str) -> str:
        return line


def lines(events: Iterable[Any]) -> Iterator[bytes]:
    """The file's lines from what ``queries.audit_rows`` yields.

    UTF-8 with a byte-order mark, because spreadsheets otherwise guess the encoding.
    """
    writer = csv.writer(_Line())
    yield b"\xef\xbb\xbf" + _encoded(writer.writerow(COLUMNS))
    for event in events:
        yield _encoded(writer.writerow([as_text(cell) for cell in _cells(event)]))


def _encoded(line: Any) -> bytes:
    return str(line).encode()


def _cells(event: Any) -> list[Any]:
    actor = event.actor
    return [
        event.pk,
        event.at.isoformat(),
        actor["id"] if actor else "",
        actor["name"] if actor else "",
        event.action,
        event.target_type,
        event.target_id,
        event.label,
        event.state_from,
        event.state_to,
        json.dumps(event.data, ensure_ascii=False, sort_keys=True),
    ]
