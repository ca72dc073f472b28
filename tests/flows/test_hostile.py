"""What a program may send that no page sends: every answer is a refusal with a code, and nothing is kept of it."""

from __future__ import annotations

import base64
import json
import uuid

import pytest
from django.db import transaction
from django.test import Client

from annotation.comments.models import Comment
from annotation.items.models import Draft, ItemRevision
from annotation.packages.models import Package
from annotation.releases.models import Release
from curation.benchmarks.models import Benchmark
from curation.core.models import AuditEvent
from curation.images.models import Image, Upload
from curation.people.models import Person, RoleGrant
from tests.annotation.track import new_world
from tests.people import PASSWORD, key, person, signed_in
from tests.sentences import five_captions
from tests.shared import shared

pytestmark = pytest.mark.django_db

HERE = "/api/v1/benchmarks/cvlue"
JOIN = "/api/v1/invitations/accept"
DESCRIBE = f"{HERE}/uploads/describe"
SURROGATE = "\ud800"
TEXTS = ["\0", SURROGATE, "\u202e", " ", "", "\u200b", "\x1b[31m", None, {}, []]
TITLE = {"zh-Hans": "新", "zh-Hant": "新", "en": "New"}


@shared
def here():
    return new_world(2)


@shared
def desk(here):
    """An annotator at work: browser, package id, item id."""
    browser = signed_in(here.annotator)
    package = send(browser, "POST", f"{HERE}/packages/claim", {"kind": "captions"}).json()["id"]
    return browser, package, browser.get(f"/api/v1/packages/{package}").json()["items"][0]["id"]


def link(here):
    """A link to join by."""
    body = {"roles": ["annotator"], "client_key": key()}
    return send(signed_in(here.admin), "POST", f"{HERE}/invitations", body).json()["token"]


def send(browser, method, address, body, declared="application/json", **headers):
    sent = body if isinstance(body, str | bytes) else json.dumps(body)
    with transaction.atomic():  # a statement that fails must not spoil the test's own transaction
        return browser.generic(method, address, sent, content_type=declared, **headers)


def refused(answer, status=400, code="invalid_input"):
    assert answer.headers["Content-Type"] == "application/json", answer.content[:200]
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.content[:200]


def counts():
    tables = (AuditEvent, Person, RoleGrant, Benchmark, Image, Upload, Draft, ItemRevision, Package, Release)
    return [table.objects.count() for table in tables]


@pytest.mark.parametrize("page", ["/api/v1/none", "/api/v1/session/", f"/api/v1/packages/{'9' * 5000}", "/media/x"])
def test_an_address_that_does_not_exist(here, page):
    refused(signed_in(here.admin).get(page), 404, "not_found")


def test_a_strange_host(here):
    refused(signed_in(here.admin).get("/api/v1/session", headers={"host": "elsewhere.example"}), code="host_unknown")


@pytest.mark.parametrize("number", [2**31, 2**63, 10**30])
@pytest.mark.parametrize(
    "page",
    [
        "packages/{}",
        "packages/{}/sheet",
        "packages/{}/inspection",
        "items/{}/history",
        "items/{}/comments",
        "items/{}/people",
        "images/{}",
        "releases/{}",
        "jobs/{}",
        "releases/{}/scores",
        "releases/{}/files/x",
        "releases/{}/files/%00",
    ],
)
def test_ids_that_no_column_holds(here, page, number):
    refused(signed_in(here.admin).get(f"/api/v1/{page.format(number)}"), 404, "not_found")


def test_a_file_name_with_a_nul(here):
    release = send(
        signed_in(here.admin), "POST", f"{HERE}/releases", {"kinds": ["captions"], "client_key": key()}
    ).json()
    for page in (
        f"releases/{release['id']}/files/%00",
        f"releases/{release['id']}/samples/%00/1",
        f"{HERE}/category-lists/a%00b/1",
    ):
        refused(signed_in(here.admin).get(f"/api/v1/{page}"), 404, "not_found")


