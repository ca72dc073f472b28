"""What a benchmark's public pages consist of: its releases, open or no longer."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NamedTuple

from django.contrib.auth.models import AnonymousUser

from annotation.releases.models import Release
from annotation.releases.rules import canary
from curation.benchmarks.models import Benchmark
from curation.core.errors import NotFound
from curation.people.models import Person
from curation.people.queries import is_barred
from evaluation.publication.errors import NoLongerPublic, TermsNotAccepted
from evaluation.publication.models import Publication, PublicRelease, TermsAcceptance
from evaluation.publication.rules import Settings


class Opened(NamedTuple):
    """A release on the public pages; ``since`` is when it got its status."""

    release: Release
    status: Literal["open", "withdrawn", "closed"]
    since: datetime

    @property
    def published_at(self) -> datetime:
        """When the release was published."""
        return self.release.published_at or self.since


@dataclass(frozen=True, slots=True)
class Site:
    """The public pages of a benchmark.

    Attributes:
        releases: Those that are or were public, newest first; in a preview all published ones.
        settings: What the protocol makes public.
        is_preview: Whether a head looks at them, open or not.
    """

    benchmark: Benchmark
    publication: Publication
    releases: list[Opened]
    settings: Settings
    is_preview: bool

    @property
    def open_releases(self) -> list[Opened]:
        """The releases that can be read."""
        return [row for row in self.releases if row.status == "open"]

    @property
    def former_releases(self) -> list[Opened]:
        """The releases of which only a notice is left."""
        return [row for row in self.releases if row.status != "open"]


def default_publication(benchmark: Benchmark) -> Publication:
    """The closed public pages of a benchmark that nobody set up yet; not saved."""
    return Publication(benchmark=benchmark, canary=canary(benchmark.slug, benchmark.created_at))


def site_of(benchmark_id: int, *, is_preview: bool = False) -> Site:
    """Read the public pages of a benchmark; the caller has checked that the reader may see them."""
    benchmark = Benchmark.objects.select_related("protocol").get(pk=benchmark_id)
    publication = Publication.objects.filter(benchmark=benchmark).first() or default_publication(benchmark)
    rows = PublicRelease.objects.filter(benchmark=benchmark)
    opened = {row.release_id: row for row in rows}
    releases = (
        Release.objects.filter(benchmark=benchmark).select_related("benchmark", "protocol").prefetch_related("kinds")
    )
    if is_preview:
        visible = [r for r in releases if r.pk in opened or r.state == Release.State.PUBLISHED]
    else:
        visible = list(releases.filter(pk__in=opened))
    listed = [_opened(release, opened.get(release.pk), is_preview=is_preview) for release in visible]
    return Site(
        benchmark=benchmark,
        publication=publication,
        releases=sorted(listed, key=lambda row: (row.published_at, row.release.number), reverse=True),
        settings=Settings.of(benchmark.protocol.content if benchmark.protocol else {}),
        is_preview=is_preview,
    )


def _opened(release: Release, row: PublicRelease | None, *, is_preview: bool) -> Opened:
    if release.state != Release.State.PUBLISHED:
        return Opened(release, "withdrawn", release.withdrawn_at or release.created_at)
    if row is not None and row.closed_at is not None and not is_preview:
        return Opened(release, "closed", row.closed_at)
    return Opened(release, "open", row.opened_at if row else release.published_at or release.created_at)


def release_in(site: Site, label: str) -> Release:
    """The open release of this label.

    Raises:
        NoLongerPublic: It was public.
        NotFound.
    """
    for row in site.releases:
        if row.release.label == label:
            if row.status != "open":
                raise NoLongerPublic(label=label)
            return row.release
    raise NotFound


def public_release_ids(benchmark_id: int) -> list[int]:
    """The releases of a benchmark that anyone may read now."""
    rows = PublicRelease.objects.filter(benchmark_id=benchmark_id, closed_at=None)
    rows = rows.filter(benchmark__publication__is_open=True, release__state=Release.State.PUBLISHED)
    return list(rows.values_list("release_id", flat=True))


def terms_accepted(person: Person | AnonymousUser, publication: Publication) -> bool:
    """Whether a person accepted the current text of the terms; true for everyone where there are none.

    What a barred person accepted counts no more.
    """
    if not publication.terms_sha256:
        return True
    if not isinstance(person, Person) or is_barred(person, publication.benchmark):
        return False
    text = {"benchmark_id": publication.benchmark_id, "terms_sha256": publication.terms_sha256}
    return TermsAcceptance.objects.filter(person=person, **text).exists()


def check_terms(person: Person, benchmark_id: int) -> None:
    """Refuse a person who has not accepted the current terms of a benchmark.

    Raises:
        TermsNotAccepted.
    """
    publication = Publication.objects.filter(benchmark_id=benchmark_id).first()
    if publication is not None and not terms_accepted(person, publication):
        raise TermsNotAccepted


def open_slugs() -> list[str]:
    """The benchmarks with open pages, for programs that look for pages."""
    rows = Publication.objects.filter(is_open=True).order_by("benchmark__slug")
    return list(rows.values_list("benchmark__slug", flat=True))
