"""A tab a week old: the server runs another build, whose files have other names. It is offered, and nothing is lost."""

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.conftest import ROOT, Site, free_port, until_it_answers
from tests.e2e.test_desk import log_in, post, sentences

SLUG = "builds"
DIST = ROOT / "frontend" / "dist"
# Four pictures in one package, and who writes about them.
SET_UP = f"""
import io, uuid
from curation.images import services as images
from curation.taxonomy.services import create_benchmark
from tests.people import person
from tests.pictures import jpeg
owner = person("builds-owner", None, "owner")
benchmark = create_benchmark(
    actor=owner, slug="{SLUG}", title=dict.fromkeys(("zh-Hans", "zh-Hant", "en"), "{SLUG}"), preset="demo",
    client_key=uuid.uuid4(),
)
people = {{
    role: person(f"builds-{{role}}", benchmark, role) for role in ("admin", "curator", "contributor", "annotator")
}}
category = benchmark.categories.first().slug
made = [
    images.upload_image(
        actor=people["contributor"], benchmark_slug="{SLUG}", file=io.BytesIO(jpeg(seed)), source="own",
        licence="own-work", category=category, client_key=uuid.uuid4(),
    ).image_id
    for seed in range(4)
]
verdicts = [images.Verdict(image_id=i, no=0, outcome="accepted", client_key=uuid.uuid4()) for i in made]
for done in (
    *images.judge_images(actor=people["curator"], benchmark_slug="{SLUG}", verdicts=verdicts),
    *images.clear_images(actor=people["curator"], benchmark_slug="{SLUG}", marks=[(i, uuid.uuid4()) for i in made]),
):
    if done.error is not None:
        raise done.error
"""


def another_build(of: Path, to: Path) -> None:
    """The same front end with every file that is named by its content under another name."""
    # Compressed copies would be served in place of their files, with the names of the build before.
    shutil.copytree(of, to, ignore=shutil.ignore_patterns("*.br", "*.gz"))

    def other_hash(match: re.Match[str]) -> str:
        return f"-{'Y' if match[1] == 'Z' else 'Z'}{match[2]}"

    names = {path.name for path in (to / "assets").iterdir()}
    fresh = {name: re.sub(r"-([\w-])([\w-]{7}\.\w+)$", other_hash, name) for name in names}
    assert all(old != new for old, new in fresh.items() if re.search(r"-[\w-]{8}\.\w+$", old))
    anywhere = re.compile("|".join(map(re.escape, sorted(names, key=len, reverse=True))))
    for path in [*to.glob("*.html"), *to.glob(".vite/*.json"), *to.glob("assets/*.js"), *to.glob("assets/*.css")]:
        path.write_text(anywhere.sub(lambda found: fresh[found.group()], path.read_text()))
    for old, new in fresh.items():
        (to / "assets" / old).rename(to / "assets" / new)


class Server:
    """A web server beside the site's own, on the same data; its build can be exchanged."""

    def __init__(self, site: Site) -> None:
        self.site, self.port = site, free_port()
        self.url = f"http://localhost:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None

    def run(self, dist: Path, build: str) -> None:
        """Serve a front end under the name of a build, in place of the one before."""
        self.stop()
        self.process = subprocess.Popen(
            [
                *(sys.executable, "-m", "granian", "--interface", "wsgi", "config.wsgi:application"),
                *("--host", "127.0.0.1", "--port", str(self.port), "--workers", "1", "--log-level", "warning"),
            ],
            cwd=ROOT,
            env={**self.site.environment, "FRONTEND_DIST": str(dist), "LANTERN_BUILD": build},
        )
        until_it_answers(f"{self.url}/healthz")

    def stop(self) -> None:
        """End the server, and wait for its port."""
        if self.process is not None:
            self.process.terminate()
            self.process.wait(30)


@pytest.fixture
def server(site: Site) -> Iterator[Server]:
    made = Server(site)
    yield made
    made.stop()


def state(page: Page, expected: str) -> None:
    expect(page.get_by_test_id("save-state")).to_have_attribute("data-state", expected)


def test_a_week_old_tab_is_offered_the_new_build_and_loses_nothing(
    site: Site, server: Server, context_in: Callable[..., BrowserContext], tmp_path: Path
) -> None:
    site.manage("shell", stdin=SET_UP)
    server.run(DIST, "last-week")
    admin = context_in(base_url=server.url)
    log_in(admin, "builds-admin")
    build = {"kind": "captions", "size": 4, "client_key": "00000000-0000-4000-8000-00000000b01d"}
    post(admin, f"/api/v1/benchmarks/{SLUG}/packages/build", build)
    me = context_in("zh-Hans", base_url=server.url, viewport={"width": 1366, "height": 768})
    log_in(me, "builds-annotator")
    package = post(me, f"/api/v1/benchmarks/{SLUG}/packages/claim", {"kind": "captions"})["id"]
    desk, home = me.new_page(), me.new_page()
    # A tab that never fetched what it may need later: the panels of the desk come a moment after the first picture.
    desk.route(re.compile(r"/assets/SkipPanel-"), lambda route: route.abort())
    home.goto(f"/b/{SLUG}")
    expect(home.get_by_test_id("todos")).to_be_visible()
    desk.goto(f"/b/{SLUG}/work/{package}")
    first = desk.get_by_test_id("task").get_attribute("data-item")
    me.set_offline(True)
    texts = sentences(400)
    for slot, text in enumerate(texts, 1):
        desk.get_by_test_id(f"caption-{slot}").fill(text)
    desk.keyboard.press("Control+Enter")
    expect(desk.get_by_test_id("task")).not_to_have_attribute("data-item", first or "")
    second = desk.get_by_test_id("task").get_attribute("data-item")
    desk.get_by_test_id("caption-1").fill("写到一半的一句，𠮷🏮")
    state(desk, "offline")

    another_build(DIST, tmp_path / "dist")
    server.run(tmp_path / "dist", "today")
    me.set_offline(False)
    state(desk, "saved")
    expect(desk.get_by_test_id("new-build")).to_be_visible()
    expect(desk.get_by_test_id("caption-1")).to_have_value("写到一半的一句，𠮷🏮")

    # A part of the old build that was never fetched is gone: the part says so, the text beside it stays.
    desk.keyboard.press("Alt+s")
    expect(desk.get_by_test_id("panel-not-fetched")).to_be_visible()
    desk.get_by_test_id("caption-1").fill("写到一半的一句，𠮷🏮，又添了几个字")
    state(desk, "saved")
    # So is a page that the other tab asks for: it offers the reload, and has it where one wanted to go.
    home.get_by_test_id("nav-guidelines").click()
    expect(home.get_by_test_id("page-failed")).to_have_attribute("data-what", "newBuild")
    home.get_by_test_id("reload").click()
    expect(home.locator("h1")).to_have_text("标注规范")
    home.wait_for_url(f"**/b/{SLUG}/guidelines")

    desk.unroute_all()
    desk.get_by_test_id("new-build").get_by_role("button").click()
    expect(desk.get_by_test_id("new-build")).to_be_hidden()
    expect(desk.get_by_test_id("task")).to_have_attribute("data-item", second or "")
    expect(desk.get_by_test_id("caption-1")).to_have_value("写到一半的一句，𠮷🏮，又添了几个字")
    desk.keyboard.press("Alt+s")
    expect(desk.get_by_test_id("panel-skip").locator("fieldset")).to_be_visible()
    [item] = [one for one in me.request.get(f"/api/v1/packages/{package}").json()["items"] if one["label"] == first]
    assert (item["revision_no"], item["content"]["captions"]) == (1, texts)
