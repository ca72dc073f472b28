"""From revisions to answers: embed pictures and texts, each input once, and blame only the inputs that fail."""

from __future__ import annotations

import hashlib
import io
import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt
from django.conf import settings
from PIL import Image

from curation.core.errors import DomainError, StorageUnavailable
from curation.core.stores import store
from curation.wire.errors import shorten
from evaluation.backends.base import Embedder
from evaluation.backends.errors import NotCausedByInput, SystemRefusedInput
from evaluation.runs import queries
from evaluation.runs.errors import PictureStoreUnreachable
from evaluation.runs.models import Failure, Feature, Prediction, Run
from evaluation.runs.rules import from_bytes, to_bytes, vector_error
from evaluation.runs.services.loading import loaded_once
from evaluation.suites.rules import SUITES, settings_digest
from evaluation.systems import queries as system_queries
from evaluation.systems import services as system_services
from evaluation.systems.models import System

log = logging.getLogger(__name__)
Input = TypeVar("Input")


class ChunkResult(NamedTuple):
    """The rows of a chunk, written in one transaction."""

    predictions: list[Prediction]
    failures: list[Failure]
    features: list[Feature]


class InputResult(NamedTuple):
    """A system's vector for one input, or an error's code and the system's message."""

    vector: npt.NDArray[np.float32] | None = None
    ms: int | None = None
    error_code: str = ""
    message: str = ""


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


class _Variant(NamedTuple):
    """One variant of one revision; ``sha256`` identifies the input, empty if there is none."""

    of: queries.ChunkInput
    name: str
    text: str | None
    sha256: str


def predict(run: Run, embedder: Embedder, inputs: Sequence[queries.ChunkInput], *, round_: int = 0) -> ChunkResult:
    """Answer every unanswered variant of some revisions; a failing one leaves the others alone.

    Equal inputs are embedded once, and not at all if an earlier run of the system kept their vector.

    Raises:
        PictureStoreUnreachable: The pictures' folder is away.
    """
    variants = _unanswered(run, inputs)
    preparation = preparation_of(run, embedder)
    digests = {variant.sha256 for variant in variants if variant.sha256}
    stored = Feature.objects.filter(system_id=run.system_id, preparation=preparation, input_sha256__in=digests)
    results = {
        sha256: InputResult(from_bytes(bytes(vector)).copy())
        for sha256, vector in stored.values_list("input_sha256", "vector")
    }
    known = frozenset(results)
    results |= _embed_new(embedder, [variant for variant in variants if variant.sha256 not in known])
    return ChunkResult(
        [_prediction(run, v, results[v.sha256]) for v in variants if not results[v.sha256].error_code],
        [_failure(run, v, results[v.sha256], round_) for v in variants if results[v.sha256].error_code],
        [
            Feature(system_id=run.system_id, input_sha256=sha256, preparation=preparation, vector=to_bytes(r.vector))
            for sha256, r in results.items()
            if sha256 not in known and r.vector is not None
        ],
    )


def abandoned(run: Run, inputs: Sequence[queries.ChunkInput], *, round_: int) -> ChunkResult:
    """Failures of every unanswered variant in a chunk that no worker ever finished."""
    gave_up = InputResult(error_code="chunk_gave_up")
    return ChunkResult([], [_failure(run, variant, gave_up, round_) for variant in _unanswered(run, inputs)], [])


def _unanswered(run: Run, inputs: Sequence[queries.ChunkInput]) -> list[_Variant]:
    variants = SUITES[run.suite].variants
    return [
        _Variant(of, name, text, of.image_bytes_sha256 if text is None else _sha256(text.encode()))
        for of in inputs
        for name, text in variants(of.content).items()
        if name not in of.answered
    ]


def _embed_new(embedder: Embedder, variants: Sequence[_Variant]) -> dict[str, InputResult]:
    results: dict[str, InputResult] = {}
    pictures: dict[str, Image.Image] = {}
    texts: dict[str, str] = {}
    with_picture: dict[str, queries.ChunkInput] = {}
    for variant in variants:
        if variant.text is None:
            with_picture.setdefault(variant.sha256, variant.of)
        else:
            texts[variant.sha256] = variant.text
    for sha256, opened in open_pictures(with_picture):
        if isinstance(opened, Image.Image):
            pictures[sha256] = opened
        else:
            results[sha256] = InputResult(error_code=opened)
    # Sorted by length, because a batch is as wide as its longest text.
    texts = dict(sorted(texts.items(), key=lambda entry: (len(entry[1]), entry[1])))
    probe = Image.new("RGB", (64, 64), "grey")
    results |= zip(pictures, _embed_each(embedder.embed_images, list(pictures.values()), probe=probe), strict=True)
    results |= zip(texts, _embed_each(embedder.embed_texts, list(texts.values()), probe="花灯"), strict=True)
    return results


def _prediction(run: Run, variant: _Variant, result: InputResult) -> Prediction:
    return Prediction(
        run_id=run.pk,
        item_id=variant.of.item_id,
        revision_no=variant.of.revision_no,
        variant=variant.name,
        value={"rendition": variant.of.rendition_id} if variant.text is None else None,
        vector=None if result.vector is None else to_bytes(result.vector),
        ms=result.ms,
    )


def _failure(run: Run, variant: _Variant, result: InputResult, round_: int) -> Failure:
    return Failure(
        run_id=run.pk,
        item_id=variant.of.item_id,
        revision_no=variant.of.revision_no,
        variant=variant.name,
        round=round_,
        code=result.error_code,
        message=result.message,
    )


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def open_pictures(inputs: Mapping[str, queries.ChunkInput]) -> Iterator[tuple[str, Image.Image | str]]:
    """Each clean picture in RGB, or the error code of why there is none, by the key of its input.

    Raises:
        PictureStoreUnreachable: The storage of all pictures is away, so no single picture is to blame.
    """
    yield from ((name, "picture_missing") for name, of in inputs.items() if not of.key)
    try:
        for name, content in store().read_many((name, of.key) for name, of in inputs.items() if of.key):
            yield name, _decode(inputs[name], content)
    except StorageUnavailable as error:
        raise PictureStoreUnreachable from error


def _decode(of: queries.ChunkInput, content: bytes | None) -> Image.Image | str:
    if content is None:
        return "picture_missing"
    if _sha256(content) != of.image_bytes_sha256:
        return "picture_altered"
    try:
        with Image.open(io.BytesIO(content)) as picture:
            return picture.convert("RGB")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return "picture_unreadable"


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
    started = time.perf_counter()
    vectors = embed(inputs)
    ms = round((time.perf_counter() - started) * 1000 / len(inputs))
    if len(vectors) != len(inputs):
        raise ValueError(f"{len(vectors)} vectors for {len(inputs)} inputs")
    codes = [vector_error(vector) for vector in vectors]
    return [InputResult(None if code else vector, ms, code) for vector, code in zip(vectors, codes, strict=True)]


def _slices(rows: Sequence[Input], size: int) -> Iterator[Sequence[Input]]:
    for start in range(0, len(rows), size):
        yield rows[start : start + size]


def describe_embedder(run: Run, embedder: Embedder) -> Mapping[str, Any]:
    """The model's own description, and how inputs are given to it."""
    return {
        "embedder": embedder.describe(),
        "items_at_once": settings.EMBED_ITEMS_AT_ONCE,
        "inputs_at_once": settings.EMBED_INPUTS_AT_ONCE,
        "preparation": preparation_of(run, embedder),
    }
