"""A release in a real browser: drafted, kept back by two gates, mended, checked, frozen, published, downloaded.

Everything the admin does goes over the pages; one of two languages each time. In one of them the release is opened to
everyone and read without an account. ``SCREENSHOTS=folder`` takes every state.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.conftest import LOCALES, Site
from tests.e2e.test_desk import PASSWORD
from tests.e2e.test_screens import AXE, LISTEN, look

ITEMS = 12
UNCLEAR, UNMARKED, EXCLUDED = "img-0005", "img-0008", 2
# Accepted captions on drawn scenes, straight into the tables: one picture has a licence that forbids release, one has
# lost its tick for personal information, as by covering, and two items were excluded.
SET_UP = """
import io, uuid
from annotation.items.models import Item, ItemRevision
from curation.images import services as images
from curation.images.models import Image
from curation.taxonomy.services import create_benchmark
from fixtures import scenes
from tests.people import person
slug, items, excluded = {slug!r}, {items}, {excluded}
owner = person(f"{{slug}}-owner", None, "owner")
titles = {{"zh-Hans": "发布试用", "zh-Hant": "發布試用", "en": "Releases"}}
benchmark = create_benchmark(actor=owner, slug=slug, title=titles, preset="demo", client_key=uuid.uuid4())
roles = ("admin", "curator", "annotator", "contributor")
people = {{role: person(f"{{slug}}-{{role}}", benchmark, role) for role in roles}}
category = benchmark.categories.first().slug
seeds = scenes.distinct_seeds(items + excluded)
made = [
    images.upload_image(
        actor=people["contributor"], benchmark_slug=slug, file=io.BytesIO(scenes.encode(scenes.scene(seed))),
        source="own", licence="unclear" if n == 5 else "own-work", category=category, client_key=uuid.uuid4(),
    ).image_id
    for n, seed in enumerate(seeds, 1)
]
verdicts = [images.Verdict(image_id=i, no=0, outcome="accepted", client_key=uuid.uuid4()) for i in made]
marks = [(i, uuid.uuid4()) for i in made]
for done in (
    *images.judge_images(actor=people["curator"], benchmark_slug=slug, verdicts=verdicts),
    *images.clear_images(actor=people["curator"], benchmark_slug=slug, marks=marks),
):
    if done.error is not None:
        raise done.error
for n, (seed, image) in enumerate(zip(seeds, made), 1):
    state, no, reason = ("accepted", 1, "") if n <= items else ("excluded", None, "picture")
    item = Item.objects.create(
        benchmark=benchmark, kind="captions", image_id=image, number=n, state=state, revision_no=1, accepted_no=no,
        excluded_for=reason,
    )
    ItemRevision.objects.create(
        item=item, no=1, author=people["annotator"], origin="annotator", protocol=benchmark.protocol,
        content={{"captions": scenes.captions(scenes.scene(seed))}}, client_key=uuid.uuid4(),
    )
Image.objects.filter(pk=made[7]).update(pii_clear_by=None)
"""


@dataclass
class Admin:
    """Who makes the release, at one page."""

    page: Page
    slug: str
    language: str
    shot: Callable[..., None]
    release: int = 0
    faults: list[str] = field(default_factory=list)

    def show(self) -> None:
        """Open the release's page."""
        self.page.goto(f"/b/{self.slug}/releases/{self.release}")
        expect(self.page.get_by_test_id("release-steps")).to_be_visible()

    def told(self) -> dict[str, Any]:
        """The release as the server tells it."""
        answer: dict[str, Any] = self.page.request.get(f"/api/v1/releases/{self.release}").json()
        return answer

    def at(self, step: str) -> None:
        """The page says that the release stands at this step."""
        expect(self.page.get_by_test_id(f"step-{step}")).to_have_attribute("data-status", "current", timeout=30_000)

    def take(self, name: str) -> None:
        """A picture of what they see, by day and by night, on a desk's screen and on a telephone's."""
        for width, height in ((1366, 768), (390, 844)):
            for scheme in ("light", "dark"):
                self.page.set_viewport_size({"width": width, "height": height})
                self.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
                self.shot(self.page, f"release-{name}-{width}-{scheme}-{self.language}", full_page=True)
        self.page.emulate_media(color_scheme="light")
        self.page.set_viewport_size({"width": 1366, "height": 768})


