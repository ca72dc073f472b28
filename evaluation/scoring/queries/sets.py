"""Reads about scores of runs over item sets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import Exists, F, OuterRef, Subquery

from curation.core.errors import NotFound
from curation.people.models import Person
from evaluation.profiles.reports import report_text
from evaluation.runs import access
from evaluation.runs.models import Run
from evaluation.runs.queries import manner_of
from evaluation.scoring.models import SetReport
from evaluation.scoring.shapes import SetScoreMetric, SetScores
from evaluation.sets.models import ItemSet
from evaluation.suites.rules import SUITES
from evaluation.systems.queries import system_brief

# What a profile with several metrics is about; reports list them by name.
HEADLINE = "accuracy"
# Scored runs that a page of a set shows, the newest.
MOST_RUNS = 200


def set_job_key(run_id: int) -> str:
    """Dedupe key of the job that scores a run over a set."""
    return f"score-set:{run_id}"


def set_runs_to_score() -> list[int]:
    """Runs over sets that ended and were not scored since."""
    newest = SetReport.objects.filter(run=OuterRef("pk")).order_by("-pk").values("computed_at")[:1]
    ended = Run.objects.filter(set__isnull=False, state=Run.State.CLOSED).annotate(scored_at=Subquery(newest))
    waiting = ended.filter(scored_at=None) | ended.filter(ended_at__gt=F("scored_at"))
    return list(waiting.order_by("pk").values_list("pk", flat=True))


def set_scores(person: Person, set_id: int) -> list[SetScores]:
    """List what systems score on an item set, by the headline profile from the best.

    Raises:
        NotFound, OperationNotAllowed.
    """
    item_set = access.set_of_runs_for(person, set_id, "set_scores")
    scored = Exists(SetReport.objects.filter(run=OuterRef("pk")))
    runs = list(Run.objects.filter(scored, set=item_set).select_related("system").order_by("-pk")[:MOST_RUNS])
    reports = newest_reports(runs)
    rows = [_scores(item_set, run, reports[run.pk]) for run in runs]
    return sorted(rows, key=lambda row: (-(row["metrics"][0]["value"] or 0.0) if row["metrics"] else 0.0, row["run"]))


def newest_reports(runs: Sequence[Run]) -> dict[int, dict[str, SetReport]]:
    """The newest report of each profile, by run."""
    rows = SetReport.objects.filter(run__in=runs).order_by("run_id", "profile", "-pk").distinct("run_id", "profile")
    by_run: dict[int, dict[str, SetReport]] = {}
    for row in rows:
        by_run.setdefault(row.run_id, {})[row.profile] = row
    return by_run


def report_file(person: Person, run_id: int, *, profile: str = "") -> tuple[str, str]:
    """Name and text of a run's newest report by a profile, as ``manage.py score`` prints it.

    Args:
        person: The viewer.
        run_id: A run over a set.
        profile: The profile; empty: the first that scored it.

    Raises:
        NotFound: There is none.
        OperationNotAllowed.
    """
    run = access.run_over_set_for(person, run_id, "run_report")
    reports = newest_reports([run]).get(run.pk, {})
    name = profile or next((one for one in SUITES[run.suite].profiles if one in reports), "")
    if name not in reports:
        raise NotFound
    return f"run-{run.pk}-{name.replace('/', '-')}.json", report_text(reports[name].report)


def _scores(item_set: ItemSet, run: Run, reports: dict[str, SetReport]) -> SetScores:
    profiles = [name for name in SUITES[item_set.suite].profiles if name in reports]
    headline = reports[profiles[0]].report
    return {
        "run": run.pk,
        "system": system_brief(run.system),
        "manner": manner_of(run.settings),
        "settings": run.settings,
        "n_expected": headline["n_expected"],
        "n_scored": headline["n_scored"],
        "n_missing": headline["n_missing"],
        "n_unparsable": headline["n_unparsable"],
        "n_refused": headline["n_refused"],
        "n_failed": headline["n_failed"],
        "reports": profiles,
        "metrics": [
            _metric(profile, name, value)
            for profile in profiles
            for name, value in sorted(reports[profile].report["metrics"].items(), key=lambda one: one[0] != HEADLINE)
        ],
        "computed_at": reports[profiles[0]].computed_at,
    }


def _metric(profile: str, name: str, value: dict[str, Any]) -> SetScoreMetric:
    return {
        "profile": profile,
        "metric": name,
        "value": value["value"],
        "low": value["low"],
        "high": value["high"],
        "n": value.get("n"),
    }
