"""Keeps everyone's figures of benchmarks with much work."""

from __future__ import annotations

from django.db.models import Max
from django.utils import timezone

from annotation.quality import queries
from annotation.quality.models import QualitySheet
from curation.benchmarks.models import Benchmark
from curation.core.models import AuditEvent


def keep_figures() -> int:
    """Compute the figures of every benchmark with much work where something happened since; return how many it were.

    The newest event is read first: what happens meanwhile is in the next sheet.
    """
    kept = dict(QualitySheet.objects.values_list("benchmark_id", "event_id"))
    computed = 0
    for benchmark_id in Benchmark.objects.order_by("pk").values_list("pk", flat=True):
        newest = AuditEvent.objects.filter(benchmark_id=benchmark_id).aggregate(n=Max("pk"))["n"] or 0
        if newest == kept.get(benchmark_id) or not queries.is_large(benchmark_id):
            continue
        now = timezone.now()
        values = {"content": queries.computed_figures(benchmark_id), "event_id": newest, "computed_at": now}
        QualitySheet.objects.update_or_create(benchmark_id=benchmark_id, defaults=values)
        computed += 1
    return computed
