"""How a worker freezes a release: it fixes the content in one transaction."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from django.db import connection, transaction
from django.utils import timezone
from psycopg.types.json import Jsonb

from annotation.releases import queries, rules, states
from annotation.releases.errors import GatesFailed
from annotation.releases.models import Release, ReleaseEntry, ReleaseImage, ReleaseKind
from annotation.releases.rules import KindSnapshot, Settings, Snapshot
from annotation.releases.services.checking import keep_outlook
from annotation.releases.services.writing import WRITE_FILES, enqueue
from curation.benchmarks.models import Benchmark
from curation.core import jobs
from curation.core.decisions import Decision
from curation.core.transitions import advance

FREEZE: Final = "annotation.freeze_release"

_PICTURES: Final = f"copy {ReleaseImage._meta.db_table} (release_id, image_id, split) from stdin"
_ENTRIES: Final = (
    f"copy {ReleaseEntry._meta.db_table} "
    "(release_id, item_id, kind, revision_no, image_id, rendition_id, split, ordinal, record) from stdin"
)


def freeze(lease: jobs.Lease) -> None:
    """Freeze a checked release and enqueue the job that writes its files; does nothing if it is frozen already.

    Accepted items are read in one statement; gates, splits and entries all follow from that one state of the
    database, whatever people do during that time. The benchmark is locked, so that two releases frozen at the same time
    cannot give one picture two splits. The failed gates of a release of many items are kept for its page.

    Raises:
        GatesFailed: A gate has failed since the release was checked; the release stays checked.
        ActionNotAllowed: It is no longer checked.
    """
    rows = Release.objects.select_related("benchmark", "protocol")
    try:
        with transaction.atomic():
            benchmark_id = Release.objects.values_list("benchmark_id", flat=True).get(pk=lease.args["release_id"])
            Benchmark.objects.select_for_update(of=("self",), no_key=True).get(pk=benchmark_id)
            release = rows.select_for_update(of=("self",), no_key=True).get(pk=lease.args["release_id"])
            if release.frozen_at is None:
                _freeze(release, lease)
    except GatesFailed:
        release = rows.get(pk=lease.args["release_id"])
        if queries.is_large(release):
            keep_outlook(release, queries.outlook(release))
        raise


def _freeze(release: Release, lease: jobs.Lease) -> None:
    decision = Decision(actor_id=lease.job.actor_id, action="release_freeze", row=release, client_key=None)
    advance(release, "freeze", table=states.TABLE)
    settings = queries.settings_of(release.protocol_id)
    queries.lock_pictures(release)
    snapshot = queries.snapshot_of(release)
    splits = snapshot.splits(settings, release.seed)
    if failures := rules.gate_failures(snapshot, settings, splits):
        raise GatesFailed(count=len(failures), gates=[queries.gate_row(release, failure) for failure in failures])
    kinds = queries.kinds_of(release)
    for own in kinds:
        own.previous = queries.newest_frozen(release, own.kind)
        own.option_seed = queries.inherited_option_seed(release, own.kind)
    release.digest = _insert_rows(release, kinds, snapshot, settings, splits)
    _save_kinds(release, kinds, snapshot)
    release.left_out = snapshot.left_out()
    release.changes = queries.total_changes(kinds)
    release.split_counts = queries.count_splits(release)
    release.corrected = queries.corrected_errata(release, kinds)
    release.event_id, release.frozen_at = snapshot.event_id, timezone.now()
    enqueue(WRITE_FILES, release, actor_id=lease.job.actor_id)
    release.save(
        update_fields=[
            "state",
            "digest",
            "event_id",
            "frozen_at",
            "job_id",
            "left_out",
            "changes",
            "split_counts",
            "corrected",
        ]
    )
    items = sum(len(own.candidates) for own in snapshot.kinds)
    decision.record(images=len(splits), items=items, digest=release.digest, left_out=release.left_out)
    lease.progress(items, items)
    transaction.on_commit(lambda: jobs.send("evaluation.sweep_predictions"))


def _save_kinds(release: Release, kinds: Sequence[ReleaseKind], snapshot: Snapshot) -> None:
    """Save what the release holds of each kind."""
    for own, now in zip(kinds, snapshot.kinds, strict=True):
        own.left_out = now.left_out()
        own.changes = queries.count_changes(own)
        own.split_counts = queries.count_splits(release, own.kind)
        own.blind_trials = queries.blind_trials_of(release, own.kind)
        own.save(
            update_fields=[
                "previous",
                "option_seed",
                "digest",
                "left_out",
                "changes",
                "split_counts",
                "blind_trials",
            ]
        )


def _insert_rows(
    release: Release,
    kinds: Sequence[ReleaseKind],
    snapshot: Snapshot,
    settings: Settings,
    splits: Mapping[int, str],
) -> str:
    """Insert pictures and entries kind by kind, in the order of the splits; return the digest of all records.

    ``COPY`` takes a fraction of the time of inserts; triggers and constraints apply to it as well.
    """
    digest, first = hashlib.sha256(), 1
    with connection.cursor() as cursor:
        with cursor.copy(_PICTURES) as copy:
            for picture in snapshot.pictures():
                copy.write_row((release.pk, picture.id, splits[picture.number]))
        for own, now in zip(kinds, snapshot.kinds, strict=True):
            own_digest = hashlib.sha256()
            for batch in _batches(release, snapshot, now, settings, splits, first, own.option_seed or 0):
                with cursor.copy(_ENTRIES) as copy:
                    for row, line in batch:
                        copy.write_row(row)
                        digest.update(line)
                        own_digest.update(line)
            own.digest = own_digest.hexdigest()
            first += len(now.candidates)
    return digest.hexdigest()


def _batches(
    release: Release,
    snapshot: Snapshot,
    now: KindSnapshot,
    settings: Settings,
    splits: Mapping[int, str],
    first: int,
    seed: int,
) -> Iterator[list[tuple[tuple[Any, ...], bytes]]]:
    """Yield the rows of a kind's entries, :data:`queries.BATCH` at a time, each with its record as digests have it.

    Args:
        release: The release.
        snapshot: What it holds.
        now: What it holds of the kind.
        settings: Its protocol's settings.
        splits: Number of a picture → its split.
        first: The ordinal of the kind's first entry.
        seed: The kind's seed.
    """
    rank = {name: i for i, name in enumerate(settings.shares)}
    # The sort is stable: within a split the candidates stay ordered by picture.
    candidates = sorted(now.candidates, key=lambda c: rank[splits[c.picture.number]])
    make = queries.record_maker(release.protocol, now.kind, snapshot.distances)
    scored = {c.item_id for c in candidates if splits[c.picture.number] in rules.scored_splits(settings.withheld)}
    more = queries.further_fields(now.kind, candidates, seed=seed, scored=scored)
    for start in range(0, len(candidates), queries.BATCH):
        batch = candidates[start : start + queries.BATCH]
        contents = queries.contents(batch)
        rows = []
        for ordinal, c in enumerate(batch, first + start):
            p, split = c.picture, splits[c.picture.number]
            record = make(c, contents[c.item_id], split, more.get(c.item_id, {}))
            entry = (release.pk, c.item_id, now.kind, c.revision_no, p.id, p.rendition_id, split, ordinal)
            rows.append(((*entry, Jsonb(record)), rules.canonical(record)))
        yield rows
