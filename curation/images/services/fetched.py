"""Uploads whose file the server fetched itself: received as a whole, then checked like any other."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from uuid import UUID

from django.utils import timezone

from curation.benchmarks.models import Benchmark
from curation.images.models import Upload
from curation.images.services.enqueuing import start_checks
from curation.images.services.limits import lock_limits, require_bytes, require_uploads, used
from curation.images.services.receiving import UPLOAD_LIFETIME
from curation.images.services.storage import upload_data, upload_folder
from curation.people.models import Person


def require_room(person: Person, benchmark: Benchmark, *, waiting: int = 0, needed: int = 1) -> None:
    """Refuse to fetch ``needed`` more files for a person who has reached a limit; ``waiting`` ones count as uploads.

    Raises:
        TooManyUploads, PersonStorageLimit, BenchmarkStorageLimit.
    """
    now = used(person.pk, benchmark.pk)
    require_uploads(now._replace(uploads=now.uploads + waiting), needed)
    require_bytes(now, 0)


def add_fetched_file(
    *, person: Person, benchmark: Benchmark, key: UUID, filename: str, file: Path, size: int, details: Mapping[str, Any]
) -> None:
    """Make an upload of a staged file and enqueue its checks; call this in the transaction that notes it.

    Args:
        person: The contributor.
        benchmark: The benchmark.
        key: Id and client key of the upload, so that a repeat overwrites the file of a try that was not committed.
        filename: Its name for display, checked.
        file: The staged file, which is moved.
        size: Its bytes.
        details: Details of the picture, checked.

    Raises:
        TooManyUploads, PersonStorageLimit, BenchmarkStorageLimit.
    """
    lock_limits(person.pk, benchmark.pk)
    now = used(person.pk, benchmark.pk)
    require_uploads(now)
    require_bytes(now, size)
    upload = Upload.objects.create(
        pk=key,
        client_key=key,
        benchmark=benchmark,
        person=person,
        filename=filename,
        bytes=size,
        received=size,
        disk_bytes=size,
        details=dict(details),
        expires_at=timezone.now() + UPLOAD_LIFETIME,
    )
    upload_folder(key).mkdir(parents=True, exist_ok=True)
    file.replace(upload_data(key))
    start_checks(upload)
