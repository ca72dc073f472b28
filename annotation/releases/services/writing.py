"""What a worker does with a frozen release: write its files; and how people get at them."""

from __future__ import annotations

import errno
import hashlib
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, Final

from django.conf import settings as site
from django.db import transaction

from annotation.kinds.registry import KINDS
from annotation.releases import access, queries, rules
from annotation.releases.errors import (
    DiskFull,
    ReleaseContentDiffers,
    ReleaseFileDiffers,
    ReleaseFileGone,
    ReleasePictureDamaged,
)
from annotation.releases.exporters import registry
from annotation.releases.exporters.base import Facts, File, Written
from annotation.releases.exporters.parts import Part, PartHeld
from annotation.releases.models import Release, ReleaseFile
from curation.core import jobs
from curation.core.models import Job
from curation.core.stores import store
from curation.people.models import Person

WRITE_FILES: Final = "annotation.write_release_files"
_REPORT_EVERY: Final = 1.0  # seconds between progress reports
# Seconds for somebody whose lease ran out to notice and let go of a file; they look every ``_REPORT_EVERY``.
_LETS_GO: Final = 30.0
_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT})


def file_to_send(*, actor: Person, release_id: int, name: str) -> tuple[ReleaseFile, str]:
    """A written file and its key in the store, for download.

    Raises:
        ReleaseFileGone: Somebody removed it from the store.
        NotFound, OperationNotAllowed, ReleaseWithdrawn, StorageUnavailable.
    """
    file = access.file_for(actor, release_id, name, "release_file")
    key = key_of(release_id, file.name)
    if not store().exists(key):
        raise ReleaseFileGone(name=name)
    return file, key


def key_of(release_id: int, name: str) -> str:
    """A release file's place in the store."""
    return f"releases/{release_id}/{name}"


def folder_of(release_id: int) -> Path:
    """Where a release's files are written until they are whole."""
    return Path(site.MEDIA_ROOT) / "releases" / str(release_id)


class _Stored:
    """A frozen release's data as exporters see it, with progress reported to the job while it is read."""

    def __init__(self, release: Release, lease: jobs.Lease) -> None:
        self.facts: Facts = queries.facts_of(release)
        self._release = release
        self._kind = KINDS[release.kind]
        self._withheld = {split.name for split in self.facts.splits if split.withheld}
        self._lease = lease
        self._written: dict[str, Written] = {}
        self._reported = 0.0
        self.done = 0
        self.total = 0

    def records(self, rows: range) -> Iterator[dict[str, Any]]:
        """See :class:`annotation.releases.exporters.base.Content`."""
        for record, _ in self._read(rows):
            yield self._public(record)

    def with_pictures(self, rows: range) -> Iterator[tuple[dict[str, Any], bytes]]:
        """See :class:`annotation.releases.exporters.base.Content`."""
        for record, picture in store().read_many(self._read(rows)):
            if hashlib.sha256(picture or b"").hexdigest() != record["image_sha256"]:
                raise ReleasePictureDamaged(label=record["label"])
            yield self._public(record), picture or b""

    def keys(self, rows: range) -> Iterator[dict[str, Any]]:
        """See :class:`annotation.releases.exporters.base.Content`."""
        for record, _ in self._read(rows):
            _, answers = self._kind.withhold(record)
            yield {name: record[name] for name in ("item", "revision", "image", "split")} | answers

    def changes(self, rows: range) -> Iterator[dict[str, Any]]:
        """See :class:`annotation.releases.exporters.base.Content`."""
        for change in islice(queries.changes_of(self._release), rows.start, rows.stop):
            told = {name: change[name] for name in ("change", "revision", "previous_revision")}
            now, before = change["record"], change["previous_record"]
            fields = sorted(name for name in now if now[name] != before.get(name)) if now and before else []
            yield told | {"item": change["label"], "image": (now or before)["label"], "fields": fields}
            self._step()

    def written(self) -> Mapping[str, Written]:
        """See :class:`annotation.releases.exporters.base.Content`."""
        return dict(self._written)

    def add(self, name: str, written: Written) -> None:
        """Note a finished file."""
        self._written[name] = written

    def bytes_of_records(self) -> int:
        """Compare all records with the release's digest; return their size. No part of the progress.

        Raises:
            ReleaseContentDiffers: Somebody who owns the database changed one.
        """
        digest, size = hashlib.sha256(), 0
        for record, _ in queries.records(self._release.pk, self.facts.rows):
            line = rules.canonical(record)
            digest.update(line)
            size += len(line)
            self._report_now_and_then()
        if digest.hexdigest() != self._release.digest:
            raise ReleaseContentDiffers(now=digest.hexdigest(), frozen=self._release.digest)
        return size

    def report(self) -> None:
        """Renew the lease; raises ``LeaseLost`` when another worker took over."""
        self._reported = time.monotonic()
        self._lease.progress(self.done, self.total)

    def _public(self, record: dict[str, Any]) -> dict[str, Any]:
        return self._kind.withhold(record)[0] if record["split"] in self._withheld else record

    def _read(self, rows: range) -> Iterator[tuple[dict[str, Any], str]]:
        for record, key in queries.records(self._release.pk, rows):
            yield record, key
            self._step()

    def _step(self) -> None:
        self.done += 1
        self._report_now_and_then()

    def _report_now_and_then(self) -> None:
        if time.monotonic() - self._reported > _REPORT_EVERY:
            self.report()


