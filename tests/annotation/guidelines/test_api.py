"""Guidelines: versions, acknowledgement, who is told, what stands in a text and what never does."""

import threading

import pytest
from django.db import connection, connections
from django.test.utils import CaptureQueriesContext

from annotation.guidelines.models import Acknowledgement, Guideline
from curation.benchmarks.queries import preset
from curation.core.models import AuditEvent
from curation.people.models import Notice, Person, RoleGrant
from tests.people import World, key, send, signed_in, told, world
from tests.protocols import captions_protocol, names
from tests.shared import shared

HERE = "benchmarks/cvlue/guidelines"
CAPTIONS = f"{HERE}/captions"
TEXT = {"zh-Hans": "# 怎样写\n\n每句至少八个字。", "zh-Hant": "# 怎麼寫", "en": "# How to write"}


@shared
def here() -> World:
    return world(captions_protocol())


def publish(here, base=0, text=TEXT, note="", **more):
    body = {"base_version": base, "text": text, "note": note, "client_key": key()} | more
    return send(signed_in(here.admin), "POST", CAPTIONS, body)


def acknowledge(who, version):
    return send(signed_in(who), "POST", f"{CAPTIONS}/acknowledge", {"version": version})


def test_without_guidelines(here):
    browser = signed_in(here.annotator)
    empty = {"kind": "captions", "version": None, "created_at": None, "note": "", "acknowledged": False}
    assert send(browser, "GET", HERE).json() == [empty | {"has_preset": False}]
    for page in (CAPTIONS, f"{CAPTIONS}?version=1", f"{HERE}/vqa"):
        assert told(send(browser, "GET", page)) == (404, "not_found")
    assert told(acknowledge(here.annotator, 1)) == (404, "not_found")
    assert told(send(signed_in(here.admin), "GET", f"{CAPTIONS}/preset")) == (404, "not_found")


def test_versions(here):
    first = publish(here)
    assert first.status_code == 201
    second = publish(here, 1, {"en": "# Anew"}, note="Shorter")
    assert acknowledge(here.annotator, 2).json() == {"version": 2, "acknowledged": True}
    answer = send(signed_in(here.annotator), "GET", CAPTIONS).json()
    assert (answer["kind"], answer["version"], answer["text"], answer["acknowledged"]) == (
        "captions",
        2,
        {"en": "# Anew"},
        True,
    )
    by = {"id": here.admin.pk, "name": "admin 名"}
    assert [{k: v for k, v in row.items() if k != "created_at"} for row in answer["versions"]] == [
        {"version": 2, "by": by, "note": "Shorter", "acknowledged_by": 1},
        {"version": 1, "by": by, "note": "", "acknowledged_by": 0},
    ]
    assert send(signed_in(here.senior), "GET", f"{CAPTIONS}?version=1").json()["text"] == TEXT
    assert second.json()["versions"][1]["acknowledged_by"] == 0
    assert [row["version"] for row in send(signed_in(here.senior), "GET", HERE).json()] == [2]


def test_a_stale_base_changes_nothing(here):
    publish(here)
    before = Notice.objects.count()
    for base in (0, 2):
        assert told(publish(here, base, {"en": "other"})) == (409, "stale_row")
    assert told(publish(here, 1)) == (409, "guideline_unchanged")
    for text in ({"en": " \n"}, {"en": "\u200b", "zh-Hans": ""}):
        assert told(publish(here, 1, text)) == (422, "guideline_empty")
    assert (Guideline.objects.count(), Notice.objects.count()) == (1, before)
    assert AuditEvent.objects.filter(action="guideline_add").count() == 1


def test_a_repeat_with_its_key(here):
    same = {"client_key": key()}
    assert publish(here, **same).json() == publish(here, **same).json()
    assert told(publish(here, 0, {"en": "other"}, **same)) == (422, "client_key_reused")
    assert told(publish(here, 1, {"en": "x"}, client_key=str(AuditEvent.objects.get().client_key)))[0] == 422
    assert (Guideline.objects.count(), Notice.objects.filter(code="guideline_new").count()) == (1, 2)


def test_who_is_notified(here):
    Person.objects.filter(pk=here.annotator2.pk).update(is_active=False)
    RoleGrant.objects.create(person=here.admin, benchmark=here.benchmark, role="annotator")
    RoleGrant.objects.create(person=here.annotator, benchmark=here.benchmark, role="senior")
    made = Guideline.objects.get(version=publish(here).json()["version"])
    assert list(Notice.objects.values_list("person", "code", "params", "target_type", "target_id")) == [
        (here.annotator.pk, "guideline_new", {"kind": "captions", "version": 1}, "guideline", made.pk)
    ]


