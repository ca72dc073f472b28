"""The stored results of runs, as read and with what people read."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from django.db.models import Exists, F, OuterRef, QuerySet

from evaluation.runs.models import ReplyOverride, Run
from evaluation.samples.errors import RunNotScoredYet, RunsOfOtherSets
from evaluation.samples.rules import SampleFilters, answer_text
from evaluation.samples.shapes import PredictionResult
from evaluation.scoring.models import EntryResult, SetReport


class Scored(NamedTuple):
    """A report with results: its id and profile, and the newest override that it counts, 0 for one as read."""

    report_id: int
    profile: str
    newest_override: int


def results_as_read(runs: Collection[int]) -> dict[int, Scored]:
    """The newest report with a result of every entry, by run."""
    return _newest(_with_results(runs).filter(newest_override=None))


def results_with_overrides(as_read: Mapping[int, Scored]) -> dict[int, Scored]:
    """The newest report with results of the entries that people corrected, by run."""
    newest = _newest(_with_results(as_read).filter(newest_override__isnull=False))
    return {run: scored for run, scored in newest.items() if scored.report_id > as_read[run].report_id}


def _with_results(runs: Collection[int]) -> QuerySet[SetReport]:
    has_results = Exists(EntryResult.objects.filter(report=OuterRef("pk")))
    return SetReport.objects.filter(has_results, run__in=list(runs))


def _newest(reports: QuerySet[SetReport]) -> dict[int, Scored]:
    rows = reports.order_by("run_id", "-pk").distinct("run_id")
    facts = rows.values_list("run_id", "pk", "profile", "newest_override_id")
    return {run: Scored(pk, profile, override or 0) for run, pk, profile, override in facts}


def require_results(run_id: int) -> Scored:
    """The results of a run as read.

    Raises:
        RunNotScoredYet: There are none.
    """
    scored = results_as_read([run_id]).get(run_id)
    if scored is None:
        raise RunNotScoredYet
    return scored


def filtered(run: Run, scored: Scored, filters: SampleFilters) -> QuerySet[EntryResult]:
    """The results of a run that pass filters.

    Raises:
        RunsOfOtherSets: It is compared with a run that is not over its set.
        RunNotScoredYet: It is compared with a run without results.
    """
    rows = EntryResult.objects.filter(report_id=scored.report_id)
    if filters.outcome is not None:
        rows = rows.filter(outcome=filters.outcome)
    if filters.tag is not None:
        # The number as well, so that few entries lead to their results by the key of these.
        tagged = {"entry__tags__contains": {filters.tag: filters.value or ""}, "entry__set": run.set_id}
        rows = rows.filter(no=F("entry__no"), **tagged)
    if filters.against is not None:
        if not Run.objects.filter(pk=filters.against, set_id=run.set_id).exists():
            raise RunsOfOtherSets
        there = EntryResult.objects.filter(report_id=require_results(filters.against).report_id, no=OuterRef("no"))
        right_there = Exists(there.filter(outcome="right"))
        if filters.than == "better":
            rows = rows.filter(~right_there, outcome="right")
        else:
            rows = rows.filter(right_there).exclude(outcome="right")
    if filters.overridden:
        rows = rows.filter(Exists(ReplyOverride.objects.filter(run=run, entry=OuterRef("entry"))))
    return rows


def corrected_results(run_id: int, as_read: Scored, nos: Collection[int]) -> dict[int, PredictionResult]:
    """The results of entries that people corrected, by number; without those whose override is not scored yet."""
    corrected = results_with_overrides({run_id: as_read}).get(run_id)
    if corrected is None:
        return {}
    newer = ReplyOverride.objects.filter(run=run_id, entry=OuterRef("entry"), pk__gt=corrected.newest_override)
    rows = EntryResult.objects.filter(~Exists(newer), report_id=corrected.report_id, no__in=list(nos))
    return {row.no: result_answer(row) for row in rows}


def result_answer(row: EntryResult) -> PredictionResult:
    """A stored result as pages show it."""
    return {
        "outcome": row.outcome,
        "value": row.value,
        "extracted": answer_text(row.extracted),
        "rule": row.rule,
    }