def write_files(lease: jobs.Lease) -> None:
    """Write every file of a frozen release; safe to run twice, since equal content gives equal bytes.

    A file appears whole or not at all. One that was begun is gone on with, and one that is there already is compared
    with its published sha256 and left alone.

    Raises:
        DiskFull: There is no room; what was begun stays, and :func:`go_on_with_full` starts again.
        ReleasePictureDamaged, ReleaseContentDiffers, ReleaseFileDiffers: The store or the database was tampered with.
    """
    rows = Release.objects.select_related("benchmark", "protocol", "previous")
    release = rows.get(pk=lease.args["release_id"])
    content = _Stored(release, lease)
    work = registry.work(queries.settings_of(release.protocol_id).exporters, content.facts)
    content.total = sum(job.file.steps for job in work)
    content.report()
    of_records = content.bytes_of_records()
    folder = folder_of(release.pk)
    known = dict(ReleaseFile.objects.filter(release=release).values_list("name", "sha256"))
    there = {job.file.name: _there(release.pk, job.file, known.get(job.file.name)) for job in work}
    needed = sum(_size(job, of_records, content.facts) for job in work if not there[job.file.name])
    with _full_is_said(folder, needed):
        folder.mkdir(parents=True, exist_ok=True)
        _have_room(folder, needed)
        for job in work:
            written = there[job.file.name]
            if written:
                content.done += job.file.steps
            else:
                written = _write_one(release.pk, job, content, known.get(job.file.name))
                _note(release, job, written)
            content.add(job.file.name, written)
            content.report()


def _note(release: Release, job: registry.Job, written: Written) -> None:
    row = ReleaseFile(
        release=release,
        name=job.file.name,
        format=job.format,
        is_key=written.is_key,
        bytes=written.bytes,
        sha256=written.sha256,
    )
    ReleaseFile.objects.bulk_create([row], ignore_conflicts=True)


def _write_one(release_id: int, job: registry.Job, content: _Stored, published: str | None) -> Written:
    """Write a file, or its rest, and put it in its place."""
    before = content.done
    with _part(folder_of(release_id), job, content) as part:
        content.done += part.done
        job.exporter.write(job.file, content, part)
        sha256 = part.sha256()
        if published not in (None, sha256):
            part.discard()
            raise ReleaseFileDiffers(name=job.file.name, now=sha256, published=published)
        key = key_of(release_id, job.file.name)
        # A sum that is published, or that nobody has read yet, vouches for it; what lies there otherwise is damaged.
        size = part.publish(lambda path: store().replace(key, path, sha256))
    content.done = before + job.file.steps
    return Written(sha256, size, job.file.is_key)


@contextmanager
def _part(folder: Path, job: registry.Job, content: _Stored) -> Iterator[Part]:
    """The file on its way, once nobody else holds it."""
    identity = f"{site.BUILD} {content.facts.label} {content.facts.digest}"
    until = time.monotonic() + _LETS_GO
    with ExitStack() as opened:
        while True:
            try:
                part = opened.enter_context(Part(folder / job.file.name, steps=job.file.steps, identity=identity))
                break
            except PartHeld:
                if time.monotonic() > until:
                    raise
                content.report()
                time.sleep(0.2)
        yield part


def _there(release_id: int, file: File, published: str | None) -> Written | None:
    """A file that stands in its place as it was published, read anew."""
    if published is None:
        return None
    key = key_of(release_id, file.name)
    try:
        sha256, size = store().sha256(key), store().size(key)
    except FileNotFoundError:
        return None
    return Written(sha256, size, file.is_key) if sha256 == published else None


# --- room on the disk -------------------------------------------------------------------------------------------------


def _size(job: registry.Job, of_records: int, facts: Facts) -> int:
    """About how large a file will be: its pictures, and as much text as its records have."""
    return job.file.pictures + of_records * len(job.file.rows) // max(1, len(facts.rows))


def _free(folder: Path) -> int:
    """Bytes free on the disk where a folder is or will be."""
    return shutil.disk_usage(next(path for path in (folder, *folder.parents) if path.exists())).free


def _begun(folder: Path) -> int:
    """Bytes of files on their way."""
    return sum(path.stat().st_size for path in folder.glob(".*.part"))


def _have_room(folder: Path, needed: int) -> None:
    """Refuse before the disk is full, for the database may stand on the same one."""
    free, begun = _free(folder), _begun(folder)
    if free < needed - begun:
        raise DiskFull(free=free, needed=needed - begun)


@contextmanager
def _full_is_said(folder: Path, needed: int) -> Iterator[None]:
    """Tell a full disk from other trouble: it needs room and no second try at once."""
    try:
        yield
    except OSError as error:
        if error.errno not in _FULL:
            raise
        free, begun = _free(folder), _begun(folder)
        raise DiskFull(free=free, needed=max(needed - begun, free + 1)) from error


def go_on_with_full() -> int:
    """Start those jobs again that ended for want of room, once there is enough; return how many."""
    full = Job.objects.filter(state=Job.State.FAILED, error_code=DiskFull.code)
    stuck = Release.objects.filter(
        job_id__in=full.values("pk"), state__in=[Release.State.FROZEN, Release.State.PUBLISHED]
    )
    started = 0
    for release in stuck:
        with transaction.atomic():
            locked = Release.objects.select_for_update(of=("self",), no_key=True).get(pk=release.pk)
            ended = full.filter(pk=locked.job_id or 0).first()
            if ended is None or _free(folder_of(locked.pk)) < ended.error_params["needed"]:
                continue
            job = jobs.enqueue(
                task=WRITE_FILES,
                args={"release_id": locked.pk},
                dedupe_key=f"{WRITE_FILES}:{locked.pk}",
                benchmark_id=locked.benchmark_id,
                actor_id=ended.actor_id,
            )
            locked.job_id = job.pk
            locked.save(update_fields=["job_id"])
            started += 1
    return started
