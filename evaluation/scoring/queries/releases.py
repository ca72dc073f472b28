"""Reads about scores: galleries, vectors, what can be scored, what a release's page shows."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.releases import access
from annotation.releases.models import Release, ReleaseEntry
from annotation.releases.rules import DISTANCE
from curation.core.models import Job
from curation.people.models import Person
from evaluation.runs.models import Failure, Prediction, Run
from evaluation.runs.rules import from_bytes
from evaluation.scoring.models import Score
from evaluation.scoring.rules import (
    GALLERY_SPLIT,
    NO_GROUP,
    PROFILE,
    SCOPES,
    Answer,
    Entry,
    Gallery,
    gallery_digest,
    metrics_of,
)
from evaluation.scoring.shapes import ReleaseScores, ScoreError, ScoreGallery, ScoreLine, ScoringState
from evaluation.suites.rules import IMAGE, SUITES
from evaluation.systems.queries import system_brief


def job_key(release_id: int, run_id: int) -> str:
    """Dedupe key of the job that scores a run over a release."""
    return f"score:{release_id}:{run_id}"


def suite_of(kind: str) -> str | None:
    """The suite that tests accepted items of a kind; None if there is none."""
    return next((suite.name for suite in SUITES.values() if suite.on_site and suite.kind == kind), None)


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


def entries(release: Release, kind: str, split: str) -> list[Entry]:
    """A split of a kind of a release as a gallery, in the release's order.

    A picture's category and its group of cultural distance are those of its record; records of older releases without
    them have the present ones.
    """
    suite = SUITES[suite_of(kind) or ""]
    with connection.cursor() as cursor:
        cursor.execute(
            """
            select e.item_id, e.revision_no, e.image_id, f.sha256, v.content::text,
                   coalesce(nullif(frozen.slug, ''), %(none)s),
                   coalesce(nullif(coalesce(e.record ->> %(distance)s, c.distance), ''), %(none)s)
              from annotation_releaseentry e
              join annotation_itemrevision v on v.item_id = e.item_id and v.no = e.revision_no
              join curation_rendition f on f.id = e.rendition_id
              join curation_image p on p.id = e.image_id
              left join curation_category now on now.id = p.category_id
              cross join lateral (select coalesce(e.record ->> 'category', now.slug) as slug) frozen
              left join curation_category c on c.benchmark_id = p.benchmark_id and c.slug = frozen.slug
             where e.release_id = %(release)s and e.kind = %(kind)s and e.split = %(split)s order by e.ordinal
            """,
            {"release": release.pk, "kind": kind, "split": split, "none": NO_GROUP, "distance": DISTANCE},
        )
        return [
            Entry(
                item,
                no,
                image,
                sha,
                tuple(v for v in suite.variants(json.loads(content)) if v != IMAGE),
                category,
                distance,
            )
            for item, no, image, sha, content, category, distance in cursor.fetchall()
        ]


def answers(run: Run, release: Release, split: str) -> Iterator[Answer]:
    """A run's answers for the revisions of a split, item by item; failures have no vector."""
    inside = ReleaseEntry.objects.filter(
        release=release, split=split, item_id=OuterRef("item_id"), revision_no=OuterRef("revision_no")
    )
    failed = Failure.objects.filter(Exists(inside), run=run).values_list("item_id", "variant").distinct()
    for item_id, variant in failed:
        yield Answer(item_id, variant, None)
    rows = Prediction.objects.filter(Exists(inside), run=run).order_by("item_id", "variant")
    for item_id, variant, vector in rows.values_list("item_id", "variant", "vector").iterator(chunk_size=2_000):
        yield Answer(item_id, variant, None if vector is None else from_bytes(vector))


