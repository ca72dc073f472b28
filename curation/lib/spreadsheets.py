"""Cells of files that people open in spreadsheets (no Django here)."""

from __future__ import annotations

from typing import Any, Final

# A cell that begins so is a formula to spreadsheets, also behind blanks; an apostrophe makes it text.
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def as_text(cell: Any) -> Any:
    """A cell that no spreadsheet takes for a formula; what is not text, such as a negative number, stays itself."""
    return f"'{cell}" if isinstance(cell, str) and cell.lstrip(" ").startswith(_FORMULA) else cell
