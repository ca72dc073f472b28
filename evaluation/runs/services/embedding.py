"""From captions to vectors: embed pictures and texts, each input once, and blame only the inputs that fail."""

from __future__ import annotations

import hashlib
import io
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt
from django.conf import settings
from PIL import Image

from curation.core.errors import DomainError, StorageUnavailable
from curation.core.stores import store
from curation.core.text import storable
from curation.wire.errors import shorten
from evaluation.backends.base import Embedder, OnServer
from evaluation.backends.errors import NotCausedByInput, SystemRefusedInput
from evaluation.runs.errors import PictureStoreUnreachable
from evaluation.runs.models import Chunk, Feature, Reply, ReplyFailure, Run
from evaluation.runs.rules import from_bytes, to_bytes, vector_error
from evaluation.runs.services.loading import loaded_once
from evaluation.runs.services.replying import GAVE_UP, PICTURE_ALTERED, PICTURE_MISSING, Replies, unanswered
from evaluation.sets.models import Entry
from evaluation.sets.queries import CleanPicture, clean_pictures
from evaluation.sets.rules import caption_of
from evaluation.suites.rules import settings_digest
from evaluation.systems import queries as system_queries
from evaluation.systems import services as system_services
from evaluation.systems.models import System

log = logging.getLogger(__name__)
Input = TypeVar("Input")

#: The error of an entry whose picture cannot be decoded.
PICTURE_UNREADABLE = "picture_unreadable"


class InputResult(NamedTuple):
    """A system's vector for one input, or an error's code and the system's message."""

    vector: npt.NDArray[np.float32] | None = None
    error_code: str = ""
    message: str = ""


class _Caption(NamedTuple):
    """An entry with its text, the text's digest, and the picture's current file; None if there is none to send."""

    entry: Entry
    text: str
    sha256: str
    picture: CleanPicture | None


def loaded(system: System) -> Embedder:
    """The system's model, loaded on first use and kept in this process."""
    return loaded_once(("embedder", system.pk), lambda: _load(system.pk))


def _load(system_id: int) -> Embedder:
    system = system_queries.every_system().get(pk=system_id)
    log.info("loading %s %s", system.slug, system.revision)
    return system_services.open_system(system)


def preparation_of(run: Run, embedder: Embedder) -> str:
    """The digest of all that is done to an input before and while the system reads it, apart from its weights.

    The number type is part of it, so that a vector in half precision is never reused as one in single precision.
    """
    return settings_digest(
        {"preprocessing": run.settings.get("preprocessing", {}), "dtype": embedder.describe().get("dtype", "")}
    )


def embed_chunk(run: Run, chunk: Chunk) -> Replies:
    """Make the vectors of the entries of a chunk that have none yet; an input that fails leaves the others alone.

    Equal inputs are embedded once, and not at all if an earlier run of the system kept their vector. A picture may be
    sent once a person has looked at it, also after something was covered in it.

    Raises:
        PictureStoreUnreachable: The pictures' folder is away.
    """
    embedder = loaded(run.system)
    if isinstance(embedder, OnServer):
        embedder.confirm()
    captions = _captions(unanswered(run, chunk))
    preparation = preparation_of(run, embedder)
    texts = {one.sha256: one.text for one in captions}
    pictures = {one.picture.sha256: one.picture for one in captions if one.picture}
    stored = Feature.objects.filter(
        system_id=run.system_id, preparation=preparation, input_sha256__in=[*texts, *pictures]
    )
    results = {
        sha256: InputResult(from_bytes(bytes(vector)).copy())
        for sha256, vector in stored.values_list("input_sha256", "vector")
    }
    known = frozenset(results)
    results |= _embed_new(embedder, _without(pictures, known), _without(texts, known))
    replies, failures = _rows(run, chunk, captions, results, preparation)
    features = [
        Feature(system_id=run.system_id, input_sha256=sha256, preparation=preparation, vector=to_bytes(result.vector))
        for sha256, result in results.items()
        if sha256 not in known and result.vector is not None
    ]
    files = {one.entry.pk: one.picture.rendition_id for one in captions if one.picture}
    return Replies(replies, failures, files, features=features)


def abandoned(run: Run, chunk: Chunk) -> Replies:
    """Failures of the entries of a chunk that no worker ever finished; vectors of an earlier round still count."""
    entries = unanswered(run, chunk)
    earlier = ReplyFailure.objects.filter(run=run, entry__in=entries).order_by("round")
    values = dict(earlier.values_list("entry_id", "value"))
    about = {"run_id": run.pk, "round": chunk.round, "code": GAVE_UP, "input": ReplyFailure.TEXT}
    return Replies([], [ReplyFailure(**about, entry_id=one.pk, value=values.get(one.pk, {})) for one in entries])


def _captions(entries: Sequence[Entry]) -> list[_Caption]:
    clean = clean_pictures({entry.image_id for entry in entries if entry.image_id is not None})
    captions = []
    for entry in entries:
        text = caption_of(entry.texts)
        captions.append(_Caption(entry, text, _sha256(text.encode()), clean.get(entry.image_id or 0)))
    return captions


def _without(inputs: Mapping[str, Input], known: frozenset[str]) -> dict[str, Input]:
    return {sha256: one for sha256, one in inputs.items() if sha256 not in known}


