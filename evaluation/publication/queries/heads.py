"""The page on which heads decide what is public."""

from __future__ import annotations

from django.db.models import Sum

from annotation.releases.models import Release
from curation.benchmarks.models import Benchmark
from curation.people.models import Person
from evaluation.publication import access
from evaluation.publication.models import Download, Publication, PublicRelease, TermsAcceptance
from evaluation.publication.queries.files import closed_files
from evaluation.publication.queries.releases import gone_images
from evaluation.publication.rules import Settings
from evaluation.publication.shapes import CitationFields, PublicationDetail, PublicReleaseRow


def publication_detail(person: Person, benchmark_slug: str) -> PublicationDetail:
    """Show what is public of a benchmark, under which terms, and how often it was downloaded.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark, publication = access.publication_for(person, benchmark_slug, "publication_show")
    return _detail(person, benchmark, publication)


def changed_publication(person: Person, publication: Publication) -> PublicationDetail:
    """As :func:`publication_detail`, after a change."""
    return publication_detail(person, publication.benchmark.slug)


def release_opening(person: Person, release: Release) -> PublicationDetail:
    """As :func:`publication_detail`, after a release was opened or closed."""
    return publication_detail(person, release.benchmark.slug)


def _detail(person: Person, benchmark: Benchmark, publication: Publication | None) -> PublicationDetail:
    values = publication or Publication(benchmark=benchmark)
    opened = {row.release_id: row for row in PublicRelease.objects.filter(benchmark=benchmark)}
    published = [Release.State.PUBLISHED, Release.State.WITHDRAWN]
    releases = Release.objects.filter(benchmark=benchmark, state__in=published).order_by("-number")
    downloads = Download.objects.filter(release__benchmark=benchmark).values_list("release_id")
    counts = dict(downloads.annotate(total=Sum("n")).order_by())
    content = benchmark.protocol.content if benchmark.protocol else {}
    return {
        "is_open": values.is_open,
        "url": f"/p/{benchmark.slug}/",
        "preview_url": f"/api/v1/benchmarks/{benchmark.slug}/publication/preview/",
        "terms_mode": values.terms_mode,
        "terms": {
            "zh-Hans": values.terms.get("zh-Hans", ""),
            "zh-Hant": values.terms.get("zh-Hant", ""),
            "en": values.terms.get("en", ""),
        },
        "terms_accepted": _accepted(values),
        "citation": _citation(values),
        "canary": str(publication.canary) if publication else None,
        "samples": list(Settings.of(content).splits),
        "releases": [
            _release(person, release, opened.get(release.pk), int(counts.get(release.pk, 0)))
            for release in releases.select_related("benchmark", "protocol")
            if release.state == Release.State.PUBLISHED or release.pk in opened
        ],
        "available_actions": ["publication_update"] if person.may(benchmark.pk, "publication_update") else [],
    }


def _accepted(publication: Publication) -> int:
    """The number of people who accepted the current text."""
    text = {"benchmark_id": publication.benchmark_id, "terms_sha256": publication.terms_sha256}
    return TermsAcceptance.objects.filter(**text).count()


def _citation(publication: Publication) -> CitationFields:
    typed = publication.citation
    return {
        "authors": list(typed.get("authors", [])),
        "title": typed.get("title", ""),
        "year": typed.get("year"),
        "url": typed.get("url", ""),
    }


def _release(person: Person, release: Release, row: PublicRelease | None, downloads: int) -> PublicReleaseRow:
    is_published = release.state == Release.State.PUBLISHED
    is_public = is_published and row is not None and row.closed_at is None
    action = "public_release_close" if is_public else "public_release_open"
    may = is_published and person.may(release.benchmark_id, action)
    gone = gone_images(release) if is_public else []
    return {
        "id": release.pk,
        "label": release.label,
        "state": release.state,
        "is_public": is_public,
        "opened_at": row.opened_at if row else None,
        "closed_at": row.closed_at if row else None,
        "downloads": downloads,
        "closed_files": sorted(closed_files(release)) if is_public else [],
        "withdrawn_images": len(gone),
        "available_actions": [action] if may else [],
    }
