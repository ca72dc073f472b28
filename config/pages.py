"""The pages a browser opens: the desk with its first answers in it, and one page for every other address.

The desk is where people spend their days, so it has a page of its own: small, and with everything in it that it would
ask for first. It carries what the API answers to the same person, no more; without a session it carries nothing.
"""

from __future__ import annotations

import copy
import functools
import json
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import FileResponse, HttpRequest, HttpResponse, QueryDict
from django.urls import resolve
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe
from rest_framework.response import Response

# Where the built desk.html leaves room.
PRELOADS = "<!-- preloads -->"
ANSWERS = "<!-- answers -->"
# The source of the desk's texts in one language, by which the build's manifest names the file to load.
TEXTS = "src/locales/desk/{language}.ts"
# A browser reads the block as text until "</script": JSON says the same without these characters.
HARMLESS = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}


@require_safe
@ensure_csrf_cookie
def single_page(request: HttpRequest) -> HttpResponse | FileResponse:
    """Answer every other address with the front end's page; its router shows the rest."""
    return _page(_built("index.html"), cache="no-cache")


@require_safe
@ensure_csrf_cookie
@gzip_page
def desk_page(request: HttpRequest, benchmark: str, package: int) -> HttpResponse:
    """Answer the address of a package's desk: its page with the session, the benchmark and the first items inside."""
    page = _built("desk.html")
    if page is None:
        return _page(page, cache="no-store")
    session = _ask(request, "/api/v1/session")
    if session is None:
        return _page(page, cache="no-store")
    work = _ask(request, f"/api/v1/packages/{package}/next", query="after=0")
    answers = {"session": session, "benchmark": _ask(request, f"/api/v1/benchmarks/{benchmark}"), "work": work}
    page = page.replace(PRELOADS, _preloads(session.data["person"]["language"], work), 1)
    # Put in as it is, not as a replacement pattern or a template: the answers hold what people typed.
    page = page.replace(ANSWERS, _block(answers), 1)
    return _page(page, cache="no-store")


def _ask(request: HttpRequest, address: str, query: str = "") -> Response | None:
    """What the API answers to the same person at another address; None when it refuses.

    The view found at the address looks at session and permissions itself, so that the page can never carry more than
    the API would give.
    """
    asked = copy.copy(request)
    asked.path = asked.path_info = address
    asked.GET = QueryDict(query)
    asked.method = "GET"
    found = resolve(address)
    response = found.func(asked, *found.args, **found.kwargs)
    return response.render() if response.status_code == 200 else None


def _block(answers: dict[str, Response | None]) -> SafeString:
    """A data block with the answers, harmless inside HTML whatever they hold."""
    parts = [f"{json.dumps(name)}:{answer.content.decode()}" for name, answer in answers.items() if answer is not None]
    data = ("{" + ",".join(parts) + "}").translate(HARMLESS)
    return mark_safe(f'<script type="application/json" id="answers">{data}</script>')  # noqa: S308  (escaped above)


def _preloads(language: str, work: Response | None) -> SafeString:
    """What the desk's script would ask for only after it has run: the first picture and the texts."""
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
    """A page of the built front end; None before it is built."""
    path = settings.FRONTEND_DIST / name
    return _read(str(path), path.stat().st_mtime_ns) if path.exists() else None


def _manifest() -> dict[str, Any]:
    """Which file the build made of which source."""
    path = settings.FRONTEND_DIST / ".vite" / "manifest.json"
    return _parsed(_read(str(path), path.stat().st_mtime_ns)) if path.exists() else {}


@functools.lru_cache(maxsize=8)
def _read(path: str, changed_at: int) -> str:
    """The file's text, read once for every build of it."""
    return Path(path).read_text(encoding="utf-8")


@functools.lru_cache(maxsize=2)
def _parsed(text: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(text)
    return found
