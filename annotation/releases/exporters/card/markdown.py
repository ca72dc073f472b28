"""Text that people typed, in Markdown."""

from __future__ import annotations

import re
from typing import Final

# What Markdown (CommonMark, GitHub's and the hub's additions) reads inside a line, and at its start.
_INLINE: Final = str.maketrans(
    {mark: f"\\{mark}" for mark in "\\`*_[]|~$"} | {"&": "&amp;", "<": "&lt;", "\n": " ", "\u2028": " ", "\u2029": " "}
)
_BLOCK: Final = re.compile(r"([0-9]{1,9})?([-+=>#.)])")


def cell(text: str) -> str:
    """Escape text that people typed, so that it is no markup and does not end a table's cell."""
    return text.translate(_INLINE)


def escaped_line(text: str) -> str:
    """Escape a line that people typed, so that it is no heading, list, rule, quote or block of code either."""
    line = cell(text.strip())
    match = _BLOCK.match(line)
    at_start = match and bool(match[1]) == (match[2] in ".)")
    return f"{line[: match.start(2)]}\\{line[match.start(2) :]}" if match and at_start else line