EVERY_GET = (
    ["session", "notices", "benchmarks", "systems", "benchmarks/cvlue", "benchmarks/cvlue/people"]
    + [
        "demo-log-ins",
        "benchmarks/cvlue/guidelines",
        "benchmarks/cvlue/guidelines/captions",
    ]
    + [
        f"benchmarks/cvlue/{name}"
        for name in ("images", "packages", "audit", "audit.csv", "releases", "runs", "waiting", "teams", "invitations")
    ]
)


@pytest.mark.parametrize("page", EVERY_GET)
@pytest.mark.parametrize("query", ["author__password=1", "ordering=id", "expand=people", "format=json", "fields=id"])
def test_unknown_parameters(here, page, query):
    refused(signed_in(here.admin).get(f"/api/v1/{page}?{query}"))


def test_commands_take_no_parameters_beside_their_body(here):
    refused(send(signed_in(here.admin), "PATCH", "/api/v1/session?language=en", {"language": "en"}))
    refused(signed_in(here.admin).get(f"{HERE}/packages?state=working&state=passed"))


@pytest.mark.parametrize("name", ["images", "packages", "audit", "releases", "people", "invitations"])
@pytest.mark.parametrize("value", ["abc", "\0", 10**30, -(10**30), None, 1.5, True, {"a": 1}])
def test_cursors_that_no_page_gave(here, name, value):
    cursor = base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")
    refused(signed_in(here.admin).get(f"{HERE}/{name}?cursor={cursor}"))
    refused(signed_in(here.admin).get(f"/api/v1/notices?cursor={cursor}"))


@pytest.mark.parametrize("size", ["0", "101", "-1", "9" * 30, "1e400", "x"])
def test_page_sizes_out_of_range(here, size):
    refused(signed_in(here.admin).get(f"{HERE}/images?page_size={size}"))


def test_whoever_asks_for_a_page_gets_json(here):
    told = signed_in(here.admin).get("/api/v1/session", headers={"accept": "text/html"})
    assert (told.status_code, told.headers["Content-Type"]) == (200, "application/json")


@pytest.mark.parametrize(
    "body",
    [
        "",
        "{",
        "null",
        "[]",
        "1",
        '"a"',
        "[" * 100000,
        '{"language":NaN}',
        '{"language":1e999}',
        b"\xff\xfe{}",
        '{"language":' + "9" * 5000 + "}",
        '{"language":{"a":1}}',
        '{"language":"en","is_active":true}',
    ],
)
def test_bodies_that_are_no_command(here, body):
    refused(send(signed_in(here.admin), "PATCH", "/api/v1/session", body))


@pytest.mark.parametrize("body", ['{"language":"\\ud800"}', '{"\\udfff":1}', '[{"a":["\\ud83d"]}]'])
def test_lone_surrogates_anywhere_in_a_body(here, body):
    refused(send(signed_in(here.admin), "PATCH", "/api/v1/session", body), 400, "text_refused")


def test_a_pair_of_surrogates_is_a_character(here):
    body = '{"username":"\\ud842\\udfb7\\ud842\\udfb7","name":"\\ud83d\\ude00",'
    body += f'"password":"{PASSWORD}","token":"{link(here)}"}}'
    made = send(Client(), "POST", JOIN, body)
    assert (made.status_code, made.json()["username"]) == (200, "𠮷𠮷")
    assert Person.objects.get(username="𠮷𠮷").name == "😀"


