"""Failed log-ins: guessing is slowed, and others wait for it only as long as the limits say."""

import json
import time

import pytest
from allauth.account import app_settings
from django.core.cache import cache
from django.test import Client

from curation.people.api.attempts import COOKIE
from tests.people import PASSWORD, world
from tests.protocols import captions_protocol

pytestmark = pytest.mark.django_db


@pytest.fixture
def here():
    cache.clear()
    yield world(captions_protocol())
    cache.clear()


def log_in(password, *, client=None, username="annotator", address="192.0.2.1", **headers):
    return (client or Client()).post(
        "/_allauth/browser/v1/auth/login",
        json.dumps({"username": username, "password": password}),
        content_type="application/json",
        REMOTE_ADDR=address,
        headers=headers,
    )


def codes(answer):
    return [error["code"] for error in answer.json().get("errors", [])]


def test_a_few_wrong_passwords_from_one_address_count_at_no_other(here):
    found = [codes(log_in(f"wrong-{n}")) for n in range(22)]
    assert found == [["username_password_mismatch"]] * 5 + [["too_many_login_attempts"]] * 17
    assert codes(log_in(PASSWORD)) == ["too_many_login_attempts"]
    assert log_in(PASSWORD, address="192.0.2.2").status_code == 200


def test_other_people_behind_the_same_address_get_in(here):
    for n in range(22):
        log_in(f"wrong-{n}")
    assert log_in(PASSWORD, username="senior").status_code == 200


def test_right_passwords_count_for_nothing(here):
    assert [log_in(PASSWORD).status_code for _ in range(12)] == [200] * 12


def test_guesses_from_many_addresses_are_slowed_and_a_known_device_gets_in(here, settings):
    settings.ACCOUNT_RATE_LIMITS = app_settings.RATE_LIMITS | {"login_failed_name": "12/h/key"}
    known, client = Client(), Client()
    assert log_in(PASSWORD, client=known).status_code == 200
    known.cookies.pop("sessionid")
    for n in range(12):
        assert codes(log_in(f"wrong-{n}", address=f"198.51.100.{n}")) == ["username_password_mismatch"]
    assert codes(log_in(PASSWORD, client=client, address="203.0.113.1")) == ["too_many_login_attempts"]
    assert log_in(PASSWORD, client=known, address="203.0.113.1").status_code == 200
    assert log_in(PASSWORD, username="senior", address="203.0.113.1").status_code == 200


LIMITS = {
    "login_failed_name_at_address": (5, 300, {"address": "192.0.2.1"}),
    "login_failed_name": (100, 3_600, {"address": "203.0.113.250"}),
    "login_failed_address": (30, 60, {"address": "192.0.2.1", "username": "senior"}),
}


@pytest.mark.parametrize("limit", LIMITS)
def test_a_used_up_limit_ends_a_period_after_its_failures(here, settings, monkeypatch, limit):
    count, period, waiting = LIMITS[limit]
    unlimited = {name: "" for name in settings.ACCOUNT_RATE_LIMITS if name != limit}
    assert settings.ACCOUNT_RATE_LIMITS[limit].split("/")[0] == str(count)
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | unlimited
    now = [time.time()]
    monkeypatch.setattr(time, "time", lambda: now[0])
    for n in range(count):
        address = f"198.51.100.{n}" if limit == "login_failed_name" else "192.0.2.1"
        username = f"name-{n}" if limit == "login_failed_address" else "annotator"
        assert codes(log_in("wrong", address=address, username=username)) == ["username_password_mismatch"]
    assert codes(log_in(PASSWORD, **waiting)) == ["too_many_login_attempts"]
    now[0] += period - 1
    assert codes(log_in(PASSWORD, **waiting)) == ["too_many_login_attempts"]  # and is not counted itself
    now[0] += 2
    assert log_in(PASSWORD, **waiting).status_code == 200


def test_a_known_device_shares_only_the_limit_on_all_log_ins_from_its_address(here, settings):
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"login": "40/m/ip"}
    known = Client()
    assert log_in(PASSWORD, client=known).status_code == 200
    known.cookies.pop("sessionid")
    for n in range(38):
        log_in(f"wrong-{n}")
    assert log_in(PASSWORD, client=known).status_code == 200  # the fortieth
    known.cookies.pop("sessionid")
    assert log_in(PASSWORD, client=known).status_code == 429
    assert log_in(PASSWORD, client=known, address="192.0.2.2").status_code == 200


def test_one_address_does_not_guess_at_many_names(here, settings):
    settings.ACCOUNT_RATE_LIMITS = app_settings.RATE_LIMITS | {"login_failed_address": "6/m/ip"}
    found = [codes(log_in("wrong", username=f"name-{n}")) for n in range(8)]
    assert found == [["username_password_mismatch"]] * 6 + [["too_many_login_attempts"]] * 2


def test_a_device_guesses_no_more_than_anybody_and_only_for_its_person(here):
    known = Client()
    log_in(PASSWORD, client=known)
    known.cookies.pop("sessionid")
    found = [codes(log_in("wrong", client=known)) for _ in range(12)]
    assert found == [["username_password_mismatch"]] * 10 + [["too_many_login_attempts"]] * 2
    found = [codes(log_in("wrong", client=known, username="senior")) for _ in range(6)]
    assert found[-1] == ["too_many_login_attempts"]


def test_the_cookie_is_signed_out_of_reach_and_ends_with_the_password(here, settings):
    settings.SESSION_COOKIE_SECURE = True
    known = Client()
    cookie = log_in(PASSWORD, client=known).cookies[COOKIE]
    known.cookies.pop("sessionid")
    assert (cookie["httponly"], cookie["samesite"], cookie["secure"], cookie["path"]) == (
        True,
        "Lax",
        True,
        "/_allauth/",
    )
    for n in range(6):
        log_in(f"wrong-{n}")
    assert log_in(PASSWORD, client=known).status_code == 200
    known.cookies.pop("sessionid")
    forged = Client()
    forged.cookies[COOKIE] = cookie.value[:-2] + "xx"
    assert codes(log_in(PASSWORD, client=forged)) == ["too_many_login_attempts"]
    here.annotator.set_password("another-long-password")
    here.annotator.save(update_fields=["password"])
    known.cookies[COOKIE] = cookie.value
    assert codes(log_in("another-long-password", client=known)) == ["too_many_login_attempts"]


def test_a_client_does_not_choose_its_address_by_a_header(here, settings):
    for n in range(5):
        log_in("wrong", **{"X-Forwarded-For": f"198.51.100.{n}", "X-Real-Ip": f"198.51.100.{n}"})
    assert codes(log_in(PASSWORD, **{"X-Forwarded-For": "198.51.100.9"})) == ["too_many_login_attempts"]
    # Behind our own proxy, which adds the last address, earlier ones are the client's claims.
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    for n in range(5):
        log_in("wrong", username="senior", **{"X-Forwarded-For": f"198.51.100.{n}, 203.0.113.7"})
    answer = log_in(PASSWORD, username="senior", **{"X-Forwarded-For": "203.0.113.7"})
    assert codes(answer) == ["too_many_login_attempts"]
    assert log_in(PASSWORD, username="senior", **{"X-Forwarded-For": "203.0.113.8"}).status_code == 200


def test_limits_do_not_tell_which_names_exist(here):
    for n in range(7):
        existing, strange = log_in(f"wrong-{n}"), log_in(f"wrong-{n}", username="nobody", address="192.0.2.3")
        assert (existing.status_code, existing.json()["errors"]) == (strange.status_code, strange.json()["errors"])
        assert COOKIE not in existing.cookies
