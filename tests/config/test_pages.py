"""The desk's page: what it carries, to whom, and that nothing people typed can be more than text in it."""

import gzip
import json
import os
import re
import subprocess
import sys

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotation.packages.models import Package
from tests.annotation import track
from tests.people import key, send, signed_in
from tests.sentences import five_captions
from tests.shared import shared

pytestmark = pytest.mark.django_db

PAGE = """<!doctype html><html><head></head>
<body><!-- preloads --><div id="root"></div><!-- answers --></body></html>"""
MANIFEST = {
    "src/locales/desk/zh-Hans.ts": {"file": "assets/hans.js", "imports": ["_shared.js"]},
    "_shared.js": {"file": "assets/shared.js"},
}
HOSTILE = [
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "]]>&amp;&lt;",
    "\u2028\u2029",
    "\\u003c/script> 𠮷，🏮",
]


@pytest.fixture(autouse=True)
def built(settings, tmp_path):
    """A built front end of three files."""
    (tmp_path / ".vite").mkdir()
    (tmp_path / ".vite" / "manifest.json").write_text(json.dumps(MANIFEST))
    (tmp_path / "desk.html").write_text(PAGE)
    (tmp_path / "index.html").write_text("<title>everything else</title>")
    settings.FRONTEND_DIST = tmp_path
    return tmp_path


@shared
def here():
    return track.new_world(pictures=2)


@shared
def desk(here):
    browser = signed_in(here.annotator)
    package = send(browser, "POST", "benchmarks/cvlue/packages/claim", {"kind": "captions"}).json()
    return browser, package["id"]


def answers(page: str) -> dict:
    [block] = re.findall(r'<script type="application/json" id="answers">(.*?)</script>', page, re.DOTALL)
    return json.loads(block)


def test_it_carries_what_the_api_answers(desk):
    browser, package = desk
    page = browser.get(f"/b/cvlue/work/{package}")
    assert (page.status_code, page["Cache-Control"]) == (200, "no-store")
    assert "script-src 'self'" in page["Content-Security-Policy"]
    assert page.cookies["csrftoken"].value
    assert answers(page.content.decode()) == {
        "session": browser.get("/api/v1/session").json(),
        "work": browser.get(f"/api/v1/packages/{package}/next?after=0").json(),
    }


def test_the_first_picture_and_the_texts_are_asked_for_at_once(desk):
    browser, package = desk
    page = browser.get(f"/b/cvlue/work/{package}").content.decode()
    [first, *_] = answers(page)["work"]["items"]
    head = page.split("<div")[0]
    assert re.findall(r'<link rel="(\w+)"[^>]* href="([^"]+)">', head) == [
        ("modulepreload", "/assets/hans.js"),
        ("modulepreload", "/assets/shared.js"),
        ("preload", first["image"]["view_url"]),
    ]


def test_what_people_typed_is_text_and_nothing_else(desk):
    browser, package = desk
    [item, *_] = browser.get(f"/api/v1/packages/{package}/next").json()["items"]
    content = {"captions": HOSTILE}
    saved = send(browser, "PUT", f"items/{item['id']}/draft", {"base_no": 0, "seq": 1, "content": content})
    assert saved.status_code == 200
    page = browser.get(f"/b/cvlue/work/{package}").content.decode()
    assert page.count("<script") == page.count("</script") == 1
    assert not set("<>&\u2028\u2029") & set(page.split('id="answers">')[1].split("</script>")[0])
    assert answers(page)["work"]["items"][0]["draft"]["content"] == content


def test_strangers_get_the_page_and_nothing_in_it(here, desk):
    _, package = desk
    page = Client().get(f"/b/cvlue/work/{package}")
    assert (page.status_code, page.content.decode()) == (200, PAGE)
    assert page.cookies["csrftoken"].value


@pytest.mark.parametrize("who", ["annotator2", "stranger"])
def test_others_get_what_is_theirs(here, desk, who):
    _, package = desk
    page = signed_in(getattr(here, who)).get(f"/b/cvlue/work/{package}")
    told = answers(page.content.decode())
    assert set(told) == {"session"}
    assert told["session"]["person"]["username"] == who


def test_a_package_that_is_done_carries_no_picture(here, desk):
    browser, package = desk
    for n, item in enumerate(browser.get(f"/api/v1/packages/{package}/next").json()["items"]):
        body = {"base_no": 0, "content": five_captions(n), "client_key": key()}
        assert send(browser, "POST", f"items/{item['id']}/submit", body).status_code == 200
    page = browser.get(f"/b/cvlue/work/{package}").content.decode()
    assert answers(page)["work"]["items"] == []
    assert 'rel="preload"' not in page


def test_it_is_sent_small_in_few_statements(desk):
    browser, package = desk
    plain = browser.get(f"/b/cvlue/work/{package}").content
    with CaptureQueriesContext(connection) as seen:
        small = browser.get(f"/b/cvlue/work/{package}", headers={"Accept-Encoding": "gzip"})
    assert small["Content-Encoding"] == "gzip"
    assert len(small.content) < len(plain) / 2
    assert answers(gzip.decompress(small.content).decode()) == answers(plain.decode())
    assert len([q for q in seen.captured_queries if q["sql"].startswith("SELECT")]) <= 8


def test_a_front_end_that_is_built_again_under_a_running_demo_is_served(here, desk, built, settings):
    environment = os.environ | {"LANTERN_DEMO": "true"}
    show = "from config import settings; print(settings.WHITENOISE_AUTOREFRESH)"
    demo = subprocess.run([sys.executable, "-c", show], env=environment, capture_output=True, text=True, check=True)
    assert demo.stdout == "True\n"
    settings.WHITENOISE_AUTOREFRESH, settings.WHITENOISE_ROOT = True, built
    (built / "assets").mkdir()
    (built / "assets" / "app-aaaaaaaa.js").write_text("first")
    member, package = desk
    browser = Client()  # one that started under these settings
    assert browser.get("/assets/app-aaaaaaaa.js").getvalue() == b"first"
    # The next build.
    (built / "assets" / "app-aaaaaaaa.js").unlink()
    (built / "assets" / "app-bbbbbbbb.js").write_text("second" * 99)
    (built / "assets" / "app-bbbbbbbb.js.gz").write_bytes(gzip.compress(b"second" * 99))
    (built / ".vite" / "manifest.json").write_text(json.dumps(MANIFEST).replace("hans.js", "hans-2.js"))
    (built / "index.html").write_text('<script src="/assets/app-bbbbbbbb.js"></script>')
    assert browser.get("/").content == b'<script src="/assets/app-bbbbbbbb.js"></script>'
    answer = browser.get("/assets/app-bbbbbbbb.js", headers={"Accept-Encoding": "gzip"})
    assert gzip.decompress(answer.getvalue()) == b"second" * 99
    assert "immutable" in answer["Cache-Control"]
    assert browser.get("/assets/app-aaaaaaaa.js").status_code == 404
    assert "/assets/hans-2.js" in member.get(f"/b/cvlue/work/{package}").content.decode()


def test_other_addresses_have_the_other_page(here, built):
    browser = signed_in(here.annotator)
    for address in ("/", "/b/cvlue", "/b/cvlue/work", "/b/cvlue/packages/1"):
        assert browser.get(address).content == b"<title>everything else</title>"
    assert Package.objects.count() == 1


def test_without_a_built_front_end_the_page_says_how_to_build_it(built):
    (built / "desk.html").unlink()
    assert Client().get("/b/cvlue/work/1").status_code == 503
