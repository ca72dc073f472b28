"""What administrators do with releases: draft, check, freeze, publish and withdraw them."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from annotation.kinds.registry import KINDS
from annotation.releases import access, queries, rules, states
from annotation.releases.errors import GatesFailed, ReleaseBusy, ReleaseKindNotInProtocol, ReleaseNotWritten
from annotation.releases.exporters import registry
from annotation.releases.models import Release, ReleaseKind, ReleaseOutlook
from annotation.releases.services.checking import CHECK
from annotation.releases.services.freezing import FREEZE
from annotation.releases.services.writing import WRITE_FILES, enqueue
from curation.benchmarks.models import Benchmark
from curation.core.decisions import Decision
from curation.core.errors import ActionNotAllowed
from curation.core.transitions import advance
from curation.people.access import benchmark_for
from curation.people.models import Person


@transaction.atomic
def create_release(
    *,
    actor: Person,
    benchmark_slug: str,
    kinds: Sequence[str],
    client_key: UUID,
    seed: int | None = None,
    splits_from: str = Release.SplitsFrom.EARLIER,
    notes: str = "",
) -> Release:
    """Create a draft: it has a number, kinds and a seed, and no content until it is frozen.

    Its kinds cannot be changed later, because its label is final.

    Args:
        actor: Who creates it.
        benchmark_slug: The benchmark.
        kinds: The kinds of the items, at least one.
        client_key: The request's key.
        seed: Determines the splits; None: a random one.
        splits_from: Whether pictures keep the splits of earlier releases.
        notes: What readers of the data should know about this release; printed on its card.

    Raises:
        ReleaseKindNotInProtocol: The benchmark does not use one of the kinds.
        ClientKeyReused, NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(actor, benchmark_slug, "release_create")
    protocol = benchmark.protocol
    if protocol is None:
        raise ReleaseKindNotInProtocol(kind=kinds[0])
    for kind in kinds:
        if kind not in KINDS or kind not in protocol.content.get("kinds", {}):
            raise ReleaseKindNotInProtocol(kind=kind)
    chosen = rules.in_kind_order(kinds)
    only = chosen[0] if len(chosen) == 1 else ""
    # The lock keeps numbers without gaps, and makes a repeated request wait for the first one.
    Benchmark.objects.select_for_update(of=("self",), no_key=True).get(pk=benchmark.pk)
    decision = Decision(actor_id=actor.pk, action="release_create", client_key=client_key, benchmark_id=benchmark.pk)
    if earlier := decision.earlier(kinds=chosen, **({} if seed is None else {"seed": seed})):
        return access.release_for(actor, earlier.target_id, "release_create")
    labels = dict(Release.objects.filter(benchmark=benchmark).values_list("number", "label"))
    release = Release.objects.create(
        benchmark=benchmark,
        number=max(labels, default=0) + 1,
        label=rules.next_label(only or benchmark.slug, labels.values()),
        kind=only,
        protocol=protocol,
        seed=secrets.randbelow(1_000_000_000) if seed is None else seed,
        splits_from=splits_from,
        notes=notes,
    )
    # A trigger has inserted the only kind.
    rows = [ReleaseKind(release=release, kind=kind, place=place) for place, kind in enumerate(chosen, 1)]
    ReleaseKind.objects.bulk_create(rows, ignore_conflicts=True)
    decision.row = release
    decision.record(number=release.number, kinds=chosen, seed=release.seed, splits_from=splits_from)
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
    """Change the settings of a draft; None keeps a setting.

    Raises:
        ActionNotAllowed: It is not a draft; a checked release must be reopened first.
        ReleaseBusy: A worker is checking it.
        ClientKeyReused, NotFound, OperationNotAllowed.
    """
    release, decision = _lock("release_update", actor, release_id, client_key)
    if decision.is_repeat():
        return release
    _require_idle(release)
    advance(release, "update", table=states.TABLE)
    settings = {"seed": seed, "splits_from": splits_from, "notes": notes}
    changed = {name: value for name, value in settings.items() if value not in (None, getattr(release, name))}
    for name, value in changed.items():
        setattr(release, name, value)
    release.save(update_fields=list(changed))
    ReleaseOutlook.objects.filter(release=release).delete()
    # The log contains no text that people wrote, only that it was changed.
    data = {name: value for name, value in changed.items() if name != "notes"}
    decision.record(**data, changed=sorted(changed))
    return release


@transaction.atomic
def check_release(*, actor: Person, release_id: int, client_key: UUID) -> Release:
    """Mark a draft as ready to freeze if it passes every gate of the benchmark's current protocol.

    Of a draft of many items a job does it (:func:`annotation.releases.services.check`): it stays a draft until then,
    and its page shows which gates failed. A second request while the job is open changes nothing.

    Raises:
        GatesFailed: ``params.gates`` lists the failures; the release stays a draft.
        ActionNotAllowed: It is not a draft.
        ReleaseKindNotInProtocol: The benchmark's protocol does not use one of its kinds any more.
        UnknownEntry: The protocol names an unknown format.
        ClientKeyReused, NotFound, OperationNotAllowed.
    """
    release, decision = _lock("release_check", actor, release_id, client_key)
    if decision.is_repeat() or queries.is_in_work(release):
        return release
    if release.state not in states.TABLE["check"].sources:
        raise ActionNotAllowed(action="check", state=release.state)
    for own in queries.kinds_of(release):
        if own.kind not in release.protocol.content.get("kinds", {}):
            raise ReleaseKindNotInProtocol(kind=own.kind)
    _require_formats(release)
    if queries.is_large(release):  # the worker moves it
        job = enqueue(CHECK, release, actor_id=actor.pk)
        release.save(update_fields=["job_id"])
        decision.record(job=job.pk)
        return release
    _require_gates(release)
    advance(release, "check", table=states.TABLE)
    release.checked_at = timezone.now()
    release.save(update_fields=["state", "checked_at", "protocol"])
    decision.record()
    return release


