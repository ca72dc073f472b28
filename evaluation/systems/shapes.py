"""Answers about systems."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from typing_extensions import TypedDict

from curation.core.shapes import JobAnswer, LocalisedText, OneOf
from evaluation.systems.rules import SYSTEM_STATES, Access


class ModelServerRow(TypedDict):
    """A model server of this site, by name; its address and its key stay on the server."""

    name: str


class SystemFile(TypedDict):
    """A file that the backend reads."""

    name: str
    bytes: int
    sha256: str


class FetchWorker(TypedDict):
    """Whether a worker is alive that could carry out a fetch."""

    alive: bool
    last_seen: datetime | None


class SystemBrief(TypedDict):
    """A system as runs and scores name it; ``is_demo`` marks one that is no baseline."""

    slug: str
    name: str
    revision: str
    description: LocalisedText
    is_demo: bool


class SystemRevision(TypedDict):
    """A system: ``id``, ``revision`` and files are filled once it was added, ``is_demo`` marks no baseline.

    ``server`` is the model server that pictures and captions are sent to; empty: they stay with our workers. A job
    counts in KiB.
    """

    id: int | None
    slug: str
    name: str
    description: LocalisedText
    organisation: str
    access: Annotated[str, OneOf(Access)]
    architecture: str
    size_millions: float | None
    group: str
    languages: list[str]
    backend: str
    server: str
    revision: str
    hub_id: str
    homepage: str
    licence: str
    parameters: dict[str, Any]
    capabilities: list[str]
    is_demo: bool
    runs_code: bool
    state: Annotated[str, OneOf(SYSTEM_STATES)]
    job: JobAnswer | None
    files: list[SystemFile]
    files_sha256: str
    created_at: datetime | None
    runs: int


class SystemRow(SystemRevision):
    """A system at its newest revision; ``worker`` is filled while it is being fetched."""

    worker: FetchWorker | None


class SystemDetail(SystemRow):
    """A system with all its revisions, newest first."""

    revisions: list[SystemRevision]
