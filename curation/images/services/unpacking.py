"""Unpacking ZIP archives entry by entry: each entry becomes an upload with checks of its own.

Few entries of an archive are on the disk at once: its job ends while :data:`MOST_UNCHECKED` of them wait for their
checks, which enqueue it again. What an entry becomes is stored entry by entry, so a killed job continues where it was.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Final
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from curation.core import jobs
from curation.core.errors import DomainError
from curation.core.stores.space import require_space
from curation.images import rules
from curation.images.errors import FILE_ERRORS, BenchmarkStorageLimit, PersonStorageLimit
from curation.images.models import Upload
from curation.images.services.enqueuing import (
    MOST_UNCHECKED,
    RESUME_AT,
    count_unchecked,
    enqueue_check,
    lock_archive,
    waiting_checks,
)
from curation.images.services.limits import lock_limits, require_bytes, require_uploads, used
from curation.images.services.receiving import UPLOAD_LIFETIME
from curation.images.services.storage import remove_upload, upload_data, upload_folder
from curation.lib import files

#: Refused entries of a person's archives that are kept in a benchmark, with their reasons, until they expire.
MOST_REFUSED: Final = 2_000


class ArchiveGone(Exception):
    """The archive was dropped while it was unpacked."""


def unpack(upload: Upload, archive: rules.Archive, lease: jobs.Lease | None) -> tuple[int, int] | None:
    """Create uploads for the entries of an archive, invalid ones included: these carry their error.

    Args:
        upload: The archive's upload.
        archive: The archive.
        lease: Its job's lease; None where the caller waits: then everything is unpacked at once.

    Returns:
        The numbers of all entries and of those that could not be unpacked; None if more are to be unpacked later, or
        the archive was dropped.

    Raises:
        TooManyUploads, PersonStorageLimit, BenchmarkStorageLimit: It would unpack to more than there may be.
        StorageFull: The disk has no room for the next entry.
        LeaseLost: Another worker has the job.
    """
    # Derived from the archive's key, so that a repeated job finds the uploads that it created before.
    keys = [uuid.uuid5(upload.client_key, f"entry {n}") for n in range(len(archive.entries))]
    created = dict(upload.entries.values_list("client_key", "state"))
    try:
        _reserve(upload, archive, keys, created)
        unchecked = count_unchecked(upload.pk)
        exceeded, until_next_look = None, 0
        for n, (entry, key) in enumerate(zip(archive.entries, keys, strict=True)):
            if created.get(key, Upload.State.RECEIVING) != Upload.State.RECEIVING:
                continue
            if lease is not None and unchecked >= MOST_UNCHECKED:
                if _pause(upload, lease):
                    return None
                unchecked = count_unchecked(upload.pk)
            if until_next_look == 0:
                exceeded, until_next_look = _exceeded_limit(upload), MOST_UNCHECKED
            until_next_look -= 1
            has_checks = _unpack_entry(upload, archive, entry, key, exceeded)
            unchecked += has_checks - (key in created)  # that was counted before
            if lease is not None:
                lease.progress(n + 1, len(keys))
    except ArchiveGone:
        return None
    # The checks of an entry have results or wait for them; an entry that was not unpacked has none.
    return len(keys), upload.entries.filter(checks=[]).count()


def _reserve(upload: Upload, archive: rules.Archive, keys: list[UUID], created: Mapping[UUID, str]) -> None:
    """Reserve the bytes and the number of all entries that are still to be unpacked, beside the archive itself.

    Raises:
        ArchiveGone, TooManyUploads, PersonStorageLimit, BenchmarkStorageLimit.
    """
    entries = zip(archive.entries, keys, strict=True)
    remaining = [entry.bytes for entry, key in entries if entry.refused is None and key not in created]
    with transaction.atomic():
        lock_limits(upload.person_id, upload.benchmark_id)
        if not created:
            _remove_oldest_refused(upload)
        rows = Upload.objects.filter(pk=upload.pk, state=Upload.State.CHECKING)
        reserved = rows.values_list("disk_bytes", "entries_to_unpack").first()
        if reserved is None:
            raise ArchiveGone
        needed, entries_needed = upload.bytes + sum(remaining) - reserved[0], len(remaining) - reserved[1]
        if needed > 0 or entries_needed > 0:  # otherwise an earlier run of the job has reserved them
            now = used(upload.person_id, upload.benchmark_id)
            require_uploads(now, entries_needed)
            require_bytes(now, needed)
            rows.update(disk_bytes=F("disk_bytes") + needed, entries_to_unpack=len(remaining))


def _remove_oldest_refused(upload: Upload) -> None:
    """Remove all but the newest refused entries of a person's archives, so that archives of junk fill no table."""
    refused = Upload.objects.filter(
        person_id=upload.person_id, benchmark_id=upload.benchmark_id, state=Upload.State.REFUSED, parent__isnull=False
    ).exclude(parent__state=Upload.State.CHECKING)
    oldest = refused.order_by("-created_at", "pk").values_list("pk", flat=True)[MOST_REFUSED : 2 * MOST_REFUSED]
    Upload.objects.filter(pk__in=list(oldest)).delete()


