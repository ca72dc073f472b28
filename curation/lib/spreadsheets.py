"""Safe cells for files that people open in spreadsheets (no Django here)."""

from __future__ import annotations

from typing import Any, Final

# Spreadsheets read a cell with such a beginning as a formula, even after blanks; an apostrophe makes it text.
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def as_text(cell: Any) -> Any:
    """Return a cell that no spreadsheet reads as a formula; other types, such as negative numbers, stay unchanged."""
    return f"'{cell}" if isinstance(cell, str) and cell.lstrip(" ").startswith(_FORMULA) else cell
