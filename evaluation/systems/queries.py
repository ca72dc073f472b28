"""Reads about systems: those that were added, and the records that ship with the project and were never fetched."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

import yaml
from django.conf import settings
from django.db.models import Count, QuerySet
from pydantic import ValidationError

from curation.calls.errors import ModelServerUnknown
from curation.core import jobs
from curation.core.errors import NotFound
from curation.core.models import Job
from curation.core.shapes import job_answer, localised_text
from curation.people.models import Person
from curation.wire.servers import ModelServer
from evaluation.backends.errors import BackendFilesUnfit
from evaluation.backends.registry import BACKENDS, CHAT, MODELS, SERVED
from evaluation.systems.errors import SystemFileInvalid
from evaluation.systems.models import System
from evaluation.systems.rules import SystemRecord, SystemState, listing_order, state_of
from evaluation.systems.shapes import (
    FetchWorker,
    ModelServerRow,
    SystemBrief,
    SystemDetail,
    SystemRevision,
    SystemRow,
)

FETCH = "evaluation.fetch_system"
SERVE = "evaluation.serve_system"


def every_system() -> QuerySet[System]:
    """All systems and revisions, newest first."""
    return System.objects.order_by("-pk")


def slugs() -> list[str]:
    """Every system by name, for protocols that name one."""
    return list(System.objects.order_by("slug").values_list("slug", flat=True).distinct())


def newest_by_slug(slugs: Iterable[str]) -> dict[str, System]:
    """The newest revision of each named system that exists."""
    rows = System.objects.filter(slug__in=set(slugs)).order_by("slug", "-pk").distinct("slug")
    return {system.slug: system for system in rows}


def folder_of(locator: str) -> Path:
    """The folder a locator names: absolute, or the first of that name in the settings' ``MODEL_DIRS``.

    Raises:
        BackendFilesUnfit: There is no such folder.
    """
    path = Path(locator)
    candidates = [path] if path.is_absolute() else [root / path for root in settings.MODEL_DIRS]
    for folder in candidates:
        if folder.is_dir():
            return folder
    raise BackendFilesUnfit(folder=path.name, reason="there is no such folder")


def server_of(locator: str, *, or_hosted: bool = False) -> ModelServer:
    """The model server of a name: one of the operator's own, or also one of a provider.

    Raises:
        ModelServerUnknown: There is none.
    """
    server: ModelServer | None = settings.MODEL_SERVERS.get(locator)
    if server is None or (server.hosted and not or_hosted):
        raise ModelServerUnknown(server=locator)
    return server


def model_servers(person: Person) -> list[ModelServerRow]:
    """List the names of the operator's own model servers; hosted ones report nothing that would identify a system."""
    return [{"name": name} for name, server in sorted(settings.MODEL_SERVERS.items()) if not server.hosted]


def queue_of(backend: str) -> str:
    """The queue whose workers carry out runs of a backend's systems."""
    return BACKENDS[backend].queue if backend in BACKENDS else MODELS


# --- Records that ship ------------------------------------------------------------------------------------------------


def records() -> dict[str, SystemRecord]:
    """The records under ``fixtures/systems`` by slug; a file is read again only after it changed.

    Raises:
        SystemFileInvalid: One is not of the documented form.
    """
    files = sorted((settings.FIXTURES / "systems").glob("*.yaml"))
    return {record.slug: record for record in (_read(file, file.stat().st_mtime_ns) for file in files)}


def record_of(slug: str) -> SystemRecord:
    """What is known of a system: its shipped record, or what was entered when it was added.

    Raises:
        NotFound: There is no record of this name.
    """
    shipped = records().get(slug)
    if shipped is not None:
        return shipped
    added = newest_by_slug([slug]).get(slug)
    if added is None:
        raise NotFound
    return SystemRecord.model_validate({name: getattr(added, name) for name in SystemRecord.model_fields})


def read_record(file: Path) -> SystemRecord:
    """Read one description file.

    Raises:
        SystemFileInvalid: It is not of the documented form.
    """
    try:
        return SystemRecord.model_validate(yaml.safe_load(file.read_text(encoding="utf-8")))
    except yaml.YAMLError as error:
        raise SystemFileInvalid(file=file.name, reason=str(error)) from error
    except ValidationError as error:
        reasons = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())
        raise SystemFileInvalid(file=file.name, reason=reasons) from error


@lru_cache(maxsize=512)
def _read(file: Path, _changed_at: int) -> SystemRecord:
    return read_record(file)


# --- Pages ------------------------------------------------------------------------------------------------------------


_FETCH_KEY = "fetch-system:"


def fetch_key(slug: str) -> str:
    """Dedupe key of a system's fetch, so that only one runs at a time."""
    return f"{_FETCH_KEY}{slug}"


def system_brief(system: System) -> SystemBrief:
    """A system as runs and scores name it."""
    return {
        "slug": system.slug,
        "name": system.name,
        "revision": system.revision,
        "description": localised_text(system.description),
        "is_demo": system.is_demo,
    }


