"""What browsers are told with every answer: whose scripts run, who may frame or read it."""

import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from tests.annotation import track
from tests.people import signed_in

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def built(settings, tmp_path):
    """A front end that is built."""
    for name in ("index.html", "desk.html"):
        (tmp_path / name).write_text("<!doctype html><title>x</title>")
    for name in (".vite/manifest.json", "assets/app-12345678.js", "assets/app-12345678.css", "lantern.svg"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        for ending in ("", ".br", ".gz"):
            (tmp_path / f"{name}{ending}").write_text("{}")
    settings.FRONTEND_DIST = settings.WHITENOISE_ROOT = tmp_path
    return tmp_path


POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; font-src 'self'; "
    "connect-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"
)


def test_pages_may_connect_to_the_live_channel_on_its_other_origin():
    words = [sys.executable, "-c", "from config import settings; print(settings.CONTENT_SECURITY_POLICY)"]
    environment = {"SECRET_KEY": "x", "LIVE_ORIGIN": "http://localhost:8001/", "PATH": ""}
    policy = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=True).stdout.strip()
    assert policy == POLICY.replace("connect-src 'self';", "connect-src 'self' http://localhost:8001;")


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


def is_restricted(answer) -> None:
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert answer.headers["Referrer-Policy"] == "same-origin"
    policy = directives(answer.headers["Content-Security-Policy"])
    assert policy["frame-ancestors"] == {"'none'"}
    assert policy["default-src"] in ({"'none'"}, {"'self'"})
    if answer.headers["Content-Type"].startswith("text/html"):
        assert answer.headers["Content-Security-Policy"] == POLICY


@pytest.mark.parametrize("debug", [False, True])
def test_every_file_of_the_front_end_is_restricted_and_pages_and_notes_are_no_files(built, settings, debug):
    settings.DEBUG = settings.WHITENOISE_AUTOREFRESH = debug
    files = [path.relative_to(built).as_posix() for path in built.rglob("*") if path.is_file()]
    assert len(files) == 14
    browser = Client()
    for name in files:
        answer = browser.get(f"/{name}", headers={"Accept-Encoding": "gzip"})
        is_restricted(answer)
        hidden = name.startswith(".vite") or name.endswith((".html", ".br", ".gz"))
        missing = hidden and name.startswith("assets/")  # compressed copies stand in for their file, under its name
        assert answer.status_code == (404 if missing else 200), name
        assert missing or answer.headers["Content-Type"].startswith("text/html") is hidden, name
        if answer.streaming:
            answer.getvalue()


def test_every_error_is_restricted(monkeypatch):
    here = track.new_world(pictures=1)
    browser = signed_in(here.annotator)

    def fail(*_, **__):
        raise RuntimeError

    answers = [
        (404, browser.get("/api/v1/nothing")),
        (404, browser.get("/media/nothing")),
        (404, browser.get("/_allauth/nothing")),
        (404, browser.get("/metrics")),
        (401, Client().get("/api/v1/session")),
        (403, browser.get("/api/v1/benchmarks/cvlue/people")),
        (405, browser.delete("/api/v1/session")),
        (405, browser.post("/healthz")),
        (413, browser.patch("/api/v1/session", "x" * 2_600_000, content_type="application/json")),
        (400, browser.patch("/api/v1/session", "{", content_type="application/json")),
        (400, browser.get("/", headers={"Host": "elsewhere.example"})),
        (400, browser.get("/api/v1/session", headers={"Host": "elsewhere.example"})),
        (403, Client(enforce_csrf_checks=True).post("/_allauth/browser/v1/auth/login", {})),
    ]
    monkeypatch.setattr("config.pages._built", fail)
    monkeypatch.setattr("curation.people.access.load_session", fail)
    answers += [(500, browser.get("/")), (500, browser.get("/api/v1/session"))]
    for status, answer in answers:
        assert answer.status_code == status, answer.wsgi_request.path
        is_restricted(answer)


def test_a_strange_host_name_is_refused_with_a_code_and_no_word_of_the_settings():
    answer = Client().get("/api/v1/session", headers={"Host": "elsewhere.example"})
    assert (answer.status_code, answer.json()["code"]) == (400, "host_unknown")
    assert "ALLOWED_HOSTS" not in answer.content.decode()
    assert "elsewhere" not in answer.content.decode()
