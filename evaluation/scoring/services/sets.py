"""Scoring a run over an item set as ``manage.py score`` scores the file of its predictions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet

from curation.core import jobs
from curation.core.models import Job
from evaluation.profiles.gold_files import gold_rows
from evaluation.profiles.registry import PROFILES
from evaluation.profiles.reports import read_answers, report_on_answers
from evaluation.profiles.rows import Row, WrongInput
from evaluation.runs import access
from evaluation.runs.models import Run
from evaluation.runs.queries import prediction_rows
from evaluation.scoring import queries
from evaluation.scoring.models import SetReport
from evaluation.sets.models import Entry, ItemSet
from evaluation.sets.services import gold_file
from evaluation.suites.rules import SUITES

SCORE_SET: Final = "evaluation.score_set_run"
_AT_ONCE: Final = 2_000  # rows in memory


def enqueue(run_id: int) -> Job:
    """Queue the job that scores a run over a set."""
    return jobs.enqueue(task=SCORE_SET, args={"run_id": run_id}, dedupe_key=queries.set_job_key(run_id))


def score_set_run(lease: jobs.Lease) -> None:
    """Compute and store the reports of a run over a set; a job's handler.

    There is one for each profile of its suite that reads such answers: CVQA's own reads no letters in texts.

    Raises:
        WrongInput: No profile reads them.
        LeaseLost: Another worker has the job.
    """
    run = Run.objects.select_related("system", "set").get(pk=lease.args["run_id"])
    if run.set is None:
        raise ValueError(f"run {run.pk} is over no set")
    profiles = SUITES[run.suite].profiles
    reports: list[SetReport] = []
    with _gold_of(run.set) as gold:
        for done, name in enumerate(profiles):
            lease.progress(done, len(profiles))
            profile = PROFILES[name]
            try:
                answers = read_answers(profile, prediction_rows(run))
            except WrongInput:
                if name == profiles[-1] and not reports:
                    raise
                continue
            report = report_on_answers(profile, gold(), answers)
            reports.append(SetReport(run=run, profile=name, entries_digest=run.set.digest, report=report))
    with transaction.atomic():
        # A run that was retried since its answers were read has others by now; the next sweep finds it once it ended.
        now = access.lock_run_for_worker(run.pk)
        if (now.state, now.ended_at) == (run.state, run.ended_at):
            SetReport.objects.bulk_create(reports)
        # In the same transaction, so that a worker without its lease writes nothing.
        lease.progress(len(profiles), len(profiles))


@contextmanager
def _gold_of(row: ItemSet) -> Iterator[Callable[[], Iterable[Row]]]:
    """Yield what reads the gold rows of a set: its file's, or those of its entries that did not end."""
    if row.origin == ItemSet.Origin.FILE:
        with gold_file(row) as path:
            yield lambda: gold_rows(path)
        return
    entries = Entry.objects.filter(set=row, ended_at=None, row__isnull=False).order_by("line", "no")
    rows: QuerySet[Entry, Any] = entries.values_list("row", flat=True)
    yield lambda: (Row("gold", number, fields) for number, fields in enumerate(rows.iterator(chunk_size=_AT_ONCE), 1))
