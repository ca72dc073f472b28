"""Metrics for Prometheus: requests as they are served, work and workers from the database on demand.

Several web processes share one folder of counters (``PROMETHEUS_MULTIPROC_DIR``, emptied before the web server starts);
without it each process reports only itself. Labels are names from our own tables, so their number is bounded.
"""

from __future__ import annotations

import os
import time
from collections import Counter as TotalOf
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.db import connection, transaction
from django.utils.crypto import constant_time_compare
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from evaluation.systems.queries import queue_of

if _shared := os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
    Path(_shared).mkdir(parents=True, exist_ok=True)
_registry = CollectorRegistry()
REQUESTS = Counter("lantern_requests", "Requests answered.", ("operation", "status"), registry=_registry)
SECONDS = Histogram(
    "lantern_request_seconds",
    "Seconds from a request's first byte inside the application to its answer's.",
    ("operation",),
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0),
    registry=_registry,
)
# Time limit of the metrics from the database; each takes one query.
PATIENCE_MS = 2_000


def note(operation: str, status: int, seconds: float) -> None:
    """Count one served request."""
    REQUESTS.labels(operation, str(status)).inc()
    SECONDS.labels(operation).observe(seconds)


class FromDatabase(Collector):
    """Jobs and workers; only ``lantern_database_up 0`` while the database is unavailable."""

    def collect(self) -> Iterator[GaugeMetricFamily | CounterMetricFamily]:
        """Query the database and yield the metrics."""
        up = GaugeMetricFamily("lantern_database_up", "Whether the database answered.")
        try:
            open_jobs, ended, chunks, workers, offset = _ask()
        except Exception:  # noqa: BLE001  (whatever is wrong with it: the other figures are still wanted)
            up.add_metric([], 0)
            yield up
            return
        up.add_metric([], 1)
        yield up
        jobs = GaugeMetricFamily("lantern_jobs_open", "Jobs not ended.", labels=("queue", "state"))
        oldest = GaugeMetricFamily(
            "lantern_jobs_oldest_seconds", "Age of the job that waits longest.", labels=("queue", "state")
        )
        for queue, state, count, age in open_jobs:
            jobs.add_metric([queue, state], count)
            oldest.add_metric([queue, state], age)
        yield jobs
        yield oldest
        failed = GaugeMetricFamily("lantern_jobs_failed_day", "Jobs that failed within a day.", labels=("queue",))
        for queue, count in ended:
            failed.add_metric([queue], count)
        yield failed
        unfinished = GaugeMetricFamily(
            "lantern_chunks", "Chunks of open runs that are not done.", labels=("queue", "state")
        )
        by_queue = TotalOf[tuple[str, str]]()
        for backend, state, count in chunks:
            by_queue[queue_of(backend), state] += count
        for labels, count in by_queue.items():
            unfinished.add_metric(labels, count)
        yield unfinished
        gauge = GaugeMetricFamily(
            "lantern_worker_silent_seconds", "Seconds since a queue's worker was last seen.", labels=("queue",)
        )
        for queue, age in workers:
            gauge.add_metric([queue], age)
        yield gauge
        clock = GaugeMetricFamily("lantern_clock_offset_seconds", "This machine's clock less the database's.")
        clock.add_metric([], offset)
        yield clock


_Rows = list[tuple[str, str, int, float]]


def _ask() -> tuple[_Rows, list[tuple[str, int]], list[tuple[str, str, int]], list[tuple[str, float]], float]:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"set local statement_timeout = {PATIENCE_MS}")
        cursor.execute(
            "select queue, state, count(*), extract(epoch from now() - min(created_at))::float from curation_job "
            "where state in ('queued', 'running') group by queue, state order by queue, state"
        )
        open_jobs = cursor.fetchall()
        cursor.execute(
            "select queue, count(*) from curation_job "
            "where state = 'failed' and finished_at > now() - interval '1 day' group by queue order by queue"
        )
        ended = cursor.fetchall()
        cursor.execute(
            "select s.backend, c.state, count(*) from evaluation_run r join evaluation_system s on s.id = r.system_id "
            "join evaluation_chunk c on c.run_id = r.id and c.state <> 'done' where r.state = 'open' "
            "group by s.backend, c.state order by s.backend, c.state"
        )
        chunks = cursor.fetchall()
        cursor.execute(
            "select queue, extract(epoch from now() - max(seen_at))::float from curation_workerseen "
            "group by queue order by queue"
        )
        workers = cursor.fetchall()
        cursor.execute("select extract(epoch from clock_timestamp())::float")
        [(theirs,)] = cursor.fetchall()
    return open_jobs, ended, chunks, workers, time.time() - theirs


def exposition() -> bytes:
    """Return all metrics in Prometheus' text format."""
    registry = CollectorRegistry()
    registry.register(FromDatabase())
    if _shared:
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # untyped in the library
        return generate_latest(registry)
    return generate_latest(registry) + generate_latest(_registry)


def may_read(authorization: str) -> bool:
    """Return whether a request's ``Authorization`` header has the token of ``METRICS_TOKEN``."""
    token = settings.METRICS_TOKEN
    return bool(token) and constant_time_compare(authorization, f"Bearer {token}")
