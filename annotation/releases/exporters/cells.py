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


# Quotes a text with any end of a line: Python 3.11 quotes only for those that it ends lines with.
_END: Final = "\r\n"
_WRITER: Final = csv.writer(_Lines(), lineterminator=_END)


def line(cells: Iterable[Any]) -> bytes:
    """Encode one line as UTF-8, with an apostrophe before a text that a spreadsheet would read as a formula."""
    written = str(_WRITER.writerow([as_text(cell) for cell in cells]))
    return f"{written.removesuffix(_END)}\n".encode()
