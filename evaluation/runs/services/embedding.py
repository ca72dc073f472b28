"""From revisions to answers: pictures and texts through a model, each input once, faults with the input at fault."""

from __future__ import annotations

import hashlib
import io
import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt
from django.conf import settings
from PIL import Image

from curation.core.errors import DomainError, StorageUnavailable
from curation.core.stores import store
from evaluation.backends.base import Embedder
from evaluation.backends.errors import NoInputsFault, SystemRefusedInput, clipped
from evaluation.runs import queries
from evaluation.runs.errors import PictureStoreUnreachable
from evaluation.runs.models import Failure, Feature, Prediction, Run
from evaluation.runs.rules import fault_of, from_bytes, to_bytes
from evaluation.suites.rules import SUITES, settings_digest
from evaluation.systems import queries as system_queries
from evaluation.systems import services as system_services
from evaluation.systems.models import System

log = logging.getLogger(__name__)
Given = TypeVar("Given")


class Answered(NamedTuple):
    """What came of a chunk: rows to be written in one transaction."""

    predictions: list[Prediction]
    failures: list[Failure]
    features: list[Feature]


class Answer(NamedTuple):
    """What the system made of one input: a vector, or the code of what went wrong and its own words."""

    vector: npt.NDArray[np.float32] | None = None
    ms: int | None = None
    fault: str = ""
    said: str = ""


def loaded(system: System) -> Embedder:
    """The system's model, loaded at its first use and kept by this process."""
    return _load(system.pk)


@lru_cache(maxsize=1)  # one model in memory at a time: two may not fit on a card
def _load(system_id: int) -> Embedder:
    system = system_queries.every_system().get(pk=system_id)
    log.info("loading %s %s", system.slug, system.revision)
    return system_services.open_system(system)


def preparation_of(run: Run, embedder: Embedder) -> str:
    """The digest of all that is done to an input before and while the system reads it, beside its weights.

    The number type belongs to it: a vector in half precision is not taken for one in single precision.
    """
    return settings_digest(
        {"preprocessing": run.settings.get("preprocessing", {}), "dtype": embedder.describe().get("dtype", "")}
    )


class _Asked(NamedTuple):
    """One variant of one revision; ``input`` names what is handed to the system, empty when there is nothing."""

    work: queries.Work
    variant: str
    text: str | None
    input: str


def predict(run: Run, embedder: Embedder, works: Sequence[queries.Work], *, round_: int = 0) -> Answered:
    """All variants of some revisions that were not answered yet; one failing leaves the others alone.

    Inputs that are the same are embedded once, and not at all when an earlier run of the system has their vector.

    Raises:
        PictureStoreUnreachable: The pictures' folder is away.
    """
    suite = SUITES[run.suite]
    asked = [
        _Asked(work, variant, text, work.image_bytes_sha256 if text is None else _sha256(text.encode()))
        for work in works
        for variant, text in suite.variants(work.content).items()
        if variant not in work.answered
    ]
    preparation = preparation_of(run, embedder)
    wanted = {one.input for one in asked if one.input}
    kept = Feature.objects.filter(system_id=run.system_id, preparation=preparation, input_sha256__in=wanted)
    answers = {
        sha: Answer(from_bytes(bytes(vector)).copy()) for sha, vector in kept.values_list("input_sha256", "vector")
    }
    known = frozenset(answers)
    answers |= _embed_new(embedder, [one for one in asked if one.input not in known])
    return Answered(
        [_prediction(run, one, answers[one.input]) for one in asked if not answers[one.input].fault],
        [_failure(run, one, answers[one.input], round_) for one in asked if answers[one.input].fault],
        [
            Feature(system_id=run.system_id, input_sha256=sha, preparation=preparation, vector=to_bytes(answer.vector))
            for sha, answer in answers.items()
            if sha not in known and answer.vector is not None
        ],
    )


def _embed_new(embedder: Embedder, asked: Sequence[_Asked]) -> dict[str, Answer]:
    answers: dict[str, Answer] = {}
    pictures: dict[str, Image.Image] = {}
    texts: dict[str, str] = {}
    works: dict[str, queries.Work] = {}
    for one in asked:
        if one.text is None:
            works.setdefault(one.input, one.work)
        else:
            texts[one.input] = one.text
    for sha256, opened in open_pictures(works):
        if isinstance(opened, Image.Image):
            pictures[sha256] = opened
        else:
            answers[sha256] = Answer(fault=opened)
    # Texts of like length beside one another: a batch is as wide as its longest.
    texts = dict(sorted(texts.items(), key=lambda named: (len(named[1]), named[1])))
    probe = Image.new("RGB", (64, 64), "grey")
    answers |= zip(pictures, _embed_each(embedder.embed_images, list(pictures.values()), probe=probe), strict=True)
    answers |= zip(texts, _embed_each(embedder.embed_texts, list(texts.values()), probe="花灯"), strict=True)
    return answers


