"""The entrance to public pages: who may read, under which version, from which cache, with which headers.

One statement says whether a benchmark's pages are open and which version they are. Pages are kept under that version,
so nothing outdated is ever sent, and a page that did not change costs that statement alone. No session is read and no
cookie is set.
"""

from __future__ import annotations

import hashlib
import logging
from functools import cache as remember
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.utils.http import parse_etags
from django.views.decorators.http import require_safe

from annotation.releases.errors import ArchiveBusy, ReleaseFileCovered
from curation.benchmarks.models import Benchmark
from curation.core.errors import NotFound
from evaluation.publication import access, queries
from evaluation.publication.api.routes import Route, route_of
from evaluation.publication.api.visit import Visit, display_date
from evaluation.publication.errors import NoLongerPublic, TermsNotAccepted
from evaluation.publication.models import Publication
from evaluation.publication.rules import LANGUAGES, WORDS, preferred_language

log = logging.getLogger(__name__)

POLICY: Final = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'"
_CACHE_CONTROL: Final = {"page": "public, max-age=60", "picture": "public, max-age=300", "file": "no-cache"}
_KEPT_SECONDS: Final = 300  # on this side; the version is part of the key
_STYLE: Final = Path(__file__).parents[1] / "templates" / "publication" / "pages.css"


@require_safe
def choose_language(request: HttpRequest, slug: str) -> HttpResponse:
    """Lead to the pages in the reader's language."""
    try:
        access.published_for(slug)
    except NotFound:
        return _not_found()
    answer = HttpResponseRedirect(f"/p/{slug}/{preferred_language(request.headers.get('Accept-Language', ''))}/")
    answer["Vary"] = "Accept-Language"
    answer["Cache-Control"] = "public, max-age=60"
    return answer


@require_safe
def public_page(request: HttpRequest, slug: str, page: str) -> HttpResponseBase:
    """Answer any address below a benchmark's public pages."""
    try:
        published = access.published_for(slug)
        route, parts = route_of(page)
    except NotFound:
        return _not_found()
    tag = f'"{published.version}-{settings.BUILD}"'
    if route.kept == "page" and _matches(request, tag):
        return _finish(HttpResponse(status=304), route, tag)
    query = {name: request.GET[name][:64] for name in route.query if name in request.GET}
    origin = f"{request.scheme}://{request.get_host()}"
    key = _key(origin, slug, str(published.version), page, query)
    if route.kept == "page" and (kept := _kept(key)) is not None:
        return _finish(_unpacked(kept), route, tag)
    site = queries.site_of(published.benchmark_id)
    visit = Visit(request, site, f"/p/{slug}", origin, style_address(), query)
    answer = _answer(visit, route, parts)
    if route.kept == "file" and site.publication.terms_mode == Publication.Terms.ACCOUNT:
        answer["Cache-Control"] = "private, no-cache"  # for the reader alone, who accepted the terms
    if route.kept == "page" and isinstance(answer, HttpResponse) and answer.status_code in (200, 410):
        _keep(key, _packed(answer))
    return _finish(answer, route, tag)


def preview_page(request: HttpRequest, benchmark: Benchmark, page: str) -> HttpResponseBase:
    """Answer the same addresses for a head of the benchmark; nothing is kept.

    Raises:
        NotFound: There is no such address.
    """
    route, parts = route_of(page)
    query = {name: request.GET[name][:64] for name in route.query if name in request.GET}
    base = f"/api/v1/benchmarks/{benchmark.slug}/publication/preview"
    site = queries.site_of(benchmark.pk, is_preview=True)
    visit = Visit(request, site, base, f"{request.scheme}://{request.get_host()}", style_address(), query)
    answer = _answer(visit, route, parts)
    answer.headers.setdefault("Content-Security-Policy", POLICY)
    answer["Cache-Control"] = "no-store"
    return answer


def _answer(visit: Visit, route: Route, parts: dict[str, Any]) -> HttpResponseBase:
    language = parts.get("language", "en")
    try:
        return route.answer(visit, **parts)
    except NotFound:
        return _not_found()
    except NoLongerPublic:
        return _gone(visit, parts.get("label", ""), language)
    except ReleaseFileCovered as error:
        return _gone(visit, parts["label"], language, code=error.code)
    except TermsNotAccepted as error:
        return _refused(visit, error.code)
    except ArchiveBusy as error:
        answer = _plain(str(error), status=error.status)
        answer["Retry-After"] = "60"
        return answer


def _gone(visit: Visit, label: str, language: str, code: str = "") -> HttpResponse:
    """A notice instead of what was public; ``code``: the error, if the files alone are destroyed."""
    words = WORDS[language]
    former = next((row for row in visit.site.former_releases if row.release.label == label), None)
    answer = visit.render(
        "gone",
        language,
        heading=words[f"{former.status}_title"].format(label=label)
        if former
        else words["covered_title" if code else "gone_title"],
        text=words[f"{former.status}_text"] if former else words["covered_text" if code else "gone_picture"],
        date=display_date(former.since, language) if former else "",
        reason=former.release.withdrawn_reason if former and former.status == "withdrawn" else "",
        code=code,
        no_index=True,
    )
    answer.status_code = 410
    return answer


