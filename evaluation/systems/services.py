"""Adding systems under test."""

from __future__ import annotations

import logging
from pathlib import Path

import yaml
from django.conf import settings
from django.db import transaction
from pydantic import ValidationError

from curation.core import audit
from curation.core.errors import DomainError
from evaluation.backends.errors import BackendFilesUnfit
from evaluation.backends.files import fingerprint
from evaluation.backends.registry import BACKENDS
from evaluation.systems import queries
from evaluation.systems.errors import SystemFileInvalid, SystemRevisionTaken
from evaluation.systems.models import System
from evaluation.systems.rules import SystemRecord

log = logging.getLogger(__name__)


@transaction.atomic
def add_system(record: SystemRecord) -> System:
    """Add a system, or find it where it was added before.

    The row names its files by their content, so that a run never mixes two states of them; without a revision's name
    the first twelve digits of that number serve as one.

    Raises:
        UnknownEntry: There is no such backend.
        BackendFilesUnfit: The folder is missing or holds no model.
        SystemRevisionTaken: The revision exists and was made of other files.
    """
    BACKENDS[record.backend]  # refuses an unknown name
    sha256 = fingerprint(queries.folder_of(record.locator))
    described = record.model_dump(mode="json", by_alias=True, exclude={"slug", "revision"})
    system, made = System.objects.get_or_create(
        slug=record.slug, revision=record.revision or sha256[:12], defaults={**described, "files_sha256": sha256}
    )
    if system.files_sha256 != sha256:
        raise SystemRevisionTaken(slug=system.slug, revision=system.revision)
    if made:
        audit.record(
            action="system_add",
            target_type="system",
            target_id=system.pk,
            label=system.slug,
            actor_id=None,
            benchmark_id=None,
            data={"slug": system.slug, "revision": system.revision, "files_sha256": sha256},
        )
    return system


def ensure_fixture_systems() -> list[System]:
    """Add the systems that ship with the software; a second call finds them.

    One whose files are missing is left out with a line in the log, so that a checkout without its model still starts.
    """
    found = []
    for file in sorted((settings.FIXTURES / "systems").glob("*.yaml")):
        try:
            found.append(add_system(read_record(file)))
        except BackendFilesUnfit as error:
            log.warning("%s is left out: %s", file.name, error)
    return found


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


def check_system(record: SystemRecord) -> None:
    """Load a system once and embed a word, so that unfit files are refused before they are added.

    Raises:
        DomainError: The files cannot be run.
    """
    try:
        embedder = BACKENDS[record.backend].open_embedder(queries.folder_of(record.locator), record.parameters)
        embedder.embed_texts(["花灯"])
    except DomainError:
        raise
    except Exception as error:
        raise BackendFilesUnfit(
            folder=Path(record.locator).name, reason=f"{type(error).__name__}: {error}"[:300]
        ) from error
