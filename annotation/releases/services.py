"""What admins do with releases: draft, freeze; and what a worker does afterwards: write the files."""

from __future__ import annotations

import hashlib
import os
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Final
from uuid import UUID

from django.conf import settings as site
from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from annotation.kinds.registry import KINDS
from annotation.releases import access, queries, rules, states
from annotation.releases.errors import (
    GatesFailed,
    ReleaseContentDiffers,
    ReleaseFileDiffers,
    ReleaseFileGone,
    ReleaseHasNoProtocol,
    ReleasePictureDamaged,
)
from annotation.releases.exporters import registry
from annotation.releases.exporters.base import Exporter, Facts, Split
from annotation.releases.models import Release, ReleaseEntry, ReleaseFile, ReleaseImage
from annotation.releases.rules import Settings, Snapshot
from curation.benchmarks.models import Benchmark
from curation.core import audit, files, jobs
from curation.core.errors import ClientKeyReused
from curation.core.transitions import advance
from curation.people.access import benchmark_for
from curation.people.models import Person

WRITE_FILES: Final = "annotation.write_release_files"
_REPORT_EVERY: Final = 1.0  # seconds between progress reports


# --- drafting and freezing --------------------------------------------------------------------------------------------


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


# --- files ------------------------------------------------------------------------------------------------------------


def open_file(*, actor: Person, release_id: int, name: str) -> tuple[ReleaseFile, BinaryIO]:
    """Open a written file for download; the caller closes it.

    Raises:
        ReleaseFileGone: Somebody removed it from the store.
        NotFound, OperationNotAllowed.
    """
    file = access.file_for(actor, release_id, name, "release_file")
    try:
        return file, (folder_of(release_id) / file.name).open("rb")
    except FileNotFoundError:
        raise ReleaseFileGone(name=name) from None


def folder_of(release_id: int) -> Path:
    """Where a release's files lie."""
    return Path(site.MEDIA_ROOT) / "releases" / str(release_id)


class _Stored:
    """A frozen release's data as exporters see it, with progress reported to the job while it is read."""

    def __init__(self, facts: Facts, release_id: int, lease: jobs.Lease) -> None:
        self.facts = facts
        self._release_id = release_id
        self._lease = lease
        self._sums: dict[str, str] = {}
        self._reported = 0.0
        self.done = 0
        self.total = 0

    def records(self, splits: Sequence[str]) -> Iterator[dict[str, Any]]:
        """See :class:`annotation.releases.exporters.base.Content`."""
        for record, _ in self._read(splits):
            yield record

    def with_pictures(self, splits: Sequence[str]) -> Iterator[tuple[dict[str, Any], bytes]]:
        """See :class:`annotation.releases.exporters.base.Content`."""
        for record, key in self._read(splits):
            try:
                picture = (Path(site.MEDIA_ROOT) / key).read_bytes()
            except FileNotFoundError:
                picture = b""
            if hashlib.sha256(picture).hexdigest() != record["image_sha256"]:
                raise ReleasePictureDamaged(label=record["label"])
            yield record, picture

    def written(self) -> Mapping[str, str]:
        """See :class:`annotation.releases.exporters.base.Content`."""
        return dict(self._sums)

    def add_sum(self, name: str, sha256: str) -> None:
        """Note a finished file."""
        self._sums[name] = sha256

    def report(self) -> None:
        """Renew the lease; raises ``LeaseLost`` when another worker took over."""
        self._reported = time.monotonic()
        self._lease.progress(self.done, self.total)

    def _read(self, splits: Sequence[str]) -> Iterator[tuple[dict[str, Any], str]]:
        for record, key in queries.records(self._release_id, splits):
            yield record, key
            self.done += 1
            if time.monotonic() - self._reported > _REPORT_EVERY:
                self.report()


def write_files(lease: jobs.Lease) -> None:
    """Write every file of a frozen release; safe to run twice, since equal content gives equal bytes.

    A file appears whole or not at all: written under another name, flushed to the disk, then renamed. Files that are
    there already are compared with their published sha256 and left alone.

    Raises:
        ReleasePictureDamaged, ReleaseContentDiffers, ReleaseFileDiffers: The store or the database was tampered with.
    """
    release = Release.objects.select_related("benchmark", "protocol").get(pk=lease.args["release_id"])
    facts = _facts_of(release)
    content = _Stored(facts, release.pk, lease)
    exporters = registry.chosen(queries.settings_of(release.protocol_id).exporters)
    work = [(exporter, name, splits) for exporter in exporters for name, splits in exporter.files(facts).items()]
    items = {split.name: split.items for split in facts.splits}
    content.total = sum(items.values()) + sum(items[s] for _, _, splits in work for s in splits)
    content.report()
    _check_digest(release, content)
    folder = folder_of(release.pk)
    folder.mkdir(parents=True, exist_ok=True)
    known = dict(ReleaseFile.objects.filter(release=release).values_list("name", "sha256"))
    for exporter, name, splits in work:
        sha256 = _sha256(folder / name)
        if sha256 is not None and sha256 == known.get(name):
            content.done += sum(items[s] for s in splits)
        else:
            sha256 = _write_one(folder, name, exporter, content, known.get(name))
            row = ReleaseFile(release=release, name=name, bytes=(folder / name).stat().st_size, sha256=sha256)
            ReleaseFile.objects.bulk_create([row], ignore_conflicts=True)
        content.add_sum(name, sha256)
        content.report()


def _check_digest(release: Release, content: _Stored) -> None:
    digest = hashlib.sha256()
    for record in content.records(content.facts.split_names):
        digest.update(rules.canonical(record))
    if digest.hexdigest() != release.digest:
        raise ReleaseContentDiffers(now=digest.hexdigest(), frozen=release.digest)


def _write_one(folder: Path, name: str, exporter: Exporter, content: _Stored, published: str | None) -> str:
    """Write a file, put it in its place and return its sha256."""
    part = folder / f".{name}.{secrets.token_hex(4)}.part"  # two workers may be at it when a lease ran out
    try:
        with part.open("wb") as out:
            exporter.write(name, content, out)
            out.flush()
            os.fsync(out.fileno())
        sha256 = _sha256(part)
        if sha256 is None or published not in (None, sha256):
            raise ReleaseFileDiffers(name=name, now=sha256, published=published)
        files.publish(part, folder / name)
    finally:
        part.unlink(missing_ok=True)
    return sha256


def _sha256(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return None


def _facts_of(release: Release) -> Facts:
    """Everything about a release as a whole; the same at every call, for only frozen rows are read."""
    if release.frozen_at is None or release.event_id is None:
        raise ValueError(f"release {release.pk} is not frozen")
    protocol = release.protocol
    settings = queries.settings_of(release.protocol_id)
    images, items = queries.split_counts(release)
    return Facts(
        label=release.label,
        kind=release.kind,
        slug=release.benchmark.slug,
        title=release.benchmark.title,
        language=protocol.content.get("languages", {}).get("content", "und"),
        licence=settings.licence,
        protocol_name=protocol.name,
        protocol_version=protocol.version,
        protocol_sha256=protocol.source_sha256,
        seed=release.seed,
        digest=release.digest,
        event_id=release.event_id,
        frozen_at=release.frozen_at,
        splits=[Split(name, percent, images[name], items[name]) for name, percent in settings.shares.items()],
        licences=queries.licence_counts(release),
    )
