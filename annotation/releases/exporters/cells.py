"""Comma-separated lines that spreadsheets can open without harm."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from typing import Any, Final

from curation.lib.spreadsheets import as_text


class _Lines:
    """A file for the csv module that keeps nothing."""

    def write(self, line: str) -> str:
        return line


_WRITER: Final = csv.writer(_Lines(), lineterminator="\n")


def line(cells: Iterable[Any]) -> bytes:
    """One line in UTF-8; a text that a spreadsheet would take for a formula gets an apostrophe before it."""
    return str(_WRITER.writerow([as_text(cell) for cell in cells])).encode()
