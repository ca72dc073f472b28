"""Labels of releases, by which people and files name them, and canaries, by which copies of their data are found."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from uuid import NAMESPACE_URL, UUID, uuid5

from annotation.kinds.registry import KINDS


def next_label(series: str, taken: Iterable[str]) -> str:
    """Return the label of the next release of a series: ``captions-v3`` after ``captions-v2``, whatever others have.

    Labels from before versions were counted by kind have gaps; the next version is above the highest.

    Args:
        series: The release's kind, or the benchmark's short name if it has several.
        taken: The labels of the benchmark's releases.
    """
    pattern = re.compile(rf"{re.escape(series)}-v(\d+)")
    versions = [int(match[1]) for label in taken if (match := pattern.fullmatch(label))]
    return f"{series}-v{max(versions, default=0) + 1}"


def in_kind_order(kinds: Iterable[str]) -> list[str]:
    """Sort kinds, each once, in the order in which a release's files have them; unknown ones come last."""
    known = list(KINDS)
    return sorted(set(kinds), key=lambda kind: (known.index(kind) if kind in known else len(known), kind))


def canary(slug: str, created_at: datetime) -> UUID:
    """Return a benchmark's canary: a UUID in its cards and pages, by which copies in training data can be found."""
    return uuid5(NAMESPACE_URL, f"lantern-benchmark:{slug}:{created_at.isoformat()}")
