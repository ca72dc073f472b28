"""The content of a frozen release, from which its files are written."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

from django.db.models import Count, Exists, F, Max, OuterRef, QuerySet, Sum

from annotation.items.queries import tree_of
from annotation.releases import rules, states
from annotation.releases.exporters import registry
from annotation.releases.exporters.base import Facts, Split, Whole
from annotation.releases.exporters.columns import FURTHER, OCCASIONAL
from annotation.releases.models import Release, ReleaseEntry, ReleaseFile, ReleaseImage, ReleaseKind
from annotation.releases.queries.snapshots import kinds_of, settings_of
from annotation.releases.rules import AXIS, Settings
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


class FirstRow(NamedTuple):
    """A release's item; ``is_first``: no item before it in the release has its picture."""

    kind: str
    record: dict[str, Any]
    is_first: bool


def first_records(release_id: int, ordinals: range) -> Iterator[FirstRow]:
    """Yield the records of some ordinals, in order, in batches as :func:`records`."""
    rows = ReleaseEntry.objects.filter(release_id=release_id).order_by("ordinal")
    earlier = rows.filter(image_id=OuterRef("image_id"), ordinal__lt=OuterRef("ordinal")).order_by()
    for start in range(ordinals.start, ordinals.stop, BATCH):
        batch = rows.filter(ordinal__gte=start, ordinal__lt=min(start + BATCH, ordinals.stop))
        yield from map(FirstRow._make, batch.annotate(first=~Exists(earlier)).values_list("kind", "record", "first"))


class SplitCount(NamedTuple):
    """What a split of a frozen release has; ``bytes`` is the size of its pictures."""

    images: int = 0
    items: int = 0
    bytes: int = 0


def split_counts(of: Release | ReleaseKind) -> dict[str, SplitCount]:
    """What a frozen release, or one of its kinds, has in each split that is not empty."""
    if of.split_counts is not None:
        return {name: SplitCount(*counts) for name, counts in of.split_counts.items()}
    return count_splits(of) if isinstance(of, Release) else count_splits(of.release, of.kind)


def count_splits(release: Release, kind: str = "") -> dict[str, SplitCount]:
    """As :func:`split_counts`, from its entries; without a kind, of all."""
    rows = _entries(release, kind).values_list("split").order_by()
    counted = rows.annotate(m=Count("image_id", distinct=True), n=Count("item_id"), b=Sum("rendition__bytes"))
    return {name: SplitCount(*numbers) for name, *numbers in counted}


def newest_image_id(release: Release) -> int:
    """The highest id of a release's pictures; 0 if it has none."""
    newest = ReleaseImage.objects.filter(release=release).aggregate(n=Max("image_id"))["n"]
    return int(newest or 0)


def covered_pictures(release: Release) -> int:
    """Count the pictures of a frozen release in which something was covered since."""
    entries = ReleaseEntry.objects.filter(release=release, image__redaction_no__gte=F("rendition__version"))
    counted = entries.aggregate(n=Count("image_id", distinct=True))
    return int(counted["n"])


def _entries(release: Release, kind: str = "") -> QuerySet[ReleaseEntry]:
    rows = ReleaseEntry.objects.filter(release=release)
    return rows.filter(kind=kind) if kind else rows


def licence_counts(release: Release, kind: str = "") -> dict[str, int]:
    """Count pictures of a frozen release by licence; without a kind, of all."""
    rows = _entries(release, kind).values_list("record__licence")
    return dict(rows.annotate(n=Count("image_id", distinct=True)).order_by("record__licence"))


def _occasional_columns(release: Release, kind: str) -> list[str]:
    """The occasional columns of a kind's records; all have the same ones."""
    first = _entries(release, kind).order_by("ordinal").values_list("record", flat=True).first()
    record = first or {}
    return [name for name in (*OCCASIONAL, *FURTHER) if name in record] + sorted(
        name for name in record if name.startswith(AXIS)
    )


def _languages(release: Release, kind: str) -> list[str]:
    """The languages of a kind's texts and translations; none if its records do not name their own."""
    tags: set[str] = set()
    for field in ("language", "translation_language"):
        rows = _entries(release, kind).filter(record__has_key=field)
        tags.update(rows.values_list(f"record__{field}", flat=True).distinct())
    return sorted(tags - {""})


def facts_of(release: Release) -> Whole:
    """Facts about a release; every call returns the same, because only frozen rows are read."""
    whole = facts_of_files(release)
    kinds = [
        replace(
            facts,
            licences=licence_counts(release, facts.kind),
            columns=_occasional_columns(release, facts.kind),
            languages=_languages(release, facts.kind),
        )
        for facts in whole.kinds
    ]
    return replace(whole, kinds=kinds, licences=licence_counts(release) if whole.is_mixed else kinds[0].licences)


def facts_of_files(release: Release) -> Whole:
    """As :func:`facts_of`, but only what the names of the files depend on, in one statement."""
    if release.frozen_at is None or release.event_id is None:
        raise ValueError(f"release {release.pk} is not frozen")
    protocol, settings = release.protocol, settings_of(release.protocol_id)
    consent = protocol.content.get("consent")
    shared: dict[str, Any] = {
        "label": release.label,
        "slug": release.benchmark.slug,
        "title": release.benchmark.title,
        "language": "mul" if settings.language == "team" else settings.language or "und",
        "licence": settings.licence,
        "protocol_name": protocol.name,
        "protocol_version": protocol.version,
        "protocol_sha256": protocol.source_sha256,
        "seed": release.seed,
        "event_id": release.event_id,
        "frozen_at": release.frozen_at,
        "licences": {},
        "consent": {
            "version": consent["version"],
            "sha256": consent_sha256(protocol.content),
            "donors": consent["donors"]["uses"],
        }
        if consent
        else {},
        "notes": release.notes,
        "canary": str(rules.canary(release.benchmark.slug, release.benchmark.created_at)),
    }
    kinds, first, owns = [], 1, kinds_of(release)
    is_by_task = bool(settings.divided_by_task([own.kind for own in owns]))
    for own in owns:
        facts = Facts(
            kind=own.kind,
            tree=tree_of(release.protocol_id, own.kind),
            digest=own.digest,
            splits=_splits(split_counts(own), settings, first),
            option_seed=own.option_seed or 0,
            is_by_task=is_by_task,
            previous=own.previous.label if own.previous else "",
            changes=own.changes or {},
            left_out=own.left_out,
            blind_trials=own.blind_trials or {},
            **shared,
        )
        kinds.append(facts)
        first += len(facts.rows)
    return Whole(kinds, _splits(split_counts(release), settings, 1), {}, release.digest)


def _splits(counts: Mapping[str, SplitCount], settings: Settings, first: int) -> list[Split]:
    """The protocol's splits with what the release has in them, consecutive by ordinal from ``first``."""
    splits = []
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
