"""The board of a kind of a release, and two of its systems compared."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
from django.db import connection
from django.db.models import BooleanField, ExpressionWrapper, Q, QuerySet

from annotation.releases import access
from annotation.releases.models import Release
from curation.core.errors import InvalidInput, NotFound
from curation.core.models import Job
from curation.core.shapes import LocalisedText, localised_text
from curation.people.models import Person
from curation.taxonomy.models import Category
from evaluation.leaderboards import rules
from evaluation.leaderboards.errors import RunNotScored
from evaluation.leaderboards.rules.places import NAMES
from evaluation.leaderboards.shapes import (
    BoardContent,
    BoardFile,
    BoardGap,
    BoardGroup,
    BoardScore,
    BoardStatus,
    BoardSystem,
    Leaderboard,
    SystemsCompared,
)
from evaluation.metrics.comparison import paired
from evaluation.runs.models import Run
from evaluation.scoring.models import SetReport
from evaluation.scoring.queries import gallery_of, job_key, kind_with_results, metric_order, runs_of, suite_of
from evaluation.scoring.rules import NO_GROUP, PROFILE, SCOPES, bootstrap_seed, cutoffs_of, lines_of, metrics_of
from evaluation.submissions.queries import listed_submissions
from evaluation.suites.rules import SUITES, profiles_of
from evaluation.systems.queries import system_brief

FILES = ("leaderboard", "groups-distance", "groups-category")
FORMATS = ("csv", "tex", "svg", "png")
SUBMISSIONS_FILE = "submissions.csv"


def board_reports(release_id: int, kind: str) -> list[SetReport]:
    """The reports on the board of a kind of a release: of each system the newest complete one, otherwise the newest."""
    return list(_reports(release_id, kind).distinct("run__system_id"))


def report_of_run(release: Release, kind: str, run_id: int) -> SetReport:
    """The report that counts for a run.

    Raises:
        NotFound: There is no such run, or its answers do not count on this kind of the release.
        RunNotScored.
    """
    row = _reports(release.pk, kind).filter(run=run_id).first()
    if row is not None:
        return row
    if runs_of(release, kind).filter(pk=run_id).exists():
        raise RunNotScored(run=run_id)
    raise NotFound


def _reports(release_id: int, kind: str) -> QuerySet[SetReport]:
    rows = SetReport.objects.filter(set__release=release_id, set__suite=suite_of(kind), profile=PROFILE)
    complete = ExpressionWrapper(Q(report__n_missing=0), output_field=BooleanField())
    ordered = rows.annotate(complete=complete).order_by("run__system_id", "-complete", "-pk")
    return ordered.select_related("run")


def leaderboard(
    person: Person,
    release_id: int,
    *,
    kind: str | None = None,
    group_by: str | None = None,
    scope: str | None = None,
) -> Leaderboard:
    """Show each system's newest complete scores on a kind of a release, over everything and by group.

    The statements are the same whatever the number of systems.

    Raises:
        NotFound, OperationNotAllowed, ReleaseWithdrawn.
    """
    release = access.available_release_for(person, release_id, "leaderboard_show")
    kind = kind_with_results(release, kind)
    content = board(release, kind, group_bys=("", group_by or "distance"), scope=scope)
    submissions = listed_submissions(person, release, kind)
    if submissions:
        content["charts"] = [*content["charts"], _file(release, kind, SUBMISSIONS_FILE)]
    kinds = [own.kind for own in release.kinds.all()]
    return {
        **content,
        "kind": kind,
        "kinds": kinds,
        "has_profiles": bool(profiles_of(kind)),
        "submissions": submissions,
    }


def board(release: Release, kind: str, *, group_bys: tuple[str, ...], scope: str | None = None) -> BoardContent:
    """The board of a kind of a release, without listed submissions."""
    suite = suite_of(kind)
    order = metric_order(suite)
    empty: BoardContent = {
        "suite": suite,
        "profile": PROFILE,
        "gallery": {"split": "", "images": 0, "texts": 0, "digest": ""},
        "metrics": metrics_of(SUITES[suite].ranks) if suite else [],
        "scopes": list(SCOPES) if suite else [],
        "groups": [],
        "systems": [],
        "charts": [],
    }
    gallery = gallery_of(release, kind)
    if suite is None or gallery is None:
        return empty
    reports = {row.run.system_id: row for row in board_reports(release.pk, kind)}
    runs: dict[int, Run] = {}
    scored_runs = {row.run_id for row in reports.values()}
    # A run over the release that has just ended waits for its scores.
    awaited = Q(state__in=[Run.State.OPEN, Run.State.PAUSED]) | Q(state=Run.State.CLOSED, set__release=release)
    candidates = runs_of(release, kind).filter(awaited | Q(pk__in=scored_runs))
    for run in candidates.select_related("system", "set").order_by("-pk"):
        if run.pk in scored_runs or (run.system_id not in reports and run.system_id not in runs):
            runs[run.system_id] = run
    keys = {job_key(run.pk): run.system_id for run in runs.values()}
    jobs = Job.objects.filter(dedupe_key__in=list(keys)).order_by("dedupe_key", "-pk").distinct("dedupe_key")
    states = {keys[job.dedupe_key]: job.state for job in jobs}
    systems: list[BoardSystem] = []
    for system_id, run in runs.items():
        row = reports.get(system_id)
        lines = sorted(
            _scores(row, group_bys, scope) if row else [],
            key=lambda s: (group_bys.index(s["group_by"]), SCOPES.index(s["scope"]), order(s["metric"])),
        )
        systems.append(
            {
                "system": system_brief(run.system),
                "run": run.pk,
                "of": "rolling" if run.is_rolling else "release",
                "scoring": row.pk if row else None,
                "computed_at": row.computed_at if row else None,
                "status": _status(row, states.get(system_id)),
                "scores": lines,
                "gaps": [_gap(gap) for gap in rules.gaps(lines)],
            }
        )
    systems.sort(key=rules.board_order)
    groups = board_groups(release.benchmark_id, gallery.groups)
    return {
        **empty,
        "gallery": {
            "split": gallery.split,
            "images": gallery.images,
            "texts": gallery.texts,
            "digest": gallery.digest,
        },
        "groups": [g for g in groups if g["group_by"] in group_bys],
        "systems": systems,
        "charts": _files(release, kind, {g["group_by"] for g in groups}) if reports else [],
    }


def _scores(row: SetReport, group_bys: tuple[str, ...], scope: str | None) -> list[BoardScore]:
    return [
        {
            "scope": line.scope,
            "metric": line.metric,
            "group_by": line.group_by,
            "group": line.group,
            "value": line.value,
            "low": line.low,
            "high": line.high,
            "interval": line.details.get("interval"),
            "n_expected": line.n_expected,
            "n_scored": line.n_scored,
            "n_missing": line.n_missing,
            "n_failed": line.n_failed,
        }
        for line in lines_of(row.report)
        if line.group_by in group_bys and line.scope == (scope or line.scope)
    ]


def _gap(gap: rules.Gap) -> BoardGap:
    return {
        "scope": gap.scope,
        "metric": gap.metric,
        "group_by": gap.group_by,
        "gap": gap.gap,
        "highest": gap.highest,
        "lowest": gap.lowest,
        "low": gap.low,
        "high": gap.high,
        "interval": gap.interval,
    }


def _status(row: SetReport | None, job: str | None) -> BoardStatus:
    if job in {Job.State.QUEUED, Job.State.RUNNING}:
        return "scoring"
    if row is not None:
        return "partial" if row.report["n_missing"] else "scored"
    return "failed" if job == Job.State.FAILED else "waiting"


def board_groups(benchmark_id: int, counts: Mapping[tuple[str, str], int]) -> list[BoardGroup]:
    """Groups with what they count, in the order of the benchmark's list, others by name; those without a group last."""
    categories = {c.slug: c for c in Category.objects.filter(benchmark_id=benchmark_id).order_by("number")}
    order: dict[str, list[str]] = {
        "category": [*categories, NO_GROUP],
        "distance": [*rules.DISTANCES, NO_GROUP],
    }

    def place(key: tuple[str, str]) -> tuple[str, int, str]:
        known = order.get(key[0], [])
        return (key[0], known.index(key[1]) if key[1] in known else len(known), key[1])

    def name(group_by: str, group: str) -> LocalisedText:
        if group_by == "distance" and group in rules.DISTANCE_NAMES:
            return localised_text(rules.DISTANCE_NAMES[group])
        if group_by == "category" and group == NO_GROUP:
            return localised_text(rules.NO_CATEGORY)
        if group_by == "category" and group in categories:
            return localised_text(categories[group].name)
        if group in NAMES.get(group_by, {}):
            return localised_text(NAMES[group_by][group])
        return {"zh-Hans": group, "zh-Hant": group, "en": group}

    return [
        {
            "group_by": group_by,
            "group": group,
            "name": name(group_by, group),
            "n": counts[group_by, group],
        }
        for group_by, group in sorted(counts, key=place)
    ]


