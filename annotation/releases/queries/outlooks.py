"""What a release that is not frozen would hold now, and what prevents freezing it."""

from __future__ import annotations

from collections import Counter
from typing import Final

from annotation.items.models import Item
from annotation.releases import rules
from annotation.releases.models import Release
from annotation.releases.queries.errata import erratum_warnings
from annotation.releases.queries.snapshots import settings_of, snapshot_of, warnings_of
from annotation.releases.rules import GateFailure
from annotation.releases.shapes import GateRow, OutlookContent
from annotation.tallies import queries as tallies

# A page computes the outlook for each view up to so many accepted items; of more, a job computes it at each check.
INLINE: Final = 10_000
EMPTY: Final[OutlookContent] = {
    "gates": [],
    "gate_counts": [],
    "warnings": [],
    "images": {},
    "kinds": {},
}


def accepted_items(release: Release) -> int:
    """How many items a release would hold if it were frozen now."""
    counted = tallies.counts(release.benchmark_id, "kind", of="item", state=Item.State.ACCEPTED)
    return sum(counted.get(own.kind, 0) for own in release.kinds.all())


def is_large(release: Release) -> bool:
    """Whether the outlook takes too long for a request."""
    return accepted_items(release) > INLINE


def outlook(release: Release, *, with_warnings: bool = True) -> OutlookContent:
    """Compute what a release would hold if it were frozen now; reads every accepted item of its kinds.

    ``with_warnings``: whether to compare all questions and read the errata, too.
    """
    settings, snapshot = settings_of(release.protocol_id), snapshot_of(release)
    splits = snapshot.splits(settings, release.seed)
    failures = rules.gate_failures(snapshot, settings, splits)
    warnings = [*warnings_of(snapshot), *erratum_warnings(release, snapshot)] if with_warnings else []
    return {
        "gates": [gate_row(release, failure) for failure in failures],
        "gate_counts": [{"code": code, "n": n} for code, n in rules.count_failures(failures).items()],
        "warnings": [gate_row(release, warning) for warning in warnings],
        "images": dict(Counter(splits.values())),
        "kinds": {
            own.kind: {
                "left_out": own.left_out(),
                "images": dict(Counter(splits[p.number] for p in own.pictures())),
                "items": dict(Counter(splits[c.picture.number] for c in own.candidates)),
            }
            for own in snapshot.kinds
        },
    }


def gate_row(release: Release, failure: GateFailure) -> GateRow:
    """A gate's failure with the page where people can fix it."""
    link = f"/b/{release.benchmark.slug}{failure.path}"
    return {"code": failure.code, "params": failure.params, "label": failure.label, "link": link}
