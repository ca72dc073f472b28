"""What public pages offer besides pages: files, pictures, charts, citations, the feed."""

from __future__ import annotations

import json

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string

from annotation.releases.exporters.registry import holds_pictures
from annotation.releases.models import Release
from annotation.releases.queries import key_of
from annotation.releases.services import record_pictures_sent
from curation.core.api.files import answer_file, answer_parts
from curation.core.errors import NotFound
from curation.images.services import record_exposure
from curation.people.models import Person
from evaluation.leaderboards.queries import Language
from evaluation.publication import queries, services
from evaluation.publication.api.errata import erratum_entries
from evaluation.publication.api.visit import Visit
from evaluation.publication.errors import TermsNotAccepted
from evaluation.publication.models import Publication
from evaluation.publication.rules import WORDS

# An SVG opened by itself is a document; it must not run or load anything.
_CHART_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"


def file(visit: Visit, label: str, name: str) -> HttpResponseBase:
    """Send a file of a release.

    Raises:
        TermsNotAccepted: The files are for people who accepted the terms.
        NoLongerPublic, NotFound.
    """
    release = visit.release(label)
    _require_terms(visit)
    row = queries.public_file(release, name)
    if holds_pictures(row.name):
        _record_preview(visit, release)
    if visit.has_tag(row.sha256):
        return HttpResponse(status=304, headers={"ETag": f'"{row.sha256}"'})
    try:
        answer = answer_file(
            visit.request,
            key_of(release.pk, row.name),
            sha256=row.sha256,
            media_type="application/octet-stream",
            name=row.name,
        )
    except FileNotFoundError:
        raise NotFound from None
    if visit.request.method == "GET" and not visit.site.is_preview and visit.starts_file():
        services.count_download(release.pk, row.name)
    return answer


def archive(visit: Visit, label: str) -> HttpResponseBase:
    """Send a release's public files and pictures as one ZIP file, or a range of it.

    Raises:
        TermsNotAccepted, NoLongerPublic, NotFound.
        ArchiveBusy: This process sends as many archives as it may.
    """
    release = visit.release(label)
    _require_terms(visit)
    whole = queries.public_archive(release)
    if whole is None:
        raise NotFound
    _record_preview(visit, release)
    if visit.has_tag(whole.tag):
        return HttpResponse(status=304, headers={"ETag": f'"{whole.tag}"'})
    answer = answer_parts(
        visit.request,
        whole.parts,
        size=whole.size,
        sha256=whole.tag,
        media_type="application/zip",
        name=f"{visit.site.benchmark.slug}-{whole.name}",
    )
    if visit.request.method == "GET" and not visit.site.is_preview and visit.starts_file():
        services.count_download(release.pk, "archive.zip")
    return answer


def _record_preview(visit: Visit, release: Release) -> None:
    """Record that a head is sent the pictures of a release that is not public yet; everybody may have seen others.

    Raises:
        NotFound: They are asking about one of its pictures.
    """
    if visit.site.is_preview and isinstance(visit.request.user, Person):
        record_pictures_sent(visit.request.user, release)


def _require_terms(visit: Visit) -> None:
    """Read the session where the terms have to be accepted; nowhere else do public pages know who reads them."""
    publication = visit.site.publication
    needs_account = publication.terms_mode == Publication.Terms.ACCOUNT and not visit.site.is_preview
    if needs_account and not queries.terms_accepted(visit.request.user, publication):
        raise TermsNotAccepted


def picture(visit: Visit, label: str, number: str, role: str, rendition: str) -> HttpResponseBase:
    """Send the reduced picture of a sample.

    Raises:
        NoLongerPublic, NotFound.
    """
    release = visit.release(label)
    row = queries.picture(release, visit.site.settings, number=int(number), role=role, rendition=int(rendition))
    if visit.site.is_preview and isinstance(visit.request.user, Person):
        record_exposure(visit.request.user, row.image)
    if visit.has_tag(row.sha256):
        return HttpResponse(status=304, headers={"ETag": f'"{row.sha256}"'})
    ending = row.key.rpartition(".")[2]
    media_type = {"jpg": "image/jpeg", "png": "image/png"}.get(ending, "image/webp")
    try:
        return answer_file(visit.request, row.key, sha256=row.sha256, media_type=media_type)
    except FileNotFoundError:
        raise NotFound from None


def board_file(visit: Visit, language: Language, label: str, name: str) -> HttpResponse:
    """Send a table or a chart of the board."""
    made = queries.board_file(
        visit.release(label),
        visit.site.settings,
        name=name,
        kind=visit.query.get("kind"),
        profile=visit.query.get("profile", ""),
        lang=language,
    )
    answer = HttpResponse(made.content, content_type=made.content_type)
    disposition = "inline" if made.content_type.startswith("image/") else "attachment"
    answer["Content-Disposition"] = f'{disposition}; filename="{made.name}"'
    answer["Content-Security-Policy"] = _CHART_POLICY
    return answer


def citation_cff(visit: Visit, label: str) -> HttpResponse:
    """Send the citation in the Citation File Format."""
    return HttpResponse(visit.citation(visit.release(label)).cff(), content_type="text/plain; charset=utf-8")


def citation_bib(visit: Visit, label: str) -> HttpResponse:
    """Send the citation as BibTeX."""
    return HttpResponse(visit.citation(visit.release(label)).bibtex(), content_type="text/plain; charset=utf-8")


def gone(visit: Visit, label: str) -> HttpResponse:
    """Send the list of withdrawn pictures, for programs that clean copies."""
    release = visit.release(label)
    images = [{"image": image.label, "withdrawn_at": image.at.isoformat()} for image in queries.gone_images(release)]
    data = {"release": release.label, "pictures": images}
    return HttpResponse(json.dumps(data, ensure_ascii=False) + "\n", content_type="application/json")


def feed(visit: Visit) -> HttpResponse:
    """Send the news as Atom: publications, withdrawals, withdrawn pictures; newest first."""
    words, language = WORDS["en"], "en"
    entries = []
    for row in visit.site.releases:
        label = row.release.label
        url = f"{visit.origin}{visit.base}/{language}/{label}/"
        published = words["event_published"].format(label=label)
        entries.append({"id": f"{label}/published", "title": published, "at": row.published_at, "url": url, "text": ""})
        if row.status != "open":
            title = words[f"{row.status}_title"].format(label=label)
            text = row.release.withdrawn_reason if row.status == "withdrawn" else ""
            entries.append({"id": f"{label}/{row.status}", "title": title, "at": row.since, "url": url, "text": text})
        elif images := queries.gone_images(row.release):
            entries.append(
                {
                    "id": f"{label}/gone/{len(images)}",
                    "title": words["event_gone"].format(label=label),
                    "at": max(image.at for image in images),
                    "url": f"{url}changes",
                    "text": ", ".join(image.label for image in images),
                }
            )
        if row.status == "open":
            entries += erratum_entries(row.release, url, language)
    entries.sort(key=lambda entry: str(entry["at"]), reverse=True)
    values = {
        "title": visit.title_by_language[language],
        "entries": [{**entry, "at": entry["at"].isoformat()} for entry in entries],  # type: ignore[attr-defined]
        "updated": entries[0]["at"].isoformat() if entries else visit.site.publication.changed_at.isoformat(),  # type: ignore[attr-defined]
        "id": f"{visit.origin}{visit.base}/feed.atom",
        "url": f"{visit.origin}{visit.base}/{language}/",
    }
    text = render_to_string("publication/feed.xml", values)
    return HttpResponse(text, content_type="application/atom+xml; charset=utf-8")