def _exceeded_limit(upload: Upload) -> DomainError | None:
    """Return the limit that leaves no room for further entries, or None.

    Bytes were reserved for the entries' files, but the renditions of those that were checked may be larger. Asked once
    for :data:`MOST_UNCHECKED` entries, because it takes the sums of all uploads: so many may exceed a limit.
    """
    now = used(upload.person_id, upload.benchmark_id)
    try:
        require_bytes(now, 0)
    except (PersonStorageLimit, BenchmarkStorageLimit) as error:
        return error
    return None


def _pause(upload: Upload, lease: jobs.Lease) -> bool:
    """End the job unless entries were checked since they were counted; return whether it was ended.

    Raises:
        LeaseLost: Another worker has the job.
    """
    with transaction.atomic():
        lock_archive(upload.pk)
        if count_unchecked(upload.pk) <= RESUME_AT:
            return False
        if not jobs.finish(lease.job):
            raise jobs.LeaseLost
    return True


def _unpack_entry(
    archive: Upload, opened: rules.Archive, entry: rules.Entry, key: UUID, exceeded: DomainError | None
) -> bool:
    """Create an entry's upload and enqueue its checks; return whether it has any. With a limit exceeded, refuse it.

    Raises:
        ArchiveGone, StorageFull.
    """
    try:
        if entry.refused is not None:
            raise entry.refused
        if exceeded is not None:
            _refuse(archive, entry, key, exceeded)
            return False
        require_space(entry.bytes)
        child = _create(archive, entry, key)
        _write(child, opened, entry)
    except rules.InvalidFile as invalid:
        _refuse(archive, entry, key, FILE_ERRORS[invalid.code](**invalid.params))
        return False
    return True


def _create(archive: Upload, entry: rules.Entry, key: UUID, **fields: object) -> Upload:
    """Return the upload of an entry, created unless an earlier run of the job did; it is no longer reserved.

    Raises:
        ArchiveGone.
    """
    with transaction.atomic():
        child = Upload.objects.filter(person_id=archive.person_id, client_key=key).first()
        if child is not None:
            return child
        rows = Upload.objects.filter(pk=archive.pk, state=Upload.State.CHECKING)
        reserved, is_counted = (entry.bytes, 1) if entry.refused is None else (0, 0)
        if not rows.update(
            disk_bytes=F("disk_bytes") - reserved, entries_to_unpack=F("entries_to_unpack") - is_counted
        ):
            raise ArchiveGone
        new = {"disk_bytes": reserved} | fields
        return Upload.objects.create(
            benchmark=archive.benchmark,
            person_id=archive.person_id,
            parent=archive,
            filename=entry.name,
            bytes=entry.bytes,
            details=rows.values_list("details", flat=True).get(),  # may be described while it is unpacked
            checks=[],
            client_key=key,
            expires_at=timezone.now() + UPLOAD_LIFETIME,
            **new,
        )


def _write(child: Upload, opened: rules.Archive, entry: rules.Entry) -> None:
    """Unpack an entry and enqueue its checks, unless its sender has dropped it."""

    def check_size(_: int) -> None:
        require_space()

    root = Path(settings.MEDIA_ROOT)
    staged, size, _ = files.stage_blocks(root, opened.blocks(entry), check_size)
    try:
        with transaction.atomic():
            rows = Upload.objects.filter(pk=child.pk, state=Upload.State.RECEIVING)
            values = {"bytes": size, "received": size, "disk_bytes": size, "checks": waiting_checks(child.kind)}
            if rows.update(state=Upload.State.CHECKING, **values):
                upload_folder(child.pk).mkdir(parents=True, exist_ok=True)
                staged.replace(upload_data(child.pk))
                enqueue_check(child)
    finally:
        staged.unlink(missing_ok=True)


def _refuse(archive: Upload, entry: rules.Entry, key: UUID, error: DomainError) -> None:
    """Store why an entry was not unpacked; nothing of it is on the disk.

    Raises:
        ArchiveGone.
    """
    values = {"state": Upload.State.REFUSED, "disk_bytes": 0, "error_code": error.code, "error_params": error.params}
    child = _create(archive, entry, key, **values)
    Upload.objects.filter(pk=child.pk, state=Upload.State.RECEIVING).update(**values)
    remove_upload(child.pk)
