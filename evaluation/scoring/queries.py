"""Reads about scores: galleries, vectors, what can be scored, what a release's page shows."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Exists, OuterRef

from annotation.releases import access
from annotation.releases.models import Release, ReleaseEntry
from curation.core.models import Job
from curation.people.models import Person
from evaluation.runs.models import Prediction, Run
from evaluation.runs.rules import from_bytes
from evaluation.scoring.models import Score
from evaluation.scoring.rules import GALLERY_SPLIT, PROFILE, Answers, Entry
from evaluation.suites.rules import IMAGE, SUITES


def job_key(release_id: int, run_id: int) -> str:
    """Dedupe key of the job that scores a run over a release."""
    return f"score:{release_id}:{run_id}"


def suite_of(kind: str) -> str | None:
    """The suite that reads a kind of work, None when there is none."""
    return next((suite.name for suite in SUITES.values() if suite.kind == kind), None)


def entries(release: Release, split: str) -> list[Entry]:
    """A split of a release as a gallery, in the release's order."""
    suite = SUITES[suite_of(release.kind) or ""]
    with connection.cursor() as cursor:
        cursor.execute(
            """
            select e.item_id, e.revision_no, e.image_id, f.sha256, v.content::text
              from annotation_releaseentry e
              join annotation_itemrevision v on v.item_id = e.item_id and v.no = e.revision_no
              join curation_rendition f on f.id = e.rendition_id
             where e.release_id = %s and e.split = %s order by e.ordinal
            """,
            [release.pk, split],
        )
        return [
            Entry(item, no, image, sha, tuple(v for v in suite.variants(json.loads(content)) if v != IMAGE))
            for item, no, image, sha, content in cursor.fetchall()
        ]


def answers(run: Run, release: Release, split: str) -> Answers:
    """What a run has for the revisions of a split; failures as None."""
    inside = ReleaseEntry.objects.filter(
        release=release, split=split, item_id=OuterRef("item_id"), revision_no=OuterRef("revision_no")
    )
    rows = Prediction.objects.filter(Exists(inside), run=run).values_list("item_id", "variant", "vector")
    return {
        (item_id, variant): None if vector is None else from_bytes(vector)
        for item_id, variant, vector in rows.iterator(chunk_size=5_000)
    }


def ready_to_score() -> list[tuple[int, int]]:
    """Pairs of a frozen release and a run whose predictions of its gallery are complete and have no complete score."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            select l.id, r.id
              from annotation_release l
              join evaluation_run r on r.benchmark_id = l.benchmark_id and r.settings ->> 'kind' = l.kind
                                   and r.release_id is null and r.state = 'open'
             where l.state = 'frozen'
               and not exists (select 1 from evaluation_score s
                                where s.release_id = l.id and s.run_id = r.id and s.n_missing = 0)
               and exists (select 1 from annotation_releaseentry e where e.release_id = l.id and e.split = %(split)s)
               and not exists (
                   select 1 from annotation_releaseentry e
                    where e.release_id = l.id and e.split = %(split)s and not exists (
                          select 1 from evaluation_prediction p
                           where p.run_id = r.id and p.item_id = e.item_id and p.revision_no = e.revision_no
                             and p.variant = %(image)s))
             order by l.id, r.id
            """,
            {"split": GALLERY_SPLIT, "image": IMAGE},
        )
        return [(release_id, run_id) for release_id, run_id in cursor.fetchall()]


class Size(NamedTuple):
    """How much a gallery holds."""

    images: int
    texts: int


@lru_cache(maxsize=256)  # what is frozen never changes
def _frozen_size(release_id: int, split: str) -> Size:
    found = entries(Release.objects.get(pk=release_id), split)
    return Size(len({e.image_id for e in found}), sum(len(e.texts) for e in found))


def gallery_size(release: Release) -> Size:
    """Size of a release's gallery; nothing while it is a draft."""
    if release.state == Release.State.DRAFT or suite_of(release.kind) is None:
        return Size(0, 0)
    return _frozen_size(release.pk, GALLERY_SPLIT)


def release_scores(person: Person, release_id: int, operation: str) -> dict[str, Any]:
    """Scores of a release as its page shows them: the newest of each metric, for every system that was or is asked.

    A system's counts are vectors, pictures and texts together; each metric carries its own in queries.

    Raises:
        NotFound, OperationNotAllowed.
    """
    release = access.release_for(person, release_id, operation)
    suite, size = suite_of(release.kind), gallery_size(release)
    gallery = {"images": size.images, "texts": size.texts, "split": GALLERY_SPLIT}
    if size.images == 0:
        return {"suite": suite, "gallery": gallery, "systems": []}
    newest: dict[int, list[Score]] = {}
    rows = Score.objects.filter(release=release, profile=PROFILE)
    for row in rows.order_by("run_id", "scope", "metric", "-pk").distinct("run_id", "scope", "metric"):
        newest.setdefault(row.run_id, []).append(row)
    of_kind = Run.objects.filter(benchmark_id=release.benchmark_id, suite=suite, release=None)
    open_or_scored = of_kind.filter(state=Run.State.OPEN) | of_kind.filter(pk__in=list(newest))
    runs = list(open_or_scored.select_related("system").order_by("-pk"))
    keys = {job_key(release.pk, run.pk): run.pk for run in runs}
    jobs = Job.objects.filter(dedupe_key__in=list(keys)).order_by("dedupe_key", "-pk").distinct("dedupe_key")
    by_run = {keys[job.dedupe_key]: job for job in jobs}
    vectors = _vector_counts([run.pk for run in runs], release.pk)
    return {
        "suite": suite,
        "gallery": gallery,
        "systems": [
            {
                "system": run.system,
                "run": run.pk,
                "state": _state(by_run.get(run.pk), newest.get(run.pk)),
                "error": _error(by_run.get(run.pk)),
                "n_expected": size.images + size.texts,
                "n_scored": vectors.get(run.pk, (0, 0))[0],
                "n_failed": vectors.get(run.pk, (0, 0))[1],
                "n_missing": size.images + size.texts - sum(vectors.get(run.pk, (0, 0))),
                "metrics": sorted(newest.get(run.pk, []), key=lambda s: (s.scope != "t2i", int(s.metric[2:]))),
            }
            for run in runs
        ],
    }


def _state(job: Job | None, scores: list[Score] | None) -> str:
    if job is not None and job.state in {Job.State.QUEUED, Job.State.RUNNING}:
        return "scoring"
    if scores:
        return "scored"
    return "failed" if job is not None and job.state == Job.State.FAILED else "waiting"


def _error(job: Job | None) -> dict[str, Any] | None:
    return {"code": job.error_code, "params": job.error_params} if job and job.error_code else None


def _vector_counts(run_ids: list[int], release_id: int) -> dict[int, tuple[int, int]]:
    """Vectors each run has of the gallery, and failures; one picture counts once however many items share it."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            with answer as (
                select p.run_id, e.image_id, case when p.variant = %(image)s then 0 else e.item_id end as item,
                       p.variant, bool_or(p.outcome = 'ok') as ok
                  from annotation_releaseentry e
                  join evaluation_prediction p on p.run_id = any(%(runs)s) and p.item_id = e.item_id
                                              and p.revision_no = e.revision_no
                 where e.release_id = %(release)s and e.split = %(split)s group by 1, 2, 3, 4)
            select run_id, count(*) filter (where ok), count(*) filter (where not ok) from answer group by run_id
            """,
            {"image": IMAGE, "runs": run_ids, "release": release_id, "split": GALLERY_SPLIT},
        )
        return {run_id: (ok, failed) for run_id, ok, failed in cursor.fetchall()}
