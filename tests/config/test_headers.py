"""What browsers are told with every answer: whose scripts run, who may frame or read it."""

import pytest
from django.conf import settings
from django.test import Client

from tests.annotation import track
from tests.people import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def built(settings, tmp_path):
    """A front end that is built."""
    for name in ("index.html", "desk.html"):
        (tmp_path / name).write_text("<!doctype html><title>x</title>")
    settings.FRONTEND_DIST = tmp_path


POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; font-src 'self'; "
    "connect-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"
)


def directives(policy: str) -> dict[str, set[str]]:
    return {words[0]: set(words[1:]) for words in (part.split() for part in policy.split(";")) if words}


@pytest.mark.parametrize("page", ["/", "/b/cvlue", "/b/cvlue/work/1", "/join", "/nowhere/at/all"])
def test_the_policy_is_enforced_on_every_page_and_allows_no_script_or_style_but_ours(page):
    answer = Client().get(page)
    assert "Content-Security-Policy-Report-Only" not in answer.headers
    assert answer.headers["Content-Security-Policy"] == POLICY
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "same-origin"


def test_answers_of_the_api_are_no_pages():
    here = track.new_world(pictures=1)
    answer = signed_in(here.annotator).get("/api/v1/session")
    assert directives(answer.headers["Content-Security-Policy"])["default-src"] == {"'none'"}
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("page", ["/", "/api/v1/session", "/api/v1/benchmarks", "/_allauth/browser/v1/config"])
def test_no_other_site_reads_an_answer(page):
    here = track.new_world(pictures=1)
    browser = signed_in(here.admin)
    for method in ("get", "options"):
        told = getattr(browser, method)(
            page, headers={"origin": "https://elsewhere.example", "access-control-request-method": "POST"}
        )
        assert not [name for name in told.headers if name.lower().startswith("access-control-")]


def test_session_cookies_are_out_of_reach_of_scripts_and_other_sites():
    assert settings.SESSION_COOKIE_HTTPONLY
    assert settings.SESSION_COOKIE_SAMESITE == "Lax"
