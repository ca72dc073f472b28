"""``python -m tests.bench.exposures``: what recording who was sent which picture costs, at a million rows.

A PostgreSQL of its own; 2,500 pictures seen by 400 people each. Then pictures are sent that were seen before, and ones
that were not; each as the service records it, in a transaction of its own.
"""

import statistics
import time
from typing import Any

from django.db import connection

from tests.bench.alone import load, machine, own_database, tell

PEOPLE = 400
PICTURES = 3_000
SEEN = 2_500
TIMES = 2_000


def fill() -> None:
    """Write the rows; the trigger is off, because it takes a lock for each row of the transaction."""
    with connection.cursor() as cursor:
        cursor.execute("alter table curation_exposure disable trigger user")
        cursor.execute(
            "insert into curation_exposure (person_id, image_id) select p.id, i.id from curation_person p, "
            "(select id from curation_image order by id limit %s) i where p.username like 'p%%'",
            [SEEN],
        )
        cursor.execute("alter table curation_exposure enable trigger user")
        cursor.execute("analyze")


def main() -> None:
    """Fill, measure, print."""
    with own_database("exposures"):
        import django  # noqa: PLC0415
        from django.core.management import call_command  # noqa: PLC0415

        django.setup()
        call_command("migrate", verbosity=0)
        from curation.images.models import Exposure, Image  # noqa: PLC0415
        from curation.images.services import record_exposure  # noqa: PLC0415
        from tests.people import Role, people  # noqa: PLC0415
        from tests.pictures import picture_world  # noqa: PLC0415
        from tests.ready import accepted_pictures  # noqa: PLC0415

        here = picture_world()
        accepted_pictures(here.benchmark, here.contributor, here.curator, PICTURES)
        everybody = people({f"p{n}": [Role.ANNOTATOR] for n in range(PEOPLE)}, here.benchmark)
        fill()
        pictures = list(Image.objects.select_related("benchmark").order_by("pk"))
        record_exposure(everybody[0], pictures[0])

        def timed(chosen: list[Any]) -> dict[str, float]:
            spent = []
            for n in range(TIMES):
                who, picture = everybody[n % PEOPLE], chosen[n % len(chosen)]
                begun = time.perf_counter()
                record_exposure(who, picture)
                spent.append((time.perf_counter() - begun) * 1000)
            spent.sort()
            return {"p50": round(statistics.median(spent), 3), "p95": round(spent[int(len(spent) * 0.95)], 3)}

        with connection.cursor() as cursor:
            cursor.execute("select pg_total_relation_size('curation_exposure')")
            [(size,)] = cursor.fetchall()
        figures = {
            "machine": machine(),
            "load": load(),
            "rows": Exposure.objects.count(),
            "bytes": size,
            "ms, seen before": timed(pictures[:SEEN]),
            "ms, new": timed(pictures[SEEN:]),
        }
        tell(figures, None)


if __name__ == "__main__":
    main()
