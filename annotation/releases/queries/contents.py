"""What a frozen release holds: everything its files are written from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

from django.db.models import Count

from annotation.releases.exporters.base import Facts, Split
from annotation.releases.models import Release, ReleaseEntry
from annotation.releases.queries.snapshots import settings_of

BATCH: Final = 500  # rows held at once while records are read or written


def records(release_id: int, splits: Sequence[str]) -> Iterator[tuple[dict[str, Any], str]]:
    """Published records of some splits in order, each with its picture's key in the store.

    Read in batches by ordinal: constant memory, and no cursor is held open while pictures are written.
    """
    last = 0
    while True:
        rows = ReleaseEntry.objects.filter(release_id=release_id, split__in=splits, ordinal__gt=last)
        batch = list(rows.order_by("ordinal").values_list("ordinal", "record", "rendition__key")[:BATCH])
        for _, record, key in batch:
            yield record, key
        if len(batch) < BATCH:
            return
        last = batch[-1][0]


def split_counts(release: Release) -> tuple[Counter[str], Counter[str]]:
    """Pictures and items of a frozen release by split."""
    rows = ReleaseEntry.objects.filter(release=release).values_list("split")
    counted = list(rows.annotate(n=Count("item_id"), m=Count("image_id", distinct=True)))
    return Counter({split: m for split, _, m in counted}), Counter({split: n for split, n, _ in counted})


def licence_counts(release: Release) -> dict[str, int]:
    """Pictures of a frozen release by licence."""
    rows = ReleaseEntry.objects.filter(release=release).values_list("record__licence")
    return dict(rows.annotate(n=Count("image_id", distinct=True)).order_by("record__licence"))


def facts_of(release: Release) -> Facts:
    """Everything about a release as a whole; the same at every call, for only frozen rows are read."""
    if release.frozen_at is None or release.event_id is None:
        raise ValueError(f"release {release.pk} is not frozen")
    protocol = release.protocol
    settings = settings_of(release.protocol_id)
    images, items = split_counts(release)
    return Facts(
        label=release.label,
        kind=release.kind,
        slug=release.benchmark.slug,
        title=release.benchmark.title,
        language=protocol.content.get("languages", {}).get("content", "und"),
        licence=settings.licence,
        protocol_name=protocol.name,
        protocol_version=protocol.version,
        protocol_sha256=protocol.source_sha256,
        seed=release.seed,
        digest=release.digest,
        event_id=release.event_id,
        frozen_at=release.frozen_at,
        splits=[Split(name, percent, images[name], items[name]) for name, percent in settings.shares.items()],
        licences=licence_counts(release),
    )
