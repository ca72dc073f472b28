"""Uploading a file to import: it is checked and stored; a job reads its rows."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction

from annotation.imports.errors import (
    ImportDraftsNotInTrack,
    ImportEmpty,
    ImportFormatUnknown,
    ImportKindNotInFormat,
    ImportNotUtf8,
    ImportRestsOnWork,
    ImportTooLarge,
)
from annotation.imports.models import Import
from annotation.imports.rules import FORMATS, detect, first_bad_byte, storable
from annotation.items.errors import TrackNotInProtocol
from annotation.items.queries import protocol_with
from annotation.items.services import lock_benchmark
from annotation.kinds.registry import KINDS
from annotation.tracks.registry import TRACKS
from curation.benchmarks.rules import track_content, work_of
from curation.core import jobs
from curation.core.decisions import Decision
from curation.core.errors import DomainError, NotFound
from curation.core.stores import store
from curation.core.stores.space import disk_full_as_error, require_space
from curation.lib import files
from curation.people.access import benchmark_for
from curation.people.models import Person, Team

RUN_IMPORT = "annotation.run_import"
FOLDER = "imports"
AUTO = "auto"


def create_import(
    *,
    actor: Person,
    benchmark_slug: str,
    blocks: Iterable[bytes],
    name: str,
    format: str,  # noqa: A002  (the request's word)
    kind: str,
    target: str,
    reason: str,
    client_key: UUID,
    team: int | None = None,
) -> Import:
    """Store a file and queue the job that imports its rows.

    Args:
        actor: The importer, who becomes the author of the texts.
        benchmark_slug: The benchmark.
        blocks: The file's bytes.
        name: The file's name; shown, never used as a path.
        format: One of ``FORMATS`` or ``auto``.
        kind: The kind of work.
        target: ``items`` or ``drafts``.
        reason: Overrides findings that allow it; if empty, rows with such findings are rejected.
        client_key: Makes a repeat harmless.
        team: The id of the team of all rows; None: each row names its own.

    Raises:
        ImportEmpty, ImportTooLarge, ImportNotUtf8, ImportFormatUnknown, ImportKindNotInFormat: The file is rejected.
        TrackNotInProtocol: Items would never be reviewed.
        ImportDraftsNotInTrack: No one would find the drafts.
        ImportRestsOnWork: A file does not name the accepted work that items of the kind rest on.
        NotFound: The benchmark, or an open team of it, does not exist.
        KindNotInProtocol, ClientKeyReused, StorageFull, StorageUnavailable, OperationNotAllowed.
    """
    benchmark = benchmark_for(actor, benchmark_slug, "import_create")
    root = Path(settings.MEDIA_ROOT)
    with disk_full_as_error():
        staged, size, digest = files.stage_blocks(root, blocks, _check_size)
    stored = False
    key = f"{FOLDER}/{benchmark.pk}/{uuid.uuid4()}"
    try:
        detected = _check_file(staged, format, kind)
        stored = store().put(key, staged, digest)  # before the lock, so that other requests do not wait for the store
        with transaction.atomic():
            benchmark = lock_benchmark(benchmark)
            _check_track(protocol_with(benchmark, kind).content, kind, target)
            if team is not None and not Team.objects.filter(benchmark=benchmark, pk=team, closed_at=None).exists():
                raise NotFound
            decision = Decision(
                actor_id=actor.pk, action="import_create", client_key=client_key, benchmark_id=benchmark.pk
            )
            # The audit log holds no text that people wrote.
            reason_sha256 = hashlib.sha256(reason.encode()).hexdigest() if reason else ""
            request = {
                "sha256": digest,
                "kind": kind,
                "target": target,
                "format": format,
                "reason": reason_sha256,
                "team": None if team is None else str(team),
            }
            if earlier := decision.earlier(**request):
                store().discard([key])
                return Import.objects.get(pk=earlier.target_id)
            imported = Import.objects.create(
                benchmark=benchmark,
                kind=kind,
                team_id=team,
                format=detected,
                target=target,
                name=storable(name.replace("\\", "/").rpartition("/")[2]) or "file",
                sha256=digest,
                bytes=size,
                key=key,
                reason=reason,
                created_by=actor,
            )
            job = jobs.enqueue(
                task=RUN_IMPORT,
                args={"import_id": imported.pk},
                dedupe_key=f"import:{imported.pk}",
                benchmark_id=benchmark.pk,
                actor_id=actor.pk,
            )
            imported.job_id = job.pk
            imported.save(update_fields=["job_id"])
            decision.row = imported
            decision.record(**request)
    except (DomainError, IntegrityError):
        # Other errors, such as a lost connection, may have followed the commit; then the job needs the file.
        if stored:
            store().discard([key])
        raise
    finally:
        staged.unlink(missing_ok=True)
    return imported


def _check_track(content: Mapping[str, Any], kind: str, target: str) -> None:
    """Check that the rows can be worked on in the kind's track."""
    if KINDS[kind].base is not None:
        raise ImportRestsOnWork(kind=kind)
    track = work_of(content, kind).track
    if target == Import.Target.DRAFTS and not TRACKS[track].takes_imported_drafts:
        raise ImportDraftsNotInTrack(track=track)
    if target == Import.Target.ITEMS and track_content(content, track, kind) is None:
        raise TrackNotInProtocol(track=track)


def _check_size(size: int) -> None:
    require_space()
    if size > settings.IMPORT_LIMIT_BYTES:
        raise ImportTooLarge(maximum=settings.IMPORT_LIMIT_BYTES)


def _check_file(path: Path, format_name: str, kind: str) -> str:
    """Return the file's format, after checking that it can be read and can represent the kind."""
    with path.open("rb") as file:
        if not file.read(1):
            raise ImportEmpty
        file.seek(0)
        bad_byte = first_bad_byte(file)
    if bad_byte is not None:
        raise ImportNotUtf8(offset=bad_byte)
    detected = detect(path, kind) if format_name == AUTO else format_name
    if detected is None or detected not in FORMATS:
        raise ImportFormatUnknown
    if kind in KINDS and kind not in FORMATS[detected].kinds:
        raise ImportKindNotInFormat(format=detected, kind=kind)
    return detected
