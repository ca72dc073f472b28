"""The audit log as CSV; spreadsheets display every cell as text and evaluate no formula."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

from curation.lib.spreadsheets import as_text
from curation.people.shapes import AuditRow

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
    """A file whose ``write`` returns the line, so that the csv module writes one line at a time."""

    def write(self, line: str) -> str:
        return line


def lines(rows: Iterable[AuditRow]) -> Iterator[bytes]:
    """The file's lines in UTF-8, with a byte-order mark, because spreadsheets otherwise guess the encoding."""
    writer = csv.writer(_Line())
    yield b"\xef\xbb\xbf" + _encoded(writer.writerow(COLUMNS))
    for row in rows:
        yield _encoded(writer.writerow([as_text(cell) for cell in _cells(row)]))


def _encoded(line: Any) -> bytes:
    return str(line).encode()


def _cells(row: AuditRow) -> list[Any]:
    actor = row["actor"]
    return [
        row["id"],
        row["at"].isoformat(),
        actor["id"] if actor else "",
        actor["name"] if actor else "",
        row["action"],
        row["target_type"],
        row["target_id"],
        row["label"],
        row["state_from"],
        row["state_to"],
        json.dumps(row["data"], ensure_ascii=False, sort_keys=True),
    ]
