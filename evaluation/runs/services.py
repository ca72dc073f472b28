"""Embedding what was accepted, without anyone asking.

The database knows what is left to do: accepted revisions without predictions. A sweep finds them and notes one job per
run; the worker that holds the model works them off batch by batch, each batch one transaction. Killed anywhere, it
has lost at most the batch in hand, which the next worker does again and which nobody sees twice.
"""

from __future__ import annotations

import hashlib
import io
import logging
import platform
import time
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from importlib.metadata import version
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt
from django.conf import settings
from django.db import transaction
from django.utils import timezone
from PIL import Image

from curation.core import jobs
from evaluation.backends.base import Embedder
from evaluation.backends.files import fingerprint
from evaluation.backends.registry import BACKENDS
from evaluation.runs import access, queries
from evaluation.runs.errors import PictureStoreUnreachable
from evaluation.runs.models import Prediction, Run
from evaluation.runs.rules import fault_of, to_bytes
from evaluation.suites.rules import IMAGE, SUITES, settings_digest
from evaluation.systems import queries as system_queries
from evaluation.systems import services as system_services
from evaluation.systems.errors import SystemFilesChanged
from evaluation.systems.models import System

log = logging.getLogger(__name__)
Given = TypeVar("Given")

# Revisions fetched by one statement; batches for the model are cut from them.
_FETCHED_AT_ONCE = 256


def sweep_predictions() -> list[int]:
    """Open the runs that protocols ask for and note a job for each run with something left; return the jobs' ids.

    Called after each acceptance and every 15 s; a call too many changes nothing.
    """
    open_rolling_runs()
    waiting = {queries.job_key(run_id): run_id for run_id in queries.runs_with_work()}
    resting = queries.paused(waiting)
    noted = []
    for key, run_id in waiting.items():
        if key in resting:
            continue
        run = access.run_for_worker(run_id)
        job = jobs.enqueue(
            task="evaluation.embed_accepted",
            args={"run_id": run_id},
            dedupe_key=key,
            queue="gpu",
            benchmark_id=run.benchmark_id,
        )
        noted.append(job.pk)
    return noted


def open_rolling_runs() -> None:
    """Bring the rolling runs in step with what the protocols ask for.

    A run that is no longer asked for (another revision of the system was added, other settings) is closed; its
    predictions and scores stay.
    """
    wishes = queries.wishes()
    systems = system_queries.newest_by_slug(w.system for w in wishes)
    if any(w.system not in systems for w in wishes):
        system_services.ensure_fixture_systems()
        systems = system_queries.newest_by_slug(w.system for w in wishes)
    wanted: dict[tuple[int, int, str, str], Run] = {}
    for wish in wishes:
        system = systems.get(wish.system)
        if system is None or wish.suite not in SUITES or SUITES[wish.suite].capability not in system.capabilities:
            log.warning("benchmark %s asks for %s of %s: not known", wish.benchmark_id, wish.suite, wish.system)
            continue
        suite = SUITES[wish.suite]
        digest = settings_digest(suite.settings())
        wanted[system.pk, wish.benchmark_id, suite.name, digest] = Run(
            system=system,
            benchmark_id=wish.benchmark_id,
            suite=suite.name,
            protocol_id=wish.protocol_id,
            settings=suite.settings(),
            settings_sha256=digest,
        )
    existing = {
        (run.system_id, run.benchmark_id, run.suite, run.settings_sha256): run
        for run in Run.objects.filter(release=None, state=Run.State.OPEN)
    }
    missing = [run for key, run in wanted.items() if key not in existing]
    over = [run.pk for key, run in existing.items() if key not in wanted]
    if missing:
        # Two sweeps at once: the second finds the constraint on rolling runs, and the row is there either way.
        Run.objects.bulk_create(missing, ignore_conflicts=True)
    if over:
        Run.objects.filter(pk__in=over, state=Run.State.OPEN).update(state=Run.State.CLOSED)


def embed_accepted(lease: jobs.Lease) -> None:
    """Predict everything a run has left; a job's handler.

    Raises:
        LeaseLost: Somebody else works on it.
        SystemFilesChanged: The model on disk is not the one that was added.
        PictureStoreUnreachable: The pictures' folder is away.
    """
    run = access.run_for_worker(lease.args["run_id"])
    lease.progress(0, queries.count_pending(run))
    embedder = loaded(run.system)
    note_environment(run, embedder)
    done = 0
    while works := queries.pending(run, _FETCHED_AT_ONCE):
        for batch in _slices(works, settings.EMBED_ITEMS_AT_ONCE):
            predictions = predict(run, embedder, batch)
            done += len(batch)
            with transaction.atomic():
                Prediction.objects.bulk_create(predictions, ignore_conflicts=True)
                # In the same transaction: a worker that lost its lease meanwhile writes nothing.
                lease.progress(done, max(done, lease.job.total))
        lease.progress(done, done + queries.count_pending(run))