@transaction.atomic
def reopen_release(*, actor: Person, release_id: int, client_key: UUID) -> Release:
    """Make a checked release a draft again.

    Raises:
        ActionNotAllowed: It is not checked.
        ReleaseBusy: A worker is freezing it.
        ClientKeyReused, NotFound, OperationNotAllowed.
    """
    release, decision = _lock("release_reopen", actor, release_id, client_key)
    if decision.is_repeat():
        return release
    _require_idle(release)
    advance(release, "reopen", table=states.TABLE)
    release.checked_at = None
    release.save(update_fields=["state", "checked_at"])
    decision.record()
    return release


@transaction.atomic
def freeze_release(*, actor: Person, release_id: int, client_key: UUID) -> Release:
    """Start the job that freezes a checked release (:func:`annotation.releases.services.freeze`).

    The gates are checked here too, so that failures since the check are reported at once, except of a release of many
    items; the worker checks them again in the state of the database that it freezes. A second request while the job is
    open changes nothing.

    Raises:
        GatesFailed: ``params.gates`` lists the failures; the release stays checked.
        ActionNotAllowed: It is not checked.
        UnknownEntry: The protocol names an unknown format.
        ClientKeyReused, NotFound, OperationNotAllowed.
    """
    release, decision = _lock("release_freeze", actor, release_id, client_key)
    if decision.is_repeat() or queries.is_in_work(release):
        return release
    if release.state not in states.TABLE["freeze"].sources:  # the worker moves it
        raise ActionNotAllowed(action="freeze", state=release.state)
    _require_formats(release)
    if not queries.is_large(release):
        _require_gates(release)
    job = enqueue(FREEZE, release, actor_id=actor.pk)
    release.save(update_fields=["job_id"])
    decision.record(job=job.pk)
    return release


@transaction.atomic
def write_release(*, actor: Person, release_id: int, client_key: UUID) -> Release:
    """Start the job that writes a frozen release's files again; an open job continues.

    Raises:
        ActionNotAllowed: It is not frozen or published.
        ClientKeyReused, NotFound, OperationNotAllowed.
    """
    release, decision = _lock("release_write", actor, release_id, client_key)
    if decision.is_repeat():
        return release
    advance(release, "write", table=states.TABLE)
    job = enqueue(WRITE_FILES, release, actor_id=actor.pk)
    release.save(update_fields=["job_id"])
    decision.record(job=job.pk)
    return release


@transaction.atomic
def publish_release(*, actor: Person, release_id: int, client_key: UUID) -> Release:
    """Publish a frozen release whose files are all written.

    Raises:
        ReleaseNotWritten: ``params.missing`` names the files that are not written yet.
        ActionNotAllowed: It is not frozen, or is published already.
        ClientKeyReused, NotFound, OperationNotAllowed.
    """
    release, decision = _lock("release_publish", actor, release_id, client_key)
    if decision.is_repeat():
        return release
    advance(release, "publish", table=states.TABLE)
    missing = queries.missing_files(release)
    if missing or queries.has_open_job(release):
        raise ReleaseNotWritten(missing=missing)
    release.published_at = timezone.now()
    release.save(update_fields=["state", "published_at"])
    decision.record(digest=release.digest)
    return release


@transaction.atomic
def withdraw_release(*, actor: Person, release_id: int, reason: str, client_key: UUID) -> Release:
    """Withdraw a release in any state: its rows remain, its files can no longer be downloaded.

    Its pictures keep their splits: a later release never trains with pictures that this one tests with.

    Raises:
        ActionNotAllowed: It is withdrawn already.
        ReleaseBusy: A worker is checking or freezing it.
        ClientKeyReused, NotFound, OperationNotAllowed.
    """
    release, decision = _lock("release_withdraw", actor, release_id, client_key)
    if decision.is_repeat():
        return release
    _require_idle(release)
    advance(release, "withdraw", table=states.TABLE)
    release.withdrawn_at, release.withdrawn_reason = timezone.now(), reason
    release.save(update_fields=["state", "withdrawn_at", "withdrawn_reason"])
    decision.record()
    return release


def _lock(operation: str, actor: Person, release_id: int, client_key: UUID) -> tuple[Release, Decision]:
    release = access.lock_release_for(actor, release_id, operation)
    return release, Decision(actor_id=actor.pk, action=operation, row=release, client_key=client_key)


def _require_idle(release: Release) -> None:
    if queries.is_in_work(release):
        raise ReleaseBusy(label=release.label)


def _require_formats(release: Release) -> None:
    registry.selected_exporters(queries.settings_of(release.protocol_id).exporters)


def _require_gates(release: Release) -> None:
    if failures := queries.current_failures(release):
        raise GatesFailed(count=len(failures), gates=[queries.gate_row(release, failure) for failure in failures])
