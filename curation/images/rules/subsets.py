"""What a subset asks of a picture (CVLUE section 3.3), held against what the inspector counted."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from curation.benchmarks.rules import Count, Images


@dataclass(frozen=True, slots=True)
class Objects:
    """Counted by the inspector; the three are kept apart.

    Attributes:
        all: Objects of any kind.
        listed: Of categories on the benchmark's list.
        main: Of the picture's main category; None where it has none.
    """

    all: int
    listed: int
    main: int | None = None


def subset_faults(limits: Images, code: str, objects: Objects | None, *, category: str) -> list[dict[str, Any]]:
    """What keeps a picture out of a subset; an empty list where nothing does.

    Args:
        limits: What the protocol says about pictures.
        code: The subset.
        objects: The counts; None where nobody counted.
        category: Slug of its main category or empty; asked for where the subset counts objects of it.

    Returns:
        ``{"count": "all" | "listed" | "main" | "category", "found", "minimum", "maximum"}`` for each.
    """
    asked = next(subset.objects for subset in limits.subsets if subset.code == code)
    if asked is None:
        return []
    found = asdict(objects) if objects else {}
    faults = []
    for name in ("all", "listed", "main"):
        bounds: Count | None = getattr(asked, name)
        if bounds is None:
            continue
        value = found.get(name)
        too_few = bounds.minimum is not None and (value is None or value < bounds.minimum)
        too_many = bounds.maximum is not None and (value is None or value > bounds.maximum)
        if too_few or too_many:
            faults.append({"count": name, "found": value, "minimum": bounds.minimum, "maximum": bounds.maximum})
    if asked.main is not None and not category:
        faults.append({"count": "category", "found": None, "minimum": 1, "maximum": 1})
    return faults
