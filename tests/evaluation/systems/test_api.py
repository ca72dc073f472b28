"""The list of systems."""

import pytest

from evaluation.systems.models import System
from tests.evaluation.accepted import add_system, benchmark
from tests.people import signed_in

pytestmark = pytest.mark.django_db


def test_systems_newest_first(by_number, tmp_path, django_assert_num_queries):
    team = benchmark()
    for slug in ("first", "second"):
        add_system(tmp_path, slug, "by-number")
    client = signed_in(team.senior)
    with django_assert_num_queries(2):  # session, systems
        answer = client.get("/api/v1/systems")
    assert [row["slug"] for row in answer.json()] == ["second", "first"]
    first = System.objects.get(slug="first")
    assert answer.json()[1] | {"created_at": ""} == {
        "id": first.pk,
        "slug": "first",
        "name": "first",
        "revision": first.files_sha256[:12],
        "description": {"zh-Hans": "first", "zh-Hant": "first", "en": "first"},
        "is_demo": False,
        "organisation": "",
        "backend": "by-number",
        "files_sha256": first.files_sha256,
        "parameters": {},
        "capabilities": ["embed"],
        "languages": [],
        "licence": "",
        "created_at": "",
    }


def test_annotators_see_no_systems(by_number):
    answer = signed_in(benchmark().annotator).get("/api/v1/systems")
    assert (answer.status_code, answer.json()["code"]) == (403, "operation_not_allowed")
