"""Signing in, the one statement, and what the session tells."""

import json

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from curation.benchmarks.models import ProtocolVersion
from curation.people.models import Person, RoleGrant
from tests.people import PASSWORD, signed_in, world
from tests.protocols import captions_protocol
from tests.shared import shared

pytestmark = pytest.mark.django_db


@shared
def here():
    return world(captions_protocol())


def sign_in(client, username, password):
    return client.post(
        "/_allauth/browser/v1/auth/login",
        json.dumps({"username": username, "password": password}),
        content_type="application/json",
    )


@pytest.mark.parametrize("key", ['"\\000aaaaaaaaaaaa"', '"aaaaaaaa\\355"', "a" * 5000, "ÿ" * 40, "A" * 32])
def test_a_cookie_that_is_no_key_of_a_session_is_none(here, key):
    answer = Client().get("/api/v1/session", HTTP_COOKIE=f"{settings.SESSION_COOKIE_NAME}={key}")
    assert (answer.status_code, answer.json()["code"]) == (401, "not_signed_in")


def test_sign_in_and_out_by_password(here):
    client = Client()
    assert client.get("/api/v1/session").status_code == 401
    assert client.get("/api/v1/session").json()["code"] == "not_signed_in"
    assert sign_in(client, "annotator", PASSWORD).status_code == 200
    assert client.get("/api/v1/session").json()["person"]["username"] == "annotator"
    assert client.delete("/_allauth/browser/v1/auth/session").status_code == 401
    assert client.get("/api/v1/session").status_code == 401


def test_a_wrong_password_and_a_strange_name_are_answered_alike(here):
    wrong, strange = sign_in(Client(), "annotator", "nope"), sign_in(Client(), "nobody", "nope")
    assert (wrong.status_code, strange.status_code) == (400, 400)
    assert wrong.json()["errors"] == strange.json()["errors"]


def test_sign_up_is_closed(here):
    answer = Client().post(
        "/_allauth/browser/v1/auth/signup",
        json.dumps({"username": "me", "password": PASSWORD, "password1": PASSWORD}),
        content_type="application/json",
    )
    assert answer.status_code == 403
    assert not Person.objects.filter(username="me").exists()


def test_the_session_tells_roles_and_operations(here):
    told = signed_in(here.annotator).get("/api/v1/session").json()
    assert told["person"] == {
        "id": here.annotator.pk,
        "username": "annotator",
        "name": "annotator 名",
        "language": "zh-Hans",
        "language_chosen": False,
    }
    assert told["is_owner"] is False
    [benchmark] = told["benchmarks"]
    assert (benchmark["slug"], benchmark["roles"], benchmark["kinds"]) == ("cvlue", ["annotator"], ["captions"])
    assert "package_claim" in benchmark["operations"]
    assert "item_review" not in benchmark["operations"]
    assert (benchmark["consent"], benchmark["teams"]) == ({"needed": False, "given": True}, [])


def test_session_person_and_grants_are_one_statement(here):
    client = signed_in(here.annotator)
    with CaptureQueriesContext(
        connection,
    ) as seen:
        client.get("/api/v1/session")
    assert len(seen) == 2  # who and what they may do; the benchmarks
    assert "curation_personsession" in seen[0]["sql"]
    assert "curation_rolegrant" in seen[0]["sql"]


def test_an_ended_grant_and_a_closed_account_work_at_once(here):
    client = signed_in(here.annotator)
    before = client.get("/api/v1/session")["X-Grants"]
    RoleGrant.objects.filter(person=here.annotator).update(ended_at="2026-01-01T00:00Z")
    answer = client.get("/api/v1/session")
    assert answer.json()["benchmarks"] == []
    assert (len(before), len(answer["X-Grants"]), before == answer["X-Grants"]) == (12, 12, False)
    assert client.get("/api/v1/benchmarks/cvlue")["X-Grants"] == answer["X-Grants"]  # refusals tell it too
    Person.objects.filter(pk=here.annotator.pk).update(is_active=False)
    assert client.get("/api/v1/session").status_code == 401


def test_who_is_not_signed_in_is_told_no_grants(here):
    assert "X-Grants" not in Client().get("/api/v1/session")
    assert "X-Grants" not in signed_in(here.annotator).get("/healthz")


def test_a_changed_protocol_changes_what_a_role_may_do(here):
    client = signed_in(here.annotator)
    content = here.benchmark.protocol.content | {
        "roles": [{"code": "annotator", "name": {}, "capabilities": ["review:captions"]}]
    }
    here.benchmark.protocol = ProtocolVersion.objects.create(
        benchmark=here.benchmark, version=2, name="test", source_sha256="0" * 64, content=content
    )
    here.benchmark.save()
    [benchmark] = client.get("/api/v1/session").json()["benchmarks"]
    assert "package_claim" not in benchmark["operations"]
    assert "item_review" in benchmark["operations"]
    # A role that the protocol has no more leaves its holder a member who may do nothing else.
    assert "item_review" not in signed_in(here.senior).get("/api/v1/session").json()["benchmarks"][0]["operations"]


def test_a_new_password_ends_other_sessions(here):
    client = signed_in(here.annotator)
    here.annotator.set_password("another-long-password")
    here.annotator.save(update_fields=["password"])
    assert client.get("/api/v1/session").status_code == 401


def test_writes_need_the_anti_forgery_token(here):
    client = Client(enforce_csrf_checks=True)
    client.force_login(here.annotator, backend="allauth.account.auth_backends.AuthenticationBackend")
    answer = client.patch("/api/v1/session", json.dumps({"language": "en"}), content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (403, "csrf_failed")
    here.annotator.refresh_from_db()
    assert here.annotator.language == "zh-Hans"


def test_choosing_a_language(here):
    client = signed_in(here.annotator)
    answer = client.patch("/api/v1/session", json.dumps({"language": "zh-Hant"}), content_type="application/json")
    told = answer.json()["person"]
    assert (told["language"], told["language_chosen"]) == ("zh-Hant", True)
    bad = client.patch(
        "/api/v1/session", json.dumps({"language": "fr", "is_staff": True}), content_type="application/json"
    )
    assert (bad.status_code, bad.json()["code"], list(bad.json()["params"]["fields"])) == (
        400,
        "invalid_input",
        ["is_staff"],
    )


@pytest.mark.parametrize(
    ("who", "status"), [("annotator", 403), ("curator", 403), ("stranger", 403), ("admin", 200), ("owner", 200)]
)
def test_who_sees_the_people(here, who, status):
    assert signed_in(getattr(here, who)).get("/api/v1/benchmarks/cvlue/people").status_code == status


def test_another_benchmarks_admin_finds_nothing(here):
    other = world(captions_protocol(), slug="other", prefix="o-")
    assert signed_in(other.admin).get("/api/v1/benchmarks/cvlue/people").status_code == 404
    assert signed_in(here.admin).get("/api/v1/benchmarks/none/people").status_code == 404


def test_demo_log_ins_exist_only_in_the_demo(here, settings):
    assert Client().get("/api/v1/demo-log-ins").status_code == 404
    settings.DEMO = True
    assert Client().get("/api/v1/demo-log-ins").json()[0]["username"] == "owner"
