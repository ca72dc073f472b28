"""Labels of releases, by which people and files name them, and canaries, by which copies of their data are found."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from uuid import NAMESPACE_URL, UUID, uuid5


def next_label(kind: str, taken: Iterable[str]) -> str:
    """Return the label of a kind's next release: ``captions-v3`` after ``captions-v2``, whatever other kinds have.

    Labels from before versions were counted by kind have gaps; the next version is above the highest.
    """
    pattern = re.compile(rf"{re.escape(kind)}-v(\d+)")
    versions = [int(match[1]) for label in taken if (match := pattern.fullmatch(label))]
    return f"{kind}-v{max(versions, default=0) + 1}"


def canary(slug: str, created_at: datetime) -> UUID:
    """Return a benchmark's canary: a UUID in its cards and pages, by which copies in training data can be found."""
    return uuid5(NAMESPACE_URL, f"lantern-benchmark:{slug}:{created_at.isoformat()}")