@pytest.fixture
def enter(site: Site, context_in: Callable[..., BrowserContext], shot: Callable[..., None]) -> Callable[[str], Admin]:
    """Set a benchmark up and sign its admin in."""

    def come_in(language: str) -> Admin:
        slug = f"releases-{language}".lower()
        site.manage("shell", stdin=SET_UP.format(slug=slug, items=ITEMS, excluded=EXCLUDED))
        page = context_in(language, base_url=site.url, viewport={"width": 1366, "height": 768}).new_page()
        admin = Admin(page, slug, language, shot)
        page.on("pageerror", lambda error: admin.faults.append(str(error)))
        page.goto("/")
        page.get_by_test_id("username").fill(f"{slug}-admin")
        page.get_by_test_id("password").fill(PASSWORD)
        page.keyboard.press("Enter")
        expect(page.get_by_test_id("person-menu")).to_be_visible()
        page.get_by_test_id("language-menu").click()
        page.get_by_test_id(f"language-{language}").click()
        expect(page.locator("html")).to_have_attribute("lang", language)
        return admin

    return come_in


@pytest.mark.parametrize("language", ["zh-Hans", "en"])
def test_a_release_from_draft_to_download(
    enter: Callable[[str], Admin], context_in: Callable[..., BrowserContext], language: str
) -> None:
    admin = enter(language)
    draft(admin)
    stopped_by_two_gates(admin)
    mend(admin)
    check_and_change_the_mind(admin)
    freeze(admin)
    publish(admin)
    download(admin)
    if language == "en":
        open_to_everyone(admin)
        read_as_anyone(admin, context_in)
    withdraw(admin)
    assert admin.faults == []


def draft(admin: Admin) -> None:
    """By keys: a new draft with a seed and notes."""
    page = admin.page
    page.goto(f"/b/{admin.slug}/releases")
    expect(page.get_by_test_id("empty")).to_be_visible()
    page.keyboard.press("n")
    expect(page.get_by_test_id("release-kind-captions")).to_be_focused()
    page.get_by_test_id("release-seed").fill("7")
    page.get_by_test_id("release-notes").fill("第一版 𠮷")
    page.keyboard.press("Control+Enter")
    page.wait_for_url(re.compile(r"/releases/\d+$"))
    admin.release = int(page.url.rpartition("/")[2])
    admin.at("draft")
    expect(page.get_by_test_id("notes")).to_have_text("第一版 𠮷")


def stopped_by_two_gates(admin: Admin) -> None:
    """Both are named, what is left out is counted, and the check leaves everything as it is."""
    page = admin.page
    expect(page.get_by_test_id("gate-licence").get_by_role("link")).to_have_text(UNCLEAR)
    expect(page.get_by_test_id("gate-personal_information").get_by_role("link")).to_have_text(UNMARKED)
    expect(page.get_by_test_id("not-included-item_excluded")).to_contain_text(str(EXCLUDED))
    page.get_by_test_id("check").click()
    expect(page.get_by_test_id("problem")).to_have_attribute("data-code", "gates_failed")
    admin.at("draft")
    assert [(g["code"], g["label"]) for g in admin.told()["gates"]] == [
        ("personal_information", UNMARKED),
        ("licence", UNCLEAR),
    ]
    admin.take("gates")