def _prediction(run: Run, one: _Asked, answer: Answer) -> Prediction:
    return Prediction(
        run_id=run.pk,
        item_id=one.work.item_id,
        revision_no=one.work.revision_no,
        variant=one.variant,
        outcome="ok",
        value={"rendition": one.work.rendition_id} if one.text is None else None,
        vector=None if answer.vector is None else to_bytes(answer.vector),
        ms=answer.ms,
    )


def _failure(run: Run, one: _Asked, answer: Answer, round_: int) -> Failure:
    return Failure(
        run_id=run.pk,
        item_id=one.work.item_id,
        revision_no=one.work.revision_no,
        variant=one.variant,
        round=round_,
        code=answer.fault,
        said=answer.said,
    )


def given_up(run: Run, works: Sequence[queries.Work], *, round_: int) -> list[Failure]:
    """Failures of everything unanswered in a chunk that nobody ever finished."""
    variants = SUITES[run.suite].variants
    return [
        _failure(run, _Asked(work, variant, text, ""), Answer(fault="chunk_gave_up"), round_)
        for work in works
        for variant, text in variants(work.content).items()
        if variant not in work.answered
    ]


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def open_pictures(works: Mapping[str, queries.Work]) -> Iterator[tuple[str, Image.Image | str]]:
    """Each clean picture in RGB, or the code of why there is none, by what its work is known under.

    Raises:
        PictureStoreUnreachable: Not one picture is at fault but the store with all of them.
    """
    yield from ((known, "picture_missing") for known, work in works.items() if not work.key)
    try:
        for known, content in store().read_many((known, work.key) for known, work in works.items() if work.key):
            yield known, _opened(works[known], content)
    except StorageUnavailable as error:
        raise PictureStoreUnreachable from error


def _opened(work: queries.Work, content: bytes | None) -> Image.Image | str:
    if content is None:
        return "picture_missing"
    if _sha256(content) != work.image_bytes_sha256:
        return "picture_altered"
    try:
        with Image.open(io.BytesIO(content)) as picture:
            return picture.convert("RGB")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return "picture_unreadable"


def _embed_each(
    embed: Callable[[Sequence[Given]], npt.NDArray[np.float32]], given: Sequence[Given], *, probe: Given
) -> Iterator[Answer]:
    """Embed in batches; when a batch fails, find the inputs at fault one by one.

    An input is at fault only if a plain one still passes after it: with a broken system nothing would be anybody's
    fault, so its error is raised and the job tried again. Errors that say themselves that no input is to blame end it.
    """
    for part in _slices(given, settings.EMBED_INPUTS_AT_ONCE):
        try:
            yield from _answers(embed, part)
        except NoInputsFault:
            raise
        except Exception:
            log.exception("a batch of %s failed, trying its inputs alone", len(part))
            for one in part:
                try:
                    yield from _answers(embed, [one])
                except NoInputsFault:
                    raise
                except Exception as error:
                    embed([probe])
                    log.exception("one input failed and a plain one did not")
                    yield _refused(error)


def _refused(error: Exception) -> Answer:
    if isinstance(error, SystemRefusedInput):
        return Answer(fault=error.code, said=str(error))
    words = str(error) if isinstance(error, DomainError) else f"{type(error).__name__}: {error}"
    return Answer(fault=SystemRefusedInput.code, said=clipped(words, 500))


def _answers(embed: Callable[[Sequence[Given]], npt.NDArray[np.float32]], given: Sequence[Given]) -> list[Answer]:
    started = time.perf_counter()
    vectors = embed(given)
    ms = round((time.perf_counter() - started) * 1000 / len(given))
    if len(vectors) != len(given):
        raise ValueError(f"{len(vectors)} vectors for {len(given)} inputs")
    faults = [fault_of(vector) for vector in vectors]
    return [Answer(None if fault else vector, ms, fault) for vector, fault in zip(vectors, faults, strict=True)]


def _slices(rows: Sequence[Given], size: int) -> Iterator[Sequence[Given]]:
    for start in range(0, len(rows), size):
        yield rows[start : start + size]


def facts_of(run: Run, embedder: Embedder) -> Mapping[str, Any]:
    """What the model says of itself, and how inputs are handed to it."""
    return {
        "embedder": embedder.describe(),
        "items_at_once": settings.EMBED_ITEMS_AT_ONCE,
        "inputs_at_once": settings.EMBED_INPUTS_AT_ONCE,
        "preparation": preparation_of(run, embedder),
    }
