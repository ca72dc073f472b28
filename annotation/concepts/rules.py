"""Limits of concepts. Pure Python."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from annotation.kinds.comparison import key_of
from curation.core.folding import fold

LONGEST_NAME: Final = 80  # code points
LONGEST_EXPLANATION: Final = 1_000
MOST_ALIASES: Final = 20
MOST_CONCEPTS: Final = 20  # of a picture


def keys_of(names: Iterable[str]) -> set[tuple[str, ...]]:
    """Return the same for names that say the same, in simplified or traditional characters, without empty ones."""
    return {key_of(fold(name)) for name in names if name}
