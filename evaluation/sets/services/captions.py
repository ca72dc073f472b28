"""Entries of retrieval: one for each caption of an accepted revision."""

from __future__ import annotations

from collections.abc import Sequence

from annotation.kinds.registry import label
from curation.images.models import image_label
from evaluation.sets import rules
from evaluation.sets.models import Entry
from evaluation.sets.queries import CaptionRow
from evaluation.suites.rules import Entry as SuiteEntry
from evaluation.suites.rules import Suite


def caption_entries(suite: Suite, rows: Sequence[CaptionRow]) -> list[Entry]:
    """Return the entries of some revisions without set and number, in the order of their numbers.

    ``line`` is the place in the order of ``rows``. Entries with one picture are neighbours; pictures with the shortest
    texts come first, because inputs of similar length waste the least of a batch on padding.
    """
    by_picture: dict[int, list[Entry]] = {}
    shortest: dict[int, tuple[int, int]] = {}
    line = 0
    for row in rows:
        size = row.length, row.item_id
        shortest[row.image_id] = min(shortest.get(row.image_id, size), size)
        for part in range(len(row.texts)):
            line += 1
            by_picture.setdefault(row.image_id, []).append(_entry(suite, row, part, line))
    return [entry for image_id in sorted(by_picture, key=lambda one: shortest[one]) for entry in by_picture[image_id]]


def _entry(suite: Suite, row: CaptionRow, part: int, line: int) -> Entry:
    key, picture = f"{label(suite.kind, row.item_no)}-{part}", image_label(row.image_no)
    tags = {"category": row.category, "distance": row.distance}
    return Entry(
        key=key,
        line=line,
        item_id=row.item_id,
        revision_no=row.revision_no,
        part=part,
        image_id=row.image_id,
        cluster=picture,
        texts={rules.CAPTIONS: rules.stored(SuiteEntry(key, line, picture, {"text": row.texts[part]}))},
        gold=[picture],
        row={"file": row.file, "version": row.version},
        tags={name: value for name, value in tags.items() if value},
    )