def list_systems(person: Person) -> list[SystemRow]:
    """List systems at their newest revisions, by group: what was added, and what only a record describes."""
    newest = System.objects.order_by("slug", "-pk").distinct("slug").values("pk")
    added = {row.slug: row for row in _counted().filter(pk__in=newest)}
    described = records() | _requested_on_servers()
    fetches = _newest_fetches(added.keys() | described.keys())
    rows = [(_added_revision(row, fetches.get(slug)), fetches.get(slug)) for slug, row in added.items()]
    rows += [
        (_described_revision(record, fetches.get(slug)), fetches.get(slug))
        for slug, record in described.items()
        if slug not in added
    ]
    return sorted(_with_workers(rows), key=lambda row: listing_order(row["group"], row["state"], row["name"]))


def show_system(person: Person, system_slug: str) -> SystemDetail:
    """Show a system with its files, the fetch under way and all revisions, newest first.

    Raises:
        NotFound: There is no record of this name.
    """
    added = list(_counted().filter(slug=system_slug).order_by("-pk"))
    record = None if added else _requested_on_servers().get(system_slug) or records().get(system_slug)
    fetch = _newest_fetches([system_slug]).get(system_slug)
    if added:
        newest = _added_revision(added[0], fetch)
    elif record is not None:
        newest = _described_revision(record, fetch)
    else:
        raise NotFound
    (row,) = _with_workers([(newest, fetch)])
    return {**row, "revisions": [_added_revision(revision, None) for revision in added]}


def fetched_system(person: Person, job: Job) -> SystemDetail:
    """The system that a job fetches or asks a model server about."""
    return show_system(person, job.dedupe_key.removeprefix(_FETCH_KEY))


def _counted() -> QuerySet[System]:
    return System.objects.annotate(run_count=Count("runs"))


def _newest_fetches(slugs: Iterable[str]) -> dict[str, Job]:
    keys = {fetch_key(slug): slug for slug in slugs}
    rows = (
        Job.objects.filter(task__in=[FETCH, SERVE], dedupe_key__in=keys)
        .order_by("dedupe_key", "-pk")
        .distinct("dedupe_key")
    )
    return {keys[job.dedupe_key]: job for job in rows}


def _requested_on_servers() -> dict[str, SystemRecord]:
    """Requested systems on model servers, by slug: until a worker has added one, its job describes it."""
    jobs_by_key = Job.objects.filter(task=SERVE).order_by("dedupe_key", "-pk").distinct("dedupe_key")
    requested = [SystemRecord.model_validate(record) for record in jobs_by_key.values_list("args__record", flat=True)]
    return {record.slug: record for record in requested}


def _added_revision(system: Any, job: Job | None) -> SystemRevision:
    """A revision that was added."""
    return {
        "id": system.pk,
        "slug": system.slug,
        "name": system.name,
        "description": system.description,
        "organisation": system.organisation,
        "access": system.access,
        "architecture": system.architecture,
        "size_millions": system.size_millions,
        "group": system.group,
        "languages": system.languages,
        "backend": system.backend,
        "server": _server_name(system.backend, system.locator),
        "revision": system.revision,
        "hub_id": system.hub_id,
        "homepage": system.homepage,
        "licence": system.licence,
        "parameters": system.parameters,
        "capabilities": system.capabilities,
        "is_demo": system.is_demo,
        "runs_code": system.runs_code,
        "state": state_of(has_backend=bool(system.backend), is_here=True, job_state=job.state if job else None),
        "job": job_answer(job) if job else None,
        "files": system.files,
        "files_sha256": system.files_sha256,
        "created_at": system.created_at,
        "runs": system.run_count,
    }


def _described_revision(record: SystemRecord, job: Job | None) -> SystemRevision:
    """A record of which no revision was added yet."""
    return {
        "id": None,
        "slug": record.slug,
        "name": record.name,
        "description": localised_text(record.description.model_dump(by_alias=True)),
        "organisation": record.organisation,
        "access": record.access,
        "architecture": record.architecture,
        "size_millions": record.size_millions,
        "group": record.group,
        "languages": list(record.languages),
        "backend": record.backend,
        "server": _server_name(record.backend, record.locator),
        "revision": "",
        "hub_id": record.hub_id,
        "homepage": record.homepage,
        "licence": record.licence,
        "parameters": record.parameters,
        "capabilities": list(record.capabilities),
        "is_demo": record.is_demo,
        "runs_code": False,
        "state": state_of(has_backend=bool(record.backend), is_here=False, job_state=job.state if job else None),
        "job": job_answer(job) if job else None,
        "files": [],
        "files_sha256": "",
        "created_at": None,
        "runs": 0,
    }


def _server_name(backend: str, locator: str) -> str:
    return locator if backend in (SERVED, CHAT) else ""


def _with_workers(rows: list[tuple[SystemRevision, Job | None]]) -> list[SystemRow]:
    """Add to each fetch under way whether there is a worker to do it."""
    queues = {job.queue for row, job in rows if job and row["state"] == SystemState.FETCHING}
    workers: dict[str, FetchWorker] = {queue: cast(FetchWorker, jobs.last_seen(queue)) for queue in queues}
    return [
        {**row, "worker": workers[job.queue] if job and row["state"] == SystemState.FETCHING else None}
        for row, job in rows
    ]
