"""Lines of comma-separated values that spreadsheets can open safely."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from typing import Any, Final

from curation.lib.spreadsheets import as_text


class _Lines:
    """A file object for the csv module that stores nothing."""

    def write(self, line: str) -> str:
        return line


_WRITER: Final = csv.writer(_Lines(), lineterminator="\n")


def line(cells: Iterable[Any]) -> bytes:
    """Encode one line as UTF-8, with an apostrophe before a text that a spreadsheet would read as a formula."""
    return str(_WRITER.writerow([as_text(cell) for cell in cells])).encode()