def predict(run: Run, embedder: Embedder, works: Sequence[queries.Work]) -> list[Prediction]:
    """All variants of a batch of revisions, answered or failed; one failing leaves the others alone."""
    suite = SUITES[run.suite]
    asked = [suite.variants(work.content) for work in works]
    opened = [open_picture(work) for work in works]
    pictures = [p for p in opened if isinstance(p, Image.Image)]
    texts = [text for variants in asked for text in variants.values() if text is not None]
    seen = iter(_embed_each(embedder.embed_images, pictures, probe=Image.new("RGB", (64, 64), "grey")))
    read = iter(_embed_each(embedder.embed_texts, texts, probe="花灯"))
    predictions = []
    for work, variants, picture in zip(works, asked, opened, strict=True):
        for variant, text in variants.items():
            if variant != IMAGE and text is not None:
                answer = next(read)
            else:
                answer = next(seen) if isinstance(picture, Image.Image) else Answer(fault=picture)
            predictions.append(
                Prediction(
                    run=run,
                    item_id=work.item_id,
                    revision_no=work.revision_no,
                    variant=variant,
                    outcome="failed" if answer.fault else "ok",
                    value={
                        **({"code": answer.fault} if answer.fault else {}),
                        **({"rendition": work.rendition_id} if variant == IMAGE else {}),
                    }
                    or None,
                    raw=answer.said,
                    vector=None if answer.vector is None else to_bytes(answer.vector),
                    ms=answer.ms,
                )
            )
    return predictions


def open_picture(work: queries.Work) -> Image.Image | str:
    """The clean picture in RGB, or the code of why there is none.

    Raises:
        PictureStoreUnreachable: Not this picture is at fault but the folder with all of them.
    """
    if not work.key:
        return "picture_missing"
    try:
        content = (settings.MEDIA_ROOT / work.key).read_bytes()
    except FileNotFoundError:
        if not settings.MEDIA_ROOT.is_dir():
            raise PictureStoreUnreachable from None
        return "picture_missing"
    except OSError as error:
        raise PictureStoreUnreachable from error
    if hashlib.sha256(content).hexdigest() != work.image_bytes_sha256:
        return "picture_altered"
    try:
        with Image.open(io.BytesIO(content)) as picture:
            return picture.convert("RGB")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return "picture_unreadable"


class Answer(NamedTuple):
    """What the system made of one input: a vector, or the code of what went wrong and its own words."""

    vector: npt.NDArray[np.float32] | None = None
    ms: int | None = None
    fault: str = ""
    said: str = ""


def _embed_each(
    embed: Callable[[Sequence[Given]], npt.NDArray[np.float32]], given: Sequence[Given], *, probe: Given
) -> Iterator[Answer]:
    """Embed in batches; when a batch fails, find the inputs at fault one by one.

    An input is at fault only if a plain one still passes after it: with a broken system nothing would be anybody's
    fault, so its error is raised and the job tried again.
    """
    for part in _slices(given, settings.EMBED_INPUTS_AT_ONCE):
        try:
            yield from _answers(embed, part)
        except Exception:
            log.exception("a batch of %s failed, trying its inputs alone", len(part))
            for one in part:
                try:
                    yield from _answers(embed, [one])
                except Exception as error:
                    embed([probe])
                    log.exception("one input failed and a plain one did not")
                    yield Answer(fault="system_refused_input", said=f"{type(error).__name__}: {error}"[:500])


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


def loaded(system: System) -> Embedder:
    """The system's model, loaded at its first use and kept by this process."""
    return _load(system.pk)


@lru_cache(maxsize=1)  # one model in memory at a time: two may not fit on a card
def _load(system_id: int) -> Embedder:
    system = system_queries.every_system().get(pk=system_id)
    folder = system_queries.folder_of(system.locator)
    if fingerprint(folder) != system.files_sha256:
        raise SystemFilesChanged(slug=system.slug, revision=system.revision)
    log.info("loading %s %s", system.slug, system.revision)
    return BACKENDS[system.backend].open_embedder(folder, system.parameters)


def note_environment(run: Run, embedder: Embedder) -> None:
    """Add to the run's record what it is carried out with, whenever that changes (W-E3)."""
    now: dict[str, Any] = {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "packages": {name: version(name) for name in BACKENDS[run.system.backend].packages},
        "embedder": embedder.describe(),
    }
    seen = run.environment.get("workers", [])
    if seen and {k: v for k, v in seen[-1].items() if k != "since"} == now:
        return
    run.environment = {"workers": [*seen, {**now, "since": timezone.now().isoformat()}]}
    run.save(update_fields=["environment"])