def _refused(visit: Visit, code: str) -> HttpResponse:
    """Instead of a file: what has to be accepted first, and where."""
    language = preferred_language(visit.request.headers.get("Accept-Language", ""))
    words = WORDS[language]
    answer = visit.render("refused", language, heading=words["terms"], code=code)
    answer.status_code = 403
    return answer


def _not_found() -> HttpResponse:
    """The same answer for everything that is not public, in all three languages."""
    answer = HttpResponse(render_to_string("publication/missing.html", {"style": style_address()}), status=404)
    answer["Content-Security-Policy"] = POLICY
    answer["Cache-Control"] = "no-cache"
    return answer


def _plain(text: str, *, status: int = 200) -> HttpResponse:
    return HttpResponse(f"{text}\n", status=status, content_type="text/plain; charset=utf-8")


# --- Headers and caches -----------------------------------------------------------------------------------------------


def _matches(request: HttpRequest, tag: str) -> bool:
    tags = parse_etags(request.headers.get("If-None-Match", ""))
    return tag in [one.removeprefix("W/") for one in tags]


def _finish(answer: HttpResponseBase, route: Route, tag: str) -> HttpResponseBase:
    if answer.status_code in (403, 404, 503):
        answer.headers.setdefault("Cache-Control", "no-cache")
    elif answer.status_code == 410 and route.kept != "page":
        answer["Cache-Control"] = "no-cache"
    else:
        answer.headers.setdefault("Cache-Control", _CACHE_CONTROL[route.kept])
        if route.kept == "page":
            answer["ETag"] = tag
    answer.headers.setdefault("Content-Security-Policy", POLICY)
    if route.kept != "page" or route.query or "samples" in route.pattern.pattern or "files" in route.pattern.pattern:
        answer["X-Robots-Tag"] = "noindex"
    return answer


def _key(*parts: object) -> str:
    return f"public-page:{hashlib.sha256(repr((settings.BUILD, *parts)).encode()).hexdigest()}"


def _packed(answer: HttpResponse) -> dict[str, Any]:
    names = ("Content-Type", "Content-Disposition", "Content-Security-Policy")
    headers = {name: answer[name] for name in names if name in answer}
    return {"content": answer.content, "status": answer.status_code, "headers": headers}


def _unpacked(kept: dict[str, Any]) -> HttpResponse:
    return HttpResponse(kept["content"], status=kept["status"], headers=kept["headers"])


def _kept(key: str) -> dict[str, Any] | None:
    """A kept page; None also where the cache does not answer, because pages can be written without it."""
    try:
        kept: dict[str, Any] | None = cache.get(key)
    except OSError as error:
        log.warning("the cache of public pages was not read: %s", type(error).__name__)
        return None
    return kept


def _keep(key: str, packed: dict[str, Any]) -> None:
    try:
        cache.set(key, packed, _KEPT_SECONDS)
    except OSError as error:
        log.warning("a public page was not kept: %s", type(error).__name__)


# --- The site's own files ---------------------------------------------------------------------------------------------


@remember
def _style() -> tuple[str, str]:
    text = _STYLE.read_text(encoding="utf-8")
    return hashlib.sha256(text.encode()).hexdigest()[:12], text


def style_address() -> str:
    """The address of the style sheet; it changes with the content, so browsers keep it for ever."""
    return f"/p/pages-{_style()[0]}.css"


@require_safe
def stylesheet(request: HttpRequest, digest: str) -> HttpResponse:
    """Send the style sheet of public pages."""
    known, text = _style()
    answer = HttpResponse(text, content_type="text/css; charset=utf-8")
    answer["Cache-Control"] = "public, max-age=31536000, immutable" if digest == known else "no-cache"
    return answer


@require_safe
def sitemap(request: HttpRequest) -> HttpResponse:
    """List the open pages for search engines, each with its other languages."""
    origin = f"{request.scheme}://{request.get_host()}"
    pages = []
    for slug in queries.open_slugs():
        site = queries.site_of(access.published_for(slug).benchmark_id)
        paths = [""]
        for row in site.open_releases:
            paths += [f"{row.release.label}/", f"{row.release.label}/board", f"{row.release.label}/changes"]
        pages += [{tag: f"{origin}/p/{slug}/{tag}/{path}" for tag in LANGUAGES} for path in paths]
    values = {"pages": [{"urls": urls, "alternates": list(urls.items())} for urls in pages]}
    text = render_to_string("publication/sitemap.xml", values)
    answer = HttpResponse(text, content_type="application/xml; charset=utf-8")
    answer["Cache-Control"] = "public, max-age=300"
    return answer


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Open the public pages to programs, and nothing else."""
    origin = f"{request.scheme}://{request.get_host()}"
    answer = _plain(f"User-agent: *\nAllow: /p/\nDisallow: /\n\nSitemap: {origin}/sitemap.xml")
    answer["Cache-Control"] = "public, max-age=300"
    return answer
