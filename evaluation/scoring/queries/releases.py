"""Reads about scores: galleries, vectors, what can be scored, what a release's page shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.releases import access
from annotation.releases.models import Release
from curation.core.models import Job
from curation.people.models import Person
from evaluation.runs.models import Run
from evaluation.runs.queries import UNRESOLVED
from evaluation.runs.rules import from_bytes
from evaluation.scoring.models import SetReport
from evaluation.scoring.queries.sets import job_key
from evaluation.scoring.rules import (
    IMAGE,
    NO_GROUP,
    PROFILE,
    SCOPES,
    Answer,
    Entry,
    Gallery,
    gallery_digest,
    lines_of,
    metrics_of,
    text_variant,
)
from evaluation.scoring.shapes import ReleaseScores, ScoreError, ScoreGallery, ScoreLine, ScoringState
from evaluation.sets.models import Entry as StoredEntry
from evaluation.sets.models import ItemSet
from evaluation.sets.queries import release_captions
from evaluation.suites.rules import GALLERY_SPLIT, SUITES
from evaluation.systems.queries import system_brief

_AT_ONCE: Final = 4_000  # entries whose vectors are in memory as the database sends them
# The texts of some entries, then their pictures, each with the vector that the run's answer names; null: it failed.
_ANSWERS: Final = f"""
    with tried as materialized (
         select e.item_id, e.part, e.image_id, t.value
           from evaluation_entry e
           join (select entry_id, value from evaluation_reply where run_id = %(run)s
                  union all
                 select u.entry_id, u.value from evaluation_run r cross join lateral ({UNRESOLVED}) u
                  where r.id = %(run)s) t on t.entry_id = e.id
          where e.set_id = %(set)s and e.no >= %(first)s and e.no < %(end)s)
    select t.item_id, t.part, f.vector
      from tried t
      left join evaluation_feature f on f.system_id = %(system)s and f.input_sha256 = t.value #>> '{{text,0}}'
                                    and f.preparation = t.value #>> '{{text,1}}'
     union all
    select p.item_id, null, f.vector
      from (select distinct on (image_id) item_id, value from tried
             order by image_id, not value ? 'picture', item_id, part) p
      left join evaluation_feature f on f.system_id = %(system)s and f.input_sha256 = p.value #>> '{{picture,0}}'
                                    and f.preparation = p.value #>> '{{picture,1}}'
"""  # noqa: S608  (constants of this package; values are parameters)


def suite_of(kind: str) -> str | None:
    """The suite whose texts and pictures of a kind search each other; None if there is none."""
    return next((suite.name for suite in SUITES.values() if suite.is_retrieval and suite.kind == kind), None)


def kind_with_results(release: Release, kind: str | None, *, run_id: int | None = None) -> str:
    """The kind of a release whose results are shown.

    It is the given one, otherwise that of a run, otherwise the first with a suite, else the first.

    Raises:
        NotFound: The release does not hold the kind.
    """
    if kind is None and run_id is not None and not release.kind:
        suite = Run.objects.filter(pk=run_id).values_list("suite", flat=True).first()
        kind = SUITES[suite].kind if suite is not None and suite in SUITES else None
    if kind is None:
        kind = next((own.kind for own in release.kinds.all() if suite_of(own.kind)), None)
    return access.kind_in(release, kind).kind


def label_with_kind(release: Release, kind: str) -> str:
    """The release's label, and the kind where it holds several; names files about one of them."""
    return release.label if release.kind else f"{release.label}-{kind}"


def metric_order(suite: str | None) -> Callable[[str], tuple[int, str]]:
    """A sort key for metrics: the suite's order, then other metrics by name."""
    names = metrics_of(SUITES[suite].ranks) if suite else []
    return lambda metric: (names.index(metric) if metric in names else len(names), metric)


