"""The audit log as CSV; spreadsheets display every cell as text and evaluate no formula."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

from curation.lib.spreadsheets import csv_lines
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


def lines(rows: Iterable[AuditRow]) -> Iterator[bytes]:
    """The file's lines."""
    return csv_lines(COLUMNS, map(_cells, rows))


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
