"""Consent before contributing: asked, given, asked anew, taken back."""

import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from curation.benchmarks.models import ProtocolVersion
from curation.benchmarks.rules import OUTSIDER, consent_sha256
from curation.core.models import AuditEvent
from curation.people import services
from curation.people.models import Consent, Person, RoleGrant
from tests.people import key, send, signed_in, told, world
from tests.protocols import captions_protocol, names
from tests.ready import accepted_pictures
from tests.shared import shared

pytestmark = pytest.mark.django_db
HERE = "benchmarks/cvlue"
CONSENT = {
    "version": 1,
    "text": names("我同意。"),
    "eligibility": [{"code": "fluent", "name": names("母语")}, {"code": "at_home", "name": names("在当地长大")}],
    "donors": {"uses": "ask"},
}


@shared
def here():
    return world(captions_protocol(size=1) | {"consent": CONSENT}, consent=False)


@shared
def browser(here):
    return signed_in(here.annotator)


def give(browser, **changes):
    text = browser.get(f"/api/v1/{HERE}/consent").json()
    body = {"text_sha256": text["text_sha256"], "eligibility": ["at_home", "fluent"], "client_key": key()} | changes
    return send(browser, "POST", f"{HERE}/consent", body)


def claim(browser):
    return send(browser, "POST", f"{HERE}/packages/claim", {"kind": "captions"})


def test_nothing_is_contributed_before_it_is_given(here, browser):
    assert browser.get("/api/v1/session").json()["benchmarks"][0]["consent"] == {"needed": True, "given": False}
    refused = claim(browser)
    assert (*told(refused), refused.json()["params"]) == (403, "consent_missing", {"benchmark": "cvlue"})
    shown = browser.get(f"/api/v1/{HERE}/consent").json()
    assert (shown["version"], shown["needed"], shown["given_at"]) == (1, True, None)
    assert shown["text"] == CONSENT["text"]
    assert shown["text_sha256"] == here.benchmark.protocol.consent_sha256
    before = browser.get("/api/v1/session")["X-Grants"]
    given = give(browser)
    assert (given.status_code, given.json()["needed"], given.json()["given_at"] is None) == (200, False, False)
    assert given["X-Grants"] != before
    assert told(claim(browser)) == (409, "no_package_left")
    assert browser.get("/api/v1/session").json()["benchmarks"][0]["consent"] == {"needed": True, "given": True}
    [row] = Consent.objects.all()
    assert (row.no, row.given, row.text_version, row.eligibility) == (1, True, 1, ["at_home", "fluent"])
    event = AuditEvent.objects.get(action="consent_give")
    assert (event.actor_id, event.state_to, event.data["text_sha256"]) == (
        here.annotator.pk,
        "agreed",
        row.text_sha256,
    )


def test_reading_needs_none(here):
    assert signed_in(here.senior).get(f"/api/v1/{HERE}/packages").status_code == 200


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"eligibility": ["fluent"]}, (422, "eligibility_missing")),
        ({"eligibility": []}, (422, "eligibility_missing")),
        ({"eligibility": ["fluent", "at_home", "rich"]}, (422, "eligibility_missing")),
        ({"text_sha256": "0" * 64}, (409, "consent_text_changed")),
        ({"text_sha256": ""}, (400, "invalid_input")),
    ],
)
def test_consents_that_are_none(here, browser, changes, expected):
    assert told(give(browser, **changes)) == expected
    assert (Consent.objects.count(), AuditEvent.objects.count()) == (0, 0)
    assert told(claim(browser)) == (403, "consent_missing")


def test_pressed_twice_it_is_given_once(here, browser):
    again = key()
    assert [give(browser, client_key=again).status_code for _ in range(2)] == [200, 200]
    assert give(browser).status_code == 200  # and agreeing to what one agreed to is nothing new
    assert Consent.objects.count() == 1
    refused = send(browser, "POST", f"{HERE}/consent/withdraw", {"client_key": again})
    assert told(refused) == (422, "client_key_reused")


