"""Enqueueing the checks of received uploads, and the rest of an archive's entries."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from django.db import connection

from curation.core import jobs
from curation.core.broker import PICTURES
from curation.images import rules
from curation.images.models import Upload

CHECK_TASK: Final = "curation.check_upload"
#: Entries of one archive that are unpacked and not checked yet; then its job ends until fewer are left.
MOST_UNCHECKED: Final = 20
#: So many unchecked entries enqueue the archive's job again, so that it runs once for ten entries, not for each.
RESUME_AT: Final = 10
_UNCHECKED: Final = (Upload.State.RECEIVING, Upload.State.CHECKING)


def start_checks(upload: Upload) -> None:
    """Move a completely received upload on to its checks."""
    upload.state = Upload.State.CHECKING
    upload.checks = waiting_checks(upload.kind)
    upload.save(update_fields=["state", "checks"])
    enqueue_check(upload)


def check_names(kind: str) -> tuple[str, ...]:
    """Return the names of the checks for a kind of file."""
    return rules.CHECKS if kind == "picture" else ("type", "entries")


def waiting_checks(kind: str) -> list[dict[str, object]]:
    """Return the checks of an upload of which none has a result."""
    return [{"code": code, "state": "waiting", "params": {}} for code in check_names(kind)]


def enqueue_check(upload: Upload) -> None:
    """Enqueue the background checks of an upload."""
    jobs.enqueue(
        task=CHECK_TASK,
        args={"upload": str(upload.pk)},
        dedupe_key=upload.check_key,
        queue=PICTURES,
        benchmark_id=upload.benchmark_id,
        actor_id=upload.person_id,
    )


def count_unchecked(archive_id: UUID) -> int:
    """Return how many entries of an archive are unpacked and not checked yet."""
    return Upload.objects.filter(parent_id=archive_id, state__in=_UNCHECKED).count()


def lock_archive(archive_id: UUID) -> None:
    """Let one transaction at a time enqueue or end an archive's job. Not by its row, which other commands lock, too."""
    with connection.cursor() as cursor:
        cursor.execute("select pg_advisory_xact_lock(hashtext(%s))", [f"archive {archive_id}"])


def resume_unpacking(archive_id: UUID | None) -> None:
    """Enqueue the job of an archive of which few entries are unchecked.

    Call this in the transaction that ends an entry's checks: then a killed process loses either both or neither. It
    waits for an archive's job that is about to end, because :func:`enqueue_check` would take that job for an open one.
    """
    if archive_id is None:
        return
    lock_archive(archive_id)
    archive = Upload.objects.filter(pk=archive_id, state=Upload.State.CHECKING).first()
    if archive is not None and count_unchecked(archive.pk) <= RESUME_AT:
        enqueue_check(archive)
