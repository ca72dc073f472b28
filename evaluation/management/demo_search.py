"""What the search for faces and text would report of the demo's own drawings, which show neither."""

from __future__ import annotations

from collections.abc import Iterable

from curation.benchmarks.models import Benchmark
from curation.images.models import RegionProposal
from curation.images.queries.regions import detectors_of


def store_empty_searches(benchmark: Benchmark, image_ids: Iterable[int]) -> None:
    """Store an empty result of each detector, so that the demo does not begin with minutes of searching."""
    detectors = detectors_of(benchmark).values()
    RegionProposal.objects.bulk_create(
        RegionProposal(image_id=image_id, version=1, detector=detector, regions=[], failed=False)
        for image_id in image_ids
        for detector in detectors
    )
