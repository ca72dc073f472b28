"""Scoring a run over an item set: as ``manage.py score`` the file of its predictions, or by searching its vectors."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from django.db import connection, transaction
from django.db.models import QuerySet

from curation.core import jobs
from curation.core.errors import ActionNotAllowed
from curation.core.models import Job
from evaluation.profiles.base import Answers, Profile, Unit
from evaluation.profiles.gold_files import gold_rows
from evaluation.profiles.registry import PROFILES
from evaluation.profiles.reports import read_answers, report_on_answers
from evaluation.profiles.results import Result, Rights, add_rights, results_of
from evaluation.profiles.rows import Row, WrongInput
from evaluation.runs import access
from evaluation.runs.models import Run
from evaluation.runs.queries import Override, newest_overrides, prediction_rows
from evaluation.scoring import queries
from evaluation.scoring.models import ReportUnits, SetReport
from evaluation.scoring.services.retrieval import rows_of, search_report
from evaluation.sets.models import Entry, ItemSet
from evaluation.sets.services import gold_file
from evaluation.suites.rules import SUITES

SCORE_SET: Final = "evaluation.score_set_run"
_AT_ONCE: Final = 2_000  # rows in memory


class _Scored(NamedTuple):
    """A report, the results by question of the headline profile, and which units are right; None with overrides."""

    report: SetReport
    results: list[Result]
    rights: Rights | None


@dataclass(frozen=True, slots=True)
class _Scoring:
    """What is scored: the replies of a run as read, unless they were, and with the overrides, if there are any."""

    run: Run
    item_set: ItemSet
    gold: Callable[[], Iterable[Row]]
    as_read: bool
    overrides: list[Override]

    def reports(self, profile: Profile, answers: Answers) -> Iterator[_Scored]:
        """Yield the reports of a profile."""
        facts = {"run": self.run, "set": self.item_set, "profile": profile.name, "entries_digest": self.item_set.digest}
        if self.as_read:
            report, results, rights = _report(profile, self.gold, answers)
            yield _Scored(SetReport(**facts, report=report), results, rights)
        if self.overrides:
            read = {override.key: override.answer for override in self.overrides}
            report, results, _ = _report(profile, self.gold, answers.with_overrides(read), only=read)
            newest = max(override.id for override in self.overrides)
            corrected = SetReport(**facts, report=report, overrides=len(read), newest_override_id=newest)
            yield _Scored(corrected, results, None)


def enqueue(run_id: int, *, benchmark_id: int | None = None, actor_id: int | None = None) -> Job:
    """Queue the job that scores a run over a set."""
    return jobs.enqueue(
        task=SCORE_SET,
        args={"run_id": run_id},
        dedupe_key=queries.job_key(run_id),
        benchmark_id=benchmark_id,
        actor_id=actor_id,
    )


def score_set_run(lease: jobs.Lease) -> None:
    """Compute and store the reports of a run over a set; a job's handler.

    Of retrieval there is one. Of questions there is one for each profile of the suite that reads such answers: CVQA's
    own reads no letters in texts. If people read some replies, there is another with what they read; the one of the
    replies as read is computed once.

    Raises:
        ActionNotAllowed: The set's release was withdrawn in the meantime, or retrieval has no release to search.
        WrongInput: No profile reads them.
        LeaseLost: Another worker has the job.
    """
    run = Run.objects.select_related("system", "set__release").get(pk=lease.args["run_id"])
    release, searches = run.set.release, SUITES[run.suite].is_retrieval
    if (release is None and searches) or (release is not None and release.state not in queries.SCORABLE):
        raise ActionNotAllowed(action="release_score", state=release.state if release else run.state)
    (_score_search if searches else _score_answers)(lease, run)


def _score_search(lease: jobs.Lease, run: Run) -> None:
    report, ranks = search_report(lease, run)
    with transaction.atomic():
        if _is_unchanged(run):
            report.save()
            ReportUnits.objects.create(report=report, rights={})
            _copy_results(rows_of(report, ranks))
        # In the same transaction, so that a worker without its lease writes nothing.
        lease.progress(4, 4)


def _score_answers(lease: jobs.Lease, run: Run) -> None:
    profiles = SUITES[run.suite].profiles
    every: list[_Scored] = []
    headline: list[_Scored] = []
    with _gold_of(run.set) as gold:
        scoring = _Scoring(run, run.set, gold, not queries.is_scored_as_read(run), newest_overrides(run))
        for done, (profile, answers) in enumerate(_read_by(run)):
            lease.progress(done, len(profiles))
            scored = list(scoring.reports(profile, answers))
            every += [one._replace(results=[]) for one in scored]
            headline = headline or scored
    with transaction.atomic():
        if _is_unchanged(run):
            SetReport.objects.bulk_create([one.report for one in every])
            ReportUnits.objects.bulk_create(
                [ReportUnits(report=one.report, rights=one.rights) for one in every if one.rights is not None]
            )
            _copy_results(_rows(run.set, headline))
        # In the same transaction, so that a worker without its lease writes nothing.
        lease.progress(len(profiles), len(profiles))


def _is_unchanged(run: Run) -> bool:
    """Lock a run until the transaction ends, and return whether its answers are still those that were read.

    A run that was retried in the meantime has others; the next sweep scores it once it ended.
    """
    now = access.lock_run_for_worker(run.pk)
    return (now.state, now.ended_at) == (run.state, run.ended_at)


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


def _read_by(run: Run) -> Iterator[tuple[Profile, Answers]]:
    """Yield each profile that reads a run's answers, with these, the headline first.

    Raises:
        WrongInput: None does.
    """
    refusal: WrongInput | None = None
    is_read = False
    for name in SUITES[run.suite].profiles:
        try:
            answers = read_answers(PROFILES[name], prediction_rows(run))
        except WrongInput as error:
            refusal = error
            continue
        is_read = True
        yield PROFILES[name], answers
    if not is_read and refusal is not None:
        raise refusal


def _report(
    profile: Profile, gold: Callable[[], Iterable[Row]], answers: Answers, *, only: Collection[str] | None = None
) -> tuple[dict[str, Any], list[Result], Rights]:
    """Build a report, list the results by question, all of them or those of some ids, and say which units are right."""
    results: list[Result] = []
    rights: Rights = {}

    def keep(units: Sequence[Unit]) -> None:
        every = (one for unit in units for one in results_of(profile, unit))
        results.extend(one for one in every if only is None or one.id in only)
        add_rights(rights, profile, units)

    return report_on_answers(profile, gold(), answers, each=keep), results, rights


def _rows(item_set: ItemSet, scored: Iterable[_Scored]) -> Iterator[tuple[Any, ...]]:
    """Make the rows of results of questions, one by one; what they need is read before the first."""
    filled = [one for one in scored if one.results]
    current = Entry.objects.filter(set=item_set, ended_at=None).values_list("pk", "no", "key")
    entries = {key: (pk, no) for pk, no, key in current} if filled else {}

    def row(report: SetReport, one: Result) -> tuple[Any, ...]:
        entry_id, no = entries[one.id]
        read = None if one.extracted is None else json.dumps(one.extracted, ensure_ascii=False)
        return report.pk, no, entry_id, one.outcome, one.value, read, one.rule, "", None

    return (row(report, one) for report, results, _ in filled for one in results)


def _copy_results(rows: Iterable[tuple[Any, ...]]) -> None:
    """Store results, of which there are as many as the set has entries, so by COPY; ``rows`` reads no table."""
    columns = "report_id, no, entry_id, outcome, value, extracted, rule, scope, rank"
    with (
        connection.cursor() as cursor,
        cursor.cursor.copy(f"copy evaluation_entryresult ({columns}) from stdin") as copy,
    ):
        for row in rows:
            copy.write_row(row)
