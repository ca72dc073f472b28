"""Pictures that are the same file, and pictures that look much the same."""

from __future__ import annotations

from uuid import UUID

from django.db import connection

from curation.benchmarks.models import Benchmark
from curation.images.errors import ImageDuplicate
from curation.images.models import Image, image_label

_DISTANCE = "bit_count((phash # %s)::bit(64))"


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


def nearest(image: Image, limit: int) -> tuple[int, int] | None:
    """Number and distance of the nearest picture within ``limit``."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"select number, {_DISTANCE} as d from curation_image "  # noqa: S608  (only a constant is put in)
            f"where benchmark_id = %s and state <> 'refused' and {_DISTANCE} <= %s order by d, number limit 1",
            [image.phash, image.benchmark_id, image.phash, limit],
        )
        row: tuple[int, int] | None = cursor.fetchone()
    return row


def note_neighbours(image: Image, limit: int) -> None:
    """Write down every picture within ``limit``, in both directions."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"with near as (select id, {_DISTANCE} as d from curation_image "  # noqa: S608  (as above)
            f"where benchmark_id = %s and id <> %s and {_DISTANCE} <= %s) "
            "insert into curation_nearpair (image_id, other_id, distance) "
            "select %s, id, d from near union all select id, %s, d from near",
            [image.phash, image.benchmark_id, image.pk, image.phash, limit, image.pk, image.pk],
        )
