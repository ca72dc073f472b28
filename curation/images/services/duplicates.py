"""Duplicates: pictures of the same file, and near duplicates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import cv2
import numpy as np
from django.db import connection

from curation.benchmarks.models import Benchmark
from curation.core.stores import store
from curation.images import access, rules
from curation.images.errors import ImageDuplicate
from curation.images.models import Image, NearPair, image_label
from curation.people.models import Person

NEAR_DUPLICATE: Final = "near_duplicate"

# The bits in which the pictures' hashes differ, or those of one picture's whole and the other's inner part, whichever
# are fewest; by an index-only scan of ``image_hashes``.
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
    join curation_rendition file on file.image_id = near.id and file.role = 'thumb'
    join curation_image image on image.id = near.id and image.redaction_no + 1 = file.version
    order by near.d, near.number
"""  # noqa: S608  (only a constant is put in)


@dataclass(frozen=True, slots=True)
class NearDuplicate:
    """A near duplicate; ``distance`` in bits of 64. Refused pictures are included: they may be accepted later."""

    image_id: int
    number: int
    distance: int
    refused: bool


def lock_numbering(benchmark_id: int) -> None:
    """Lock the benchmark until the commit, so that numbers are unique and the next transaction sees this picture."""
    Benchmark.objects.select_for_update(of=("self",), no_key=True).filter(pk=benchmark_id).values_list("pk").get()


def refuse_duplicate(contributor: Person, benchmark_id: int, client_key: UUID, sha256: str) -> None:
    """Refuse a file that the benchmark has already.

    Raises:
        ImageDuplicate: Another upload created a picture of the same file.
    """
    duplicate = (
        Image.objects.filter(benchmark_id=benchmark_id, sha256=sha256).exclude(state=Image.State.REFUSED).first()
    )
    if duplicate is None or (duplicate.contributor_id, duplicate.client_key) == (contributor.pk, client_key):
        return
    raise duplicate_of(duplicate, contributor)


def duplicate_of(image: Image, person: Person) -> ImageDuplicate:
    """The error for a file that is a picture already; it names the picture only to those who may see it."""
    if access.may_see(person, image):
        return ImageDuplicate(twin=image_label(image.number), twin_id=image.pk)
    return ImageDuplicate(twin=None, twin_id=None)


def find_near_duplicates(
    *, benchmark_id: int, hashes: rules.Hashes, thumb: Path, limit: int, after: int = 0
) -> tuple[list[NearDuplicate], int]:
    """Find a picture's near duplicates in a benchmark, nearest first.

    One statement finds at most ``rules.CANDIDATES`` by their hashes; then their thumbs are compared with this one's.

    Args:
        benchmark_id: The benchmark.
        hashes: The picture's hashes.
        thumb: Path of its thumb.
        limit: The protocol's ``near_duplicate_distance``.
        after: Compare only with pictures of a higher id.

    Returns:
        The near duplicates, and the highest id that was compared.
    """
    newest = Image.objects.filter(benchmark_id=benchmark_id).order_by("-pk").values_list("pk", flat=True).first()
    highest_id = newest or 0
    if highest_id <= after:
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
    overlay = _overlay(thumb.read_bytes() if thumb.exists() else None) if rows else None
    if overlay is None:
        return [], highest_id
    duplicates = []
    for (image_id, number, state, bits), content in store().read_many((row[:4], row[4]) for row in rows):
        other = _overlay(content)
        if other is not None and rules.agreement(overlay, other) >= rules.SAME:
            duplicates.append(NearDuplicate(image_id, number, bits, state == Image.State.REFUSED))
    return duplicates, highest_id


def _overlay(thumb: bytes | None) -> rules.Overlay | None:
    if not thumb:
        return None
    grey = cv2.imdecode(np.frombuffer(thumb, dtype=np.uint8), cv2.IMREAD_GRAYSCALE)
    return None if grey is None else rules.overlay(np.asarray(grey, dtype=np.uint8))


def near_duplicate_flags(near: Sequence[NearDuplicate]) -> list[dict[str, Any]]:
    """Return the flag of a picture that names its nearest duplicate that was not refused; none without one."""
    nearest = min((n for n in near if not n.refused), key=lambda n: (n.distance, n.number), default=None)
    if nearest is None:
        return []
    return [{"code": NEAR_DUPLICATE, "params": {"near": image_label(nearest.number), "distance": nearest.distance}}]


def record_near_pairs(image: Image, near: list[NearDuplicate]) -> None:
    """Store a picture's near duplicates, in both directions; those that are stored already stay as they are."""
    NearPair.objects.bulk_create(
        [NearPair(image_id=image.pk, other_id=n.image_id, distance=n.distance) for n in near]
        + [NearPair(image_id=n.image_id, other_id=image.pk, distance=n.distance) for n in near],
        ignore_conflicts=True,
    )
