"""``python -m tests.bench.lists_as_files``: a list above 100,000 rows as CSV, streamed and made by a job; one JSON out.

A PostgreSQL of its own holds 120,000 pictures. Streamed: the lines as the request sends them. By a job: the same lines
written to a file, which goes to the store and is read from there, as a download that a job prepares would be. All are
the application's functions without HTTP; times in seconds, the growth of the process in MB.
"""

import argparse
import resource
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.bench.alone import load, machine, own_database, tell

PICTURES = 120_000


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _read(lines: Iterator[bytes]) -> dict[str, float]:
    """When the first bytes came and when the last, how many there were."""
    began, peak, first, size = time.perf_counter(), _peak_mb(), 0.0, 0
    for line in lines:
        first = first or time.perf_counter() - began
        size += len(line)
    whole = time.perf_counter() - began
    return {
        "first bytes": round(first, 3),
        "last bytes": round(whole, 2),
        "MB": round(size / 1e6, 1),
        "grown by MB": round(_peak_mb() - peak, 1),
    }


def measure() -> dict[str, Any]:
    """Fill, stream, write and read."""
    # After django.setup.
    from django.core.management import call_command  # noqa: PLC0415
    from django.db import connection  # noqa: PLC0415

    from curation.benchmarks.queries import preset  # noqa: PLC0415
    from curation.core.stores import store  # noqa: PLC0415
    from curation.images.queries import IMAGE_COLUMNS, image_cells  # noqa: PLC0415
    from curation.lib.files import stage_blocks  # noqa: PLC0415
    from curation.lib.spreadsheets import csv_lines  # noqa: PLC0415
    from tests.people import world  # noqa: PLC0415
    from tests.ready import accepted_pictures  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    here = world(preset("cvlue").content)
    for _ in range(PICTURES // 10_000):
        accepted_pictures(here.benchmark, here.contributor, here.curator, 10_000)
    with connection.cursor() as cursor:
        cursor.execute("analyze")

    def lines() -> Iterator[bytes]:
        return iter(csv_lines(IMAGE_COLUMNS, image_cells(here.curator, "cvlue")))

    _read(iter([next(lines())]))  # the statements are planned
    figures: dict[str, Any] = {"streamed": _read(lines())}
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        staged, _, digest = stage_blocks(Path(folder), lines(), lambda _: None)
        store().put("lists/1.csv", staged, digest)
        figures["by a job, until it can be fetched"] = round(time.perf_counter() - began, 2)
        with store().local_path("lists/1.csv") as path:
            figures["the finished file"] = _read(iter(path.read_bytes().splitlines(keepends=True)))
    return figures


def main() -> None:
    """Fill, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, help="where the figures go as JSON")
    arguments = parser.parse_args()
    with own_database("lists_as_files"):
        import django  # noqa: PLC0415

        django.setup()
        tell({"machine": machine(), "load": load(), "pictures": PICTURES} | measure(), arguments.out)


if __name__ == "__main__":
    main()