@pytest.mark.parametrize("declared", ["text/xml", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_other_content_types(here, declared):
    refused(send(signed_in(here.admin), "PATCH", "/api/v1/session", '{"language":"en"}', declared))


def test_too_large_a_body_is_refused_and_not_read_on(here):
    body = json.dumps({"language": "x" * 3_000_000})
    refused(send(signed_in(here.admin), "PATCH", "/api/v1/session", body), 413, "body_too_large")
    refused(send(signed_in(here.contributor), "POST", DESCRIBE, body), 413, "body_too_large")


@pytest.mark.parametrize(
    ("body", "declared"),
    [
        (b"abc", "multipart/form-data"),
        (b"abc", "multipart/form-data; boundary=\xe9"),
        (
            b'--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc\r\n--x--\r\n',
            "multipart/form-data; boundary=x",
        ),
        (b"ids=1", "application/x-www-form-urlencoded"),
        (b"{}", "application/json"),
        (b"\xff\xd8\xff", "image/jpeg"),
    ],
)
def test_forms_are_read_nowhere(here, body, declared):
    before = counts()
    refused(send(signed_in(here.contributor), "POST", DESCRIBE, body, declared))
    assert counts() == before


@pytest.mark.parametrize(
    "details",
    [
        {"url": "javascript:alert(1)"},
        {"url": "data:text/html,a"},
        {"url": "http://a\0b/"},
        {"author": "\u202e"},
        {"author": "\0"},
        {"category": "../x"},
        {"source": "stolen"},
        {"uses": {"research": "perhaps"}},
        {"uses": {"military": True}},
        {"state": "accepted"},
        {"contributor": "1"},
        {"sha256": "0" * 64},
    ],
    ids=str,
)
def test_details_of_an_upload(here, details):
    before = counts()
    refused(send(signed_in(here.contributor), "POST", DESCRIBE, {"ids": [str(uuid.uuid4())], "details": details}))
    assert counts() == before


@pytest.mark.parametrize("ids", [[], ["x"], [-1], [2**128], [1.5], "all", None, ["0" * 32] * 201, [[]], [{}]], ids=str)
@pytest.mark.parametrize("address", ["describe", "take"])
def test_ids_of_uploads_that_are_none(here, address, ids):
    before = counts()
    more = {"details": {}} if address == "describe" else {"client_key": key()}
    refused(send(signed_in(here.contributor), "POST", f"{HERE}/uploads/{address}", {"ids": ids} | more))
    assert counts() == before


@pytest.mark.parametrize("number", [-1, 2**31, 10**30, 1.5, True, None, "x", [], {}])
def test_numbers_out_of_range(desk, number):
    browser, package, item = desk
    before = counts()
    content = five_captions(1)
    for method, address, body in (
        ("PUT", f"items/{item}/draft", {"base_no": number, "seq": 1, "content": content}),
        ("POST", f"items/{item}/submit", {"base_no": number, "content": content, "client_key": key()}),
        ("POST", f"packages/{package}/hand-over", {"revision": number, "client_key": key()}),
        (
            "POST",
            f"packages/{package}/self-check",
            {"revision": 1, "items": [{"id": item, "revision_no": number}], "client_key": key()},
        ),
    ):
        refused(send(browser, method, f"/api/v1/{address}", body))
    assert counts() == before


@pytest.mark.parametrize("given", ["", "x", 1.5, None, [], -1, 10**40, SURROGATE])
def test_client_keys_that_are_none(desk, given):
    browser, package, _ = desk
    code = "text_refused" if given == SURROGATE else "invalid_input"
    refused(
        send(browser, "POST", f"/api/v1/packages/{package}/hand-over", {"revision": 1, "client_key": given}), 400, code
    )


@pytest.mark.parametrize("text", TEXTS, ids=repr)
def test_texts_that_are_never_stored(here, text):
    admin = signed_in(here.admin)
    code = "text_refused" if text == SURROGATE else "invalid_input"
    account = {"username": "fresh", "name": "新", "token": link(here), "password": PASSWORD}
    before = counts()
    for name in ("username", "name"):
        refused(send(Client(), "POST", JOIN, account | {name: text}), 400, code)
    for address, name in ((f"{HERE}/teams", "name"), ("/api/v1/tokens", "name")):
        given = {"benchmark": "cvlue", "operations": ["package_list"], "days": 1} if "tokens" in address else {}
        refused(send(admin, "POST", address, given | {name: text, "client_key": key()}), 400, code)
    body = {"slug": "fresh", "title": TITLE | {"en": text}, "preset": "cvlue", "client_key": key()}
    refused(send(signed_in(here.owner), "POST", "/api/v1/benchmarks", body), 400, code)
    assert counts() == before


@pytest.mark.parametrize("text", TEXTS, ids=repr)
def test_remarks_and_guidelines_that_are_never_stored(desk, here, text):
    browser, _, item = desk
    code = "text_refused" if text == SURROGATE else "invalid_input"
    before = counts()
    refused(send(browser, "POST", f"/api/v1/items/{item}/comments", {"text": text, "client_key": key()}), 400, code)
    written = {"base_version": 0, "client_key": key()}
    told = [
        send(signed_in(here.admin), "POST", f"{HERE}/guidelines/captions", written | given)
        for given in ({"text": {"en": text}}, {"text": {"en": "x"}, "note": text})
    ]
    nothing = isinstance(text, str) and code == "invalid_input" and not text.strip("\u200b ")
    if nothing:  # a language without a text is left out, and a note may be missing
        refused(told[0], 422, "guideline_empty")
        assert told[1].status_code == 201
    else:
        refused(told[0], 400, code)
        refused(told[1], 400, code)
        assert counts() == before
    assert not Comment.objects.exists()


@pytest.mark.parametrize(
    "mentions", [None, "all", [None], ["x"], [1.5], [0], [-1], [2**63], [[]], [1] * 51, {}], ids=str
)
def test_mentions_that_name_nobody(desk, mentions):
    browser, _, item = desk
    body = {"text": "新", "mentions": mentions, "client_key": key()}
    refused(send(browser, "POST", f"/api/v1/items/{item}/comments", body))
    assert not Comment.objects.exists()


@pytest.mark.parametrize("username", ["ﷺ" * 60, "a\u200bb", "x" * 65, "x"])
def test_usernames_that_no_account_holds(here, username):
    body = {"username": username, "name": "新", "password": PASSWORD, "token": link(here)}
    refused(send(Client(), "POST", JOIN, body))


@pytest.mark.parametrize("extra", [{"is_staff": True}, {"is_owner": True}, {"benchmark": 2}, {"roles": ["admin"]}])
def test_nobody_gives_themselves_more(here, extra):
    body = {"username": "fresh", "name": "新", "password": PASSWORD, "token": link(here)}
    before = counts()
    refused(send(Client(), "POST", JOIN, body | extra))
    assert counts() == before


@pytest.mark.parametrize("more", [{"author": 1}, {"state": "accepted"}, {"author_id": 1}, {"revision_no": 9}])
def test_a_submission_says_no_more_than_its_form(desk, more):
    browser, _, item = desk
    body = {"base_no": 0, "content": five_captions(1), "client_key": key()} | more
    refused(send(browser, "POST", f"/api/v1/items/{item}/submit", body))
    assert not ItemRevision.objects.exists()


@pytest.mark.parametrize(
    "content", [None, [], "a", {}, {"captions": [{}] * 5}, {"captions": ["\0"] * 5}, {"captions": ["a" * 2_000] * 5}]
)
def test_contents_of_another_shape(desk, content):
    browser, _, item = desk
    for method, command, body in (("PUT", "draft", {"seq": 1}), ("POST", "submit", {"client_key": key()})):
        told = send(browser, method, f"/api/v1/items/{item}/{command}", body | {"base_no": 0, "content": content})
        assert told.status_code in (400, 422), told.content
        assert told.json()["code"] in ("invalid_input", "content_malformed", "text_refused")
    assert not ItemRevision.objects.exists()
    assert not Draft.objects.exists()


def test_no_anti_forgery_token(here):
    strict = Client(enforce_csrf_checks=True, raise_request_exception=False)
    strict.cookies = signed_in(here.admin).cookies
    refused(send(strict, "PATCH", "/api/v1/session", {"language": "en"}), 403, "csrf_failed")
    refused(send(strict, "POST", f"{HERE}/images", b"abc", "multipart/form-data"), 403, "csrf_failed")
    log_in = {"username": "admin", "password": PASSWORD}
    refused(send(strict, "POST", "/_allauth/browser/v1/auth/login", log_in), 403, "csrf_failed")


@pytest.mark.parametrize(
    "page", ["account/email", "account/phone", "account/password/change", "auth/password/request", "auth/sessions"]
)
def test_only_signing_in_and_out_is_offered(here, page):
    for method in ("GET", "POST"):
        refused(send(signed_in(here.admin), method, f"/_allauth/browser/v1/{page}", "{"), 404, "not_found")


@pytest.mark.parametrize("text", ["\0", SURROGATE, "\u202e", "x" * 100_000])
def test_strange_credentials_are_wrong_ones(here, text):
    for log_in in ({"username": text, "password": PASSWORD}, {"username": "admin", "password": text}):
        told = send(Client(raise_request_exception=False), "POST", "/_allauth/browser/v1/auth/login", log_in)
        assert (told.status_code, told.headers["Content-Type"]) == (400, "application/json")


def test_a_role_that_ended_and_an_account_that_closed_shut_an_open_page(desk, here):
    browser, package, item = desk
    RoleGrant.objects.filter(person=here.annotator).update(ended_at="2026-01-01T00:00:00Z")
    body = {"base_no": 0, "content": five_captions(1), "client_key": key()}
    refused(send(browser, "POST", f"/api/v1/items/{item}/submit", body), 403, "operation_not_allowed")
    RoleGrant.objects.filter(person=here.annotator).update(ended_at=None)
    assert browser.get(f"/api/v1/packages/{package}").status_code == 200
    Person.objects.filter(pk=here.annotator.pk).update(is_active=False)
    refused(send(browser, "POST", f"/api/v1/items/{item}/submit", body), 401, "not_signed_in")
    assert not ItemRevision.objects.exists()


def test_a_key_used_for_something_else(here, desk):
    admin, same = signed_in(here.admin), key()
    give, address = {"role": "senior", "client_key": same}, f"{HERE}/people/{{}}/roles"
    first = send(admin, "POST", address.format(here.annotator.pk), give)
    assert send(admin, "POST", address.format(here.annotator.pk), give).json() == first.json()
    before = counts()
    refused(send(admin, "POST", address.format(here.annotator2.pk), give), 422, "client_key_reused")
    end = f"/api/v1/role-grants/{RoleGrant.objects.get(person=here.senior).pk}/end"
    refused(send(admin, "POST", end, {"client_key": same}), 422, "client_key_reused")
    refused(send(admin, "POST", f"{HERE}/packages/build", {"kind": "captions"} | give), 400)
    refused(
        send(admin, "POST", f"{HERE}/releases", {"kinds": ["captions"], "client_key": same}), 422, "client_key_reused"
    )
    build = {"kind": "captions", "client_key": same}
    refused(send(admin, "POST", f"{HERE}/packages/build", build), 422, "client_key_reused")
    assert counts() == before


def test_a_tick_repeated_with_other_ticks(desk):
    browser, package, item = desk
    submit = {"base_no": 0, "content": five_captions(1), "client_key": key()}
    assert send(browser, "POST", f"/api/v1/items/{item}/submit", submit).status_code == 200
    same = {"revision": 1, "client_key": key()}
    address = f"/api/v1/packages/{package}/self-check"
    ticked = same | {"items": [{"id": item, "revision_no": 1}]}
    assert [send(browser, "POST", address, ticked).json()["checked"] for _ in range(2)] == [1, 1]
    taken_back = same | {"items": [{"id": item, "revision_no": 0}]}
    refused(send(browser, "POST", address, taken_back), 422, "client_key_reused")
    assert browser.get(f"/api/v1/packages/{package}").json()["checked"] == 1


def test_a_build_repeated_with_other_wishes(here):
    from_scratch = signed_in(here.admin)
    made = Package.objects.count()
    done = AuditEvent.objects.get(action="package_build")
    body = {"kind": "captions", "seed": 7, "complete_only": False, "client_key": str(done.client_key)}
    told = send(from_scratch, "POST", f"{HERE}/packages/build", body)
    assert [p["id"] for p in told.json()["made"]] == done.data["packages"]
    refused(send(from_scratch, "POST", f"{HERE}/packages/build", body | {"size": 99}), 422, "client_key_reused")
    assert Package.objects.count() == made


def test_methods_that_are_none(here):
    for method in ("DELETE", "PUT", "TRACE", "FOO"):
        told = signed_in(here.admin).generic(method, "/api/v1/session")
        assert (told.status_code, told.json()["code"]) == (405, "method_not_allowed")
    stranger = signed_in(person("nobody-here"))
    refused(send(stranger, "DELETE", f"{HERE}/people", "{}"), 405, "method_not_allowed")
