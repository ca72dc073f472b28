"""People change their own password: with the current one, limited, and everything else that was signed in ends."""

import pytest
from django.core.cache import cache
from django.test import Client

from curation.core.models import AuditEvent
from curation.people.api.attempts import COOKIE
from curation.people.models import ApiToken, Person, PersonSession
from tests.people import PASSWORD, key, send, signed_in, told, world
from tests.protocols import captions_protocol
from tests.shared import shared

pytestmark = pytest.mark.django_db
NEW = "four unrelated quiet words"


@shared
def here():
    return world(captions_protocol())


@pytest.fixture(autouse=True)
def no_attempts_yet():
    cache.clear()
    yield
    cache.clear()


def change(browser, **changes):
    return send(browser, "POST", "session/password", {"current_password": PASSWORD, "new_password": NEW} | changes)


def make_token(browser):
    body = {"name": "脚本", "benchmark": "cvlue", "operations": ["package_list"], "days": 30, "client_key": key()}
    return send(browser, "POST", "tokens", body).json()["token"]


def log_in(username, password):
    body = {"username": username, "password": password}
    return Client().post("/_allauth/browser/v1/auth/login", body, content_type="application/json").status_code


def test_a_new_password_ends_the_other_sessions_and_keeps_this_one(here):
    browser, elsewhere, colleague = (signed_in(who) for who in (here.annotator, here.annotator, here.senior))
    old_key = browser.cookies["sessionid"].value
    token = make_token(browser)
    changed = change(browser)
    assert (changed.status_code, changed.json()) == (200, {"tokens_revoked": 0})
    assert browser.cookies["sessionid"].value != old_key
    assert changed.cookies[COOKIE]["path"] == "/_allauth/"
    assert not PersonSession.objects.filter(session_key=old_key).exists()
    assert PersonSession.objects.filter(person=here.annotator).count() == 1
    assert [send(one, "GET", "session").status_code for one in (browser, elsewhere, colleague)] == [200, 401, 200]
    assert (log_in("annotator", PASSWORD), log_in("annotator", NEW)) == (400, 200)
    bearer = send(Client(), "GET", "benchmarks/cvlue/packages", Authorization=f"Bearer {token}")
    assert bearer.status_code == 200
    [event] = AuditEvent.objects.filter(action="password_change")
    assert (event.actor_id, event.target_id, event.data) == (
        here.annotator.pk,
        here.annotator.pk,
        {"tokens_revoked": 0},
    )


def test_tokens_are_revoked_on_request_and_only_ones_own(here):
    browser, colleague = signed_in(here.annotator), signed_in(here.senior)
    token, others = make_token(browser), make_token(colleague)
    assert change(browser, revoke_tokens=True).json() == {"tokens_revoked": 1}
    asked = [send(Client(), "GET", "benchmarks/cvlue/packages", Authorization=f"Bearer {t}") for t in (token, others)]
    assert [answer.status_code for answer in asked] == [401, 200]
    assert AuditEvent.objects.get(action="password_change").data == {"tokens_revoked": 1}


@pytest.mark.parametrize(
    ("changes", "refusal"),
    [
        ({"current_password": "not-my-password"}, (422, "password_wrong")),
        ({"current_password": f"{PASSWORD} "}, (422, "password_wrong")),
        ({"new_password": "short"}, (422, "password_too_weak")),
        ({"new_password": "password123"}, (422, "password_too_weak")),
        ({"new_password": ""}, (400, "invalid_input")),
        ({"new_password": "x" * 129}, (400, "invalid_input")),
    ],
)
def test_a_refused_change_changes_nothing(here, changes, refusal):
    browser, elsewhere = signed_in(here.annotator), signed_in(here.annotator)
    make_token(browser)
    before = Person.objects.get(pk=here.annotator.pk).password
    assert told(change(browser, revoke_tokens=True, **changes)) == refusal
    assert Person.objects.get(pk=here.annotator.pk).password == before
    assert [send(one, "GET", "session").status_code for one in (browser, elsewhere)] == [200, 200]
    assert ApiToken.objects.get().revoked_at is None
    assert not AuditEvent.objects.filter(action="password_change").exists()


def test_guessing_is_limited_for_the_person_and_for_nobody_else(here):
    browser = signed_in(here.annotator)
    refused = [told(change(browser, current_password=f"wrong-{n}")) for n in range(6)]
    assert refused == [(422, "password_wrong")] * 5 + [(429, "too_many_requests")]
    right = change(signed_in(here.annotator))
    assert (told(right), right["Retry-After"]) == ((429, "too_many_requests"), "300")
    assert Person.objects.get(pk=here.annotator.pk).check_password(PASSWORD)
    assert change(signed_in(here.senior)).status_code == 200


def test_right_passwords_do_not_count(here):
    browser, current = signed_in(here.annotator), PASSWORD
    for _ in range(7):
        assert told(change(browser, new_password="short")) == (422, "password_too_weak")
    for n in range(7):
        assert change(browser, current_password=current, new_password=f"{NEW} {n}").status_code == 200
        current = f"{NEW} {n}"


def test_nobody_changes_a_password_without_a_session(here):
    assert told(change(Client())) == (401, "not_signed_in")
    token = make_token(signed_in(here.annotator))
    body = {"current_password": PASSWORD, "new_password": NEW}
    by_token = send(Client(), "POST", "session/password", body, Authorization=f"Bearer {token}")
    assert told(by_token) == (403, "operation_not_allowed")
