"""Access to releases: every read and command gets its rows here."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from django.db.models import Prefetch, QuerySet

from annotation.kinds.registry import item_of_label
from annotation.releases import states
from annotation.releases.errors import ReleaseWithdrawn, ReportedUnknown
from annotation.releases.exporters import archive
from annotation.releases.models import Erratum, Release, ReleaseEntry, ReleaseFile, ReleaseKind
from curation.benchmarks.models import Benchmark
from curation.core.errors import NotFound, OwnWork
from curation.people.access import made_within, require
from curation.people.models import Person


class PublicPages(NamedTuple):
    """What this room and those above it ask the public pages about outsiders.

    Attributes:
        release_ids: The public releases of a benchmark, by its id.
        check_terms: Raises unless a person accepted the terms of a benchmark, by its id.
        shows_item: Whether the samples of a public release show an item, by its id.
    """

    release_ids: Callable[[int], Collection[int]]
    check_terms: Callable[[Person, int], None]
    shows_item: Callable[[Release, int], bool]


_PUBLIC_PAGES: list[PublicPages] = []


def register_public_pages(pages: PublicPages) -> None:
    """Let outsiders submit for public releases, and report mistakes in what they show."""
    if pages not in _PUBLIC_PAGES:
        _PUBLIC_PAGES.append(pages)


def public_pages() -> Sequence[PublicPages]:
    """The public pages of this site; empty where the room that has them is not installed."""
    return _PUBLIC_PAGES


def release_ids_open_to(person: Person, benchmark_id: int) -> set[int] | None:
    """The releases of a benchmark that a person may submit for, or report mistakes in; None: all."""
    if person.knows(benchmark_id):
        return None
    return {pk for pages in _PUBLIC_PAGES for pk in pages.release_ids(benchmark_id)}


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
    kinds = Prefetch("kinds", ReleaseKind.objects.select_related("previous"))
    rows = Release.objects.select_related("benchmark__protocol", "protocol").prefetch_related(kinds)
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


def kind_in(release: Release, kind: str | None) -> ReleaseKind:
    """A kind of a release by name; without a name its first.

    Raises:
        NotFound: The release does not hold it.
    """
    for own in release.kinds.all():
        if kind in (None, own.kind):
            return own
    raise NotFound


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


def published_content(person: Person, benchmark: Benchmark, *, release: str, item: str) -> tuple[Release, int | None]:
    """A published release by its label and the id of one of its items by its label, None for an empty label.

    Without a release's label it is the newest that has the item. For outsiders there are public releases alone, and
    the items that their samples show.

    Raises:
        ReportedUnknown: There is no such release, it is not published, or it does not have the item.
    """
    rows = Release.objects.filter(benchmark=benchmark, state=Release.State.PUBLISHED).order_by("-published_at", "-pk")
    open_ids = release_ids_open_to(person, benchmark.pk)
    if open_ids is not None:
        rows = rows.filter(pk__in=open_ids)
    if release:
        rows = rows.filter(label=release)
    kind, number = (item_of_label(item) if item else None) or (None, 0)
    if item and kind is None:
        raise ReportedUnknown
    if item:
        rows = rows.filter(kinds__kind=kind)
    for published in rows if release or item else ():
        if not item:
            return published, None
        entries = ReleaseEntry.objects.filter(release=published, kind=kind, item__number=number)
        item_id = entries.values_list("item_id", flat=True).first()
        if item_id is not None and (open_ids is None or _is_public(published, item_id)):
            return published, item_id
    raise ReportedUnknown


def _is_public(release: Release, item_id: int) -> bool:
    return any(pages.shows_item(release, item_id) for pages in _PUBLIC_PAGES)


def errata_visible_to(person: Person, benchmark: Benchmark, operation: str) -> QuerySet[Erratum]:
    """A benchmark's errata: all, or those that the person reported.

    Raises:
        NotFound, OperationNotAllowed.
    """
    reach = require(person, benchmark.pk, operation)
    return Erratum.objects.filter(benchmark=benchmark).filter(
        made_within(person, benchmark.pk, reach, "reported_by_id")
    )


def lock_erratum_for(person: Person, erratum_id: int, operation: str) -> Erratum:
    """An erratum whose release is locked; rows of an append-only table cannot be.

    Raises:
        NotFound: There is none, or the person has no role in its benchmark.
        OwnWork: The person reported it.
        OperationNotAllowed.
    """
    erratum = Erratum.objects.filter(pk=erratum_id).first()
    if erratum is None:
        raise NotFound
    erratum.release = lock_release_for(person, erratum.release_id, operation)
    if states.Relation.NOT_REPORTER not in relations_of(person, erratum):
        raise OwnWork
    return erratum


def relations_of(person: Person, erratum: Erratum) -> set[str]:
    """The relations of a person to an erratum."""
    return set() if erratum.reported_by_id == person.pk else {states.Relation.NOT_REPORTER}
