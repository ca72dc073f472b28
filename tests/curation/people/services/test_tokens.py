"""Keys for programs: narrow, hashed, ending, and never what only a person does."""

import hashlib
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from curation.benchmarks.models import ProtocolVersion
from curation.core.models import AuditEvent
from curation.people.models import ApiToken, Person, PersonSession, RoleGrant
from tests.declared import NEVER_BY_TOKEN
from tests.people import Role, key, send, signed_in, told, world
from tests.protocols import captions_protocol
from tests.shared import shared

pytestmark = pytest.mark.django_db
HERE = "benchmarks/cvlue"


@shared
def here():
    return world(captions_protocol())


def make(who, *operations, **changes):
    body = {"name": "脚本", "benchmark": "cvlue", "operations": list(operations), "days": 30, "client_key": key()}
    return send(signed_in(who), "POST", "tokens", body | changes)


def ask(token, method, address, body=None):
    return send(Client(enforce_csrf_checks=True), method, address, body, Authorization=f"Bearer {token}")


def test_it_is_shown_once_and_kept_as_a_hash(here):
    body = {"name": "脚本", "benchmark": "cvlue", "operations": ["package_list"], "days": 30, "client_key": key()}
    made = send(signed_in(here.admin), "POST", "tokens", body)
    prefix, _, secret = made.json()["token"].partition(".")
    row = ApiToken.objects.get()
    assert (made.status_code, made.json()["prefix"], row.prefix) == (201, prefix, prefix)
    assert (len(secret), row.secret_sha256) == (43, hashlib.sha256(secret.encode()).hexdigest())
    assert secret not in str(list(AuditEvent.objects.values()))
    again = send(signed_in(here.admin), "POST", "tokens", body)
    assert (again.json()["token"], again.json()["id"]) == (None, row.pk)
    [listed] = send(signed_in(here.admin), "GET", "tokens").json()
    assert ("token" in listed, listed["benchmark"], listed["operations"]) == (False, "cvlue", ["package_list"])
    assert send(signed_in(here.owner), "GET", "tokens").json() == []


def test_it_opens_what_it_lists_without_cookie_or_session(here):
    token = make(here.admin, "package_list", "release_create").json()["token"]
    sessions = PersonSession.objects.count()
    answer = ask(token, "GET", f"{HERE}/packages")
    assert (answer.status_code, dict(answer.cookies)) == (200, {})
    body = {"kinds": ["captions"], "client_key": key()}
    assert ask(token, "POST", f"{HERE}/releases", body).status_code == 201  # no anti-forgery token
    assert told(ask(token, "GET", f"{HERE}/audit")) == (403, "operation_not_allowed")
    assert told(ask(token, "GET", "session")) == (403, "operation_not_allowed")
    assert PersonSession.objects.count() == sessions


def test_a_token_holds_no_read_that_its_maker_has_not(here):
    for name in ("audit_list", "item_list", "release_list"):
        assert told(make(here.contributor, name)) == (422, "token_operations_refused")


def test_no_token_adopts_a_protocol_not_even_one_made_before_that_was_so(here):
    """A protocol says what each role may do."""
    assert told(make(here.admin, "protocol_adopt")) == (422, "token_operations_refused")
    token = make(here.admin, "protocol_list").json()["token"]
    ApiToken.objects.update(operations=["protocol_list", "protocol_adopt"])
    text = here.benchmark.protocol.source.replace("administer", "administer, annotate:captions")
    versions = ProtocolVersion.objects.count()
    body = {"text": text, "base_version": 1, "client_key": key()}
    assert told(ask(token, "POST", f"{HERE}/protocols", body)) == (403, "operation_not_allowed")
    assert ProtocolVersion.objects.count() == versions


def test_token_person_and_grants_are_one_statement(here):
    token = make(here.admin, "package_list").json()["token"]
    ask(token, "GET", f"{HERE}/packages")
    with CaptureQueriesContext(connection) as by_token:
        ask(token, "GET", f"{HERE}/packages")
    browser = signed_in(here.admin)
    with CaptureQueriesContext(connection) as by_session:
        browser.get(f"/api/v1/{HERE}/packages")
    assert len(by_token) == len(by_session)
    assert "curation_apitoken" in by_token[0]["sql"]
    assert "curation_rolegrant" in by_token[0]["sql"]


def test_its_use_is_noted_once_a_minute(here):
    token = make(here.admin, "package_list").json()["token"]
    ask(token, "GET", f"{HERE}/packages")
    first = ApiToken.objects.get().last_used_at
    ask(token, "GET", f"{HERE}/packages")
    assert (first is None, ApiToken.objects.get().last_used_at) == (False, first)
    ApiToken.objects.update(last_used_at=first - timedelta(seconds=61))
    ask(token, "GET", f"{HERE}/packages")
    assert ApiToken.objects.get().last_used_at >= first


