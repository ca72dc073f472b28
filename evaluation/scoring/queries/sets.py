"""Reads about scores of runs over item sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, Greatest, Now

from annotation.releases.models import Release
from curation.core.errors import NotFound
from curation.people.models import Person
from evaluation.profiles.reports import report_text
from evaluation.runs import access
from evaluation.runs.models import Chunk, ReplyOverride, Run
from evaluation.runs.queries import cost_of, manner_of, text_only_runs
from evaluation.scoring.models import EntryResult, ReportUnits, SetReport
from evaluation.scoring.rules import PROFILE
from evaluation.scoring.shapes import SetScoreMetric, SetScores
from evaluation.sets.models import Entry, ItemSet
from evaluation.suites.rules import SUITES
from evaluation.systems.queries import system_brief

# What a profile with several metrics is about; reports list them by name.
HEADLINE = "accuracy"
#: States of a release whose runs are scored.
SCORABLE = (Release.State.FROZEN, Release.State.PUBLISHED)
# How long a run over accepted work keeps its scores though more was accepted.
SCORED_EVERY = timedelta(minutes=10)
# Scored runs that a page of a set or a board shows, the newest.
MOST_RUNS = 200


def job_key(run_id: int) -> str:
    """Dedupe key of the job that scores a run over a set."""
    return f"score-set:{run_id}"


def runs_to_score() -> list[int]:
    """Runs that ended and were not scored since, or were corrected since; not those over a withdrawn release.

    A run over accepted work does not end: it is scored when nothing is left to answer, and not again for a while.
    Retrieval over accepted work has no gallery to search.
    """
    rests = Q(state=Run.State.OPEN, set__origin=ItemSet.Origin.ROLLING, expected__gt=0, cut_to=F("set__size"))
    rests &= Q(expected=F("answered") + F("refused") + F("failed"))
    searched = [suite.name for suite in SUITES.values() if suite.is_retrieval]
    scorable = Q(set__release=None) | Q(set__release__state__in=SCORABLE)
    runs = Run.objects.filter(scorable, Q(state=Run.State.CLOSED) | rests).annotate(**_scored())
    runs = runs.exclude(suite__in=searched, set__origin=ItemSet.Origin.ROLLING)
    not_lately = Q(state=Run.State.CLOSED) | Q(scored_at=None) | Q(scored_at__lte=Now() - SCORED_EVERY)
    waiting = runs.filter(not_lately, _UNSCORED | _UNCORRECTED)
    return list(waiting.order_by("pk").values_list("pk", flat=True))


def is_scored_as_read(run: Run) -> bool:
    """Whether a run's replies, as they are now, were scored as they were read."""
    return not Run.objects.filter(pk=run.pk).annotate(**_scored()).filter(_UNSCORED).exists()


_UNSCORED = Q(scored_at=None) | Q(changed_at__gt=F("scored_at")) | Q(has_results=False) | Q(has_units=False)
_UNCORRECTED = Q(override__isnull=False) & (
    Q(corrected_report=None)
    | Q(corrected_report__lt=F("as_read_report"))  # its replies were retried since
    | Q(override__gt=F("scored_override"))
)


def _scored() -> dict[str, Any]:
    """When runs changed, their newest reports and overrides, and whether each entry has a result."""
    chunks = Chunk.objects.filter(run=OuterRef("pk"), finished_at__isnull=False).order_by("-finished_at")
    ended = Entry.objects.filter(set=OuterRef("set"), ended_at__isnull=False).order_by("-ended_at")
    reports = SetReport.objects.filter(run=OuterRef("pk")).order_by("-pk")
    as_read, corrected = reports.filter(newest_override=None), reports.filter(newest_override__isnull=False)
    overrides = ReplyOverride.objects.filter(run=OuterRef("pk")).order_by("-pk")
    return {
        "changed_at": Coalesce(
            "ended_at", Greatest(Subquery(chunks.values("finished_at")[:1]), Subquery(ended.values("ended_at")[:1]))
        ),
        "as_read_report": Subquery(as_read.values("pk")[:1]),
        "scored_at": Subquery(as_read.values("computed_at")[:1]),
        "has_units": Exists(ReportUnits.objects.filter(report__run=OuterRef("pk"))),
        "has_results": Exists(EntryResult.objects.filter(report__run=OuterRef("pk"), report__newest_override=None)),
        "override": Subquery(overrides.values("pk")[:1]),
        "corrected_report": Subquery(corrected.values("pk")[:1]),
        "scored_override": Subquery(corrected.values("newest_override")[:1]),
    }


