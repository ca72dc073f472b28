"""The HTML pages: the desk with its first API responses, and one page for every other address.

People spend their days on the desk, so its page is separate, small, and includes the data that it would request first.
The page has the same data as the API gives this person; without a session it has none.
"""

from __future__ import annotations

import copy
import functools
import json
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.urls import resolve
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.csrf import csrf_exempt, ensure_csrf_cookie
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe
from rest_framework.response import Response

from curation.mail.errors import MailStopLinkUnknown
from curation.mail.services import stop_mails

# The placeholder in the built desk.html.
PRELOADS = "<!-- preloads -->"
ANSWERS = "<!-- answers -->"
# The source of the desk's texts in one language; the build's manifest maps it to a file.
TEXTS = "src/locales/desk/{language}.ts"
# Browsers end the block at "</script", so these characters are written as JSON escapes.
HARMLESS = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}


@require_safe
@ensure_csrf_cookie
def single_page(request: HttpRequest) -> HttpResponse | FileResponse:
    """Serve the front end's page at every other address; its router does the rest."""
    return _page(_built("index.html"), cache="no-cache")


@csrf_exempt
def mail_stop_page(request: HttpRequest, token: str) -> HttpResponseBase:
    """The address in ``List-Unsubscribe``: mail programs post to it without a session (RFC 8058), people open it."""
    if request.method != "POST":
        return single_page(request)
    try:
        stop_mails(actor=AnonymousUser(), token=token)
    except MailStopLinkUnknown as error:
        raise Http404 from error
    return HttpResponse(status=204)


@require_safe
@ensure_csrf_cookie
@gzip_page
def desk_page(request: HttpRequest, benchmark: str, package: int) -> HttpResponse:
    """Serve the page of a package's desk with the session and the first items."""
    page = _built("desk.html")
    if page is None:
        return _page(page, cache="no-store")
    session = _ask(request, "/api/v1/session")
    if session is None:
        return _page(page, cache="no-store")
    work = _ask(request, f"/api/v1/packages/{package}/next", query="after=0")
    page = page.replace(PRELOADS, _preloads(session.data["person"]["language"], work), 1)
    # Inserted literally, not as a replacement pattern or a template, because responses contain text that people typed.
    page = page.replace(ANSWERS, _block({"session": session, "work": work}), 1)
    return _page(page, cache="no-store")


def _ask(request: HttpRequest, address: str, query: str = "") -> Response | None:
    """Return the API's response at another address for the same person; None if the API refuses.

    The view itself checks session and permissions, so the page never has more than the API would give.
    """
    subrequest = copy.copy(request)
    subrequest.path = subrequest.path_info = address
    subrequest.GET = QueryDict(query)
    subrequest.method = "GET"
    match = resolve(address)
    response = match.func(subrequest, *match.args, **match.kwargs)
    return response.render() if response.status_code == 200 else None


def _block(answers: dict[str, Response | None]) -> SafeString:
    """Encode the responses as a data block that is safe inside HTML."""
    parts = [f"{json.dumps(name)}:{answer.content.decode()}" for name, answer in answers.items() if answer is not None]
    data = ("{" + ",".join(parts) + "}").translate(HARMLESS)
    return mark_safe(f'<script type="application/json" id="answers">{data}</script>')  # noqa: S308  (escaped above)


def _preloads(language: str, work: Response | None) -> SafeString:
    """Preload what the desk's script would request after its start: the first picture and the texts."""
    manifest = _manifest()
    texts = manifest.get(TEXTS.format(language=language))
    files = [texts["file"], *(manifest[name]["file"] for name in texts.get("imports", []))] if texts else []
    links = [format_html('<link rel="modulepreload" crossorigin href="/{}">', file) for file in files]
    if work is not None and work.data["items"]:
        picture = work.data["items"][0]["image"]["view_url"]
        links.append(format_html('<link rel="preload" as="image" fetchpriority="high" href="{}">', picture))
    return mark_safe("".join(links))  # noqa: S308  (each link is escaped)


def _page(page: str | None, *, cache: str) -> HttpResponse:
    if page is None:
        return HttpResponse("The front end is not built yet: run `make demo`.", status=503, content_type="text/plain")
    response = HttpResponse(page, content_type="text/html; charset=utf-8")
    response["Cache-Control"] = cache
    response["Content-Security-Policy"] = settings.CONTENT_SECURITY_POLICY
    return response


def _built(name: str) -> str | None:
    """Return a page of the built front end; None before the build."""
    path = settings.FRONTEND_DIST / name
    return _read(str(path), path.stat().st_mtime_ns) if path.exists() else None


def _manifest() -> dict[str, Any]:
    """Return the build's manifest: source → file."""
    path = settings.FRONTEND_DIST / ".vite" / "manifest.json"
    return _parsed(_read(str(path), path.stat().st_mtime_ns)) if path.exists() else {}


@functools.lru_cache(maxsize=8)
def _read(path: str, changed_at: int) -> str:
    """Return the file's text, cached for each build."""
    return Path(path).read_text(encoding="utf-8")


@functools.lru_cache(maxsize=2)
def _parsed(text: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(text)
    return content