def ready_to_score() -> list[tuple[int, int]]:
    """Pairs of a frozen release and a run that answered the whole gallery of its kind, and has no complete scoring.

    Both runs made for the release and the benchmark's rolling run count. Runs are scored again when a later round
    answered what had failed.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            """
            select l.id, r.id
              from annotation_release l
              join annotation_releasekind k on k.release_id = l.id
              join evaluation_run r on r.benchmark_id = l.benchmark_id and r.settings ->> 'kind' = k.kind
                   and (r.release_id is null and r.state = 'open'
                        or r.release_id = l.id and r.state in ('open', 'paused', 'closed'))
              left join lateral (
                   select sum(c.n_failed) as failed from evaluation_scoring s
                     join evaluation_score c on c.scoring_id = s.id and c.group_by = ''
                    where s.release_id = l.id and s.run_id = r.id
                    group by s.id having max(c.n_missing) = 0 order by s.id desc limit 1) scored on true
             where l.state in ('frozen', 'published')
               and (scored.failed is null or scored.failed > 0 and exists (
                    select 1 from evaluation_scoring s, annotation_releaseentry e
                      join evaluation_failure f on f.run_id = r.id and f.item_id = e.item_id
                                               and f.revision_no = e.revision_no
                      join evaluation_prediction p on p.run_id = r.id and p.item_id = f.item_id
                                               and p.revision_no = f.revision_no and p.variant = f.variant
                     where e.release_id = l.id and e.split = %(split)s
                       and s.id = (select max(id) from evaluation_scoring where release_id = l.id and run_id = r.id)
                       and p.created_at > s.computed_at))
               and exists (select 1 from annotation_releaseentry e
                            where e.release_id = l.id and e.kind = k.kind and e.split = %(split)s)
               and not exists (
                   select 1 from annotation_releaseentry e
                    where e.release_id = l.id and e.kind = k.kind and e.split = %(split)s and not exists (
                          select 1 from evaluation_prediction p
                           where p.run_id = r.id and p.item_id = e.item_id and p.revision_no = e.revision_no
                             and p.variant = %(image)s)
                      and not exists (
                          select 1 from evaluation_failure f
                           where f.run_id = r.id and f.item_id = e.item_id and f.revision_no = e.revision_no
                             and f.variant = %(image)s))
             order by l.id, r.id
            """,
            {"split": GALLERY_SPLIT, "image": IMAGE},
        )
        return [(release_id, run_id) for release_id, run_id in cursor.fetchall()]


class FrozenGallery(NamedTuple):
    """The size of the gallery of a kind of a release; ``groups`` counts pictures by grouping and group."""

    split: str
    images: int
    texts: int
    digest: str
    groups: dict[tuple[str, str], int]


@lru_cache(maxsize=256)  # a frozen release never changes
def _gallery(release_id: int, kind: str, split: str) -> FrozenGallery:
    gallery_entries = entries(Release.objects.get(pk=release_id), kind, split)
    gallery = Gallery(gallery_entries, image=IMAGE)
    return FrozenGallery(
        split,
        len(gallery.image_ids),
        len(gallery.texts.items),
        gallery_digest(gallery_entries, split),
        gallery.group_counts(),
    )


def gallery_of(release: Release, kind: str) -> FrozenGallery | None:
    """The gallery of a kind of a release; None before it is frozen, without a test picture, or without a suite."""
    if release.frozen_at is None or suite_of(kind) is None:
        return None
    gallery = _gallery(release.pk, kind, GALLERY_SPLIT)
    return gallery if gallery.images else None


def runs_of(release: Release, *kinds: str) -> QuerySet[Run]:
    """Runs whose answers count on some kinds of a release: made for it, or rolling over its benchmark."""
    suites = [suite for kind in kinds if (suite := suite_of(kind))]
    counted = Q(release=None, set=None) | Q(release=release)
    return Run.objects.filter(counted, benchmark_id=release.benchmark_id, suite__in=suites)


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
    newest: dict[int, list[Score]] = {}
    rows = Score.objects.filter(release=release, run__suite=suite, profile=PROFILE, group_by="")
    for row in rows.order_by("run_id", "scope", "metric", "-pk").distinct("run_id", "scope", "metric"):
        newest.setdefault(row.run_id, []).append(row)
    open_or_scored = Q(state__in=[Run.State.OPEN, Run.State.PAUSED]) | Q(pk__in=list(newest))
    runs = list(runs_of(release, kind).filter(open_or_scored).select_related("system").order_by("-pk"))
    keys = {job_key(release.pk, run.pk): run.pk for run in runs}
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
                "metrics": [
                    _line(score)
                    for score in sorted(newest.get(run.pk, []), key=lambda s: (SCOPES.index(s.scope), order(s.metric)))
                ],
            }
            for run in runs
        ],
    }


def requested_scores(person: Person, release: Release) -> ReleaseScores:
    """As :func:`release_scores`, after a new scoring was requested."""
    return release_scores(person, release.pk)


def _line(score: Score) -> ScoreLine:
    return {
        "profile": score.profile,
        "scope": score.scope,
        "metric": score.metric,
        "value": score.value,
        "low": score.low,
        "high": score.high,
        "n_expected": score.n_expected,
        "n_scored": score.n_scored,
        "n_missing": score.n_missing,
        "n_failed": score.n_failed,
        "gallery_digest": score.gallery_digest,
        "details": score.details,
        "computed_at": score.computed_at,
    }


def _state(job: Job | None, scores: list[Score] | None) -> ScoringState:
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
            """
            with answer as (
                select p.run_id, e.image_id, case when p.variant = %(image)s then 0 else e.item_id end as item,
                       p.variant, bool_or(p.ok) as ok
                  from annotation_releaseentry e
                  join lateral (
                       select run_id, variant, true as ok from evaluation_prediction
                        where run_id = any(%(runs)s) and item_id = e.item_id and revision_no = e.revision_no
                       union all
                       select run_id, variant, false from evaluation_failure
                        where run_id = any(%(runs)s) and item_id = e.item_id and revision_no = e.revision_no
                       ) p on true
                 where e.release_id = %(release)s and e.split = %(split)s group by 1, 2, 3, 4)
            select run_id, count(*) filter (where ok), count(*) filter (where not ok) from answer group by run_id
            """,
            {"image": IMAGE, "runs": run_ids, "release": release_id, "split": GALLERY_SPLIT},
        )
        return {run_id: (ok, failed) for run_id, ok, failed in cursor.fetchall()}
