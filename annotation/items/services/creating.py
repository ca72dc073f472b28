"""Creating items."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Max

from annotation.items.models import Item
from curation.benchmarks.models import Benchmark


def lock_benchmark(benchmark: Benchmark) -> Benchmark:
    """Lock a benchmark's row and return its current version.

    Without the lock, two people who create items or packages at the same time would use the same numbers, and a new
    protocol version could be adopted while items are created under the old one.
    """
    rows = Benchmark.objects.select_for_update(of=("self",), no_key=True).select_related("protocol")
    return rows.get(pk=benchmark.pk)


def add_items(
    benchmark: Benchmark,
    kind: str,
    places: Sequence[tuple[int, int]],
    *,
    track: str = Item.Track.PACKAGE,
    team_id: int | None = None,
    copy_no: int = 0,
) -> list[Item]:
    """Create items for (picture, slot) pairs, numbered from the last item on.

    The caller has locked the benchmark. Items of the peer track need the team, whose pictures these must be.
    """
    last = Item.objects.filter(benchmark=benchmark, kind=kind).aggregate(n=Max("number"))["n"] or 0
    return Item.objects.bulk_create(
        (
            Item(
                benchmark=benchmark,
                kind=kind,
                image_id=image_id,
                slot=slot,
                copy_no=copy_no,
                number=last + i,
                track=track,
                team_id=team_id,
            )
            for i, (image_id, slot) in enumerate(places, 1)
        ),
        batch_size=1_000,
    )