def mend(admin: Admin) -> None:
    """Each link leads to where it is mended: a mark is set, a picture withdrawn."""
    page = admin.page
    page.get_by_test_id("gate-personal_information").get_by_role("link").click()
    page.get_by_test_id("clear").click()
    expect(page.get_by_test_id("clear")).to_be_hidden()
    admin.show()
    expect(page.get_by_test_id("gate-personal_information")).to_be_hidden()
    page.get_by_test_id("gate-licence").get_by_role("link").click()
    page.get_by_test_id("withdraw-picture").click()
    page.get_by_test_id("withdraw-picture-reason").select_option("rights")
    page.get_by_test_id("withdraw-picture-confirm").fill(UNCLEAR)
    page.get_by_test_id("withdraw-picture-send").click()
    expect(page.get_by_test_id("withdrawn")).to_be_visible()
    admin.show()
    expect(page.get_by_test_id("gates-open")).to_be_visible()
    expect(page.get_by_test_id("not-included-item_excluded")).to_contain_text(str(EXCLUDED + 1))


def check_and_change_the_mind(admin: Admin) -> None:
    """A checked release goes back to be changed, and is checked again, by keys."""
    page = admin.page
    page.keyboard.press("c")
    admin.at("checked")
    page.keyboard.press("o")
    admin.at("draft")
    page.keyboard.press("e")
    page.get_by_test_id("release-seed").fill("8")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_test_id("seed")).to_have_text("8")
    page.keyboard.press("c")
    admin.at("checked")
    admin.take("checked")


def freeze(admin: Admin) -> None:
    """It is asked once more; then a worker freezes, and writes every file."""
    page = admin.page
    page.keyboard.press("f")
    expect(page.get_by_test_id("freeze-confirm")).to_be_visible()
    admin.take("freeze")
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("freeze-confirm")).to_be_hidden()
    page.get_by_test_id("freeze").click()
    page.keyboard.press("Control+Enter")
    admin.at("frozen")
    expect(page.get_by_test_id("publish")).to_be_enabled(timeout=60_000)
    expect(page.get_by_test_id("job")).to_be_hidden()
    expect(page.get_by_test_id("files")).to_be_visible()
    told = admin.told()
    assert (told["state"], told["images"], told["items"], told["seed"]) == ("frozen", ITEMS - 1, ITEMS - 1, "8")
    assert {s["name"]: (s["images"], s["withheld"]) for s in told["splits"]} == {
        "train": (7, False),
        "valid": (1, False),
        "test": (3, True),
    }
    assert told["missing_files"] == []
    expect(page.get_by_test_id("digest")).to_have_text(told["digest"])
    admin.take("frozen")


def publish(admin: Admin) -> None:
    page = admin.page
    page.keyboard.press("p")
    expect(page.get_by_test_id("publish-confirm")).to_be_visible()
    page.keyboard.press("Control+Enter")
    admin.at("published")
    admin.take("published")
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("release-captions-v1")).to_be_visible()
    admin.take("list")
    admin.show()


def download(admin: Admin) -> None:
    """What comes over the links has the sums it was published with; withheld answers lie only in their own file."""
    page = admin.page
    files = {}
    for told in admin.told()["files"]:
        link = page.get_by_test_id(f"file-{told['name']}").get_by_role("link")
        if told["name"].endswith((".jsonl", ".md")):  # by a click; a browser asks back where one page hands out ten
            with page.expect_download() as coming:
                link.click()
            data = coming.value.path().read_bytes()
        else:
            data = page.request.get(str(link.get_attribute("href"))).body()
        assert (len(data), hashlib.sha256(data).hexdigest()) == (told["bytes"], told["sha256"])
        files[told["name"]] = data
    rows = {name: [json.loads(line) for line in files[name].splitlines()] for name in files if name.endswith(".jsonl")}
    assert len(rows["captions-train.jsonl"]) == 7
    assert all(len(row["captions"]) == 5 for row in rows["captions-train.jsonl"])
    assert [row["captions"] for row in rows["captions-test.jsonl"]] == [[]] * 3
    answers = {row["item"]: row["captions"] for row in rows["captions-test-key.jsonl"]}
    assert set(answers) == {row["item"] for row in rows["captions-test.jsonl"]}
    assert all(len(captions) == 5 for captions in answers.values())
    keys = page.get_by_test_id("key-files")
    expect(keys.get_by_role("link")).to_have_text(["captions-test-key.jsonl"])
    sums = dict(reversed(line.split("  ", 1)) for line in files["checksums.txt"].decode().splitlines())
    assert sums.keys() == files.keys() - {"checksums.txt", "captions-test-key.jsonl"}
    assert all(sum_ == hashlib.sha256(files[name]).hexdigest() for name, sum_ in sums.items())


