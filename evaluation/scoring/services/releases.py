"""Scoring runs over frozen releases."""

from __future__ import annotations

import json
from collections.abc import Iterable
from uuid import UUID

from django.db import connection, transaction

from annotation.releases import access as releases
from annotation.releases.models import Release
from curation.core import jobs
from curation.core.decisions import Decision
from curation.core.errors import ActionNotAllowed
from curation.core.models import Job
from curation.people.models import Person
from evaluation.runs.models import Run
from evaluation.scoring import queries
from evaluation.scoring.models import Score, Scoring
from evaluation.scoring.rules import PROFILE, Gallery, Rank, bootstrap_seed, gallery_digest, score
from evaluation.suites.rules import GALLERY_SPLIT, SUITES

SCORE = "evaluation.score_release"
_SCORABLE = (Release.State.FROZEN, Release.State.PUBLISHED)


def enqueue(release_id: int, run_id: int, *, benchmark_id: int | None = None, actor_id: int | None = None) -> Job:
    """Queue the job that scores a run over a release."""
    return jobs.enqueue(
        task=SCORE,
        args={"release_id": release_id, "run_id": run_id},
        dedupe_key=queries.job_key(release_id, run_id),
        benchmark_id=benchmark_id,
        actor_id=actor_id,
    )


@transaction.atomic
def request_scores(*, actor: Person, release_id: int, client_key: UUID) -> Release:
    """Score a frozen release again, with the predictions that exist; missing ones are counted.

    Raises:
        ActionNotAllowed: The release is not frozen, or it was withdrawn.
        ClientKeyReused, NotFound, OperationNotAllowed.
    """
    release = releases.release_for(actor, release_id, "release_score")
    decision = Decision(actor_id=actor.pk, action="release_score", row=release, client_key=client_key)
    if decision.is_repeat():
        return release
    if release.state not in _SCORABLE:
        raise ActionNotAllowed(action="release_score", state=release.state)
    runs = queries.runs_of(release, *(own.kind for own in release.kinds.all()))
    runs = runs.filter(set__release=release).exclude(state=Run.State.CANCELLED)
    job_ids = [
        enqueue(release.pk, run_id, benchmark_id=release.benchmark_id, actor_id=actor.pk).pk
        for run_id in runs.order_by("pk").values_list("pk", flat=True)
    ]
    decision.record(jobs=job_ids)
    # The sweep opens runs for systems of the protocol that have none yet.
    transaction.on_commit(lambda: jobs.send("evaluation.sweep_predictions"))
    return release


def score_release(lease: jobs.Lease) -> None:
    """Compute and store the scores of one run over one release; a job's handler.

    Raises:
        ActionNotAllowed: The release was withdrawn in the meantime, or the run is over another set.
        LeaseLost: Another worker has the job.
    """
    release = Release.objects.get(pk=lease.args["release_id"])
    if release.state not in _SCORABLE:
        raise ActionNotAllowed(action="release_score", state=release.state)
    run = Run.objects.select_related("set").get(pk=lease.args["run_id"])
    if run.set.release_id != release.pk:
        raise ActionNotAllowed(action="release_score", state=run.state)
    entries = queries.entries(run.set)
    digest = gallery_digest(entries, GALLERY_SPLIT)
    gallery = Gallery(entries)
    lease.progress(1, 4)
    gallery.fill(queries.answers(run))
    lease.progress(2, 4)
    lines, ranks = score(gallery, ks=SUITES[run.suite].ranks, seed=bootstrap_seed(digest))
    lease.progress(3, 4)
    with transaction.atomic():
        scoring = Scoring.objects.create(run=run, release=release, profile=PROFILE, gallery_digest=digest)
        Score.objects.bulk_create(
            [
                Score(
                    run=run,
                    release=release,
                    scoring=scoring,
                    profile=PROFILE,
                    gallery_digest=digest,
                    **{**line._asdict(), "details": {**line.details, "split": GALLERY_SPLIT}},
                )
                for line in lines
            ],
            batch_size=500,
        )
        _copy_ranks(scoring.pk, ranks)
        # In the same transaction, so that a worker without its lease writes nothing.
        lease.progress(4, 4)


def _copy_ranks(scoring_id: int, ranks: Iterable[Rank]) -> None:
    """Store the result of every query: tens of thousands of rows, so by COPY."""
    with connection.cursor() as cursor:
        sql = (
            "copy evaluation_queryrank "
            "(scoring_id, scope, ordinal, item_id, variant, image_id, category, distance, rank, nearest) from stdin"
        )
        with cursor.cursor.copy(sql) as copy:
            for rank in ranks:
                nearest = json.dumps(rank.nearest, separators=(",", ":"))
                copy.write_row((scoring_id, *rank[:-1], nearest))
