"""Reads about systems: those that were added, and the records that ship and were never fetched."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml
from django.conf import settings
from django.db.models import Count, QuerySet
from pydantic import ValidationError

from curation.core import jobs
from curation.core.errors import NotFound
from curation.core.models import Job
from evaluation.backends.errors import BackendFilesUnfit, ModelServerUnknown
from evaluation.backends.registry import BACKENDS, MODELS
from evaluation.backends.serving import ModelServer
from evaluation.systems.errors import SystemFileInvalid
from evaluation.systems.models import System
from evaluation.systems.rules import SystemRecord, SystemState, in_order, state_of

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
    asked = Path(locator)
    candidates = [asked] if asked.is_absolute() else [root / asked for root in settings.MODEL_DIRS]
    for folder in candidates:
        if folder.is_dir():
            return folder
    raise BackendFilesUnfit(folder=asked.name, reason="there is no such folder")


def server_of(locator: str) -> ModelServer:
    """The model server of a name, as the operator has set it up.

    Raises:
        ModelServerUnknown: There is none.
    """
    server = settings.MODEL_SERVERS.get(locator)
    if server is None:
        raise ModelServerUnknown(server=locator)
    found: ModelServer = server
    return found


def model_servers() -> list[dict[str, str]]:
    """The model servers that are set up, by name and no more."""
    return [{"name": name} for name in sorted(settings.MODEL_SERVERS)]


def queue_of(backend: str) -> str:
    """The queue whose workers carry out runs of a backend's systems."""
    return BACKENDS[backend].queue if backend in BACKENDS else MODELS


# --- Records that ship ------------------------------------------------------------------------------------------------


def records() -> dict[str, SystemRecord]:
    """The records under ``fixtures/systems`` by slug; a file is read anew only after it changed.

    Raises:
        SystemFileInvalid: One is not of the documented form.
    """
    files = sorted((settings.FIXTURES / "systems").glob("*.yaml"))
    return {record.slug: record for record in (_read(file, file.stat().st_mtime_ns) for file in files)}


def record_of(slug: str) -> SystemRecord:
    """What is known of a system: its shipped record, or what was said when it was added.

    Raises:
        NotFound: Nobody ever described one of this name.
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


def fetch_key(slug: str) -> str:
    """Under which a system's fetch is noted, so that there is one at a time."""
    return f"fetch-system:{slug}"


def list_systems() -> list[Mapping[str, Any]]:
    """Every system once, at its newest revision: what was added, and what only a record tells of."""
    newest = System.objects.order_by("slug", "-pk").distinct("slug").values("pk")
    added = {row.slug: row for row in _counted().filter(pk__in=newest)}
    shipped = records() | _asked_for()
    fetches = _newest_fetches(added.keys() | shipped.keys())
    shown = [_of_row(row, fetches.get(slug)) for slug, row in added.items()]
    shown += [_of_record(record, fetches.get(slug)) for slug, record in shipped.items() if slug not in added]
    return in_order(_with_worker(shown))


def show_system(slug: str) -> dict[str, Any]:
    """One system with all its revisions, newest first.

    Raises:
        NotFound: Nobody ever described one of this name.
    """
    revisions = [_of_row(row, None) for row in _counted().filter(slug=slug).order_by("-pk")]
    record = None if revisions else _asked_for().get(slug) or records().get(slug)
    fetch = _newest_fetches([slug]).get(slug)
    if revisions:
        shown = _stand({**revisions[0], "job": fetch})
    elif record is not None:
        shown = _of_record(record, fetch)
    else:
        raise NotFound
    (shown,) = _with_worker([shown])
    return {**shown, "revisions": revisions}


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


def _asked_for() -> dict[str, SystemRecord]:
    """Systems on model servers that somebody asked for, by slug: until a worker has added one, its job tells of it."""
    asked = Job.objects.filter(task=SERVE).order_by("dedupe_key", "-pk").distinct("dedupe_key")
    records = [SystemRecord.model_validate(record) for record in asked.values_list("args__record", flat=True)]
    return {record.slug: record for record in records}


_FILES = ("revision", "files", "files_sha256", "runs_code", "created_at")


def _of_row(row: Any, job: Job | None) -> dict[str, Any]:
    """A revision that was added."""
    told = {name: getattr(row, name) for name in (*SystemRecord.model_fields, *_FILES)}
    return _stand({**told, "id": row.pk, "runs": row.run_count, "job": job})


def _of_record(record: SystemRecord, job: Job | None) -> dict[str, Any]:
    """A record nothing was added of yet, in the same shape."""
    nothing = {"revision": "", "files": [], "files_sha256": "", "runs_code": False, "created_at": None, "runs": 0}
    return _stand({**record.model_dump(mode="json", by_alias=True), **nothing, "id": None, "job": job})


def _stand(shown: dict[str, Any]) -> dict[str, Any]:
    job: Job | None = shown["job"]
    state = state_of(
        has_backend=bool(shown["backend"]), is_here=shown["id"] is not None, job_state=job.state if job else None
    )
    return {**shown, "state": state}


def _with_worker(shown: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Tell beside each fetch under way whether there is a worker to do it."""
    queues = {s["job"].queue for s in shown if s["state"] == SystemState.FETCHING}
    seen = {queue: jobs.last_seen(queue) for queue in queues}
    return [{**s, "worker": seen[s["job"].queue] if s["state"] == SystemState.FETCHING else None} for s in shown]
