"""From a chunk of a set's entries to replies."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from django.db.models import F

from curation.core.errors import StorageUnavailable
from curation.core.stores import store
from curation.prompts.queries import Key, shipped
from evaluation.answering.rules.pictures import Loaded, loaded
from evaluation.answering.services.asking import Asker, Record
from evaluation.answering.services.systems import AnsweringSystem, of_row
from evaluation.backends.asks import Decoding
from evaluation.runs.errors import PictureStoreUnreachable, RunPromptMissing
from evaluation.runs.models import Chunk, Reply, ReplyFailure, Run
from evaluation.runs.queries.replies import REFUSED
from evaluation.runs.services.set_runs import scale_of
from evaluation.sets.models import Entry as StoredEntry
from evaluation.sets.rules import askable, entry_of

log = logging.getLogger(__name__)

#: The error of an entry whose worker died again and again.
GAVE_UP = "chunk_gave_up"


@dataclass(frozen=True, slots=True)
class Replies:
    """The rows of a chunk, written in one transaction."""

    replies: list[Reply]
    failures: list[ReplyFailure]


class StoredPictures:
    """The pictures of some entries, in the store."""

    def __init__(self, entries: Collection[StoredEntry], scale: Fraction) -> None:
        self._keys = {entry.picture.name: entry.picture.key for entry in entries if entry.picture is not None}
        self._scale = scale

    def load(self, name: str) -> Loaded:
        """Read a picture.

        Raises:
            PictureStoreUnreachable: The store is away.
        """
        try:
            return loaded(store().read(self._keys[name]), self._scale)
        except StorageUnavailable as error:
            raise PictureStoreUnreachable from error


@lru_cache(maxsize=1)  # one model in memory at a time: two may not fit on a card
def _opened(run_id: int) -> tuple[AnsweringSystem, Asker]:
    run = Run.objects.select_related("system", "benchmark").get(pk=run_id)
    system = of_row(run.system, run.benchmark.slug)
    asker = _asker(run.settings)
    parts = {"text": "generator", "likelihood": "ranker", "similarity": "embedder"}
    log.info("loading %s %s", run.system.slug, run.system.revision)
    opener = getattr(system, f"open_{parts[asker.means]}")
    asker = replace(asker, **{parts[asker.means]: opener()})
    if asker.means == "likelihood" and system.open_generator is not None and _asks_without_options(run):
        asker = replace(asker, generator=system.open_generator())
    if asker.generator is not None and run.settings["picture"]:
        system.probe_pictures()
    return system, asker


def _asks_without_options(run: Run) -> bool:
    """Return whether a run that ranks options has questions without any, which are answered in text."""
    options = f"texts__{run.settings['side']}__options"
    return StoredEntry.objects.filter(set_id=run.set_id, **{options: []}).exists()


def _asker(settings: Mapping[str, Any]) -> Asker:
    setting = askable()[settings["suite"]].setting(settings["setting"])
    if setting is None:
        raise ValueError(f"there is no setting {settings['setting']}")
    bodies = {}
    for type_, (name, language, no, sha256) in settings["prompts"].items():
        version = shipped().get(Key(name, language, no))
        if version is None or version.sha256 != sha256:
            raise RunPromptMissing(prompt=name, language=language, allowed="")
        bodies[type_] = version.body
    decodings = {type_: Decoding(**decoding) for type_, decoding in settings["decodings"].items()}
    return Asker(setting, settings["means"], bodies, decodings, None, lambda _: (), None)


def describe(run: Run) -> dict[str, Any]:
    """What the loaded system says of itself."""
    system, asker = _opened(run.pk)
    return system.describe(asker.described())


def answer_chunk(run: Run, chunk: Chunk) -> Replies:
    """Ask a run's system the entries of a chunk that it has not answered yet.

    Raises:
        DomainError: The system cannot be loaded, or fails.
    """
    entries = _unanswered(run, chunk)
    if not entries:
        return Replies([], [])
    _, asker = _opened(run.pk)
    scale = scale_of(run.settings)
    asker.pictures = None if scale is None else StoredPictures(entries, scale)
    side = run.settings["side"]
    records = asker.answer([entry_of(entry.key, entry.line, entry.texts[side]) for entry in entries])
    asker.answered = asker.answered or any("error" not in record for record in records)
    return _rows(run, chunk, {entry.key: entry for entry in entries}, records)


def abandoned(run: Run, chunk: Chunk) -> Replies:
    """Failures of the unanswered entries of a chunk that no worker ever finished."""
    entries = _unanswered(run, chunk)
    return Replies(
        [], [ReplyFailure(run_id=run.pk, entry_id=entry.pk, round=chunk.round, code=GAVE_UP) for entry in entries]
    )


def _unanswered(run: Run, chunk: Chunk) -> list[StoredEntry]:
    rows = StoredEntry.objects.filter(set_id=run.set_id, no__in=chunk.entries).select_related("picture").order_by("no")
    if not chunk.round:
        return list(rows)
    answered = Reply.objects.filter(run=run, entry__in=rows).values("entry_id")
    return list(rows.exclude(pk__in=answered))


def _rows(run: Run, chunk: Chunk, entries: Mapping[str, StoredEntry], records: list[Record]) -> Replies:
    replies, failures = [], []
    for record in records:
        entry, error = entries[record["key"]], record.get("error", "")
        if error and error != REFUSED:
            failures.append(ReplyFailure(run_id=run.pk, entry_id=entry.pk, round=chunk.round, code=error))
            continue
        tokens_in, tokens_out = record.get("tokens", (None, None))
        measured = {name: value for name, value in record.items() if name not in ("key", "text", "tokens", "error")}
        replies.append(
            Reply(
                run_id=run.pk,
                entry_id=entry.pk,
                outcome=Reply.REFUSED if error else Reply.ANSWERED,
                raw=record.get("text") or "",
                value=measured,
                tokens_in=tokens_in,
                tokens_out=tokens_out,
            )
        )
    return Replies(replies, failures)


def write(run_id: int, chunk: Chunk, result: Replies) -> None:
    """Write a chunk's rows and move the run's counters; call it in the transaction that finishes the chunk."""
    Reply.objects.bulk_create(result.replies)
    ReplyFailure.objects.bulk_create(result.failures)
    refused = sum(reply.outcome == Reply.REFUSED for reply in result.replies)
    # What failed in an earlier round and is answered now has failed no longer.
    newly_failed = len(result.failures) if not chunk.round else -len(result.replies)
    Run.objects.filter(pk=run_id).update(
        answered=F("answered") + len(result.replies) - refused,
        refused=F("refused") + refused,
        failed=F("failed") + newly_failed,
    )
