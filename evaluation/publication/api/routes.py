"""The addresses below a benchmark's public address, and what answers each."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from django.http.response import HttpResponseBase

from curation.core.errors import NotFound
from evaluation.publication.api import boards, content, downloads, errata

_LANGUAGE: Final = "(?P<language>zh-Hans|zh-Hant|en)"
_LABEL: Final = r"(?P<label>[a-z][a-z0-9_-]{0,60})"


class Route(NamedTuple):
    """An address.

    Attributes:
        answer: Called with the visit and the named parts of the address.
        page: How caches may keep it: a page under its version, a picture for minutes, a file after asking.
        query: The parameters that it knows; others are ignored.
    """

    pattern: re.Pattern[str]
    answer: Callable[..., HttpResponseBase]
    kept: str
    query: tuple[str, ...] = ()


def _route(pattern: str, answer: Callable[..., HttpResponseBase], kept: str = "page", *query: str) -> Route:
    return Route(re.compile(pattern), answer, kept, query)


ROUTES: Final = (
    _route(f"{_LANGUAGE}/", content.overview),
    _route(f"{_LANGUAGE}/{_LABEL}/", content.release),
    _route(f"{_LANGUAGE}/{_LABEL}/board", boards.board, "page", "kind"),
    _route(rf"{_LANGUAGE}/{_LABEL}/board/(?P<name>[a-z-]+\.[a-z]+)", downloads.board_file, "page", "kind", "profile"),
    _route(f"{_LANGUAGE}/{_LABEL}/files", content.files),
    _route(f"{_LANGUAGE}/{_LABEL}/samples", content.samples, "page", "kind", "split", "category", "page"),
    _route(f"{_LANGUAGE}/{_LABEL}/samples/(?P<item>[a-z]+-[0-9]+)", content.sample),
    _route(f"{_LANGUAGE}/{_LABEL}/changes", content.changes),
    _route(f"{_LANGUAGE}/{_LABEL}/errata", errata.page),
    _route(f"{_LABEL}/", content.in_own_language),
    _route(f"{_LABEL}/files/(?P<name>[^/]+)", downloads.file, "file"),
    _route(
        rf"{_LABEL}/pictures/(?P<number>[0-9]{{1,9}})-(?P<role>view|thumb)-(?P<rendition>[0-9]{{1,15}})\.[a-z]+",
        downloads.picture,
        "picture",
    ),
    _route(rf"{_LABEL}/archive\.zip", downloads.archive, "file"),
    _route(rf"{_LABEL}/CITATION\.cff", downloads.citation_cff),
    _route(rf"{_LABEL}/citation\.bib", downloads.citation_bib),
    _route(rf"{_LABEL}/gone\.json", downloads.gone),
    _route(rf"{_LABEL}/errata\.jsonl", errata.lines),
    _route(r"feed\.atom", downloads.feed),
)


def route_of(page: str) -> tuple[Route, dict[str, Any]]:
    """The route of an address, with the named parts.

    Raises:
        NotFound: There is none.
    """
    for route in ROUTES:
        if match := route.pattern.fullmatch(page):
            return route, match.groupdict()
    raise NotFound