def _rows(
    run: Run, chunk: Chunk, captions: Sequence[_Caption], results: Mapping[str, InputResult], preparation: str
) -> tuple[list[Reply], list[ReplyFailure]]:
    """The rows of captions: what has two vectors is answered, and otherwise the picture is blamed first."""
    replies, failures = [], []
    missing = InputResult(error_code=PICTURE_MISSING)
    for one in captions:
        picture, text = results[one.picture.sha256] if one.picture else missing, results[one.sha256]
        value = {}
        if text.vector is not None:
            value["text"] = [one.sha256, preparation]
        if one.picture and picture.vector is not None:
            value["picture"] = [one.picture.sha256, preparation]
        if picture.error_code or text.error_code:
            failed = picture if picture.error_code else text
            failures.append(
                ReplyFailure(
                    run_id=run.pk,
                    entry_id=one.entry.pk,
                    round=chunk.round,
                    code=failed.error_code,
                    input=ReplyFailure.PICTURE if picture.error_code else ReplyFailure.TEXT,
                    message=storable(failed.message),
                    value=value,
                )
            )
        else:
            replies.append(Reply(run_id=run.pk, entry_id=one.entry.pk, outcome=Reply.ANSWERED, value=value))
    return replies, failures


def _embed_new(
    embedder: Embedder, files: Mapping[str, CleanPicture], texts: Mapping[str, str]
) -> dict[str, InputResult]:
    results: dict[str, InputResult] = {}
    pictures: dict[str, Image.Image] = {}
    for sha256, opened in open_pictures(files):
        if isinstance(opened, Image.Image):
            pictures[sha256] = opened
        else:
            results[sha256] = InputResult(error_code=opened)
    # Sorted by length, because a batch is as wide as its longest text.
    ordered = dict(sorted(texts.items(), key=lambda entry: (len(entry[1]), entry[1])))
    probe = Image.new("RGB", (64, 64), "grey")
    results |= zip(pictures, _embed_each(embedder.embed_images, list(pictures.values()), probe=probe), strict=True)
    results |= zip(ordered, _embed_each(embedder.embed_texts, list(ordered.values()), probe="花灯"), strict=True)
    return results


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def open_pictures(files: Mapping[str, CleanPicture]) -> Iterator[tuple[str, Image.Image | str]]:
    """Each clean picture in RGB, or the error code of why there is none, by the key of its input.

    Raises:
        PictureStoreUnreachable: The storage of all pictures is away, so no single picture is to blame.
    """
    try:
        for name, content in store().read_many((name, of.key) for name, of in files.items()):
            yield name, _decode(files[name], content)
    except StorageUnavailable as error:
        raise PictureStoreUnreachable from error


def _decode(of: CleanPicture, content: bytes | None) -> Image.Image | str:
    if content is None:
        return PICTURE_MISSING
    if _sha256(content) != of.sha256:
        return PICTURE_ALTERED
    try:
        with Image.open(io.BytesIO(content)) as picture:
            return picture.convert("RGB")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return PICTURE_UNREADABLE


def _embed_each(
    embed: Callable[[Sequence[Input]], npt.NDArray[np.float32]], inputs: Sequence[Input], *, probe: Input
) -> Iterator[InputResult]:
    """Embed in batches; if a batch fails, find the inputs to blame one by one.

    An input is to blame only if a plain one still passes after it: a broken system fails on every input, so its error
    is raised and the chunk tried again. Errors that rule out an input as their cause are raised at once.
    """
    for batch in _slices(inputs, settings.EMBED_INPUTS_AT_ONCE):
        try:
            yield from _embed_batch(embed, batch)
        except NotCausedByInput:
            raise
        except Exception:
            log.exception("a batch of %s failed, trying its inputs alone", len(batch))
            for one in batch:
                try:
                    yield from _embed_batch(embed, [one])
                except NotCausedByInput:
                    raise
                except Exception as error:
                    embed([probe])
                    log.exception("one input failed and a plain one did not")
                    yield _refused(error)


def _refused(error: Exception) -> InputResult:
    if isinstance(error, SystemRefusedInput):
        return InputResult(error_code=error.code, message=str(error))
    message = str(error) if isinstance(error, DomainError) else f"{type(error).__name__}: {error}"
    return InputResult(error_code=SystemRefusedInput.code, message=shorten(message, 500))


def _embed_batch(
    embed: Callable[[Sequence[Input]], npt.NDArray[np.float32]], inputs: Sequence[Input]
) -> list[InputResult]:
    vectors = embed(inputs)
    if len(vectors) != len(inputs):
        raise ValueError(f"{len(vectors)} vectors for {len(inputs)} inputs")
    codes = [vector_error(vector) for vector in vectors]
    return [InputResult(None if code else vector, code) for vector, code in zip(vectors, codes, strict=True)]


def _slices(rows: Sequence[Input], size: int) -> Iterator[Sequence[Input]]:
    for start in range(0, len(rows), size):
        yield rows[start : start + size]


def describe(run: Run) -> Mapping[str, Any]:
    """The loaded model's own description, and how inputs are given to it."""
    embedder = loaded(run.system)
    return {
        "embedder": embedder.describe(),
        "items_at_once": settings.EMBED_ITEMS_AT_ONCE,
        "inputs_at_once": settings.EMBED_INPUTS_AT_ONCE,
        "preparation": preparation_of(run, embedder),
    }
