"""Safe cells for files that people open in spreadsheets (no Django here)."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

# Spreadsheets read a cell with such a beginning as a formula, even after blanks; an apostrophe makes it text.
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_APOSTROPHE: Final = "'"


def as_text(cell: Any) -> Any:
    """Return a cell that no spreadsheet reads as a formula; other types, such as negative numbers, stay unchanged.

    A text that has such an apostrophe of its own gets another one, so that :func:`from_text` gives back every text.
    """
    return f"{_APOSTROPHE}{cell}" if isinstance(cell, str) and _is_formula(cell) else cell


def from_text(cell: str) -> str:
    """Return the text for which :func:`as_text` made a cell."""
    text = cell.removeprefix(_APOSTROPHE)
    return text if text != cell and _is_formula(text) else cell


def _is_formula(cell: str) -> bool:
    """Return whether a text begins like a formula, after blanks and apostrophes."""
    return cell.lstrip(f" {_APOSTROPHE}").startswith(_FORMULA)


class _Line:
    """A file whose ``write`` returns the line, so that the csv module writes one line at a time."""

    def write(self, line: str) -> str:
        return line


def csv_lines(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[bytes]:
    """A file's lines in UTF-8, with a byte-order mark, because spreadsheets otherwise guess the encoding."""
    writer = csv.writer(_Line())
    yield b"\xef\xbb\xbf" + _encoded(writer.writerow(columns))
    for row in rows:
        yield _encoded(writer.writerow([as_text(cell) for cell in row]))


def _encoded(line: Any) -> bytes:
    return str(line).encode()
