"""The only ways to get at releases."""

from __future__ import annotations

from django.db.models import QuerySet

from annotation.releases.errors import ReleaseWithdrawn
from annotation.releases.models import Release, ReleaseFile
from curation.benchmarks.models import Benchmark
from curation.core.errors import NotFound
from curation.people.access import require
from curation.people.models import Person


def releases_visible_to(person: Person, benchmark: Benchmark, operation: str) -> QuerySet[Release]:
    """A benchmark's releases, when the operation is open to the person."""
    require(person, benchmark.pk, operation)
    return Release.objects.filter(benchmark=benchmark)


def release_for(person: Person, release_id: int, operation: str, *, lock: bool = False) -> Release:
    """One release with its benchmark and protocol; a draft goes by the version that its benchmark follows now.

    Raises:
        NotFound: There is none, or the person takes no part in its benchmark.
        OperationNotAllowed: No role of theirs opens the operation.
    """
    rows = Release.objects.select_related("benchmark__protocol", "protocol")
    if lock:
        rows = rows.select_for_update(of=("self",), no_key=True)
    release = rows.filter(pk=release_id).first()
    if release is None:
        raise NotFound
    require(person, release.benchmark_id, operation)
    if release.state == Release.State.DRAFT and release.benchmark.protocol is not None:
        release.protocol = release.benchmark.protocol
    return release


def standing_release_for(person: Person, release_id: int, operation: str) -> Release:
    """As :func:`release_for`, for what is handed out of a release: files, texts, scores.

    Raises:
        ReleaseWithdrawn: Nothing of it is handed out any more.
        NotFound, OperationNotAllowed.
    """
    release = release_for(person, release_id, operation)
    if release.state == Release.State.WITHDRAWN:
        raise ReleaseWithdrawn(label=release.label)
    return release


def lock_release_for(person: Person, release_id: int, operation: str) -> Release:
    """As :func:`release_for`, with the row locked until the transaction ends."""
    return release_for(person, release_id, operation, lock=True)


def file_for(person: Person, release_id: int, name: str, operation: str) -> ReleaseFile:
    """A file that was written for a release; a name that was never written is nothing.

    Raises:
        ReleaseWithdrawn: None of its files is handed out any more.
        NotFound, OperationNotAllowed.
    """
    release = standing_release_for(person, release_id, operation)
    # Compared here: a name out of an address may hold what the database cannot even be asked about.
    for file in ReleaseFile.objects.filter(release=release):
        if file.name == name:
            return file
    raise NotFound
