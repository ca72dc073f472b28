"""Taking the file: looked at while it is written down, read later by a job."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterable
from pathlib import Path
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction

from annotation.imports.errors import (
    ImportEmpty,
    ImportFormatUnknown,
    ImportKindNotInFormat,
    ImportNotUtf8,
    ImportTooLarge,
)
from annotation.imports.models import Import
from annotation.imports.rules import FORMATS, detect, first_bad_byte, storable
from annotation.kinds.registry import KINDS
from annotation.packages.errors import TrackNotInProtocol
from annotation.packages.queries.building import protocol_with
from annotation.packages.services import lock_benchmark
from curation.core import audit, jobs
from curation.core.errors import ClientKeyReused, DomainError
from curation.core.stores import store
from curation.lib import files
from curation.people.access import benchmark_for
from curation.people.models import Person

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
) -> Import:
    """Take a file and have it read.

    Args:
        actor: Who brings it in, and counts as the author of what it holds.
        benchmark_slug: Where.
        blocks: The file's bytes.
        name: What the file is called; shown, never used as a path.
        format: One of ``FORMATS`` or ``auto``.
        kind: The kind of work.
        target: ``items`` or ``drafts``.
        reason: Why findings that allow it are overridden; empty: rows with such findings are refused.
        client_key: Makes a repeat harmless.

    Raises:
        ImportEmpty, ImportTooLarge, ImportNotUtf8, ImportFormatUnknown, ImportKindNotInFormat: The file is not taken.
        TrackNotInProtocol: Items would never be checked.
        KindNotInProtocol, ClientKeyReused, StorageUnavailable, NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(actor, benchmark_slug, "import_create")
    root = Path(settings.MEDIA_ROOT)
    staged, size, digest = files.stage_blocks(root, blocks, _not_too_large)
    placed = False
    key = f"{FOLDER}/{benchmark.pk}/{uuid.uuid4()}"
    try:
        found = _looked_at(staged, format, kind)
        placed = store().put(key, staged, digest)  # before the lock: nobody waits for the store
        with transaction.atomic():
            benchmark = lock_benchmark(benchmark)
            protocol = protocol_with(benchmark, kind)
            if target == Import.Target.ITEMS and not protocol.content.get("tracks", {}).get("package"):
                raise TrackNotInProtocol(track="package")
            asked = {"sha256": digest, "kind": kind, "target": target, "format": format, "reason": reason}
            done = audit.already_done(actor_id=actor.pk, client_key=client_key, action="import_create")
            if done is not None:
                if done.benchmark_id != benchmark.pk or done.data != _logged(asked):
                    raise ClientKeyReused
                store().discard([key])
                return Import.objects.get(pk=done.target_id)
            made = Import.objects.create(
                benchmark=benchmark,
                kind=kind,
                format=found,
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
                args={"import_id": made.pk},
                dedupe_key=f"import:{made.pk}",
                benchmark_id=benchmark.pk,
                actor_id=actor.pk,
            )
            made.job_id = job.pk
            made.save(update_fields=["job_id"])
            audit.record(
                action="import_create",
                target_type="import",
                target_id=made.pk,
                label=f"import-{made.pk}",
                actor_id=actor.pk,
                benchmark_id=benchmark.pk,
                data=_logged(asked),
                client_key=client_key,
            )
    except (DomainError, IntegrityError):
        # Any other end, a lost connection for one, may have come after the commit.
        if placed:
            store().discard([key])
        raise
    finally:
        staged.unlink(missing_ok=True)
    return made


def _logged(asked: dict[str, str]) -> dict[str, str]:
    """What the log holds of a request: no text that people wrote."""
    said = hashlib.sha256(asked["reason"].encode()).hexdigest() if asked["reason"] else ""
    return asked | {"reason": said}


def _not_too_large(size: int) -> None:
    if size > settings.IMPORT_LIMIT_BYTES:
        raise ImportTooLarge(maximum=settings.IMPORT_LIMIT_BYTES)


def _looked_at(path: Path, format_name: str, kind: str) -> str:
    with path.open("rb") as file:
        if not file.read(1):
            raise ImportEmpty
        file.seek(0)
        bad = first_bad_byte(file)
    if bad is not None:
        raise ImportNotUtf8(offset=bad)
    found = detect(path) if format_name == AUTO else format_name
    if found is None or found not in FORMATS:
        raise ImportFormatUnknown
    if kind in KINDS and kind not in FORMATS[found].kinds:
        raise ImportKindNotInFormat(format=found, kind=kind)
    return found
