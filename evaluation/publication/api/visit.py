"""A visit to a public page: what it shows, in which language, under which addresses."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.http import parse_etags

from annotation.releases.models import Release
from curation.people.services.links import sign_up_of
from evaluation.publication import queries
from evaluation.publication.rules import LANGUAGE_NAMES, LANGUAGES, WORDS, Citation

_MONTHS: Final = (
    "January February March April May June July August September October November December".split()  # noqa: SIM905
)


@dataclass(frozen=True, slots=True)
class Visit:
    """A request for a page below a benchmark's public address.

    Attributes:
        base: The address of the pages without a slash at the end: ``/p/cvlue``, or that of the preview.
        origin: Scheme and host, for absolute addresses.
        style: The address of the style sheet.
        query: The parameters that the page knows.
    """

    request: HttpRequest
    site: queries.Site
    base: str
    origin: str
    style: str
    query: dict[str, str]

    @property
    def submit_url(self) -> str:
        """The page of the application on which people sign in, accept terms and submit predictions."""
        return f"/submit/{self.site.benchmark.slug}"

    def submit_how(self, language: str) -> str:
        """How people come by an account to submit predictions with."""
        sign_up = sign_up_of(self.site.benchmark)
        how = "invited" if sign_up == "open" and settings.SIGN_UP != "open" else sign_up
        return WORDS[language][f"submit_{how}"]

    @property
    def outsiders_submit(self) -> bool:
        """Whether people outside the team can get an account to submit predictions with."""
        return sign_up_of(self.site.benchmark) != "off"

    def has_tag(self, sha256: str) -> bool:
        """Whether the reader's cache has the file of this SHA-256 already."""
        tags = parse_etags(self.request.headers.get("If-None-Match", ""))
        return f'"{sha256}"' in [tag.removeprefix("W/") for tag in tags]

    def starts_file(self) -> bool:
        """Whether the request is for a file from its first byte on, and not for a later part of it."""
        requested = self.request.headers.get("Range", "")
        return not requested or requested.replace(" ", "").startswith("bytes=0-")

    @property
    def title_by_language(self) -> dict[str, str]:
        """The benchmark's title in each language."""
        return {language: self.site.benchmark.title.get(language, "") for language in LANGUAGES}

    def release(self, label: str) -> Release:
        """The open release of this label.

        Raises:
            NoLongerPublic, NotFound.
        """
        return queries.release_in(self.site, label)

    def citation(self, release: Release, language: str = "") -> Citation:
        """How to cite a release: on a page in a language, or in files, whose address leads to the reader's language."""
        typed = self.site.publication.citation
        published = release.published_at or release.created_at
        title = self.title_by_language
        path = f"{language}/{release.label}" if language else release.label
        return Citation(
            authors=tuple(typed.get("authors", ())),
            title=typed.get("title") or title[language or "en"] or self.site.benchmark.slug,
            year=typed.get("year") or published.year,
            url=typed.get("url") or f"{self.origin}{self.base}/{path}/",
            label=release.label,
            key=f"{self.site.benchmark.slug}-{release.label}",
            licence=queries.facts(release).whole.about.licence,
            published=published.date(),
        )

    def render(
        self, template: str, language: str, *, path: str = "", release: Release | None = None, **values: Any
    ) -> HttpResponse:
        """Write a page.

        Args:
            template: The template's name, and the name of the page in the navigation.
            language: The page's language.
            path: The address below the language, the same in all of them.
            release: The release that the page is about.
            values: What the template shows.
        """
        words = WORDS[language]
        here = f"{self.base}/{language}/"
        title = self.title_by_language[language] or self.site.benchmark.slug
        context = {
            "w": words,
            "gap": " " if language == "en" else "",  # between sentences: none after a Chinese full stop
            "language": language,
            "languages": [
                {"tag": tag, "name": LANGUAGE_NAMES[tag], "url": f"{self.base}/{tag}/{path}"} for tag in LANGUAGES
            ],
            "canonical": f"{self.origin}{here}{path}",
            "origin": self.origin,
            "base": self.base,
            "here": here,
            "style": self.style,
            "submit_url": self.submit_url,
            "benchmark_title": title,
            "is_preview": self.site.is_preview,
            "release": release,
            "root": f"{here}{release.label}/" if release else here,
            "has_samples": bool(self.site.settings.splits),
            "page": template,
            "heading": values.pop("heading", ""),
            "description": values.pop("description", "") or values.get("summary") or title,
            **values,
        }
        return HttpResponse(render_to_string(f"publication/{template}.html", context))


def kind_choices(release: Release, language: str) -> list[dict[str, str]]:
    """The kinds of a release to choose from; none if it has only one."""
    kinds = [own.kind for own in release.kinds.all()]
    return [{"code": kind, "name": WORDS[language].get(kind, kind)} for kind in kinds] if len(kinds) > 1 else []


def display_date(moment: datetime, language: str) -> str:
    """Write a date as it is read in a language, in UTC."""
    if language == "en":
        return f"{moment.day} {_MONTHS[moment.month - 1]} {moment.year}"
    return f"{moment.year}年{moment.month}月{moment.day}日"


def display_bytes(size: int) -> str:
    """Write a size with three digits."""
    value = float(size)
    for unit in ("B", "kB", "MB", "GB"):
        if value < 1000 or unit == "GB":
            return f"{value:.0f} {unit}" if unit == "B" else f"{value:.3g} {unit}"
        value /= 1000
    raise AssertionError


def display_number(number: int) -> str:
    """Write a number with separators between thousands."""
    return f"{number:,}"
