"""What admins do with releases: draft, check, freeze, publish and withdraw them."""

from __future__ import annotations

import secrets
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from annotation.kinds.registry import KINDS
from annotation.releases import access, queries, states
from annotation.releases.errors import GatesFailed, ReleaseBusy, ReleaseKindNotInProtocol, ReleaseNotWritten
from annotation.releases.exporters import registry
from annotation.releases.models import Release
from annotation.releases.services.freezing import FREEZE
from annotation.releases.services.writing import WRITE_FILES
from curation.benchmarks.models import Benchmark
from curation.core import audit, jobs
from curation.core.errors import ActionNotAllowed, ClientKeyReused
from curation.core.models import Job
from curation.core.transitions import advance
from curation.people.access import benchmark_for
from curation.people.models import Person


@transaction.atomic
def create_release(
    *,
    actor: Person,
    benchmark_slug: str,
    kind: str,
    seed: int | None,
    client_key: UUID,
    splits_from: str = Release.SplitsFrom.EARLIER,
    notes: str = "",
) -> Release:
    """Start a release: a number, a kind, a seed. It holds nothing yet; what it would hold can be looked at.

    Args:
        actor: Who starts it.
        benchmark_slug: Where.
        kind: Which kind of work it publishes.
        seed: Decides the splits; None has one drawn.
        client_key: The request's key.
        splits_from: Whether pictures keep the splits of earlier releases.
        notes: What readers of the data should know of this release; stands on its card.

    Raises:
        ReleaseKindNotInProtocol: The benchmark does not use the kind.
        ClientKeyReused, NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(actor, benchmark_slug, "release_create")
    protocol = benchmark.protocol
    if protocol is None or kind not in KINDS or kind not in protocol.content.get("kinds", {}):
        raise ReleaseKindNotInProtocol(kind=kind)
    # Numbers follow one another without gaps, and a repeated request waits here for its first try.
    Benchmark.objects.select_for_update(of=("self",), no_key=True).get(pk=benchmark.pk)
    done = audit.already_done(actor_id=actor.pk, client_key=client_key, action="release_create")
    if done is not None:
        if done.data["kind"] != kind or seed not in (None, done.data["seed"]):
            raise ClientKeyReused
        return access.release_for(actor, done.target_id, "release_create")
    newest = Release.objects.filter(benchmark=benchmark).aggregate(n=Max("number"))["n"] or 0
    release = Release.objects.create(
        benchmark=benchmark,
        number=newest + 1,
        kind=kind,
        protocol=protocol,
        seed=secrets.randbelow(1_000_000_000) if seed is None else seed,
        splits_from=splits_from,
        notes=notes,
    )
    audit.record(
        action="release_create",
        target_type="release",
        target_id=release.pk,
        label=release.label,
        actor_id=actor.pk,
        benchmark_id=benchmark.pk,
        state_to=release.state,
        data={"number": release.number, "kind": kind, "seed": release.seed, "splits_from": splits_from},
        client_key=client_key,
    )
    return release


@transaction.atomic
def update_release(
    *,
    actor: Person,
    release_id: int,
    client_key: UUID,
    seed: int | None = None,
    splits_from: str | None = None,
    notes: str | None = None,
) -> Release:
    """Change what a draft is going to be; None leaves a value as it is.

    Raises:
        ActionNotAllowed: It is no draft: what was checked is reopened first.
        ClientKeyReused, NotFound, OperationNotAllowed.
    """
    release, done = _begin("release_update", actor, release_id, client_key)
    if done:
        return release
    advance(release, "update", table=states.TABLE)
    given = {"seed": seed, "splits_from": splits_from, "notes": notes}
    changed = {name: value for name, value in given.items() if value not in (None, getattr(release, name))}
    for name, value in changed.items():
        setattr(release, name, value)
    release.save(update_fields=list(changed))
    # What somebody wrote is not for the log; that it was changed is.
    data = {name: value for name, value in changed.items() if name != "notes"} | {"changed": sorted(changed)}
    _log("release_update", release, actor, client_key, left="", data=data)
    return release


@transaction.atomic
def check_release(*, actor: Person, release_id: int, client_key: UUID) -> Release:
    """Put a draft forward for freezing: everything that the benchmark's protocol asks for now holds at this moment.

    Raises:
        GatesFailed: ``params.gates`` names everything that does not hold; it stays a draft.
        ActionNotAllowed: It is no draft.
        ReleaseKindNotInProtocol: The benchmark's protocol uses the kind no more.
        UnknownEntry: The protocol asks for a format that does not exist.
        ClientKeyReused, NotFound, OperationNotAllowed.
    """
    release, done = _begin("release_check", actor, release_id, client_key)
    if done:
        return release
    left = advance(release, "check", table=states.TABLE)
    if release.kind not in release.protocol.content.get("kinds", {}):
        raise ReleaseKindNotInProtocol(kind=release.kind)
    _require_gates(release)
    release.checked_at = timezone.now()
    release.save(update_fields=["state", "checked_at", "protocol"])
    _log("release_check", release, actor, client_key, left=left)
    return release


@transaction.atomic
def reopen_release(*, actor: Person, release_id: int, client_key: UUID) -> Release:
    """Take a checked release back to be changed.

    Raises:
        ActionNotAllowed: It was not checked, or is more than that by now.
        ReleaseBusy: It is being frozen at this moment.
        ClientKeyReused, NotFound, OperationNotAllowed.
    """
    release, done = _begin("release_reopen", actor, release_id, client_key)
    if done:
        return release
    _require_idle(release)
    left = advance(release, "reopen", table=states.TABLE)
    release.checked_at = None
    release.save(update_fields=["state", "checked_at"])
    _log("release_reopen", release, actor, client_key, left=left)
    return release


@transaction.atomic
def freeze_release(*, actor: Person, release_id: int, client_key: UUID) -> Release:
    """Have a worker fix a checked release's content for good (:func:`annotation.releases.services.freeze`).

    The gates are looked at here too, so that whoever asks hears at once what has come up since the check; the worker
    looks again at the very state of the database that it freezes. Asking again while it is at it changes nothing.

    Raises:
        GatesFailed: ``params.gates`` names everything that does not hold; it stays checked.
        ActionNotAllowed: It was not checked, or is frozen already.
        UnknownEntry: The protocol asks for a format that does not exist.
        ClientKeyReused, NotFound, OperationNotAllowed.
    """
    release, done = _begin("release_freeze", actor, release_id, client_key)
    if done or queries.is_being_frozen(release):
        return release
    if release.state not in states.TABLE["freeze"].sources:  # the worker moves it
        raise ActionNotAllowed(action="freeze", state=release.state)
    _require_gates(release)
    job = _enqueue(FREEZE, release, actor)
    _log("release_freeze", release, actor, client_key, left="", data={"job": job.pk})
    return release


@transaction.atomic
def write_release(*, actor: Person, release_id: int, client_key: UUID) -> Release:
    """Have a frozen release's files written again after their job failed; an open job is left to go on.

    Raises:
        ActionNotAllowed: It is not frozen, or withdrawn.
        ClientKeyReused, NotFound, OperationNotAllowed.
    """
    release, done = _begin("release_write", actor, release_id, client_key)
    if done:
        return release
    advance(release, "write", table=states.TABLE)
    job = _enqueue(WRITE_FILES, release, actor)
    _log("release_write", release, actor, client_key, left="", data={"job": job.pk})
    return release


@transaction.atomic
def publish_release(*, actor: Person, release_id: int, client_key: UUID) -> Release:
    """Declare a frozen release the one that others use.

    Raises:
        ReleaseNotWritten: ``params.missing`` names the files that are not there yet.
        ActionNotAllowed: It is not frozen, or published already.
        ClientKeyReused, NotFound, OperationNotAllowed.
    """
    release, done = _begin("release_publish", actor, release_id, client_key)
    if done:
        return release
    left = advance(release, "publish", table=states.TABLE)
    missing = queries.missing_files(release)
    if missing or queries.has_open_job(release):
        raise ReleaseNotWritten(missing=missing)
    release.published_at = timezone.now()
    release.save(update_fields=["state", "published_at"])
    _log("release_publish", release, actor, client_key, left=left, data={"digest": release.digest})
    return release


@transaction.atomic
def withdraw_release(*, actor: Person, release_id: int, reason: str, client_key: UUID) -> Release:
    """Take a release back, whatever it was: its rows stay, its files are handed out no more.

    Its pictures keep their splits: a later release never trains on what this one tested with.

    Raises:
        ActionNotAllowed: It was withdrawn before.
        ReleaseBusy: It is being frozen at this moment.
        ClientKeyReused, NotFound, OperationNotAllowed.
    """
    release, done = _begin("release_withdraw", actor, release_id, client_key)
    if done:
        return release
    _require_idle(release)
    left = advance(release, "withdraw", table=states.TABLE)
    release.withdrawn_at, release.withdrawn_reason = timezone.now(), reason
    release.save(update_fields=["state", "withdrawn_at", "withdrawn_reason"])
    _log("release_withdraw", release, actor, client_key, left=left)
    return release


def _begin(operation: str, actor: Person, release_id: int, client_key: UUID) -> tuple[Release, bool]:
    """Lock the release; tell whether this very command was carried out before."""
    release = access.lock_release_for(actor, release_id, operation)
    done = audit.already_done(actor_id=actor.pk, client_key=client_key, action=operation, target_id=release.pk)
    return release, done is not None


def _require_idle(release: Release) -> None:
    if queries.is_being_frozen(release):
        raise ReleaseBusy(label=release.label)


def _require_gates(release: Release) -> None:
    settings = queries.settings_of(release.protocol_id)
    registry.selected_exporters(settings.exporters)
    if gates := queries.gates_now(release):
        raise GatesFailed(count=len(gates), gates=[queries.gate_row(release, gate) for gate in gates])


def _enqueue(task: str, release: Release, actor: Person) -> Job:
    """Note work on a release and tie it to its row; an open job of the same work is returned."""
    job = jobs.enqueue(
        task=task,
        args={"release_id": release.pk},
        dedupe_key=f"{task}:{release.pk}",
        benchmark_id=release.benchmark_id,
        actor_id=actor.pk,
    )
    release.job_id = job.pk
    release.save(update_fields=["job_id"])
    return job


def _log(
    operation: str, release: Release, actor: Person, client_key: UUID, *, left: str, data: dict[str, Any] | None = None
) -> None:
    audit.record(
        action=operation,
        target_type="release",
        target_id=release.pk,
        label=release.label,
        actor_id=actor.pk,
        benchmark_id=release.benchmark_id,
        state_from=left,
        state_to=release.state if left else "",
        data=data,
        client_key=client_key,
    )
