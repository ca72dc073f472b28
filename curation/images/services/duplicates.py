"""Pictures that are the same file, and pictures that look the same."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

import cv2
import numpy as np
from django.db import connection

from curation.benchmarks.models import Benchmark
from curation.core.stores import store
from curation.images import rules
from curation.images.errors import ImageDuplicate
from curation.images.models import Image, NearPair, image_label

# The least of three comparisons (``rules.distance``); all that is read stands in one index (``image_hashes``).
_DISTANCE = (
    "least(bit_count((phash # %(whole)s)::bit(64)), bit_count((phash_inner # %(whole)s)::bit(64)), "
    "bit_count((phash # %(inner)s)::bit(64)))"
)
_NEAREST = f"""
    with near as materialized (
        select id, number, state, d from (
            select id, number, state, {_DISTANCE} as d from curation_image
            where benchmark_id = %(benchmark)s and id > %(after)s
        ) measured
        where d <= %(limit)s order by d, number limit %(most)s
    )
    select near.id, near.number, near.state, near.d, file.key from near
    join curation_rendition file on file.image_id = near.id and file.role = 'thumb' and file.version = 1
    order by near.d, near.number
"""  # noqa: S608  (only a constant is put in)


@dataclass(frozen=True, slots=True)
class Near:
    """A picture that looks the same; ``distance`` in bits of 64. Refused ones are noted too: they may come back."""

    image_id: int
    number: int
    distance: int
    refused: bool


def lock_for_numbers(benchmark_id: int) -> None:
    """Hold the benchmark until the commit: one number each, and whoever comes next sees this picture as a twin."""
    Benchmark.objects.select_for_update(of=("self",), no_key=True).filter(pk=benchmark_id).values_list("pk").get()


def twin_of(contributor_id: int, benchmark_id: int, client_key: UUID, sha256: str) -> int | None:
    """The picture that this very request made on another connection, or None.

    Raises:
        ImageDuplicate: Another request brought the same file.
    """
    twin = Image.objects.filter(benchmark_id=benchmark_id, sha256=sha256).exclude(state=Image.State.REFUSED).first()
    if twin is None:
        return None
    if (twin.contributor_id, twin.client_key) == (contributor_id, client_key):
        return twin.pk
    raise ImageDuplicate(twin=image_label(twin.number), twin_id=twin.pk)


def near_ones(
    *, benchmark_id: int, hashes: rules.Hashes, thumb: Path, limit: int, after: int = 0
) -> tuple[list[Near], int]:
    """Pictures of the benchmark that look the same, nearest first.

    One statement names at most ``rules.CANDIDATES`` by their hashes; their thumbs are then laid over this one.

    Args:
        benchmark_id: Where to look.
        hashes: Of the picture.
        thumb: Its thumb.
        limit: The protocol's ``near_duplicate_distance``.
        after: Look only at pictures that came in after the one of this id.

    Returns:
        The pictures, and the id up to which all were looked at.
    """
    newest = Image.objects.filter(benchmark_id=benchmark_id).order_by("-pk").values_list("pk", flat=True).first()
    seen = newest or 0
    if seen <= after:
        return [], after
    with connection.cursor() as cursor:
        cursor.execute(
            _NEAREST,
            {
                "whole": hashes.whole,
                "inner": hashes.inner,
                "benchmark": benchmark_id,
                "after": after,
                "limit": limit,
                "most": rules.CANDIDATES,
            },
        )
        rows = cursor.fetchall()
    ours = _overlay(thumb.read_bytes() if thumb.exists() else None) if rows else None
    if ours is None:
        return [], seen
    found = []
    for (image_id, number, state, bits), content in store().read_many((row[:4], row[4]) for row in rows):
        theirs = _overlay(content)
        if theirs is not None and rules.agreement(ours, theirs) >= rules.SAME:
            found.append(Near(image_id, number, bits, state == Image.State.REFUSED))
    return found, seen


def _overlay(thumb: bytes | None) -> rules.Overlay | None:
    if not thumb:
        return None
    grey = cv2.imdecode(np.frombuffer(thumb, dtype=np.uint8), cv2.IMREAD_GRAYSCALE)
    return None if grey is None else rules.overlay(np.asarray(grey, dtype=np.uint8))


def note_neighbours(image: Image, near: list[Near]) -> None:
    """Write down the pictures that look the same, in both directions."""
    NearPair.objects.bulk_create(
        [NearPair(image_id=image.pk, other_id=n.image_id, distance=n.distance) for n in near]
        + [NearPair(image_id=n.image_id, other_id=image.pk, distance=n.distance) for n in near]
    )
