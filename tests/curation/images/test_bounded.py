"""Lists read what they show, whatever lies behind them.

Run with ``BOUNDED_PICTURES=100000`` for the figures in docs/performance.md; every run prints them with ``-s``.
"""

import os
import time

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from curation.images.rules import Hashes, overlay
from curation.images.services.duplicates import find_near_duplicates
from tests.people import signed_in
from tests.pictures import encode, pixels
from tests.plans import rows_read

pytestmark = pytest.mark.django_db
MANY = int(os.environ.get("BOUNDED_PICTURES", "3000"))
URL = "/api/v1/benchmarks/cvlue/images"
FILL = """
    insert into curation_image (benchmark_id, number, sha256, phash, phash_inner, width, height, contributor_id, source,
        licence, state, category_id, subset, verdict_no, flags, client_key, pii_clear_by_id)
    select %(benchmark)s, n, encode(sha256(n::text::bytea), 'hex'),
        ('x' || left(md5(n::text), 16))::bit(64)::bigint, ('x' || left(md5('i' || n), 16))::bit(64)::bigint,
        800, 600, %(contributor)s, '{"kind": "own"}', 'own-work',
        (array['received', 'accepted', 'accepted', 'refused'])[1 + n %% 4], %(category)s,
        (array['', 'A', 'B'])[1 + n %% 3], 1,
        case when n %% 50 = 0 then '[{"code": "blurred", "params": {}}]'::jsonb else '[]'::jsonb end,
        gen_random_uuid(), case when n %% 100 = 0 then %(curator)s end
    from generate_series(%(first)s, %(last)s) n
"""
FILES = """
    insert into curation_rendition (image_id, role, version, sha256, bytes, width, height, key)
    select image.id, role, 1, image.sha256, 1, 800, 600, image.id || '/' || role || '.webp'
    from curation_image image, unnest(array['clean', 'view', 'thumb']) role
    where image.number >= %(first)s
"""


def fill(here, first, last):
    category = here.benchmark.categories.get()
    values = {
        "benchmark": here.benchmark.pk,
        "contributor": here.contributor.pk,
        "curator": here.curator.pk,
        "category": category.pk,
        "first": first,
        "last": last,
    }
    with connection.cursor() as cursor:
        cursor.execute(FILL, values)
        cursor.execute(FILES, values)
        cursor.execute("analyze curation_image, curation_rendition, curation_nearpair")


def statements(client, query):
    with CaptureQueriesContext(connection) as captured:
        answer = client.get(URL, query)
    assert answer.status_code == 200, answer.json()
    return [q["sql"] for q in captured], len(answer.json()["results"])


QUERIES = [
    {},
    {"state": "received"},
    {"category": "lantern"},
    {"subset": "B"},
    {"clear": "true"},
    {"clear": "false"},
    {"flag": "blurred"},
    {"search": "img-0017"},
]


def test_as_many_statements_at_ten_as_at_many_and_few_rows_read(here):
    curator, contributor = signed_in(here.curator), signed_in(here.contributor)
    fill(here, 1, 10)
    few = [len(statements(curator, query)[0]) for query in QUERIES]
    fill(here, 11, MANY)
    worst = 0
    for client in (curator, contributor):
        for query, before in zip(QUERIES, few, strict=True):
            begun = time.perf_counter()
            sent, shown = statements(client, query | {"page_size": "50"})
            took = time.perf_counter() - begun
            assert len(sent) == before == 3
            share = rows_read(sent[-1:]) / max(1, shown)
            print(  # noqa: T201
                f"{MANY} pictures, {query}: {shown} shown, {share:.1f} rows read per row, {took * 1000:.0f} ms"
            )
            worst = max(worst, share)
    assert worst <= 20


def test_counting_reads_no_more_of_many_pictures_than_of_few(here):
    curator = signed_in(here.curator)
    fill(here, 1, 300)
    few, counted = _counts(curator)
    assert (counted["accepted"], counted["received"], counted["to_judge"]) == (150, 75, 75)
    fill(here, 301, MANY)
    many, counted = _counts(curator)
    assert (counted["accepted"], counted["by_category"][0]["received"]) == (MANY // 2, MANY // 4)
    assert many <= 1.2 * few + 20


def _counts(browser):
    with CaptureQueriesContext(connection) as captured:
        answer = browser.get(f"{URL}/counts")
    return rows_read(q["sql"] for q in captured if q["sql"].startswith("SELECT")), answer.json()


def test_looking_for_near_pictures_is_one_bounded_statement(here, tmp_path, media):
    media.mkdir()
    fill(here, 1, MANY)
    thumb = tmp_path / "thumb.webp"
    thumb.write_bytes(encode(pixels(320, 240), "WEBP"))
    assert overlay(np.asarray(pixels(320, 240))) is not None
    wanted = {"benchmark_id": here.benchmark.pk, "hashes": Hashes(1, 2), "thumb": thumb, "limit": 64}
    begun = time.perf_counter()
    with CaptureQueriesContext(connection) as captured:
        found, seen = find_near_duplicates(**wanted)
    print(  # noqa: T201
        f"{MANY} pictures: nearest of all in {(time.perf_counter() - begun) * 1000:.0f} ms"
    )
    assert (len(captured), found) == (2, [])  # the newest picture, the nearest; their files are missing here
    assert find_near_duplicates(**wanted, after=seen) == ([], seen)
