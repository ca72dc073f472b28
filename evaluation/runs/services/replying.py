"""From a chunk of a set's entries to replies."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final, NamedTuple

from django.db.models import F

from curation.core.errors import StorageUnavailable
from curation.core.stores import store
from curation.core.text import storable
from evaluation.answering.rules.pictures import Loaded, loaded
from evaluation.answering.services.asking import Asker, Record
from evaluation.answering.services.systems import AnsweringSystem, of_row
from evaluation.runs import queries
from evaluation.runs.errors import PictureStoreUnreachable
from evaluation.runs.models import Chunk, Feature, Reply, ReplyFailure, Run
from evaluation.runs.queries.prompts import Shots, asker_of, shots_of
from evaluation.runs.queries.replies import REFUSED
from evaluation.runs.services.loading import loaded_once
from evaluation.runs.services.settings import scale_of
from evaluation.sets.models import Entry as StoredEntry
from evaluation.sets.queries import clean_pictures
from evaluation.sets.rules import entry_of
from evaluation.suites.rules import SUITES

log = logging.getLogger(__name__)

# What a reply's row has in columns of its own.
_COLUMNS: Final = ("key", "text", "tokens", "cost", "error")

#: The error of an entry whose worker died again and again.
GAVE_UP = "chunk_gave_up"
#: The error of an entry without a value that its prompt needs.
VALUE_MISSING = "value_missing"
#: The error of an entry of a subject that came after the examples were drawn.
EXAMPLES_MISSING = "examples_missing"
#: The error of an entry whose picture has no file that may be sent.
PICTURE_MISSING = "picture_missing"
#: The error of an entry in whose picture something was covered while it was asked.
PICTURE_ALTERED = "picture_altered"


@dataclass(frozen=True, slots=True)
class Replies:
    """The rows of a chunk, written in one transaction.

    Attributes:
        files: The pictures' files that were sent, by entry.
        currency: Of what the replies cost; empty if they were free.
    """

    replies: list[Reply]
    failures: list[ReplyFailure]
    files: Mapping[int, int] = field(default_factory=dict)
    currency: str = ""
    features: list[Feature] = field(default_factory=list)


class StoredPictures:
    """Pictures in the store, by the names that entries give them."""

    def __init__(self, keys: Mapping[str, str], scale: Fraction) -> None:
        self._keys = keys
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


class _Opened(NamedTuple):
    system: AnsweringSystem
    asker: Asker
    shots: Shots | None


def _opened(run_id: int) -> _Opened:
    """The run's system, loaded on first use and kept in this process."""
    return loaded_once(("run", run_id), lambda: _open(run_id))


def _open(run_id: int) -> _Opened:
    run = Run.objects.select_related("system", "benchmark").get(pk=run_id)
    system = of_row(run.system, run.benchmark.slug)
    asker = asker_of(run.settings)
    parts = {"text": "generator", "likelihood": "ranker", "similarity": "embedder"}
    log.info("loading %s %s", run.system.slug, run.system.revision)
    opener = getattr(system, f"open_{parts[asker.means]}")
    asker = replace(asker, **{parts[asker.means]: opener()})
    if asker.means == "likelihood" and system.open_generator is not None and _asks_without_options(run):
        asker = replace(asker, generator=system.open_generator())
    if asker.generator is not None and run.settings["picture"]:
        system.probe_pictures()
    shots = shots_of(run.settings)
    scale = scale_of(run.settings)
    if shots is not None and scale is not None:
        asker.example_pictures = StoredPictures(shots.pictures, scale)
    return _Opened(system, asker, shots)


def _asks_without_options(run: Run) -> bool:
    """Return whether a run that ranks options has questions without any, which are answered in text."""
    options = f"texts__{run.settings['side']}__options"
    return StoredEntry.objects.filter(set_id=run.set_id, **{options: []}).exists()


def load(run: Run) -> None:
    """Load a run's system, if it is not loaded yet.

    Raises:
        DomainError: It cannot be.
    """
    _opened(run.pk)


def describe(run: Run) -> dict[str, Any]:
    """What the loaded system says of itself."""
    opened = _opened(run.pk)
    return opened.system.describe(opened.asker.described())


def answer_chunk(run: Run, chunk: Chunk) -> Replies:
    """Ask a run's system the entries of a chunk that it has not answered yet.

    Raises:
        DomainError: The system cannot be loaded, or fails.
    """
    entries = unanswered(run, chunk)
    if not entries:
        return Replies([], [])
    _, asker, shots = _opened(run.pk)
    scale, side = scale_of(run.settings), run.settings["side"]
    whole = [entry for entry in entries if not _lacks_value(asker, entry.texts[side])]
    failures = [_failure(run, chunk, entry, VALUE_MISSING) for entry in entries if entry not in whole]
    entries = whole
    if shots is not None:
        examples = shots.of(entries, side)
        asker.examples = lambda entry: examples[entry.key]
        failures += [_failure(run, chunk, entry, EXAMPLES_MISSING) for entry in entries if entry.key not in examples]
        entries = [entry for entry in entries if entry.key in examples]
    files: dict[int, int] = {}
    if scale is None:
        asker.pictures = None
    else:
        entries, without, files, keys = _with_pictures(run, chunk, entries)
        failures += without
        asker.pictures = StoredPictures(keys, scale)
    if not entries:
        return Replies([], failures)
    records = asker.answer([entry_of(entry.key, entry.line, entry.texts[side]) for entry in entries])
    asker.answered = asker.answered or any("error" not in record for record in records)
    replies = _rows(run, chunk, {entry.key: entry for entry in entries}, records)
    return replace(replies, failures=failures + replies.failures, files=files)


