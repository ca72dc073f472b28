"""Lists, the board, home pages and the next item read as much at many items as at few.

``BOUNDED_ITEMS=100000 pytest tests/annotation/packages/test_bounded.py -s`` prints what each reads; ``python -m
tests.bench.million`` measures at a million.
"""

from __future__ import annotations

import os

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.items.models import Item
from annotation.packages import services
from annotation.packages.models import Package
from annotation.tallies import services as tallies
from tests.annotation.track import new_world
from tests.people import signed_in
from tests.plans import rows_read

pytestmark = pytest.mark.django_db
MANY = int(os.environ.get("BOUNDED_ITEMS", "2000"))
FEW, PACKAGE = 1_000, 20  # packages enough for a whole page
HERE = "/api/v1/benchmarks/cvlue"
FILL = (
    """
insert into curation_image (benchmark_id, number, sha256, phash, width, height, contributor_id, source, licence, state,
    subset, verdict_no, flags, client_key, pii_clear_by_id, phash_inner)
  select benchmark_id, number + n, encode(sha256((number + n)::text::bytea), 'hex'), n, 8, 8, contributor_id, source,
         licence, state, subset, 0, '[]', gen_random_uuid(), pii_clear_by_id, 0
  from curation_image, generate_series(1, %(pictures)s) n where number = (select max(number) from curation_image)""",
    """
insert into annotation_package (benchmark_id, kind, number, protocol_id, state, pooled, round, revision)
  select benchmark_id, kind, number + n, protocol_id, 'available', false, 0, 0
  from annotation_package, generate_series(1, %(packages)s) n
  where number = (select max(number) from annotation_package)""",
    """
insert into annotation_item (benchmark_id, kind, image_id, slot, number, state, revision_no)
  select item.benchmark_id, item.kind, image.id, 0, item.number + row_number() over (order by image.id),
         (array['todo', 'made', 'skipped'])[1 + image.number %% 3], 0
  from annotation_item item, curation_image image
  where item.number = (select max(number) from annotation_item)
    and not exists (select 1 from annotation_item there where there.image_id = image.id)""",
    """
insert into annotation_packageitem (package_id, item_id, position, active)
  select package.id, item.id, 1 + item.place %% %(size)s, true
  from (select id, row_number() over (order by id) - 1 as place from annotation_item
        where not exists (select 1 from annotation_packageitem held where held.item_id = annotation_item.id)) item
  join (select id, row_number() over (order by id) - 1 as place from annotation_package
        where not exists (select 1 from annotation_packageitem held where held.package_id = annotation_package.id)
       ) package on package.place = item.place / %(size)s""",
)


def fill(items):
    """So many more items, in packages."""
    with connection.cursor() as cursor:
        for statement in FILL:
            cursor.execute(statement, {"pictures": items, "packages": items // PACKAGE, "size": PACKAGE})
        cursor.execute("analyze")
    tallies.fold(slack=0)


def test_pages_read_as_much_of_many_as_of_few():
    here = new_world(pictures=8, size=4)
    package, _ = services.claim_package(actor=here.annotator, benchmark_slug="cvlue", kind="captions")
    admin, annotator = signed_in(here.admin), signed_in(here.annotator)
    pages = {
        "next": (annotator, f"/api/v1/packages/{package.pk}/next"),
        "items": (admin, f"{HERE}/items"),
        "items by kind": (admin, f"{HERE}/items?kind=captions"),
        "items by state": (admin, f"{HERE}/items?state=skipped"),
        "items by kind and state": (admin, f"{HERE}/items?kind=captions&state=skipped"),
        "packages": (admin, f"{HERE}/packages"),
        "packages by state": (admin, f"{HERE}/packages?state=available"),
        "board": (admin, f"{HERE}/board"),
        "home of an annotator": (annotator, f"{HERE}/waiting"),
        "home of an admin": (admin, f"{HERE}/waiting"),
        "benchmarks": (admin, "/api/v1/benchmarks"),
    }
    fill(FEW)
    few = {name: read(*page) for name, page in pages.items()}
    fill(MANY)
    assert (Item.objects.count(), Package.objects.count()) == (8 + FEW + MANY, 2 + (FEW + MANY) // PACKAGE)
    many = {name: read(*page) for name, page in pages.items()}
    for name in pages:
        print(f"{name}: {few[name]} rows read, of {MANY:,} items more {many[name]}")  # noqa: T201
    # The planner may take another way at another size; what must not happen is that pages read in proportion.
    assert {name: n for name, n in many.items() if n > 1.2 * few[name] + 20} == {}


def read(browser, address):
    with CaptureQueriesContext(connection) as captured:
        answer = browser.get(address)
    assert answer.status_code == 200, answer.json()
    return rows_read(q["sql"] for q in captured if q["sql"].lstrip().upper().startswith("SELECT"))
