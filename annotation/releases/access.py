"""Access to releases: every read and command gets its rows here."""

from __future__ import annotations

from django.db.models import QuerySet

from annotation.releases.errors import ReleaseWithdrawn
from annotation.releases.exporters import archive
from annotation.releases.models import Release, ReleaseFile
from curation.benchmarks.models import Benchmark
from curation.core.errors import NotFound
from curation.people.access import require
from curation.people.models import Person


def releases_visible_to(person: Person, benchmark: Benchmark, operation: str) -> QuerySet[Release]:
    """A benchmark's releases.

    Raises:
        OperationNotAllowed: No role of the person permits the operation.
    """
    require(person, benchmark.pk, operation)
    return Release.objects.filter(benchmark=benchmark)


def release_for(person: Person, release_id: int, operation: str, *, lock: bool = False) -> Release:
    """One release with its benchmark and protocol; a draft gets the benchmark's current protocol version.

    Raises:
        NotFound: It does not exist, or the person has no role in its benchmark.
        OperationNotAllowed: No role of the person permits the operation.
    """
    release = newest_release(release_id, lock=lock)
    require(person, release.benchmark_id, operation)
    return release


def newest_release(release_id: int, *, lock: bool = False) -> Release:
    """As :func:`release_for`, for a worker.

    Raises:
        NotFound: It does not exist.
    """
    rows = Release.objects.select_related("benchmark__protocol", "protocol")
    if lock:
        rows = rows.select_for_update(of=("self",), no_key=True)
    release = rows.filter(pk=release_id).first()
    if release is None:
        raise NotFound
    if release.state == Release.State.DRAFT and release.benchmark.protocol is not None:
        release.protocol = release.benchmark.protocol
    return release


def available_release_for(person: Person, release_id: int, operation: str) -> Release:
    """As :func:`release_for`, for files, texts and scores of a release, which are not available once it is withdrawn.

    Raises:
        ReleaseWithdrawn: It is withdrawn.
        NotFound, OperationNotAllowed.
    """
    release = release_for(person, release_id, operation)
    if release.state == Release.State.WITHDRAWN:
        raise ReleaseWithdrawn(label=release.label)
    return release


def lock_release_for(person: Person, release_id: int, operation: str) -> Release:
    """As :func:`release_for`, with the row locked until the transaction ends."""
    return release_for(person, release_id, operation, lock=True)


def file_for(person: Person, release_id: int, name: str, operation: str, *, is_key: bool) -> ReleaseFile:
    """A written file of a release by name; files with withheld answers have an operation of their own.

    Raises:
        ReleaseWithdrawn: The release is withdrawn.
        NotFound, OperationNotAllowed.
    """
    release = available_release_for(person, release_id, operation)
    # Compared in Python: a name from an address may contain characters that PostgreSQL rejects, such as NUL.
    for file in ReleaseFile.objects.filter(release=release, is_key=is_key).exclude(format=archive.FORMAT):
        if file.name == name:
            return file
    raise NotFound
