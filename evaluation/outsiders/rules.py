"""How a person relates to a benchmark, and whether anyone may join."""

from __future__ import annotations

from typing import Final

# A member of the team, an outsider, an outsider whose role an administrator ended, or nothing of these.
PARTICIPATION: Final = ("member", "outsider", "barred", "none")


def may_join(*, site: str, benchmark: str) -> bool:
    """Whether people become outsiders without an invitation; both settings have to say ``open``."""
    return site == benchmark == "open"
