"""How a worker writes the files of a frozen release, and where downloads find them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from django.conf import settings as site

from annotation.releases import access, queries
from annotation.releases.errors import ReleaseFileCovered, ReleaseFileDiffers, ReleaseFileGone
from annotation.releases.exporters import registry
from annotation.releases.exporters.base import File, Whole, Written
from annotation.releases.exporters.parts import Part, PartHeld
from annotation.releases.models import Release, ReleaseFile
from annotation.releases.services.content import StoredContent
from annotation.releases.services.destroying import destroy_if_covered, folder_of
from curation.core import jobs
from curation.core.models import Job
from curation.core.stores import store
from curation.core.stores.space import disk_full_as_error, require_space
from curation.images.services import record_exposure_to_all
from curation.people.models import Person

WRITE_FILES: Final = "annotation.write_release_files"
# Seconds to wait for a worker whose lease expired to notice it and release a part; it reports every second.
PART_LOCK_TIMEOUT: Final = 30.0
_PART_LOCK_POLL: Final = 0.2  # seconds


def file_to_send(*, actor: Person, release_id: int, name: str) -> tuple[ReleaseFile, str]:
    """A written file without withheld answers and its key in the store, for download.

    Raises:
        ReleaseFileGone: The store no longer has it.
        ReleaseFileCovered: It has pictures inside, and something in one was covered since.
        NotFound: Also where it has pictures inside, and the actor is asking about one of them.
        OperationNotAllowed, ReleaseWithdrawn, StorageUnavailable.
    """
    file = access.file_for(actor, release_id, name, "release_file", is_key=False)
    if registry.holds_pictures(file.name):
        _require_as_frozen(file.release)
        record_pictures_sent(actor, file.release)
    return _with_key(file)


def archive_to_send(*, actor: Person, release_id: int) -> queries.ArchiveToSend:
    """The archive of a release, for download.

    Raises:
        NotFound: Also where the actor is asking about one of its pictures.
        ReleaseFileCovered: Something in one of its pictures was covered since.
        ReleaseNotWritten, OperationNotAllowed, ReleaseWithdrawn, ReleaseFileGone, StorageUnavailable.
    """
    archive = queries.archive_to_send(actor, release_id)
    _require_as_frozen(archive.release)
    record_pictures_sent(actor, archive.release)
    return archive


def _require_as_frozen(release: Release) -> None:
    if queries.covered_pictures(release):
        raise ReleaseFileCovered(label=release.label)


def record_pictures_sent(person: Person, release: Release) -> None:
    """Record that a person is sent all pictures of a release.

    Raises:
        NotFound: They are asking about one of them.
    """
    record_exposure_to_all(person, release.benchmark, queries.newest_image_id(release))


def key_file_to_send(*, actor: Person, release_id: int, name: str) -> tuple[ReleaseFile, str]:
    """As :func:`file_to_send`, for a file with withheld answers."""
    return _with_key(access.file_for(actor, release_id, name, "release_key", is_key=True))


def _with_key(file: ReleaseFile) -> tuple[ReleaseFile, str]:
    key = queries.key_of(file.release_id, file.name)
    if not store().exists(key):
        raise ReleaseFileGone(name=file.name)
    return file, key


def enqueue(task: str, release: Release, *, actor_id: int | None) -> Job:
    """Enqueue a job of a release and set ``job_id``, which the caller saves; an open job of the task is returned."""
    job = jobs.enqueue(
        task=task,
        args={"release_id": release.pk},
        dedupe_key=f"{task}:{release.pk}",
        benchmark_id=release.benchmark_id,
        actor_id=actor_id,
    )
    release.job_id = job.pk
    return job


def write_files(lease: jobs.Lease) -> None:
    """Write every file of a frozen release; safe to run twice, because equal content gives equal bytes.

    A file is published complete or not at all. An unfinished file is resumed; an existing file is compared with its
    published sha256 and kept.

    Raises:
        StorageFull: There is too little space; unfinished files stay, and the job waits.
        ReleaseFileCovered: Something in a picture was covered since it was frozen; no file with pictures is left.
        ReleasePictureDamaged, ReleaseContentDiffers, ReleaseFileDiffers: The store or the database was tampered with.
    """
    rows = Release.objects.select_related("benchmark", "protocol")
    release = rows.get(pk=lease.args["release_id"])
    _require_as_frozen(release)
    content = StoredContent(release, lease)
    work = registry.work(queries.settings_of(release.protocol_id).exporters, content.whole)
    content.total = sum(job.file.steps for job in work)
    content.report()
    records_size = content.verify_records()
    folder = folder_of(release.pk)
    published = dict(ReleaseFile.objects.filter(release=release).values_list("name", "sha256"))
    existing = {job.file.name: _existing(release.pk, job.file, published.get(job.file.name)) for job in work}
    needed = sum(_estimate(job, records_size, content.whole) for job in work if not existing[job.file.name])
    with disk_full_as_error():
        folder.mkdir(parents=True, exist_ok=True)
        require_space(needed - _unfinished(folder))
        for job in work:
            written = existing[job.file.name]
            if written:
                content.done += job.file.steps
            else:
                require_space()  # again: other programs write too
                written = _write(release.pk, job, content, published.get(job.file.name))
                _save_row(release, job, written)
                if destroy_if_covered(release, job.file.name):
                    raise ReleaseFileCovered(label=release.label)
            content.add(job.file.name, written)
            content.report()


def _save_row(release: Release, job: registry.Job, written: Written) -> None:
    row = ReleaseFile(
        release=release,
        name=job.file.name,
        format=job.format,
        kind=job.file.kind,
        is_key=written.is_key,
        bytes=written.bytes,
        sha256=written.sha256,
    )
    ReleaseFile.objects.bulk_create([row], ignore_conflicts=True)


def _write(release_id: int, job: registry.Job, content: StoredContent, published: str | None) -> Written:
    """Write a file, or the rest of an unfinished one, and put it in the store.

    Raises:
        ReleaseFileDiffers: It was published with another sha256.
    """
    before = content.done
    with _locked_part(folder_of(release_id), job, content) as part:
        content.done += part.done
        job.exporter.write(job.file, content, part)
        sha256 = part.sha256()
        if published not in (None, sha256):
            part.discard()
            raise ReleaseFileDiffers(name=job.file.name, now=sha256, published=published)
        key = queries.key_of(release_id, job.file.name)
        # Whatever has this key is damaged or was never published, so it may be replaced.
        size = part.publish(lambda path: store().replace(key, path, sha256))
    content.done = before + job.file.steps
    return Written(sha256, size, job.file.is_key)


@contextmanager
def _locked_part(folder: Path, job: registry.Job, content: StoredContent) -> Iterator[Part]:
    """Open the unfinished file; wait while another process holds it.

    Raises:
        PartHeld: Another process still holds it after :data:`PART_LOCK_TIMEOUT`.
    """
    identity = f"{site.BUILD} {content.whole.about.label} {content.whole.digest}"
    deadline = time.monotonic() + PART_LOCK_TIMEOUT
    with ExitStack() as stack:
        while True:
            try:
                part = stack.enter_context(Part(folder / job.file.name, steps=job.file.steps, identity=identity))
                break
            except PartHeld:
                if time.monotonic() > deadline:
                    raise
                content.report()
                time.sleep(_PART_LOCK_POLL)
        yield part


def _existing(release_id: int, file: File, published: str | None) -> Written | None:
    """A published file whose stored bytes have the published sha256; None if it has to be written."""
    if published is None:
        return None
    key = queries.key_of(release_id, file.name)
    try:
        sha256, size = store().sha256(key), store().size(key)
    except FileNotFoundError:
        return None
    return Written(sha256, size, file.is_key) if sha256 == published else None


# --- Space on the disk ------------------------------------------------------------------------------------------------


def _estimate(job: registry.Job, records_size: int, whole: Whole) -> int:
    """Estimate the size of a file in bytes: its pictures, and as much text as its records have."""
    text = job.file.line * len(whole.rows) or records_size
    return job.file.pictures + text * len(job.file.rows) // max(1, len(whole.rows))


def _unfinished(folder: Path) -> int:
    """Bytes of the unfinished files in a folder."""
    return sum(path.stat().st_size for path in folder.glob(".*.part"))
