"""Answers about public pages."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from typing_extensions import TypedDict

from annotation.releases.models import Release
from curation.core.shapes import LocalisedText, OneOf
from evaluation.publication.models import Publication


class CitationFields(TypedDict):
    """How to cite the benchmark; ``year`` is null where each release's own is meant."""

    authors: list[str]
    title: str
    year: int | None
    url: str


class PublicReleaseRow(TypedDict):
    """A release that is or can be public, with the downloads of its files so far.

    ``closed_files`` are those that contain pictures which were withdrawn or covered since; only a new release has them
    again.
    """

    id: int
    label: str
    state: Annotated[str, OneOf(Release.State)]
    is_public: bool
    opened_at: datetime | None
    closed_at: datetime | None
    downloads: int
    closed_files: list[str]
    withdrawn_images: int
    available_actions: list[str]


class PublicationDetail(TypedDict):
    """The public pages of a benchmark, for those who decide about them.

    ``url`` is their address, ``preview_url`` that of the same pages for heads only; ``samples`` are the splits from
    which the protocol shows items; ``terms_accepted`` people accepted the current text of the terms.
    """

    is_open: bool
    url: str
    preview_url: str
    terms_mode: Annotated[str, OneOf(Publication.Terms)]
    terms: LocalisedText
    terms_accepted: int
    citation: CitationFields
    canary: str | None
    samples: list[str]
    releases: list[PublicReleaseRow]
    available_actions: list[str]
