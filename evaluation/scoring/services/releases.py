"""Scoring a release on request."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction

from annotation.releases import access as releases
from annotation.releases.models import Release
from curation.core import jobs
from curation.core.decisions import Decision
from curation.core.errors import ActionNotAllowed
from curation.people.models import Person
from evaluation.runs.models import Run
from evaluation.scoring import queries
from evaluation.scoring.services.sets import enqueue


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
    if release.state not in queries.SCORABLE:
        raise ActionNotAllowed(action="release_score", state=release.state)
    runs = queries.runs_of(release, *(own.kind for own in release.kinds.all()))
    runs = runs.filter(set__release=release).exclude(state=Run.State.CANCELLED)
    job_ids = [
        enqueue(run_id, benchmark_id=release.benchmark_id, actor_id=actor.pk).pk
        for run_id in runs.order_by("pk").values_list("pk", flat=True)
    ]
    decision.record(jobs=job_ids)
    # The sweep opens runs for systems of the protocol that have none yet.
    transaction.on_commit(lambda: jobs.send("evaluation.sweep_predictions"))
    return release
