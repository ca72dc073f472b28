"""What people read in replies instead of the rules of profiles."""

from __future__ import annotations

from typing import NamedTuple

from evaluation.runs.models import ReplyOverride, Run


class Override(NamedTuple):
    """The newest override of a reply: its id, the entry's key, and the answer, None for no answer."""

    id: int
    key: str
    answer: str | None


def newest_overrides(run: Run) -> list[Override]:
    """The newest override of each reply of a run that people corrected."""
    rows = ReplyOverride.objects.filter(run=run).order_by("entry_id", "-pk").distinct("entry_id")
    return [Override(*row) for row in rows.values_list("pk", "entry__key", "answer")]
