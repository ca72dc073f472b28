"""What public pages say about a release as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from itertools import islice
from typing import Any, Final

from django.db.models import Count, Max

from annotation.releases.exporters.base import Whole
from annotation.releases.models import Release, ReleaseEntry, ReleaseImage
from annotation.releases.queries import changes_of, facts_of
from curation.images.models import Image, Takedown, image_label
from curation.taxonomy.models import Category

MOST_CHANGES: Final = 200  # on the page; the file ``changes.jsonl`` has all


@dataclass(frozen=True, slots=True)
class ReleaseFacts:
    """The frozen facts of a release; ``categories``: by kind, each category with its pictures and items."""

    whole: Whole
    images: int
    items: int
    categories: dict[str, list[tuple[str, int, int]]]


def facts(release: Release) -> ReleaseFacts:
    """Facts of a frozen release, from memory after the first time."""
    return _facts(release.pk, release.digest)


@lru_cache(maxsize=128)  # a frozen release never changes
def _facts(release_id: int, digest: str) -> ReleaseFacts:
    release = Release.objects.select_related("benchmark", "protocol").get(pk=release_id)
    known = facts_of(release)
    rows = ReleaseEntry.objects.filter(release=release).values_list("kind", "record__category")
    counted = rows.annotate(n=Count("image_id", distinct=True), m=Count("item_id")).order_by()
    categories: dict[str, list[tuple[str, int, int]]] = {own.kind: [] for own in known.kinds}
    for kind, category, images, items in counted:
        categories[kind].append((category or "", images, items))
    return ReleaseFacts(
        whole=known,
        images=sum(split.images for split in known.splits),
        items=sum(split.items for split in known.splits),
        categories=categories,
    )


def category_names(benchmark_id: int) -> dict[str, Mapping[str, str]]:
    """The names of a benchmark's categories in the three languages, by code, in the order of the list."""
    rows = Category.objects.filter(benchmark_id=benchmark_id).order_by("number")
    return {slug: dict(name) for slug, name in rows.values_list("slug", "name")}


@dataclass(frozen=True, slots=True)
class GoneImage:
    """A picture of a release that was withdrawn since."""

    image_id: int
    label: str
    at: datetime


def gone_images(release: Release) -> list[GoneImage]:
    """The pictures of a release that are withdrawn now; one statement that reads only those of the benchmark."""
    withdrawn = Image.objects.filter(benchmark_id=release.benchmark_id, state=Image.State.WITHDRAWN)
    rows = ReleaseImage.objects.filter(release=release, image_id__in=withdrawn.values("pk"))
    numbers = dict(rows.values_list("image_id", "image__number"))
    if not numbers:
        return []
    taken_down = Takedown.objects.filter(image_id__in=numbers, restored=False).order_by()
    dates = dict(taken_down.values_list("image_id").annotate(last=Max("at")))
    return [
        GoneImage(image_id, image_label(number), dates.get(image_id, release.frozen_at or release.created_at))
        for image_id, number in sorted(numbers.items(), key=lambda entry: entry[1])
    ]


def change_list(release: Release) -> list[dict[str, Any]]:
    """The first changes since the previous releases: the items, their pictures, and which fields differ."""
    return [
        {
            "change": change["change"],
            "item": change["label"],
            "image": (change["record"] or change["previous_record"] or {}).get("label", ""),
            "fields": _fields(change["record"], change["previous_record"]),
            "errata": change["errata"],
        }
        for change in islice(changes_of(release), MOST_CHANGES)
    ]


def _fields(record: dict[str, Any] | None, previous: dict[str, Any] | None) -> list[str]:
    if not record or not previous:
        return []
    return sorted(name for name in record if record[name] != previous.get(name))