def set_scores(person: Person, set_id: int) -> list[SetScores]:
    """List what systems score on an item set, by the headline profile from the best.

    Raises:
        NotFound, OperationNotAllowed.
    """
    item_set = access.set_of_runs_for(person, set_id, "set_scores")
    runs = scored_runs(item_set)
    reports, corrected, text_only = newest_reports(runs), corrected_reports(runs), text_only_runs(runs)
    rows = [_scores(person, run, reports[run.pk], corrected.get(run.pk, {}), text_only.get(run.pk)) for run in runs]
    return sorted(rows, key=lambda row: (-(row["metrics"][0]["value"] or 0.0) if row["metrics"] else 0.0, row["run"]))


def scored_runs(item_set: ItemSet) -> list[Run]:
    """The newest runs over a set that profiles of its suite scored, with their systems."""
    scored = Exists(SetReport.objects.filter(run=OuterRef("pk"), profile__in=SUITES[item_set.suite].profiles))
    return list(Run.objects.filter(scored, set=item_set).select_related("system").order_by("-pk")[:MOST_RUNS])


def newest_reports(runs: Sequence[Run]) -> dict[int, dict[str, SetReport]]:
    """The newest report of each profile on replies as they were read, by run."""
    return _by_run(SetReport.objects.filter(run__in=runs, newest_override=None))


def corrected_reports(runs: Sequence[Run]) -> dict[int, dict[str, SetReport]]:
    """The newest report of each profile on replies with their overrides, by run; not of a run retried since."""
    as_read = SetReport.objects.filter(run=OuterRef("run"), profile=OuterRef("profile"), newest_override=None)
    rows = SetReport.objects.filter(run__in=runs, newest_override__isnull=False)
    return _by_run(rows.filter(pk__gt=Subquery(as_read.order_by("-pk").values("pk")[:1])))


def _by_run(reports: QuerySet[SetReport]) -> dict[int, dict[str, SetReport]]:
    by_run: dict[int, dict[str, SetReport]] = {}
    for row in reports.order_by("run_id", "profile", "-pk").distinct("run_id", "profile"):
        by_run.setdefault(row.run_id, {})[row.profile] = row
    return by_run


def headline_of(run: Run, reports: Mapping[str, Any]) -> str:
    """The first profile of a run's suite that scored it, of retrieval the search's own; empty without one."""
    return next((one for one in (*SUITES[run.suite].profiles, PROFILE) if one in reports), "")


def report_file(person: Person, run_id: int, *, profile: str = "", overrides: bool = False) -> tuple[str, str]:
    """Name and text of a run's newest report by a profile, as ``manage.py score`` prints it.

    Args:
        person: The viewer.
        run_id: A run.
        profile: The profile; empty: the first that scored it.
        overrides: Whether what people read in replies counts; without any such reply there is no such report.

    Raises:
        NotFound: There is none.
        OperationNotAllowed.
    """
    run = access.run_for(person, run_id, "run_report")
    reports = (corrected_reports if overrides else newest_reports)([run]).get(run.pk, {})
    name = profile or headline_of(run, reports)
    if name not in reports:
        raise NotFound
    part = "-overrides" if overrides else ""
    return f"run-{run.pk}-{name.replace('/', '-')}{part}.json", report_text(reports[name].report)


def _scores(
    person: Person,
    run: Run,
    reports: dict[str, SetReport],
    corrected: dict[str, SetReport],
    text_only: int | None,
) -> SetScores:
    profiles = [name for name in SUITES[run.suite].profiles if name in reports]
    headline = reports[profiles[0]].report
    with_overrides = [name for name in profiles if name in corrected]
    return {
        "run": run.pk,
        "system": system_brief(run.system),
        "manner": manner_of(run.settings),
        "text_only": text_only,
        "settings": run.settings,
        "n_expected": headline["n_expected"],
        "n_scored": headline["n_scored"],
        "n_missing": headline["n_missing"],
        "n_unparsable": headline["n_unparsable"],
        "n_refused": headline["n_refused"],
        "n_failed": headline["n_failed"],
        "cost": cost_of(run, person),
        "reports": profiles,
        "metrics": _metrics(profiles, reports),
        "overrides": corrected[with_overrides[0]].overrides if with_overrides else 0,
        "corrected": _metrics(with_overrides, corrected),
        "computed_at": reports[profiles[0]].computed_at,
    }


def _metrics(profiles: Sequence[str], reports: Mapping[str, SetReport]) -> list[SetScoreMetric]:
    return [
        _metric(profile, name, value)
        for profile in profiles
        for name, value in sorted(reports[profile].report["metrics"].items(), key=lambda one: one[0] != HEADLINE)
    ]


def _metric(profile: str, name: str, value: dict[str, Any]) -> SetScoreMetric:
    return {
        "profile": profile,
        "metric": name,
        "value": value["value"],
        "low": value["low"],
        "high": value["high"],
        "n": value.get("n"),
        "chance": value.get("chance"),
    }