def test_only_annotators_of_the_kind_are_notified(db):
    content = captions_protocol()
    content["roles"] = [
        {"code": code, "name": names(code), "capabilities": capabilities}
        for code, capabilities in {
            "admin": ["administer"],
            "annotator": ["annotate:vqa"],
            "contributor": ["annotate:captions", "collect"],
            "senior": ["review"],
            "curator": ["inspect"],
        }.items()
    ]
    here = world(content)
    publish(here)
    assert list(Notice.objects.values_list("person", flat=True)) == [here.contributor.pk]


def test_acknowledging(here):
    publish(here)
    for _ in range(2):
        assert acknowledge(here.annotator, 1).json() == {"version": 1, "acknowledged": True}
    assert (Acknowledgement.objects.count(), AuditEvent.objects.filter(action="guideline_acknowledge").count()) == (
        1,
        1,
    )
    publish(here, 1, {"en": "two"})
    for version in (1, 3):
        assert told(acknowledge(here.annotator, version)) == (409, "stale_row")
    assert send(signed_in(here.annotator), "GET", HERE).json()[0]["acknowledged"] is False
    assert Acknowledgement.objects.count() == 1


def test_what_people_type_is_kept_exactly(here):
    typed = "# ＡＢＣ，全角！\r\n\r\n𠮷野家 🏮👨‍👩‍👧 が\n\n<script>alert(1)</script>\n\n| a | b |\t'; drop table x; --"
    assert publish(here, text={"zh-Hant": typed}, note="改了 𠮷 🏮").status_code == 201
    stored = Guideline.objects.get()
    assert stored.text == {"zh-Hant": typed.replace("\r\n", "\n").replace("\t", " ").replace("が", "が")}
    answer = send(signed_in(here.annotator), "GET", CAPTIONS).json()
    assert (answer["text"], answer["versions"][0]["note"]) == (stored.text, "改了 𠮷 🏮")


def test_the_longest_text(here):
    long = "字" * 60_000
    assert publish(here, text=dict.fromkeys(TEXT, long)).status_code == 201
    assert told(publish(here, 1, {"en": long + "字"})) == (400, "invalid_input")
    assert told(publish(here, 1, {"en": "x"}, note="字" * 501)) == (400, "invalid_input")
    assert Guideline.objects.count() == 1


@pytest.mark.parametrize("text", [{}, {"fr": "x"}, {"en": 1}, "x", [], None, {"en": None}])
def test_texts_of_another_shape(here, text):
    answer = publish(here, text=text)
    assert answer.status_code in (400, 422)
    assert answer.json()["code"] in ("invalid_input", "guideline_empty")
    assert not Guideline.objects.exists()


def test_names_are_hidden_where_the_protocol_is_blind(db):
    content = captions_protocol()
    content["tracks"]["package"]["blind"] = True
    here = world(content)
    publish(here)
    by = [send(signed_in(who), "GET", CAPTIONS).json()["versions"][0]["by"] for who in (here.annotator, here.admin)]
    assert by == [None, {"id": here.admin.pk, "name": "admin 名"}]


def test_the_preset(db):
    here = world(preset("cvlue").content)
    browser = signed_in(here.admin)
    assert {r["kind"]: r["has_preset"] for r in send(browser, "GET", HERE).json()}["captions"] is True
    text = send(browser, "GET", f"{CAPTIONS}/preset").json()["text"]
    assert sorted(text) == ["en", "zh-Hans", "zh-Hant"]
    assert text["zh-Hans"].startswith("# 怎样写图片描述\n")
    made = publish(here, text=text)
    assert made.json()["text"] == text
    assert told(send(signed_in(here.annotator), "GET", f"{CAPTIONS}/preset")) == (403, "operation_not_allowed")


def test_as_few_statements_for_many_versions_as_for_few(here):
    browser = signed_in(here.annotator)
    publish(here)

    def statements():
        counted = []
        for page in (HERE, CAPTIONS):
            with CaptureQueriesContext(connection) as seen:
                assert send(browser, "GET", page).status_code == 200
            counted.append(len(seen))
        return counted

    few = statements()
    for version in range(2, 12):
        publish(here, version - 1, {"en": f"{version}"})
    assert (few, statements()) == ([3, 5], [3, 5])


@pytest.mark.django_db(transaction=True)
def test_two_who_publish_at_once():
    here = world(captions_protocol())
    answers = []

    def run(n):
        try:
            answers.append(publish(here, 0, {"en": f"by {n}"}).status_code)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [201, 409, 409, 409]
    assert Guideline.objects.count() == 1