def _lacks_value(asker: Asker, texts: Mapping[str, Any]) -> bool:
    """Whether a prompt would have a hole; accepted work may come that has other fields than what came before."""
    body = asker.bodies.get(texts["type"])
    return body is not None and any(name not in texts["values"] for name in body.variables)


def _with_pictures(
    run: Run, chunk: Chunk, entries: Sequence[StoredEntry]
) -> tuple[list[StoredEntry], list[ReplyFailure], dict[int, int], dict[str, str]]:
    """Return the entries whose pictures may be sent, failures of the others, and files by entry, keys by name.

    A picture of an item may be sent once a person has looked at it, also after something was covered in it.
    """
    side = run.settings["side"]
    clean = clean_pictures({entry.image_id for entry in entries if entry.image_id is not None})
    sent, failures, files, keys = [], [], {}, {}
    for entry in entries:
        if entry.picture is not None:
            keys[entry.picture.name] = entry.picture.key
        elif entry.image_id in clean:
            file = clean[entry.image_id]
            keys[entry.texts[side]["picture"]] = file.key
            files[entry.pk] = file.rendition_id
        elif entry.image_id is not None:
            failures.append(_failure(run, chunk, entry, PICTURE_MISSING))
            continue
        sent.append(entry)
    return sent, failures, files, keys


def _failure(run: Run, chunk: Chunk, entry: StoredEntry, code: str) -> ReplyFailure:
    return ReplyFailure(run_id=run.pk, entry_id=entry.pk, round=chunk.round, code=code)


def abandoned(run: Run, chunk: Chunk) -> Replies:
    """Failures of the unanswered entries of a chunk that no worker ever finished."""
    return Replies([], [_failure(run, chunk, entry, GAVE_UP) for entry in unanswered(run, chunk)])


def unanswered(run: Run, chunk: Chunk) -> list[StoredEntry]:
    """The entries of a chunk that an earlier round did not answer, by number."""
    rows = StoredEntry.objects.filter(set_id=run.set_id, no__in=chunk.entries).select_related("picture").order_by("no")
    if not chunk.round:
        return list(rows)
    answered = Reply.objects.filter(run=run, entry__in=rows).values("entry_id")
    return list(rows.exclude(pk__in=answered))


def _rows(run: Run, chunk: Chunk, entries: Mapping[str, StoredEntry], records: list[Record]) -> Replies:
    replies, failures = [], []
    # A run counts in one currency: an equal call of another benchmark may have been paid in another.
    currency = run.currency or next((record["cost"][1] for record in records if "cost" in record), "")
    for record in records:
        entry, error = entries[record["key"]], record.get("error", "")
        if error and error != REFUSED:
            failures.append(_failure(run, chunk, entry, error))
            continue
        tokens_in, tokens_out = record.get("tokens", (None, None))
        amount, paid_in = record.get("cost", (None, ""))
        measured = {name: value for name, value in record.items() if name not in _COLUMNS}
        replies.append(
            Reply(
                run_id=run.pk,
                entry_id=entry.pk,
                outcome=Reply.REFUSED if error else Reply.ANSWERED,
                raw=storable(record.get("text") or ""),
                value=storable(measured),
                tokens_in=tokens_in,
                tokens_out=tokens_out,
                cost=Decimal(amount) if amount is not None and paid_in == currency else None,
            )
        )
    return Replies(replies, failures, currency=currency)


def write(run: Run, chunk: Chunk, result: Replies) -> None:
    """Write a chunk's rows and move the run's counters; call it in the transaction that finishes the chunk."""
    result = _without_destroyed(run, chunk, result)
    # What failed in an earlier round is counted already, and what is answered now has failed no longer.
    tried = [one.entry_id for one in result.replies] + [one.entry_id for one in result.failures]
    failed_before = ReplyFailure.objects.filter(run=run, entry__in=tried).values("entry_id").distinct().count()
    Reply.objects.bulk_create(result.replies)
    ReplyFailure.objects.bulk_create(result.failures)
    Feature.objects.bulk_create(result.features, ignore_conflicts=True)
    refused = sum(reply.outcome == Reply.REFUSED for reply in result.replies)
    Run.objects.filter(pk=run.pk).update(
        answered=F("answered") + len(result.replies) - refused,
        refused=F("refused") + refused,
        failed=F("failed") + len(result.failures) - failed_before,
        cost=F("cost") + sum((reply.cost or Decimal(0) for reply in result.replies), Decimal(0)),
        **({"currency": result.currency} if result.currency else {}),
    )


def _without_destroyed(run: Run, chunk: Chunk, result: Replies) -> Replies:
    """Count as failed what was answered from pictures in which something was covered meanwhile; lock the others.

    Features of destroyed files are left out; erasing has been here before.
    """
    destroyed = queries.lock_pictures(set(result.files.values())) if result.files else frozenset()
    if not destroyed:
        return result
    gone = {entry_id for entry_id, file in result.files.items() if file in destroyed}
    tried: list[Reply | ReplyFailure] = [*result.replies, *result.failures]
    values = {one.entry_id: one.value for one in tried if one.entry_id in gone}
    failures = [failure for failure in result.failures if failure.entry_id not in gone]
    failures += [
        ReplyFailure(
            run_id=run.pk,
            entry_id=entry_id,
            round=chunk.round,
            code=PICTURE_ALTERED,
            input=ReplyFailure.PICTURE if SUITES[run.suite].is_retrieval else "",
            value={"text": value["text"]} if "text" in value else {},
        )
        for entry_id, value in sorted(values.items())
    ]
    pictures = {value["picture"][0] for value in values.values() if "picture" in value}
    return replace(
        result,
        replies=[reply for reply in result.replies if reply.entry_id not in gone],
        failures=failures,
        features=[feature for feature in result.features if feature.input_sha256 not in pictures],
    )