def open_to_everyone(admin: Admin) -> None:
    """The switch of the public pages, and the release on them; then its page leads there."""
    page = admin.page
    page.goto(f"/b/{admin.slug}/public-pages")
    page.get_by_test_id("public-toggle").click()
    page.get_by_test_id("public-confirm").click()
    expect(page.get_by_test_id("public-address")).to_be_visible()
    page.get_by_test_id("public_release_open-captions-v1").click()
    expect(page.get_by_test_id("public_release_close-captions-v1")).to_be_visible()
    admin.take("public")
    admin.show()
    expect(page.get_by_test_id("to-public-page")).to_have_attribute("href", f"/p/{admin.slug}/en/captions-v1/")


def read_as_anyone(admin: Admin, context_in: Callable[..., BrowserContext]) -> None:
    """Without an account, in three languages, on a desk's screen and a telephone's: every page, and no cookie."""
    problems: list[str] = []
    for language in LOCALES:
        context = context_in(language, base_url=str(admin.page.url.partition("/b/")[0]))
        context.add_init_script(path=AXE)
        context.add_init_script(LISTEN)
        page = context.new_page()
        _note_errors(page, problems)
        page.goto(f"/p/{admin.slug}/")
        expect(page.locator("html")).to_have_attribute("lang", language)
        here = f"/p/{admin.slug}/{language}"
        tabs = [str(a.get_attribute("href")) for a in _opened(page, f"{here}/captions-v1/").locator(".tabs a").all()]
        assert [tab.removeprefix(f"{here}/captions-v1/") for tab in tabs] == [
            "",
            "board",
            "files",
            "samples",
            "changes",
            "errata",
        ]
        sample = _opened(page, f"{here}/captions-v1/samples").locator(".grid a").first.get_attribute("href")
        for width in (1366, 390):
            page.set_viewport_size({"width": width, "height": 844})
            for address in (f"{here}/", *tabs, str(sample)):
                look(_opened(page, address), f"{address} at {width}", problems)
        admin.shot(page, f"public-sample-390-{language}", full_page=True)
        assert context.cookies() == []
    assert problems == []


def _note_errors(page: Page, problems: list[str]) -> None:
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    # Pictures, too.
    page.on("response", lambda answer: problems.append(answer.url) if answer.status >= 400 else None)


def _opened(page: Page, address: str) -> Page:
    answer = page.goto(address, wait_until="load")
    assert answer is not None
    assert answer.status == 200, address
    return page


def withdraw(admin: Admin) -> None:
    """For good, with a reason and the name typed; afterwards nothing is handed out."""
    page = admin.page
    url = admin.told()["files"][0]["url"]
    page.get_by_test_id("withdraw-open").click()
    page.get_by_test_id("withdraw-reason").fill("有人要求撤回 𠮷")
    expect(page.get_by_test_id("withdraw-confirm")).to_be_disabled()
    page.get_by_test_id("withdraw-label").fill("captions-v1")
    admin.take("withdraw")
    page.get_by_test_id("withdraw-confirm").click()
    admin.at("withdrawn")
    expect(page.get_by_test_id("withdrawn-reason")).to_have_text("有人要求撤回 𠮷")
    expect(page.get_by_test_id("files").get_by_role("link")).to_have_count(0)
    assert page.request.get(url).status == 404
    admin.take("withdrawn")
