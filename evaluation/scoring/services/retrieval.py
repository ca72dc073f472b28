"""The report of a retrieval run: its vectors search the gallery of a release, both ways."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from curation.core import jobs
from evaluation.runs.models import Run
from evaluation.scoring import queries
from evaluation.scoring.models import SetReport
from evaluation.scoring.rules import (
    IMAGE,
    PROFILE,
    Gallery,
    Rank,
    bootstrap_seed,
    gallery_digest,
    report_of,
    score,
    text_variant,
)
from evaluation.suites.rules import GALLERY_SPLIT, SUITES


def search_report(lease: jobs.Lease, run: Run) -> tuple[SetReport, Iterator[Rank]]:
    """Compute the report of a run over a release, and the result of each query, one by one."""
    entries = queries.entries(run.set)
    digest = gallery_digest(entries, GALLERY_SPLIT)
    gallery = Gallery(entries)
    lease.progress(1, 4)
    gallery.fill(queries.answers(run))
    lease.progress(2, 4)
    lines, ranks = score(gallery, ks=SUITES[run.suite].ranks, seed=bootstrap_seed(digest))
    lease.progress(3, 4)
    report = report_of(lines, split=GALLERY_SPLIT)
    return SetReport(run=run, set=run.set, profile=PROFILE, entries_digest=digest, report=report), ranks


def rows_of(report: SetReport, ranks: Iterable[Rank]) -> Iterator[tuple[Any, ...]]:
    """Make the rows of results of a stored report, one by one; what they need is read before the first."""
    entries = {(item_id, text_variant(part)): pk for item_id, part, pk in queries.entry_ids(report.set)}
    first = text_variant(0)

    def row(one: Rank) -> tuple[Any, ...]:
        entry_id = entries[one.item_id, first if one.variant == IMAGE else one.variant]
        nearest = None if one.rank is None else json.dumps(one.nearest, separators=(",", ":"))
        value = None if one.rank is None else float(one.rank == 0)
        return report.pk, one.ordinal, entry_id, one.outcome, value, nearest, "", one.scope, one.rank

    return map(row, ranks)
