"""Checking and repairing the bytes that benchmarks store.

``Benchmark.picture_bytes`` drifts where rows are written without the application: by a restore of single tables, or by
a process of an older version that adds pictures during an upgrade.
"""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import Sum

from curation.benchmarks.models import Benchmark
from curation.core.stores import store
from curation.images.models import Image, Rendition, current_renditions
from curation.images.services.duplicates import lock_numbering
from curation.images.services.storage import ORIGINALS, original_key


def check_picture_bytes(*, repair: bool) -> list[dict[str, Any]]:
    """Compare ``picture_bytes`` of every benchmark with its renditions' rows and the originals in the store.

    Safe while people work: only adding pictures to a benchmark waits, as long as its rows are summed.

    Args:
        repair: Store the true sums.

    Returns:
        A row for each benchmark that is wrong; ``n`` is the true sum minus the stored one.
    """
    wrong = []
    for benchmark in Benchmark.objects.order_by("pk"):
        newest = Image.objects.filter(benchmark=benchmark).order_by("-pk").values_list("pk", flat=True).first() or 0
        # No row has the size of an original. The store is listed before the lock, because that can take minutes.
        files = store().list_files(f"{ORIGINALS}/{benchmark.pk}")
        listed = {file.key.rpartition("/")[2]: file.bytes for file in files}
        with transaction.atomic():
            lock_numbering(benchmark.pk)
            pictures = Image.objects.filter(benchmark=benchmark)
            added = pictures.filter(pk__gt=newest).values_list("sha256", flat=True)
            listed |= {sha256: _original_bytes(benchmark.pk, sha256) for sha256 in added}
            originals = pictures.values_list("sha256", flat=True).distinct() if listed else ()
            kept = Rendition.objects.filter(current_renditions(), image__benchmark=benchmark)  # others are destroyed
            renditions = kept.aggregate(n=Sum("bytes"))["n"] or 0
            true_bytes = renditions + sum(listed.get(sha256, 0) for sha256 in originals)
            row = Benchmark.objects.filter(pk=benchmark.pk)
            difference = true_bytes - row.values_list("picture_bytes", flat=True).get()
            if difference:
                wrong.append({"benchmark_id": benchmark.pk, "of": "picture_bytes", "n": difference})
                if repair:
                    row.update(picture_bytes=true_bytes)
    return wrong


def _original_bytes(benchmark_id: int, sha256: str) -> int:
    try:
        return store().size(original_key(benchmark_id, sha256))
    except FileNotFoundError:
        return 0