def entries(item_set: ItemSet) -> list[Entry]:
    """The gallery of a release's set, in the release's order."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            select e.item_id, e.revision_no, e.image_id, e.row ->> 'file', array_agg(e.part order by e.part),
                   coalesce(e.tags ->> 'category', %(none)s), coalesce(e.tags ->> 'distance', %(none)s)
              from evaluation_entry e where e.set_id = %(set)s
             group by 1, 2, 3, 4, 6, 7 order by min(e.line)
            """,
            {"set": item_set.pk, "none": NO_GROUP},
        )
        return [Entry._make([*row[:4], tuple(map(text_variant, row[4])), *row[5:]]) for row in cursor.fetchall()]


def answers(run: Run) -> Iterator[Answer]:
    """A run's vectors of the pictures and texts of its set; what the system failed on has none."""
    values = {"run": run.pk, "set": run.set_id, "system": run.system_id}
    for first in range(1, run.cut_to + 1, _AT_ONCE):
        with connection.cursor() as cursor:
            cursor.execute(_ANSWERS, {**values, "first": first, "end": first + _AT_ONCE})
            for item_id, part, vector in cursor.fetchall():
                variant = IMAGE if part is None else text_variant(part)
                yield Answer(item_id, variant, None if vector is None else from_bytes(vector))


def entry_ids(item_set: ItemSet) -> Iterator[tuple[int, int, int]]:
    """The entries of a release's set with captions: item, place of the caption, id."""
    rows = StoredEntry.objects.filter(set=item_set, item__isnull=False)
    yield from rows.values_list("item_id", "part", "pk").iterator(chunk_size=_AT_ONCE)


class FrozenGallery(NamedTuple):
    """The size of the gallery of a kind of a release; ``groups`` counts pictures by grouping and group."""

    split: str
    images: int
    texts: int
    digest: str
    groups: dict[tuple[str, str], int]


@lru_cache(maxsize=256)  # a frozen release never changes
def _gallery(release_id: int, suite: str) -> FrozenGallery:
    rows = release_captions(Release.objects.get(pk=release_id), SUITES[suite])
    gallery_entries = [
        Entry(
            row.item_id,
            row.revision_no,
            row.image_id,
            row.file,
            tuple(map(text_variant, range(len(row.texts)))),
            row.category or NO_GROUP,
            row.distance or NO_GROUP,
        )
        for row in rows
    ]
    gallery = Gallery(gallery_entries)
    return FrozenGallery(
        GALLERY_SPLIT,
        len(gallery.image_ids),
        len(gallery.texts.items),
        gallery_digest(gallery_entries, GALLERY_SPLIT),
        gallery.group_counts(),
    )


def gallery_of(release: Release, kind: str) -> FrozenGallery | None:
    """The gallery of a kind of a release; None before it is frozen, without a test picture, or without a suite."""
    suite = suite_of(kind)
    if release.frozen_at is None or suite is None:
        return None
    gallery = _gallery(release.pk, suite)
    return gallery if gallery.images else None


def runs_of(release: Release, *kinds: str) -> QuerySet[Run]:
    """Runs whose answers count on some kinds of a release: those over its sets.

    So do rolling runs that were scored on it before releases had sets.
    """
    suites = [suite for kind in kinds if (suite := suite_of(kind))]
    scored = Exists(SetReport.objects.filter(run=OuterRef("pk"), set__release=release))
    return Run.objects.filter(Q(set__release=release) | Q(scored), benchmark_id=release.benchmark_id, suite__in=suites)


