"""Limits of one person's uploads that are not added yet, by number and bytes, and of the bytes that a benchmark stores.

``Upload.disk_bytes`` has what an upload occupies: its announced length from the moment it is created, its renditions
once it is checked, nothing once it is added or its files are removed. An archive reserves the bytes and the number of
its entries when it is opened; each entry takes its share when it is created. ``Benchmark.picture_bytes`` has the stored
pictures. Adding a picture moves its bytes from the one to the other, so only what creates or unpacks is limited.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from django.conf import settings
from django.db import connection

from curation.images.errors import BenchmarkStorageLimit, PersonStorageLimit, TooManyUploads
from curation.images.models import Upload

OPEN_STATES: Final = (Upload.State.RECEIVING, Upload.State.CHECKING, Upload.State.READY)
_LOCK: Final = "select pg_advisory_xact_lock(hashtext(%s)), pg_advisory_xact_lock(hashtext(%s))"
# Reads the person's unfinished uploads, at most as many as they may have, and every upload with files of the person and
# of the benchmark, all people's: 4 ms with 2,000 of them, 30 with 20,000, 80 with 100,000 (docs/performance.md).
_USED: Final = """
    select
        (select count(*) + coalesce(sum(entries_to_unpack), 0)::bigint from (
            select entries_to_unpack from curation_upload
            where person_id = %(person)s and benchmark_id = %(benchmark)s and state = any(%(open)s) limit %(most)s
        ) unfinished),
        (select coalesce(sum(disk_bytes), 0)::bigint from curation_upload
            where person_id = %(person)s and disk_bytes > 0),
        (select coalesce(sum(disk_bytes), 0)::bigint from curation_upload
            where benchmark_id = %(benchmark)s and disk_bytes > 0)
        + (select picture_bytes from curation_benchmark where id = %(benchmark)s)
"""


class Used(NamedTuple):
    """What is used now: unfinished uploads of a person in a benchmark, bytes of the person, bytes of the benchmark.

    Entries that are still to be unpacked are among the uploads and the bytes.
    """

    uploads: int
    person_bytes: int
    benchmark_bytes: int


def lock_limits(person_id: int, benchmark_id: int) -> None:
    """Let one transaction at a time reserve bytes for a person and in a benchmark, until it ends."""
    with connection.cursor() as cursor:
        cursor.execute(_LOCK, [f"uploads of {person_id}", f"uploads to {benchmark_id}"])


def used(person_id: int, benchmark_id: int) -> Used:
    """Return what is used now, in one statement; what follows :func:`lock_limits` cannot be overtaken."""
    values = {
        "person": person_id,
        "benchmark": benchmark_id,
        "open": [str(state) for state in OPEN_STATES],
        "most": settings.UPLOADS_OPEN_PER_PERSON,
    }
    with connection.cursor() as cursor:
        cursor.execute(_USED, values)
        return Used(*cursor.fetchone())


def require_uploads(now: Used, needed: int = 1) -> None:
    """Refuse ``needed`` more unfinished uploads beyond a person's limit in a benchmark.

    Raises:
        TooManyUploads.
    """
    maximum = int(settings.UPLOADS_OPEN_PER_PERSON)
    if now.uploads + needed > maximum:
        raise TooManyUploads(open=now.uploads, maximum=maximum)


def require_bytes(now: Used, needed: int) -> None:
    """Refuse ``needed`` more bytes beyond a limit.

    Raises:
        PersonStorageLimit, BenchmarkStorageLimit.
    """
    limit = int(settings.UPLOAD_BYTES_PER_PERSON)
    if now.person_bytes + needed > limit:
        raise PersonStorageLimit(limit=limit, used=now.person_bytes, bytes=needed)
    limit = int(settings.BENCHMARK_BYTES)
    if now.benchmark_bytes + needed > limit:
        raise BenchmarkStorageLimit(limit=limit, used=now.benchmark_bytes, bytes=needed)
