"""Notices: who is told, what they see of it, and that each reads and marks only their own."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from curation.people.models import Notice, RoleGrant
from curation.people.rules import NOTICES
from curation.people.services import notify
from tests.people import send, signed_in, told, world
from tests.protocols import captions_protocol
from tests.shared import shared


@shared
def here():
    return world(captions_protocol())


def blind_world(slug):
    content = captions_protocol()
    content["tracks"]["package"]["blind"] = True
    return world(content, slug=slug, prefix=f"{slug}-")


def tell(here, *whom, number=7, actor=None):
    notify(
        person_ids=[p.pk if p else None for p in whom],
        code="package_returned",
        params={"package": f"cap-pkg-{number:04d}"},
        actor_id=actor.pk if actor else None,
        benchmark_id=here.benchmark.pk,
        target_type="package",
        target_id=number,
    )


def listed(who, query=""):
    return send(signed_in(who), "GET", f"notices{query}").json()


def test_everybody_once_and_never_the_actor(here):
    with CaptureQueriesContext(connection) as seen:
        tell(here, here.annotator, here.annotator, None, here.senior, here.admin, actor=here.senior)
    assert len(seen) == 1
    assert sorted(Notice.objects.values_list("person", flat=True)) == sorted([here.annotator.pk, here.admin.pk])
    with CaptureQueriesContext(connection) as seen:
        tell(here, here.senior, actor=here.senior)
    assert len(seen) == 0


def test_the_row(here):
    tell(here, here.annotator, actor=here.senior)
    row = Notice.objects.get()
    answer = listed(here.annotator)
    assert (answer["total"], answer["unread"], answer["next"]) == (1, 1, None)
    assert answer["results"] == [
        {
            "id": row.pk,
            "code": "package_returned",
            "params": {"package": "cap-pkg-0007"},
            "benchmark": {"slug": "cvlue", "title": here.benchmark.title},
            "actor": {"id": here.senior.pk, "name": "senior 名"},
            "target_type": "package",
            "target_id": 7,
            "created_at": answer["results"][0]["created_at"],
            "read_at": None,
        }
    ]
    assert listed(here.senior)["results"] == []


@pytest.mark.parametrize("wrong", [{"params": {}}, {"params": {"package": "a", "name": "b"}}, {"target_type": "item"}])
def test_a_form_that_the_table_does_not_have(here, wrong):
    form = {"code": "package_passed", "params": {"package": "a"}, "target_type": "package"} | wrong
    with pytest.raises(ValueError, match="package_passed links to package"):
        notify(person_ids=[1], actor_id=None, benchmark_id=None, target_id=1, **form)
    assert {form.target for form in NOTICES.values()} == {
        "item",
        "package",
        "guideline",
        "protocol",
        "protocol_proposal",
        "erratum",
        "board",
        "submission",
    }


def test_what_people_outside_the_team_see_names_nobody(here):
    form = {"code": "erratum_confirmed", "params": {"no": 1, "label": "cap-000001"}, "target_type": "erratum"}
    with pytest.raises(ValueError, match="erratum_confirmed names no person"):
        notify(person_ids=[here.annotator.pk], actor_id=here.admin.pk, benchmark_id=None, target_id=1, **form)
    assert not Notice.objects.exists()


def test_pages_newest_first_and_unread(here):
    for number in range(1, 6):
        tell(here, here.annotator, number=number)
    first = listed(here.annotator, "?page_size=2")
    assert [r["target_id"] for r in first["results"]] == [5, 4]
    assert [r["target_id"] for r in listed(here.annotator, f"?page_size=2&cursor={first['next']}")["results"]] == [3, 2]
    browser = signed_in(here.annotator)
    read = {"ids": [first["results"][0]["id"], first["results"][1]["id"]]}
    assert send(browser, "POST", "notices/read", read).json() == {"unread": 3}
    assert [r["target_id"] for r in listed(here.annotator, "?unread=true")["results"]] == [3, 2, 1]
    assert listed(here.annotator)["total"] == 5
    up_to = Notice.objects.get(target_id=2).pk
    assert send(browser, "POST", "notices/read", {"up_to": up_to}).json() == {"unread": 1}
    read_at = Notice.objects.get(target_id=5).read_at
    assert send(browser, "POST", "notices/read", read).json() == {"unread": 1}
    assert Notice.objects.get(target_id=5).read_at == read_at


def test_only_ones_own(here):
    tell(here, here.annotator, here.annotator2)
    row = Notice.objects.get(person=here.annotator)
    for body in ({"ids": [row.pk]}, {"up_to": row.pk}):
        assert send(signed_in(here.senior), "POST", "notices/read", body).json() == {"unread": 0}
    assert Notice.objects.filter(read_at=None).count() == 2
    assert listed(here.stranger)["results"] == []


@pytest.mark.parametrize(
    "body", [{}, {"ids": []}, {"ids": [1], "up_to": 1}, {"up_to": 0}, {"ids": ["a"]}, {"all": True}]
)
def test_what_marks_nothing(here, body):
    tell(here, here.annotator)
    assert told(send(signed_in(here.annotator), "POST", "notices/read", body)) == (400, "invalid_input")
    assert Notice.objects.filter(read_at=None).count() == 1


def test_where_somebody_holds_no_role_any_more(here):
    other = blind_world("other")
    RoleGrant.objects.create(person=here.annotator, benchmark=other.benchmark, role="annotator")
    tell(here, here.annotator, here.owner, number=1)
    tell(other, here.annotator, here.owner, number=2)
    assert [r["target_id"] for r in listed(here.annotator)["results"]] == [2, 1]
    RoleGrant.objects.filter(person=here.annotator, benchmark=here.benchmark).update(ended_at="2026-01-01T00:00:00Z")
    answer = listed(here.annotator)
    assert ([r["target_id"] for r in answer["results"]], answer["unread"], answer["total"]) == ([2], 1, 1)
    assert listed(here.owner)["unread"] == 2


def test_who_did_it_is_hidden_where_the_protocol_is_blind(db):
    blind = blind_world("blind")
    tell(blind, blind.annotator, blind.admin, blind.owner, actor=blind.senior)
    assert [listed(who)["results"][0]["actor"] for who in (blind.annotator, blind.admin, blind.owner)] == [
        None,
        {"id": blind.senior.pk, "name": "blind-senior 名"},
        {"id": blind.senior.pk, "name": "blind-senior 名"},
    ]


def test_as_few_statements_for_many_as_for_few(here):
    browser = signed_in(here.annotator)

    def statements():
        with CaptureQueriesContext(connection) as seen:
            assert send(browser, "GET", "notices").json()["results"]
        return len(seen)

    tell(here, here.annotator)
    few = statements()
    for number in range(60):
        tell(here, here.annotator, number=number)
    assert (few, statements()) == (5, 5)  # who asks, total, rows, benchmarks, unread
