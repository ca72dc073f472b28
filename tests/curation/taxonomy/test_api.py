"""Benchmarks over HTTP."""

import pytest

from curation.benchmarks.models import Benchmark
from tests.people import Role, key, person, signed_in, world
from tests.protocols import captions_protocol
from tests.shared import shared

pytestmark = pytest.mark.django_db
TITLE = {"zh-Hans": "花灯", "zh-Hant": "花燈", "en": "Lanterns"}


def post(client, **changes):
    body = {"slug": "lanterns", "title": TITLE, "preset": "cvlue", "client_key": key()} | changes
    return client.post("/api/v1/benchmarks", body, content_type="application/json")


@shared
def owner():
    return signed_in(person("owner", None, Role.OWNER))


def test_presets_say_what_they_are(owner):
    answer = owner.get("/api/v1/protocol-presets")
    assert [p["name"] for p in answer.json()] == [
        "cmmu",
        "cvlue",
        "cvqa",
        "demo",
        "tcc-bench",
        "vistai",
    ]
    assert set(answer.json()[3]) == {"name", "title", "summary", "kinds", "planned_kinds"}
    cvlue = answer.json()[1]
    assert (cvlue["kinds"], cvlue["planned_kinds"]) == (["captions", "vqa", "boxes", "grounding", "dialogue"], [])
    assert "小包" in answer.json()[3]["title"]["zh-Hans"]


def test_create_and_show(owner, django_assert_num_queries):
    made = post(owner)
    assert made.status_code == 201, made.json()
    with django_assert_num_queries(3):  # session, benchmark with protocol, categories
        shown = owner.get("/api/v1/benchmarks/lanterns").json()
    assert shown == made.json()
    assert shown["roles"] == ["admin", "owner"]  # who creates a benchmark administers it
    assert (shown["protocol"]["version"], shown["protocol"]["name"]) == (1, "cvlue")
    assert [part for part in shown["protocol"]["planned"] if part.startswith("kinds.")] == []
    assert len(shown["categories"]) == 92
    assert shown["categories"][0] | {"id": 0} == {
        "id": 0,
        "slug": "panda",
        "name": {"zh-Hans": "大熊猫", "zh-Hant": "大熊貓", "en": "panda"},
        "field": {"slug": "animal", "name": {"zh-Hans": "动物", "zh-Hant": "動物", "en": "Animal"}},
        "short": None,
        "definition": None,
        "group": "moderate",
        "search": ["大熊猫", "大熊貓", "panda", "daxiongmao", "dxm"],
    }


def test_the_list_counts_in_one_statement(owner, django_assert_num_queries):
    post(owner)
    post(owner, slug="second")
    with django_assert_num_queries(2):  # session, list
        listed = owner.get("/api/v1/benchmarks").json()
    assert [b["slug"] for b in listed] == ["lanterns", "second"]
    assert listed[0]["counts"] == {
        "images": 0,
        "accepted_images": 0,
        "items": 0,
        "accepted_items": 0,
        "packages": 0,
        "releases": 0,
    }


@pytest.mark.parametrize(
    ("changes", "status", "code"),
    [
        ({"slug": "Not A Slug"}, 400, "invalid_input"),
        ({"title": {"en": "Only English"}}, 400, "invalid_input"),
        ({"preset": "nothing"}, 422, "preset_unknown"),
        ({"state": "closed"}, 400, "invalid_input"),
        ({"client_key": "no key"}, 400, "invalid_input"),
    ],
)
def test_refusals(owner, changes, status, code):
    answer = post(owner, **changes)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert not Benchmark.objects.exists()


def test_people_see_their_own_benchmarks_and_nobody_elses():
    here = world(captions_protocol())
    Benchmark.objects.create(slug="other", title=TITLE)
    annotator = signed_in(here.annotator)
    assert [b["slug"] for b in annotator.get("/api/v1/benchmarks").json()] == ["cvlue"]
    assert annotator.get("/api/v1/benchmarks/cvlue").json()["roles"] == ["annotator"]
    assert annotator.get("/api/v1/benchmarks/other").status_code == 404
    assert annotator.get("/api/v1/protocol-presets").status_code == 403
    assert post(annotator).json()["code"] == "operation_not_allowed"
    assert Benchmark.objects.count() == 2


def test_a_preset_has_the_fields_of_its_list(owner):
    fields = owner.get("/api/v1/protocol-presets/cvlue").json()["fields"]
    assert (len(fields), fields[0]) == (
        15,
        {"slug": "animal", "name": {"zh-Hans": "动物", "zh-Hant": "動物", "en": "Animal"}},
    )