def test_it_stays_in_its_benchmark(here):
    other = world(captions_protocol(), slug="other", prefix="o-")
    RoleGrant.objects.create(person=here.admin, benchmark=other.benchmark, role=Role.ADMIN)
    for who in (here.admin, here.owner):
        token = make(who, "package_list", "benchmark_list", "benchmark_show").json()["token"]
        assert ask(token, "GET", f"{HERE}/packages").status_code == 200
        assert told(ask(token, "GET", "benchmarks/other/packages")) == (404, "not_found")
        assert [b["slug"] for b in ask(token, "GET", "benchmarks").json()] == ["cvlue"]
        assert ask(token, "GET", HERE).json()["operations"] == ["benchmark_list", "benchmark_show", "package_list"]


@pytest.mark.parametrize("operation", sorted(NEVER_BY_TOKEN))
def test_what_no_token_holds(here, operation):
    refused = make(here.owner, "package_list", operation)
    assert (*told(refused), refused.json()["params"]) == (
        422,
        "token_operations_refused",
        {"operations": [operation]},
    )
    assert ApiToken.objects.count() == 0


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"operations": ["release_create"]}, (422, "token_operations_refused")),
        ({"operations": ["no_such"]}, (422, "token_operations_refused")),
        ({"operations": []}, (400, "invalid_input")),
        ({"days": 0}, (400, "invalid_input")),
        ({"days": 366}, (400, "invalid_input")),
        ({"benchmark": "other"}, (404, "not_found")),
    ],
)
def test_tokens_that_are_not_made(here, changes, expected):
    world(captions_protocol(), slug="other", prefix="o-")
    assert told(make(here.senior, "package_list", **changes)) == expected
    assert ApiToken.objects.count() == 0


def test_even_a_row_in_the_table_does_not_open_what_no_token_holds(here):
    token = make(here.owner, "package_list").json()["token"]
    ApiToken.objects.update(operations=["package_list", "person_list", "account_close", "token_list"])
    assert told(ask(token, "GET", f"{HERE}/people")) == (403, "operation_not_allowed")
    assert told(ask(token, "GET", "tokens")) == (403, "operation_not_allowed")
    close = ask(token, "POST", f"people/{here.senior.pk}/close", {"client_key": key()})
    assert told(close) == (403, "operation_not_allowed")
    assert Person.objects.filter(is_active=False).count() == 0


def test_it_ends(here):
    def fresh():
        return make(here.senior, "package_list").json()

    revoked, expired, closed = fresh(), fresh(), fresh()
    assert told(send(signed_in(here.admin), "POST", f"tokens/{revoked['id']}/revoke", {"client_key": key()})) == (
        404,
        "not_found",
    )
    ended = send(signed_in(here.senior), "POST", f"tokens/{revoked['id']}/revoke", {"client_key": key()})
    assert ended.json()["revoked_at"] is not None
    ApiToken.objects.filter(pk=expired["id"]).update(expires_at=timezone.now())
    assert told(ask(revoked["token"], "GET", f"{HERE}/packages")) == (401, "not_signed_in")
    assert told(ask(expired["token"], "GET", f"{HERE}/packages")) == (401, "not_signed_in")
    assert ask(closed["token"], "GET", f"{HERE}/packages").status_code == 200
    Person.objects.filter(pk=here.senior.pk).update(is_active=False)
    assert told(ask(closed["token"], "GET", f"{HERE}/packages")) == (401, "not_signed_in")


def test_it_never_does_more_than_its_person(here):
    token = make(here.admin, "package_list", "audit_list").json()["token"]
    RoleGrant.objects.filter(person=here.admin).update(role=Role.SENIOR)
    assert ask(token, "GET", f"{HERE}/packages").status_code == 200
    assert told(ask(token, "GET", f"{HERE}/audit")) == (403, "operation_not_allowed")
    RoleGrant.objects.filter(person=here.admin).update(ended_at=timezone.now())
    assert ask(token, "GET", f"{HERE}/packages").status_code in {403, 404}


@pytest.mark.parametrize("sent", ["", "x", ".", "a.b", "\u0000.x", "é.é", "0" * 12 + ".", "0" * 12 + ".x"])
def test_a_wrong_one_is_no_sign_in_even_beside_a_session(here, sent):
    make(here.admin, "package_list")
    browser = signed_in(here.admin)
    answer = browser.get(f"/api/v1/{HERE}/packages", headers={"Authorization": f"Bearer {sent}"})
    assert told(answer) == (401, "not_signed_in")


def test_the_secret_alone_decides(here):
    token = make(here.admin, "package_list").json()["token"]
    for wrong in (token[:-1], token + "x", token.partition(".")[0] + "." + "x" * 43):
        assert told(ask(wrong, "GET", f"{HERE}/packages")) == (401, "not_signed_in")