@pytest.mark.django_db(transaction=True)
def test_given_on_four_connections_at_once_it_is_one_row():
    here = world(captions_protocol() | {"consent": CONSENT}, consent=False)

    def one(n):
        try:
            services.give_consent(
                actor=Person.objects.get(pk=here.annotator.pk),
                benchmark_slug="cvlue",
                text_sha256=here.benchmark.protocol.consent_sha256,
                eligibility=["fluent", "at_home"],
                client_key=uuid.UUID(int=n // 2),
            )
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(one, range(4)))
    assert Consent.objects.get().no == 1


def test_an_outsiders_role_does_not_replace_it(here):
    RoleGrant.objects.create(person=here.annotator, benchmark=here.benchmark, role=OUTSIDER)
    browser = signed_in(here.annotator)
    assert browser.get("/api/v1/session").json()["benchmarks"][0]["consent"] == {"needed": True, "given": False}
    assert told(claim(browser)) == (403, "consent_missing")


def test_taken_back_it_is_asked_again(here, browser):
    give(browser)
    taken = send(browser, "POST", f"{HERE}/consent/withdraw", {"client_key": key()})
    assert (taken.json()["needed"], taken.json()["given_at"]) == (True, None)
    assert told(claim(browser)) == (403, "consent_missing")
    assert list(Consent.objects.order_by("no").values_list("no", "given")) == [(1, True), (2, False)]
    send(browser, "POST", f"{HERE}/consent/withdraw", {"client_key": key()})
    assert Consent.objects.count() == 2
    give(browser)
    assert told(claim(browser)) == (409, "no_package_left")
    listed = send(signed_in(here.admin), "GET", f"{HERE}/people/{here.annotator.pk}").json()
    assert [c["given"] for c in listed["consents"]] == [True, False, True]


def adopt(here, **consent):
    content = here.benchmark.protocol.content | {"consent": CONSENT | consent}
    here.benchmark.protocol = ProtocolVersion.objects.create(
        benchmark=here.benchmark,
        version=here.benchmark.protocol.version + 1,
        name="test",
        source_sha256="0" * 64,
        content=content,
        consent_sha256=consent_sha256(content),
    )
    here.benchmark.save()


def test_a_new_text_asks_everybody_again_and_an_untouched_one_nobody(here, browser):
    give(browser)
    adopt(here, donors={"uses": "none"})
    assert told(claim(browser)) == (409, "no_package_left")
    adopt(here, version=2)
    assert told(claim(browser)) == (403, "consent_missing")
    [row] = send(signed_in(here.admin), "GET", f"{HERE}/people?search=annotator").json()["results"][:1]
    assert row["consented"] is False
    give(browser)
    assert told(claim(browser)) == (409, "no_package_left")


def test_every_contribution_asks_for_it(here):
    accepted_pictures(here.benchmark, here.contributor, here.curator, 1)
    judge = send(signed_in(here.senior), "POST", f"{HERE}/packages/claim", {"kind": "captions"})
    assert told(judge) == (403, "operation_not_allowed")  # what is not open is not asked for consent
    draft = send(signed_in(here.annotator), "PUT", "items/1/draft", {"base_no": 0, "seq": 1, "content": {}})
    assert told(draft) == (404, "not_found")


def test_where_nothing_is_asked_nothing_is_needed():
    here = world(captions_protocol())
    shown = signed_in(here.annotator).get(f"/api/v1/{HERE}/consent").json()
    assert (shown["version"], shown["text"], shown["needed"]) == (0, None, False)
    assert told(give(signed_in(here.annotator), text_sha256="0" * 64)) == (409, "consent_text_changed")


def test_strangers_find_no_text(here):
    other = world(captions_protocol(), slug="other", prefix="o-")
    assert told(signed_in(other.admin).get(f"/api/v1/{HERE}/consent")) == (404, "not_found")
