"""Storing the files of a set and queueing the job that reads them."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction

from curation.core import jobs
from curation.core.decisions import Decision, digest_of
from curation.core.stores import store
from curation.core.stores.space import disk_full_as_error, require_space
from curation.core.text import replace_unshowable
from curation.lib import files
from curation.people.access import benchmark_for, lock_person
from curation.people.models import Person
from evaluation.sets.errors import SetFileEmpty, SetFileTooLarge, SetLimit, SetNameTaken, SetSuiteUnknown
from evaluation.sets.models import ItemSet
from evaluation.sets.rules import suites_of_files
from evaluation.sets.services.items import READ

FOLDER: Final = "sets"
#: Sets of a benchmark that were not refused.
MOST_SETS: Final = 100


class File(NamedTuple):
    """An uploaded file: its name, shown and never used as a path, and its bytes."""

    name: str
    blocks: Iterable[bytes]


class _Staged(NamedTuple):
    path: Path
    facts: dict[str, Any]


def create_set(
    *,
    actor: Person,
    benchmark_slug: str,
    suite: str,
    name: str,
    gold: File,
    pictures: File | None,
    client_key: UUID,
    dialogues: File | None = None,
) -> ItemSet:
    """Store a benchmark's own files; a job reads them.

    Args:
        actor: Who makes the set.
        benchmark_slug: Where its runs and figures are shown.
        suite: The suite that asks its questions.
        name: What it is called.
        gold: The file of questions with right answers, of the form of the suite's profiles.
        pictures: A ZIP of its pictures; None where they are inside of the gold file.
        client_key: Makes a repeat harmless.
        dialogues: The file with the texts that CVLUE's dialogues name by ids.

    Raises:
        SetSuiteUnknown: The suite is unknown, or its files make no set.
        SetNameTaken, SetLimit: There is another set of the name, or there are too many.
        SetFileEmpty, SetFileTooLarge: A file is rejected.
        ClientKeyReused, StorageFull, StorageUnavailable, NotFound, OperationNotAllowed.
    """
    benchmark_for(actor, benchmark_slug, "set_create")
    if suite not in suites_of_files():
        raise SetSuiteUnknown(suite=suite, allowed=", ".join(suites_of_files()))
    left = int(settings.SET_LIMIT_BYTES)
    staged: dict[str, _Staged] = {}
    try:
        for part, file in {"gold": gold, "pictures": pictures, "dialogues": dialogues}.items():
            if file is not None:
                staged[part] = _stage(file, left)
                left -= staged[part].facts["bytes"]
        try:
            with transaction.atomic():
                return _create(actor, benchmark_slug, suite, name, staged, client_key)
        except IntegrityError as error:  # another administrator was faster with the name
            raise SetNameTaken(name=name) from error
    finally:
        for one in staged.values():
            one.path.unlink(missing_ok=True)


def _create(
    actor: Person, benchmark_slug: str, suite: str, name: str, staged: dict[str, _Staged], client_key: UUID
) -> ItemSet:
    lock_person(actor.pk)
    actor.grants = None  # a role may have ended while the files came in
    benchmark = benchmark_for(actor, benchmark_slug, "set_create")
    decision = Decision(actor_id=actor.pk, action="set_create", client_key=client_key, benchmark_id=benchmark.pk)
    shas = {part: one.facts["sha256"] for part, one in staged.items()}
    request = {"suite": suite, "texts": digest_of(name), "files": shas}
    if earlier := decision.earlier(**request):
        return ItemSet.objects.select_related("created_by", "benchmark").get(pk=earlier.target_id)
    kept = ItemSet.objects.filter(benchmark=benchmark, origin=ItemSet.Origin.FILE).exclude(state=ItemSet.State.REFUSED)
    if kept.filter(name=name).exists():
        raise SetNameTaken(name=name)
    if kept.count() >= MOST_SETS:
        raise SetLimit(limit=MOST_SETS)
    folder = uuid.uuid4()
    facts = {part: {**one.facts, "key": f"{FOLDER}/{folder}/{part}"} for part, one in staged.items()}
    row = ItemSet.objects.create(benchmark=benchmark, suite=suite, name=name, files=facts, created_by=actor)
    job = jobs.enqueue(
        task=READ, args={"set_id": row.pk}, dedupe_key=f"set:{row.pk}", benchmark_id=benchmark.pk, actor_id=actor.pk
    )
    row.job_id = job.pk
    row.save(update_fields=["job_id"])
    decision.row = row
    decision.record(**request)
    for part, one in staged.items():
        store().put(facts[part]["key"], one.path, one.facts["sha256"])  # before the commit: no row without its files
    return row


def _stage(file: File, left: int) -> _Staged:
    def check_size(size: int) -> None:
        require_space()
        if size > left:
            raise SetFileTooLarge(maximum=int(settings.SET_LIMIT_BYTES))

    with disk_full_as_error():
        path, size, sha256 = files.stage_blocks(Path(settings.MEDIA_ROOT), file.blocks, check_size)
    name = replace_unshowable(file.name.replace("\\", "/").rpartition("/")[2])[:200] or "file"
    if not size:
        path.unlink(missing_ok=True)
        raise SetFileEmpty(name=name)
    return _Staged(path, {"name": name, "sha256": sha256, "bytes": size})
