"""Lists of a run's entries by outcome, tag, and comparison with another run."""

from __future__ import annotations

from typing import Any

from django.db.models import Count

from curation.core.pages import cut_page
from curation.people.models import Person
from evaluation.profiles.results import OUTCOMES
from evaluation.runs import access
from evaluation.runs.models import ReplyOverride, Run
from evaluation.runs.queries import manner_of
from evaluation.samples.queries.results import (
    corrected_results,
    filtered,
    require_results,
    result_answer,
    results_as_read,
)
from evaluation.samples.rules import LONGEST_TEXT, SampleFilters, answer_text, text_of_entry
from evaluation.samples.shapes import PredictionFilters, PredictionPage, PredictionRow, PredictionRun, PredictionTag
from evaluation.scoring.models import EntryResult, SetReport
from evaluation.sets.rules import entry_of
from evaluation.systems.queries import system_brief

# Scored runs over a set that a run can be compared with, the newest.
_MOST_RUNS = 200
# Values of a tag that can be chosen, those that most entries have.
_MOST_VALUES = 200


def prediction_list(
    person: Person, run_id: int, *, page_size: int, filters: SampleFilters, cursor: str | None = None
) -> PredictionPage:
    """List the entries of a scored run over an item set with their results.

    Raises:
        NotFound, OperationNotAllowed, RunNotScoredYet, RunsOfOtherSets.
        InvalidInput: The cursor is of another list.
    """
    run = access.run_of_questions_for(person, run_id, "prediction_list")
    scored = require_results(run.pk)
    rows, facts = cut_page(
        filtered(run, scored, filters).select_related("entry"), by="no", cursor=cursor, page_size=page_size
    )
    corrected = corrected_results(run.pk, scored, [row.no for row in rows])
    overrides = ReplyOverride.objects.filter(run=run, entry__in=[row.entry_id for row in rows])
    overridden = set(overrides.values_list("entry_id", flat=True))
    side = run.settings["side"]

    def answer(row: EntryResult) -> PredictionRow:
        entry = entry_of(row.entry.key, row.entry.line, row.entry.texts[side])
        return {
            **result_answer(row),
            "no": row.no,
            "key": row.entry.key,
            "text": text_of_entry(entry)[:LONGEST_TEXT],
            "right": answer_text(row.entry.gold)[:LONGEST_TEXT],
            "is_overridden": row.entry_id in overridden,
            "corrected": corrected.get(row.no),
        }

    return {**facts, "results": [answer(row) for row in rows]}


def prediction_filters(person: Person, run_id: int) -> PredictionFilters:
    """Show what the samples of a run can be filtered by, with counts, and the runs it can be compared with.

    Raises:
        NotFound, OperationNotAllowed, RunNotScoredYet.
    """
    run = access.run_of_questions_for(person, run_id, "prediction_filters")
    scored = require_results(run.pk)
    counts = dict(
        EntryResult.objects.filter(report_id=scored.report_id).values_list("outcome").annotate(n=Count("no")).order_by()
    )
    report = SetReport.objects.get(pk=scored.report_id).report
    overrides = ReplyOverride.objects.filter(run=run).values("entry_id").distinct().count()
    return {
        **run_answer(run),
        "set": {"id": run.set.pk, "name": run.set.name, "origin": run.set.origin},
        "profile": scored.profile,
        "outcomes": [{"outcome": outcome, "n": counts[outcome]} for outcome in OUTCOMES if outcome in counts],
        "tags": _tags(report["breakdowns"]),
        "runs": [run_answer(other) for other in scored_runs(run)],
        "overrides": overrides,
    }


def scored_runs(run: Run) -> list[Run]:
    """The other runs over the set of a run that have results, the newest first."""
    runs = Run.objects.filter(set_id=run.set_id).exclude(pk=run.pk).select_related("system").order_by("-pk")
    rows = list(runs[:_MOST_RUNS])
    scored = results_as_read([row.pk for row in rows])
    return [row for row in rows if row.pk in scored]


def run_answer(run: Run) -> PredictionRun:
    """A run as samples name it."""
    return {"run": run.pk, "system": system_brief(run.system), "manner": manner_of(run.settings)}


def _tags(breakdowns: dict[str, Any]) -> list[PredictionTag]:
    tags: list[PredictionTag] = []
    for name, members in sorted(breakdowns.items()):
        most = sorted(members.items(), key=lambda one: (-one[1]["n"], one[0]))[:_MOST_VALUES]
        tags.append({"name": name, "values": [{"value": value, "n": facts["n"]} for value, facts in most]})
    return tags
