"""The content of a frozen release, from which its files are written."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Any, Final, NamedTuple

from django.db.models import Count, Sum

from annotation.items.queries import tree_of
from annotation.releases import rules, states
from annotation.releases.exporters import registry
from annotation.releases.exporters.base import Facts, Split
from annotation.releases.exporters.columns import OCCASIONAL
from annotation.releases.models import Release, ReleaseEntry, ReleaseFile
from annotation.releases.queries.snapshots import settings_of
from annotation.releases.rules import Settings
from curation.benchmarks.rules import consent_sha256

BATCH: Final = 500  # rows in memory at a time while records are read or written


def key_of(release_id: int, name: str) -> str:
    """The key of a release's file in the store."""
    return f"releases/{release_id}/{name}"


def records(release_id: int, ordinals: range) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield the published records of some ordinals, in order, each with its picture's key in the store.

    They are read in batches: memory is constant, and no cursor stays open while pictures are written.
    """
    rows = ReleaseEntry.objects.filter(release_id=release_id).order_by("ordinal")
    for start in range(ordinals.start, ordinals.stop, BATCH):
        batch = rows.filter(ordinal__gte=start, ordinal__lt=min(start + BATCH, ordinals.stop))
        yield from batch.values_list("record", "rendition__key")


class PictureRow(NamedTuple):
    """The picture of a release's item: its path in the release, its key in the store, its sha256 when frozen."""

    path: str
    key: str
    image_id: int
    sha256: str
    label: str


def pictures(release_id: int, ordinals: range) -> Iterator[PictureRow]:
    """Yield the pictures of some ordinals, in order, in batches as :func:`records`."""
    rows = ReleaseEntry.objects.filter(release_id=release_id).order_by("ordinal")
    columns = ("record__image", "rendition__key", "image_id", "record__image_sha256", "record__label")
    for start in range(ordinals.start, ordinals.stop, BATCH):
        batch = rows.filter(ordinal__gte=start, ordinal__lt=min(start + BATCH, ordinals.stop))
        yield from map(PictureRow._make, batch.values_list(*columns))


class SplitCount(NamedTuple):
    """What a split of a frozen release has; ``bytes`` is the size of its pictures."""

    images: int = 0
    items: int = 0
    bytes: int = 0


def split_counts(release: Release) -> dict[str, SplitCount]:
    """What a frozen release has in each split that is not empty."""
    if release.split_counts is None:
        return count_splits(release)
    return {name: SplitCount(*counts) for name, counts in release.split_counts.items()}


def count_splits(release: Release) -> dict[str, SplitCount]:
    """As :func:`split_counts`, from its entries."""
    rows = ReleaseEntry.objects.filter(release=release).values_list("split").order_by()
    counted = rows.annotate(m=Count("image_id", distinct=True), n=Count("item_id"), b=Sum("rendition__bytes"))
    return {name: SplitCount(*numbers) for name, *numbers in counted}


def licence_counts(release: Release) -> dict[str, int]:
    """Count pictures of a frozen release by licence."""
    rows = ReleaseEntry.objects.filter(release=release).values_list("record__licence")
    return dict(rows.annotate(n=Count("image_id", distinct=True)).order_by("record__licence"))


def occasional_columns(release: Release) -> list[str]:
    """The occasional columns of a frozen release's records; all have the same ones."""
    first = ReleaseEntry.objects.filter(release=release, ordinal=1).values_list("record", flat=True).first()
    return [name for name in OCCASIONAL if name in (first or {})]


def languages_of(release: Release) -> list[str]:
    """The languages of a frozen release's texts and translations; none if its records do not name their own."""
    tags: set[str] = set()
    for field in ("language", "translation_language"):
        rows = ReleaseEntry.objects.filter(release=release, record__has_key=field)
        tags.update(rows.values_list(f"record__{field}", flat=True).distinct())
    return sorted(tags - {""})


def facts_of(release: Release) -> Facts:
    """Facts about a release as a whole; every call returns the same, because only frozen rows are read."""
    previous = release.previous.label if release.previous else ""
    return replace(
        facts_of_files(release),
        licences=licence_counts(release),
        columns=occasional_columns(release),
        languages=languages_of(release),
        previous=previous,
    )


def facts_of_files(release: Release) -> Facts:
    """As :func:`facts_of`, but only what the names of the files depend on, in one statement."""
    if release.frozen_at is None or release.event_id is None:
        raise ValueError(f"release {release.pk} is not frozen")
    protocol = release.protocol
    settings = settings_of(release.protocol_id)
    consent = protocol.content.get("consent")
    return Facts(
        label=release.label,
        kind=release.kind,
        tree=tree_of(release.protocol_id, release.kind),
        slug=release.benchmark.slug,
        title=release.benchmark.title,
        language="mul" if settings.language == "team" else settings.language or "und",
        licence=settings.licence,
        protocol_name=protocol.name,
        protocol_version=protocol.version,
        protocol_sha256=protocol.source_sha256,
        seed=release.seed,
        digest=release.digest,
        event_id=release.event_id,
        frozen_at=release.frozen_at,
        splits=_splits(release, settings),
        licences={},
        option_seed=release.option_seed or 0,
        consent={
            "version": consent["version"],
            "sha256": consent_sha256(protocol.content),
            "donors": consent["donors"]["uses"],
        }
        if consent
        else {},
        changes=release.changes or {},
        left_out=release.left_out,
        notes=release.notes,
        canary=str(rules.canary(release.benchmark.slug, release.benchmark.created_at)),
    )


def _splits(release: Release, settings: Settings) -> list[Split]:
    """The protocol's splits with what the release has in them, consecutive by ordinal."""
    counts = split_counts(release)
    splits, first = [], 1
    for name, percent in settings.shares.items():
        images, items, size = counts.get(name, SplitCount())
        share = percent if settings.per_category is None else None
        splits.append(Split(name, share, images, items, first, size, name in settings.withheld))
        first += items
    return splits


def missing_files(release: Release) -> list[str]:
    """Names of a frozen release's files that are not written yet, in the order of writing."""
    return missing_of(release, set(ReleaseFile.objects.filter(release=release).values_list("name", flat=True)))


def missing_of(release: Release, written: Collection[str]) -> list[str]:
    """As :func:`missing_files`, when the written names are known; only frozen and published releases need files."""
    if release.state not in states.WRITTEN:
        return []
    work = registry.work(settings_of(release.protocol_id).exporters, facts_of_files(release))
    return [job.file.name for job in work if job.file.name not in written]