def _files(release: Release, kind: str, group_bys: set[str]) -> list[BoardFile]:
    """The files that can be made of a board."""
    stems = [stem for stem in FILES if stem == "leaderboard" or stem.removeprefix("groups-") in group_bys]
    names = [f"{stem}.{ending}" for stem in stems for ending in FORMATS]
    return [_file(release, kind, name) for name in names]


def _file(release: Release, kind: str, name: str) -> BoardFile:
    which = "" if release.kind else f"?kind={kind}"
    return {"name": name, "url": f"/api/v1/releases/{release.pk}/leaderboard/{name}{which}"}


def comparison(
    person: Person, release_id: int, *, one: int, other: int, scope: str, metric: str, kind: str | None = None
) -> SystemsCompared:
    """Compare two runs query by query, with pictures as the independent units.

    Raises:
        NotFound, OperationNotAllowed, ReleaseWithdrawn.
        InvalidInput: The release is not scored by this metric.
        RunNotScored.
    """
    release = access.available_release_for(person, release_id, "leaderboard_compare")
    kind = kind_with_results(release, kind, run_id=one)
    suite = suite_of(kind)
    k = cutoffs_of(SUITES[suite].ranks).get(metric) if suite else None
    if k is None:
        raise InvalidInput(fields={"metric": ["Systems are not compared by this metric."]})
    first, second = report_of_run(release, kind, one), report_of_run(release, kind, other)
    with connection.cursor() as cursor:
        cursor.execute(
            """
            select count(*), count(*) filter (where a.rank < %(k)s and b.rank < %(k)s),
                   count(*) filter (where a.rank < %(k)s and b.rank >= %(k)s),
                   count(*) filter (where a.rank >= %(k)s and b.rank < %(k)s)
              from evaluation_entryresult a
              join evaluation_entryresult b on b.report_id = %(other)s and b.no = a.no and b.scope = a.scope
              join evaluation_entry e on e.id = a.entry_id
             where a.report_id = %(one)s and a.scope = %(scope)s and a.rank is not null and b.rank is not null
             group by e.image_id order by e.image_id
            """,
            {"k": k, "one": first.pk, "other": second.pk, "scope": scope},
        )
        counts = np.array(cursor.fetchall(), dtype=np.int64).reshape(-1, 4)
    return compared(counts, seed=bootstrap_seed(first.entries_digest))


def compared(counts: npt.NDArray[np.int64], *, seed: int) -> SystemsCompared:
    """Two systems compared by counts for each picture: of all, and what both, only the first, only the other hit."""
    n, both, only_one, only_other = (int(column) for column in counts.sum(axis=0))
    result = paired(counts[:, 2], counts[:, 3], counts[:, 0], seed=seed)
    return {
        "n": n,
        "images": len(counts),
        "both": both,
        "only_one": only_one,
        "only_other": only_other,
        "neither": n - both - only_one - only_other,
        "difference": result.difference,
        "low": result.low,
        "high": result.high,
        "p": result.p,
        "method": result.method,
        "interval": result.interval,
    }
