"""Labels of pictures as people type them."""

from __future__ import annotations

import re
from typing import Final

_LABEL: Final = re.compile(r"^\s*(?:img)?[-_ ]?0*(\d{1,9})\s*$", re.IGNORECASE)


def number_of_label(typed: str) -> int | None:
    """Return the number of the picture that a typed label or number names; None for everything else."""
    match = _LABEL.match(typed)
    return int(match[1]) if match else None
