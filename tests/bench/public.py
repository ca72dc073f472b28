"""``python -m tests.bench.public``: what an anonymous reader of the public pages costs; one JSON out.

A published release of 60 pictures in a database of its own, through the whole application in this process. One client
reads each page a number of times: kept by this side, unchanged (304), and written anew. Of each: statements, processor
time of the process in milliseconds (on a busy machine the one to read), median and 95th percentile of the time that
passed.
"""

import argparse
import itertools
import os
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.bench.alone import load, machine, own_database, tell

PICTURES = 60
LABEL = "captions-v1"
PAGES = {
    "overview": "en/",
    "release": f"zh-Hans/{LABEL}/",
    "board": f"en/{LABEL}/board",
    "files": f"en/{LABEL}/files",
    "samples": f"en/{LABEL}/samples",
    "errata": f"en/{LABEL}/errata",
}
FILES = {"file": f"{LABEL}/files/captions-train.jsonl", "archive": f"{LABEL}/archive.zip"}


def measure(requests: int) -> dict[str, Any]:
    """Read every page; the database is filled."""
    from django.core.cache import cache  # noqa: PLC0415  (after django.setup)
    from django.db import connection  # noqa: PLC0415
    from django.test import Client  # noqa: PLC0415
    from django.test.utils import CaptureQueriesContext  # noqa: PLC0415

    reader = Client()

    def times(ask: Callable[[], Any], status: int) -> dict[str, float]:
        with CaptureQueriesContext(connection) as statements:
            answer = ask()
            answer.getvalue()
        count = len(statements)  # now, because the next request empties the log
        assert answer.status_code == status, answer.status_code
        passed, spent = [], time.process_time()
        for _ in range(requests):
            began = time.perf_counter()
            ask().getvalue()
            passed.append((time.perf_counter() - began) * 1000)
        spent = time.process_time() - spent
        return {
            "statements": count,
            "cpu_ms": round(1000 * spent / requests, 2),
            "median_ms": round(statistics.median(passed), 2),
            "p95_ms": round(statistics.quantiles(passed, n=20)[-1], 2),
        }

    def written(page: str) -> Any:
        cache.clear()
        return reader.get(f"/p/cvlue/{page}")

    figures: dict[str, Any] = {}
    for name, page in PAGES.items():
        tag = reader.get(f"/p/cvlue/{page}")["ETag"]
        figures[name] = {
            "written": times(lambda page=page: written(page), 200),
            "kept": times(lambda page=page: reader.get(f"/p/cvlue/{page}"), 200),
            "unchanged": times(
                lambda page=page, tag=tag: reader.get(f"/p/cvlue/{page}", headers={"If-None-Match": tag}), 304
            ),
        }
    for name, address in FILES.items():
        figures[name] = times(lambda at=address: reader.get(f"/p/cvlue/{at}", headers={"Range": "bytes=0-65535"}), 206)
    numbers = itertools.count()
    figures["not found"] = times(lambda: reader.get(f"/p/no-{next(numbers)}/en/"), 404)
    return figures


def main() -> None:
    """Fill a database, read, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=1_000)
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    os.environ["LOG_LEVEL"] = "WARNING"
    with own_database("public"):
        import django  # noqa: PLC0415
        from django.conf import settings  # noqa: PLC0415
        from django.core.management import call_command  # noqa: PLC0415

        django.setup()
        settings.ALLOWED_HOSTS = ["testserver"]
        settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
        call_command("migrate", verbosity=0)
        from tests.evaluation.publication.published import opened, world_with_release  # noqa: PLC0415

        opened(*world_with_release(PICTURES))
        before = load()
        figures = measure(arguments.requests)
        tell({"machine": machine(), "load": [before, load()], "requests": arguments.requests, **figures}, arguments.out)


if __name__ == "__main__":
    main()
