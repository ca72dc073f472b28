"""Searching pictures for what a person should look at before others see it, in the background.

A sweep enqueues pictures that nobody ticked and whose version was not searched yet, whenever they were added: also
what a contributor covered before another person ticks it. After them come pictures that were ticked before the
search reached them. One worker at a time searches, so that two of three remain
for uploads. A search that fails is stored as failed: people look themselves.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from math import ceil, floor
from pathlib import Path
from typing import Any, Final

from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone

from curation.benchmarks.models import Benchmark, ProtocolVersion
from curation.core import jobs
from curation.core.broker import PICTURES
from curation.core.models import Job
from curation.core.stores import store
from curation.detectors import searching
from curation.detectors.boxes import Box
from curation.detectors.weights import WeightsMissing
from curation.images.models import Image, RegionProposal, Rendition
from curation.images.queries.regions import detectors_of
from curation.images.services.covering import record_proposals
from curation.lib.child_process import Limits, preload, run_in_child

log = logging.getLogger(__name__)
preload(searching.__name__)

SEARCH_TASK: Final = "curation.search_picture"
#: Pictures that wait for a search, at most; the next sweep adds more.
MOST_QUEUED: Final = 40
#: For one detector on one picture: the largest take 35 s of processor time (docs/performance.md), and the process that
#: checks uploads has the same memory. Addresses are not memory: the interpreter of networks reserves more than it uses.
#: No one waits for a search, so uploads and web requests go first.
SEARCH_LIMITS: Final = Limits(processor_seconds=180, seconds=600, memory=4_000_000_000, niceness=10)


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a detector found in a picture; ``failed``: it could not search, so that people have to look."""

    regions: list[dict[str, Any]]
    failed: bool


def enqueue_searches() -> int:
    """Enqueue pictures that a detector of their protocol has still to search; return how many."""
    open_jobs = Job.objects.filter(task=SEARCH_TASK, state__in=[Job.State.QUEUED, Job.State.RUNNING])
    room, enqueued = MOST_QUEUED - open_jobs.count(), 0
    for benchmark in Benchmark.objects.select_related("protocol").order_by("pk"):
        detectors = detectors_of(benchmark)
        if not detectors or enqueued >= room:
            continue
        images = Image.objects.filter(
            _unsearched(benchmark, detectors),
            benchmark=benchmark,
            state__in=[Image.State.RECEIVED, Image.State.ACCEPTED],
        ).order_by(F("pii_clear_by").asc(nulls_first=True), "number")
        rows = list(images.values_list("pk", "contributor_id")[: 2 * MOST_QUEUED])
        keys = [_search_key(image_id) for image_id, _ in rows]
        skipped = jobs.cooling_down(keys) | set(jobs.open_jobs(keys))
        for image_id, contributor_id in rows:
            if enqueued >= room:
                break
            if _search_key(image_id) in skipped:
                continue
            jobs.enqueue(
                task=SEARCH_TASK,
                args={"image": image_id},
                dedupe_key=_search_key(image_id),
                queue=PICTURES,
                benchmark_id=benchmark.pk,
                actor_id=contributor_id,
            )
            enqueued += 1
    return enqueued


def _unsearched(benchmark: Benchmark, detectors: Mapping[str, str]) -> Q:
    """The condition on pictures that a detector has still to search.

    These are the current versions of pictures without a tick. Of ticked ones they are those that were added since the
    protocol requests the detector and that it searched in no version: the tick was faster than the search. Pictures
    from before were looked at by people alone, as the protocol wanted it then.
    """
    condition = Q()
    for target, detector in detectors.items():
        searched = RegionProposal.objects.filter(image=OuterRef("pk"), detector=detector)
        in_this_version = searched.filter(version=OuterRef("redaction_no") + 1)
        added_since = Q(created_at__gte=_requested_since(benchmark, target)) & ~Exists(searched)
        condition |= ~Exists(in_this_version) & (Q(pii_clear_by=None) | added_since)
    return condition


def _requested_since(benchmark: Benchmark, target: str) -> datetime:
    """When the benchmark adopted the first of the protocol versions that have requested the search ever since."""
    versions = ProtocolVersion.objects.filter(benchmark=benchmark).order_by("-version")
    since = timezone.now()
    for created_at, targets in versions.values_list("created_at", "content__images__redaction__propose"):
        if target not in (targets or []):
            break
        since = created_at
    return since


def search_picture(image_id: int) -> None:
    """Search a picture by each detector of its protocol that has not searched it, and store what was found.

    Also if a person ticked it since it was enqueued: they may have overlooked what a detector finds.

    Raises:
        WeightsMissing: Set-up is incomplete; the job is tried again.
        StorageUnavailable: The store does not answer; the job is tried again.
    """
    image = Image.objects.select_related("benchmark__protocol").get(pk=image_id)
    if image.state not in {Image.State.RECEIVED, Image.State.ACCEPTED}:
        return
    clean = Rendition.objects.filter(image=image, role=Rendition.Role.CLEAN, version=image.version).first()
    if clean is None:
        return
    searched = set(RegionProposal.objects.filter(image=image, version=image.version).values_list("detector", flat=True))
    for target, detector in detectors_of(image.benchmark).items():
        if detector in searched:
            continue
        try:
            with store().local_path(clean.key) as path:
                result = _search(image, path, target)
        except FileNotFoundError:
            log.exception("the picture %s is missing", clean.key)
            result = SearchResult([], failed=True)
        if not record_proposals(
            image_id=image_id,
            version=image.version,
            detector=detector,
            regions=result.regions,
            failed=result.failed,
        ):
            return  # covered during the search: a person has looked


def _search(image: Image, path: Path, target: str) -> SearchResult:
    try:
        detected = run_in_child(searching.search, SEARCH_LIMITS, path, target)
    except (WeightsMissing, FileNotFoundError):
        raise
    except Exception:
        # The child's limits, or an error of the interpreter of networks, whose exceptions have no common class.
        log.exception("picture %s could not be searched for %s", image.pk, target)
        return SearchResult([], failed=True)
    regions = [
        {"key": region.key, "box": _in_picture(region.box, image), "what": region.what, "score": region.score}
        for region in detected
    ]
    return SearchResult(regions, failed=False)


def _in_picture(box: Box, image: Image) -> list[int]:
    """Return a box outward to whole pixels, inside the picture."""
    left, top = max(0, min(floor(box.x), image.width - 1)), max(0, min(floor(box.y), image.height - 1))
    right, bottom = min(image.width, ceil(box.x + box.width)), min(image.height, ceil(box.y + box.height))
    return [left, top, max(1, right - left), max(1, bottom - top)]


def _search_key(image_id: int) -> str:
    return f"search-picture-{image_id}"
