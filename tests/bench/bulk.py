"""``python -m tests.bench.bulk``: a bulk action on the pictures of a list, and the list as a file; one JSON out.

A PostgreSQL of its own holds 100,000 pictures of one category. Another category is prepared for 50,000 of them, the
most that one action takes: what the request does, what the job does after it, and reading the preview as its page
does; then for 2,000 applied and undone by the job. All are the application's functions with its connection, without
HTTP, in seconds; ``ms_a_row`` are milliseconds.
"""

import argparse
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.bench.alone import load, machine, own_database, tell

PICTURES, PREPARED, APPLIED = 100_000, 50_000, 2_000


def seconds(call: Callable[[], Any]) -> tuple[float, Any]:
    """The time that a call took, and its result."""
    began = time.perf_counter()
    result = call()
    return round(time.perf_counter() - began, 2), result


def measure() -> dict[str, Any]:
    """Fill, prepare, apply, undo, write the file."""
    # After django.setup.
    from django.core.management import call_command  # noqa: PLC0415

    from annotation.bulk import queries, services  # noqa: PLC0415
    from curation.benchmarks.queries import preset  # noqa: PLC0415
    from curation.core import jobs  # noqa: PLC0415
    from curation.core.models import Job  # noqa: PLC0415
    from curation.images.models import Image  # noqa: PLC0415
    from curation.images.queries import IMAGE_COLUMNS, image_cells  # noqa: PLC0415
    from curation.lib.spreadsheets import csv_lines  # noqa: PLC0415
    from curation.taxonomy.models import Category  # noqa: PLC0415
    from tests.people import world  # noqa: PLC0415
    from tests.protocols import names  # noqa: PLC0415
    from tests.ready import accepted_pictures  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    here = world(preset("cvlue").content)
    for _ in range(PICTURES // 10_000):
        accepted_pictures(here.benchmark, here.contributor, here.curator, 10_000)
    lantern, _ = (
        Category.objects.create(
            benchmark=here.benchmark, slug=slug, number=n, name=names(slug), field="a", field_name=names("A")
        )
        for n, slug in enumerate(("lantern", "tea"), 1)
    )
    Image.objects.update(category=lantern)
    # Two parts of the list by its filters.
    Image.objects.filter(number__gt=PREPARED).update(flags=[{"code": "blurred", "params": {}}])
    Image.objects.filter(number__lte=APPLIED).update(flags=[{"code": "near_duplicate", "params": {}}])

    def prepare(**filters: Any) -> Any:
        return services.prepare_bulk(
            actor=here.curator,
            benchmark_slug="cvlue",
            action="category",
            params={"category": "tea"},
            filters=filters,
        )

    def run() -> None:
        jobs.run(Job.objects.latest("pk").pk, services.run_bulk)

    def work(way: Callable[..., Any], bulk: Any) -> None:
        way(actor=here.curator, bulk_id=bulk.pk, client_key=uuid.uuid4())
        run()

    figures: dict[str, Any] = {}
    figures["prepare 50,000, the request"], large = seconds(lambda: prepare(flag="blurred"))
    figures["prepare 50,000, the job"], _ = seconds(run)
    figures["show 50,000"], _ = seconds(lambda: queries.bulk_detail(here.curator, large.pk))
    bulk = prepare(flag="near_duplicate")
    run()
    for name, way in (("apply", services.apply_bulk), ("undo", services.undo_bulk)):
        took, _ = seconds(lambda way=way: work(way, bulk))
        figures[f"{name} 2,000"], figures[f"{name} ms_a_row"] = took, round(took * 1000 / APPLIED, 1)
    figures["file of 100,000 rows"], size = seconds(
        lambda: sum(map(len, csv_lines(IMAGE_COLUMNS, image_cells(here.curator, "cvlue"))))
    )
    figures["file_mb"] = round(size / 1e6, 1)
    return figures


def main() -> None:
    """Fill, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, help="where the figures go as JSON")
    arguments = parser.parse_args()
    with own_database("bulk"):
        import django  # noqa: PLC0415

        django.setup()
        tell({"machine": machine(), "load": load()} | measure(), arguments.out)


if __name__ == "__main__":
    main()
