"""What admins do with releases: draft and freeze them."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from uuid import UUID

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from annotation.kinds.registry import KINDS
from annotation.releases import access, queries, rules, states
from annotation.releases.errors import GatesFailed, ReleaseHasNoProtocol
from annotation.releases.exporters import registry
from annotation.releases.models import Release, ReleaseEntry, ReleaseImage
from annotation.releases.rules import Settings, Snapshot
from annotation.releases.services.writing import WRITE_FILES
from curation.benchmarks.models import Benchmark
from curation.core import audit, jobs
from curation.core.errors import ClientKeyReused
from curation.core.transitions import advance
from curation.people.access import benchmark_for
from curation.people.models import Person


@transaction.atomic
def create_release(*, actor: Person, benchmark_slug: str, kind: str, seed: int | None, client_key: UUID) -> Release:
    """Start a release: a number, a kind, a seed. It holds nothing yet; what it would hold can be looked at.

    The seed decides the splits; None has one drawn.

    Raises:
        ReleaseHasNoProtocol: The benchmark does not use the kind.
        ClientKeyReused, NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(actor, benchmark_slug, "release_create")
    protocol = benchmark.protocol
    if protocol is None or kind not in KINDS or kind not in protocol.content.get("kinds", {}):
        raise ReleaseHasNoProtocol(kind=kind)
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
    )
    audit.record(
        action="release_create",
        target_type="release",
        target_id=release.pk,
        label=release.label,
        actor_id=actor.pk,
        benchmark_id=benchmark.pk,
        state_to=release.state,
        data={"number": release.number, "kind": kind, "seed": release.seed},
        client_key=client_key,
    )
    return release


@transaction.atomic
def freeze_release(*, actor: Person, release_id: int, client_key: UUID) -> Release:
    """Fix a draft's content for good and have its files written.

    What is accepted is read in one statement; gates, splits and entries all follow from that one state of the
    database, whatever people do meanwhile.

    Raises:
        GatesFailed: ``params.gates`` names everything that does not hold; nothing was changed.
        ActionNotAllowed: It is no draft any more.
        UnknownEntry: The protocol asks for a format that does not exist.
        ClientKeyReused, NotFound, OperationNotAllowed.
    """
    release = access.lock_release_for(actor, release_id, "release_freeze")
    if audit.already_done(actor_id=actor.pk, client_key=client_key, action="release_freeze", target_id=release.pk):
        return release
    left = advance(release, "freeze", table=states.TABLE)
    settings = queries.settings_of(release.protocol_id)
    registry.chosen(settings.exporters)
    snapshot = queries.snapshot(release.benchmark_id, release.kind)
    splits = snapshot.splits(settings.shares, release.seed)
    if gates := rules.failures(snapshot, settings, splits):
        raise GatesFailed(count=len(gates), gates=[queries.gate_row(release, gate) for gate in gates])
    release.digest = _insert_rows(release, snapshot, settings, splits)
    release.event_id, release.frozen_at = snapshot.event_id, timezone.now()
    job = jobs.enqueue(
        task=WRITE_FILES,
        args={"release_id": release.pk},
        dedupe_key=f"{WRITE_FILES}:{release.pk}",
        benchmark_id=release.benchmark_id,
        actor_id=actor.pk,
    )
    release.job_id = job.pk
    release.save(update_fields=["state", "digest", "event_id", "frozen_at", "job_id"])
    audit.record(
        action="release_freeze",
        target_type="release",
        target_id=release.pk,
        label=release.label,
        actor_id=actor.pk,
        benchmark_id=release.benchmark_id,
        state_from=left,
        state_to=release.state,
        data={"images": len(splits), "items": len(snapshot.candidates), "digest": release.digest},
        client_key=client_key,
    )
    transaction.on_commit(lambda: jobs.send("evaluation.sweep_scores"))
    return release


def _insert_rows(release: Release, snapshot: Snapshot, settings: Settings, splits: Mapping[int, str]) -> str:
    """Insert pictures and entries in the order of the splits; return the digest of the records."""
    place = {name: i for i, name in enumerate(settings.shares)}
    pictures = [ReleaseImage(release=release, image_id=p.id, split=splits[p.number]) for p in snapshot.pictures()]
    ReleaseImage.objects.bulk_create(pictures, batch_size=5_000)
    ordered = sorted(snapshot.candidates, key=lambda c: place[splits[c.picture.number]])  # stable: by picture within
    digest = hashlib.sha256()
    version = release.protocol.version
    for start in range(0, len(ordered), queries.BATCH):
        some = ordered[start : start + queries.BATCH]
        contents = queries.contents(some)
        entries = []
        for ordinal, c in enumerate(some, start + 1):
            split = splits[c.picture.number]
            content = contents[c.item_id]
            record = rules.record(c, content, kind=release.kind, split=split, protocol_version=version)
            digest.update(rules.canonical(record))
            entries.append(
                ReleaseEntry(
                    release=release,
                    item_id=c.item_id,
                    revision_no=c.revision_no,
                    image_id=c.picture.id,
                    rendition_id=c.picture.rendition_id,
                    split=split,
                    ordinal=ordinal,
                    record=record,
                )
            )
        ReleaseEntry.objects.bulk_create(entries)
    return digest.hexdigest()
