"""A subset's limits (CVLUE section 3.3), compared with the inspector's counts."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from curation.benchmarks.rules import Count, Images


@dataclass(frozen=True, slots=True)
class Objects:
    """An inspector's counts.

    Attributes:
        all: Objects of any kind.
        listed: Objects of categories in the benchmark's taxonomy.
        main: Objects of the picture's main category; None without one.
        categories: Different categories of the taxonomy that the objects belong to; None if they were not counted.
    """

    all: int
    listed: int
    main: int | None = None
    categories: int | None = None


def subset_faults(limits: Images, code: str, objects: Objects | None, *, category: str) -> list[dict[str, Any]]:
    """List the limits of a subset that a picture violates.

    Args:
        limits: The protocol's limits for pictures.
        code: The subset's code.
        objects: The counts; None if they were not counted.
        category: Slug of the main category, or empty; required if the subset limits its objects.

    Returns:
        ``{"count": "all" | "listed" | "categories" | "main" | "category", "found", "minimum", "maximum"}`` for each.
    """
    required = next(subset.objects for subset in limits.subsets if subset.code == code)
    if required is None:
        return []
    counts = asdict(objects) if objects else {}
    faults = []
    for name in ("all", "listed", "categories", "main"):
        bounds: Count | None = getattr(required, name)
        if bounds is None:
            continue
        value = counts.get(name)
        too_few = bounds.minimum is not None and (value is None or value < bounds.minimum)
        too_many = bounds.maximum is not None and (value is None or value > bounds.maximum)
        if too_few or too_many:
            faults.append({"count": name, "found": value, "minimum": bounds.minimum, "maximum": bounds.maximum})
    if required.main is not None and not category:
        faults.append({"count": "category", "found": None, "minimum": 1, "maximum": 1})
    return faults