def release_scores(person: Person, release_id: int, *, kind: str | None = None) -> ReleaseScores:
    """Show the newest score of each metric, for every system that was or is being tested on a kind of a release.

    A system's counts are vectors, pictures and texts together; each metric carries its own in queries.

    Raises:
        NotFound, OperationNotAllowed, ReleaseWithdrawn.
    """
    release = access.available_release_for(person, release_id, "release_scores")
    kind = kind_with_results(release, kind)
    suite, size = suite_of(kind), gallery_of(release, kind)
    order = metric_order(suite)
    if size is None:
        return {"suite": suite, "gallery": {"images": 0, "texts": 0, "split": GALLERY_SPLIT}, "systems": []}
    gallery: ScoreGallery = {"images": size.images, "texts": size.texts, "split": size.split}
    rows = SetReport.objects.filter(set__release=release, set__suite=suite, profile=PROFILE)
    newest = {row.run_id: row for row in rows.order_by("run_id", "-pk").distinct("run_id")}
    open_or_scored = Q(state__in=[Run.State.OPEN, Run.State.PAUSED]) | Q(pk__in=list(newest))
    runs = list(runs_of(release, kind).filter(open_or_scored).select_related("system").order_by("-pk"))
    keys = {job_key(run.pk): run.pk for run in runs}
    jobs = Job.objects.filter(dedupe_key__in=list(keys)).order_by("dedupe_key", "-pk").distinct("dedupe_key")
    by_run = {keys[job.dedupe_key]: job for job in jobs}
    vectors = _vector_counts([run.pk for run in runs], release.pk)
    return {
        "suite": suite,
        "gallery": gallery,
        "systems": [
            {
                "system": system_brief(run.system),
                "run": run.pk,
                "state": _state(by_run.get(run.pk), newest.get(run.pk)),
                "error": _error(by_run.get(run.pk)),
                "n_expected": size.images + size.texts,
                "n_scored": vectors.get(run.pk, (0, 0))[0],
                "n_failed": vectors.get(run.pk, (0, 0))[1],
                "n_missing": size.images + size.texts - sum(vectors.get(run.pk, (0, 0))),
                "metrics": sorted(
                    _lines(newest.get(run.pk)), key=lambda s: (SCOPES.index(s["scope"]), order(s["metric"]))
                ),
            }
            for run in runs
        ],
    }


def requested_scores(person: Person, release: Release) -> ReleaseScores:
    """As :func:`release_scores`, after a new scoring was requested."""
    return release_scores(person, release.pk)


def _lines(row: SetReport | None) -> list[ScoreLine]:
    if row is None:
        return []
    return [
        {
            "profile": row.profile,
            "scope": line.scope,
            "metric": line.metric,
            "value": line.value,
            "low": line.low,
            "high": line.high,
            "n_expected": line.n_expected,
            "n_scored": line.n_scored,
            "n_missing": line.n_missing,
            "n_failed": line.n_failed,
            "gallery_digest": row.entries_digest,
            "details": line.details,
            "computed_at": row.computed_at,
        }
        for line in lines_of(row.report)
        if not line.group_by
    ]


def _state(job: Job | None, scores: SetReport | None) -> ScoringState:
    if job is not None and job.state in {Job.State.QUEUED, Job.State.RUNNING}:
        return "scoring"
    if scores:
        return "scored"
    return "failed" if job is not None and job.state == Job.State.FAILED else "waiting"


def _error(job: Job | None) -> ScoreError | None:
    return {"code": job.error_code, "params": job.error_params} if job and job.error_code else None


def _vector_counts(run_ids: list[int], release_id: int) -> dict[int, tuple[int, int]]:
    """Vectors each run has of the gallery, and failures; one picture counts once however many items share it."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            with tried as (
                 select run_id, entry_id, value from evaluation_reply where run_id = any(%(runs)s)
                 union all
                 select r.id, u.entry_id, u.value from evaluation_run r cross join lateral ({UNRESOLVED}) u
                  where r.id = any(%(runs)s)),
            answer as (
                 select t.run_id, a.image_id, case when i.input = 'picture' then 0 else a.item_id end as item,
                        case when i.input = 'picture' then 0 else e.part end as part, bool_or(t.value ? i.input) as ok
                   from annotation_releaseentry a
                   join evaluation_entry e on e.item_id = a.item_id and e.revision_no = a.revision_no
                   join tried t on t.entry_id = e.id
                  cross join (values ('picture'), ('text')) i (input)
                  where a.release_id = %(release)s and a.split = %(split)s group by 1, 2, 3, 4, i.input)
            select run_id, count(*) filter (where ok), count(*) filter (where not ok) from answer group by run_id
            """,  # noqa: S608  (constants of this package; values are parameters)
            {"runs": run_ids, "release": release_id, "split": GALLERY_SPLIT},
        )
        return {run_id: (ok, failed) for run_id, ok, failed in cursor.fetchall()}
