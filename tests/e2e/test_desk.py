"""The annotator's desk in a real browser: nothing typed is lost, nothing waits for the network, keys are enough.

Each test takes whatever is open in a package of ten; the texts are Chinese, with characters outside the first plane,
full-width letters and a lantern that is an emoji, and arrive unchanged. ``DESK_OFFLINE_SECONDS=60`` makes the outage as
long as a train's way through a tunnel.
"""

import json
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Dialog, Page, expect

from tests.e2e.conftest import Site
from tests.sentences import five_captions

SLUG = "desk"
PASSWORD = "a-long-test-password"
OFFLINE_SECONDS = float(os.environ.get("DESK_OFFLINE_SECONDS", "1.5"))
TEN = 10
# A benchmark with accepted pictures in two packages of ten, and two people who write.
SET_UP = f"""
import io, uuid
from curation.images import services as images
from curation.people.models import Person, RoleGrant
from curation.taxonomy.services import create_benchmark
from tests.people import person
from tests.pictures import jpeg
owner = person("desk-owner", None, "owner")
benchmark = create_benchmark(
    actor=owner, slug="{SLUG}", title=dict.fromkeys(("zh-Hans", "zh-Hant", "en"), "{SLUG}"), preset="demo",
    client_key=uuid.uuid4(),
)
people = {{
    role: person(f"desk-{{role}}", benchmark, role) for role in ("admin", "curator", "contributor", "annotator")
}}
person("desk-second", benchmark, "annotator")
category = benchmark.categories.first().slug
made = [
    images.upload_image(
        actor=people["contributor"], benchmark_slug="{SLUG}", file=io.BytesIO(jpeg(seed)), source="own",
        licence="own-work", category=category, client_key=uuid.uuid4(),
    ).image_id
    for seed in range({2 * TEN})
]
verdicts = [images.Verdict(image_id=i, no=0, outcome="accepted", client_key=uuid.uuid4()) for i in made]
for done in (
    *images.judge_images(actor=people["curator"], benchmark_slug="{SLUG}", verdicts=verdicts),
    *images.clear_images(actor=people["curator"], benchmark_slug="{SLUG}", marks=[(i, uuid.uuid4()) for i in made]),
):
    if done.error is not None:
        raise done.error
"""


def sentences(n: int) -> list[str]:
    """Five captions that obey the rules, different for each ``n``, with everything that is easily mangled."""
    first, *others = five_captions(n)["captions"]
    return [f"{first}，𠮷ＡＢ１🏮", *others]


@dataclass
class Desk:
    """One person's browser and package."""

    context: BrowserContext
    package: int
    faults: list[str]

    @property
    def address(self) -> str:
        return f"/b/{SLUG}/work/{self.package}"

    def open(self, query: str = "") -> Page:
        """A tab at the desk, ready for the first key."""
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.goto(self.address + query)
        expect(page.get_by_test_id("task")).to_be_visible()
        return page

    def items(self) -> list[dict[str, Any]]:
        """The package's items as the server holds them."""
        items: list[dict[str, Any]] = self.ask(f"packages/{self.package}")["items"]
        return items

    def revisions(self, item: int) -> list[list[str]]:
        """What was handed in for an item, oldest first."""
        found = self.ask(f"items/{item}/history")["revisions"]
        return [one["content"]["captions"] for one in sorted(found, key=lambda one: one["no"])]

    def ask(self, path: str) -> Any:
        return self.context.request.get(f"/api/v1/{path}").json()


def log_in(context: BrowserContext, username: str) -> None:
    """Sign in without the page."""
    post(context, "/_allauth/browser/v1/auth/login", {"username": username, "password": PASSWORD})


def post(context: BrowserContext, address: str, body: dict[str, Any]) -> Any:
    context.request.get("/_allauth/browser/v1/config")
    token = next(cookie["value"] for cookie in context.cookies() if cookie["name"] == "csrftoken")
    answer = context.request.post(address, data=body, headers={"X-CSRFToken": token})
    assert answer.ok, answer.text()
    return answer.json()


@pytest.fixture(scope="module")
def benchmark(site: Site) -> str:
    site.manage("shell", stdin=SET_UP)
    return SLUG


@pytest.fixture
def desk_of(site: Site, benchmark: str, context_in: Callable[..., BrowserContext]) -> Callable[[str], Desk]:
    """Sign somebody in who holds a package."""

    def walk_in(username: str) -> Desk:
        admin = context_in(base_url=site.url)
        log_in(admin, "desk-admin")
        if not admin.request.get(f"/api/v1/benchmarks/{SLUG}/packages").json()["results"]:
            build = {"kind": "captions", "size": TEN, "client_key": "00000000-0000-4000-8000-0000000000de"}
            post(admin, f"/api/v1/benchmarks/{SLUG}/packages/build", build)
        context = context_in("zh-Hans", base_url=site.url, viewport={"width": 1366, "height": 768})
        log_in(context, username)
        package = post(context, f"/api/v1/benchmarks/{SLUG}/packages/claim", {"kind": "captions"})["id"]
        return Desk(context, package, [])

    return walk_in


@pytest.fixture
def desk(desk_of: Callable[[str], Desk]) -> Desk:
    return desk_of("desk-annotator")


def label(page: Page) -> str:
    """The open item."""
    found = page.get_by_test_id("task").get_attribute("data-item")
    assert found is not None
    return found


def write(page: Page, texts: list[str]) -> None:
    """Put the texts where they belong, whatever stood there."""
    for slot, text in enumerate(texts, 1):
        page.get_by_test_id(f"caption-{slot}").fill(text)


def focus(page: Page) -> str:
    """Where a typed letter would go."""
    return str(page.evaluate("document.activeElement?.id ?? ''"))


def hand_in(page: Page) -> str:
    """Hand the open item in by key and wait for the next; returns what was handed in."""
    before = label(page)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_test_id("task")).not_to_have_attribute("data-item", before)
    return before


def wait_for(page: Page, what: Callable[[], bool], why: str, seconds: int = 15) -> None:
    for _ in range(seconds * 10):
        if what():
            return
        page.wait_for_timeout(100)
    pytest.fail(f"after {seconds} s still not: {why}")


def test_three_hand_ins_offline_survive_the_closed_tab(desk: Desk) -> None:
    page = desk.open()
    expect(page.locator(".footbar-end")).to_contain_text("3")  # pictures that are ready
    before = {item["label"]: item["revision_no"] for item in desk.items()}
    desk.context.set_offline(True)
    typed: dict[str, list[str]] = {}
    for n in range(3):
        texts = sentences(100 + n)
        write(page, texts)
        typed[hand_in(page)] = texts
    state = page.get_by_test_id("save-state")
    expect(state).to_have_attribute("data-state", "offline")
    expect(state).to_contain_text("3")
    page.get_by_test_id("leave").click()
    expect(page.locator(".toast").filter(has_text="连接恢复后")).to_be_visible()  # not the browser's own error page
    page.wait_for_timeout(OFFLINE_SECONDS * 1_000)
    assert {item["label"]: item["revision_no"] for item in desk.items()} == before  # asked past the page

    warned: list[str] = []

    def leave_anyway(dialog: Dialog) -> None:
        warned.append(dialog.type)
        dialog.accept()

    page.on("dialog", leave_anyway)
    with page.expect_event("close"):
        page.close(run_before_unload=True)
    assert warned == ["beforeunload"]

    desk.context.set_offline(False)
    page = desk.open()
    wait_for(page, lambda: page.get_by_test_id("save-state").get_attribute("data-state") == "saved", "all sent")
    after = {item["label"]: item for item in desk.items()}
    assert {
        name: item["revision_no"] - before[name] for name, item in after.items() if item["revision_no"] != before[name]
    } == dict.fromkeys(typed, 1)
    assert {name: desk.revisions(after[name]["id"])[-1] for name in typed} == typed
    assert desk.faults == []


def test_a_session_that_ends_while_typing_loses_nothing(desk: Desk) -> None:
    page = desk.open()
    item = label(page)
    texts = sentences(200)
    write(page, texts[:2])
    page.get_by_test_id("caption-3").click()
    desk.context.clear_cookies(name="sessionid")
    page.keyboard.insert_text(texts[2][:4])  # at once: the sign-in takes the focus
    password = page.get_by_test_id("password")
    expect(password).to_be_focused()
    expect(page.get_by_test_id("username")).to_have_value("desk-annotator")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("caption-3")).to_be_focused()
    page.keyboard.type(texts[2][4:])
    for slot in (4, 5):
        page.keyboard.press("Enter")
        page.keyboard.insert_text(texts[slot - 1])
    hand_in(page)
    wait_for(page, lambda: page.get_by_test_id("save-state").get_attribute("data-state") == "saved", "sent")
    [stored] = [one for one in desk.items() if one["label"] == item]
    assert (stored["revision_no"], desk.revisions(stored["id"])[-1]) == (1, texts)
    assert desk.faults == []


def test_a_conflict_shows_both_texts_and_the_base(desk: Desk) -> None:
    page = desk.open()
    base = sentences(300)
    write(page, base)
    name = hand_in(page)
    wait_for(page, lambda: page.get_by_test_id("save-state").get_attribute("data-state") == "saved", "sent")
    [item] = [one["id"] for one in desk.items() if one["label"] == name]
    mine, theirs, untouched = (desk.open(f"?item={item}") for _ in range(3))
    changed = sentences(301)
    for tab in (mine, theirs, untouched):
        expect(tab.get_by_test_id("caption-1")).to_have_value(base[0])
    mine.get_by_test_id("caption-1").fill(sentences(302)[0])
    mine.get_by_test_id("caption-2").fill(changed[1])
    theirs.get_by_test_id("caption-1").fill(changed[0])
    theirs.keyboard.press("Control+Enter")
    wait_for(theirs, lambda: len(desk.revisions(item)) == 2, "the other tab's text")
    # The tab hears of the other's text by itself, and compares it with what is typed here.
    conflict = mine.get_by_test_id("conflict")
    expect(conflict).to_be_visible()
    for text in (base[0], changed[0], sentences(302)[0], changed[1], base[1]):
        expect(conflict).to_contain_text(text)
    expect(mine.get_by_test_id("conflict-2-mine")).to_be_checked()
    mine.get_by_test_id("conflict-1-theirs").check()
    mine.keyboard.press("Control+Enter")
    wait_for(mine, lambda: len(desk.revisions(item)) == 3, "the text both agree on")
    # The third tab, in which nothing was typed, shows what both agreed on.
    expect(untouched.get_by_test_id("caption-1")).to_have_value(changed[0])
    expect(untouched.get_by_test_id("caption-2")).to_have_value(changed[1])
    assert desk.revisions(item) == [base, [changed[0], *base[1:]], [changed[0], changed[1], *base[2:]]]
    assert desk.faults == []


def test_no_key_means_anything_while_an_input_method_composes(desk: Desk) -> None:
    page = desk.open()
    item = label(page)
    write(page, ["", "", "", "", ""])
    page.get_by_test_id("caption-1").click()
    browser = desk.context.new_cdp_session(page)

    def press(key: str, code: int, modifiers: int = 0) -> None:
        for kind in ("rawKeyDown", "keyUp"):
            browser.send(
                "Input.dispatchKeyEvent",
                {"type": kind, "key": key, "windowsVirtualKeyCode": code, "modifiers": modifiers},
            )

    keys = {"Enter": 13, "Escape": 27, "PageDown": 34, "PageUp": 33, "ArrowDown": 40, "ArrowUp": 38, "?": 191}
    commands = {"Enter": 13, "k": 75, "s": 83}
    control, alt = 2, 1

    def nothing_happened(composed: str) -> None:
        assert (label(page), focus(page)) == (item, "caption-1")
        assert page.get_by_test_id("caption-1").input_value() == composed
        assert page.locator("dialog[open], [data-testid^=panel-]").count() == 0

    for text in ("w", "wu", "wu s", "舞狮"):
        browser.send("Input.imeSetComposition", {"text": text, "selectionStart": len(text), "selectionEnd": len(text)})
        for code_of in (lambda code: code, lambda code: 229):
            for key, code in keys.items():
                press(key, code_of(code))
                nothing_happened(text)
            for key, code in commands.items():
                press(key, code_of(code), control)
                nothing_happened(text)
            for key, code in {"g": 71, "x": 88, "c": 67}.items():
                press(key, code_of(code), alt)
                nothing_happened(text)
    browser.send("Input.insertText", {"text": "舞狮𠮷"})
    # The press that ends a composition comes after it in some browsers, and tells of it by its code alone.
    press("Enter", 229)
    press("Process", 229, control)
    nothing_happened("舞狮𠮷")
    page.keyboard.press("Enter")
    assert focus(page) == "caption-2"
    assert page.get_by_test_id("caption-1").input_value() == "舞狮𠮷"
    # A click on a button ends the composition first; otherwise it leaves the focus in the text.
    browser.send("Input.imeSetComposition", {"text": "灯", "selectionStart": 1, "selectionEnd": 1})
    page.get_by_test_id("do-workspace.guidelines").click()
    expect(page.get_by_test_id("panel-guidelines")).to_be_visible()
    assert page.get_by_test_id("caption-2").input_value() == "灯"
    page.get_by_test_id("do-workspace.guidelines").click()
    expect(page.get_by_test_id("panel-guidelines")).to_be_hidden()
    page.get_by_test_id("caption-2").click()
    page.get_by_test_id("foot-workspace.nextField").click()
    assert focus(page) == "caption-3"
    assert desk.faults == []


# Told by the page itself: what stood on the stage in the first frame after a key was pressed.
WATCH = """() => {
  window.frames_after = [];
  addEventListener("keydown", (event) => {
    if (!(event.ctrlKey && event.key === "Enter")) return;
    const asked = performance.getEntriesByType("resource").length;
    requestAnimationFrame(() => {
      const shown = document.querySelector("[data-testid=stage] image")?.getAttribute("href");
      if (!shown) return;
      const picture = new Image();
      picture.src = shown;
      const since = performance.getEntriesByType("resource").slice(asked).map((entry) => entry.name);
      window.frames_after.push({
        item: document.querySelector("[data-testid=task]")?.dataset.item,
        complete: picture.complete && picture.naturalWidth > 0,
        asked: since.filter((name) => name.includes("/media/")),
      });
    });
  }, true);
}"""


def test_a_package_of_ten_by_keys_alone(desk_of: Callable[[str], Desk]) -> None:
    desk = desk_of("desk-second")
    page = desk.open()
    page.evaluate(WATCH)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/media/" in request.url else None)
    keys = 0
    typed: dict[str, list[str]] = {}
    for n in range(TEN):
        texts = sentences(n)
        assert focus(page) == "caption-1"
        for slot, text in enumerate(texts, 1):
            if slot > 1:
                page.keyboard.press("Enter")  # ends a line, as in any text
            assert focus(page) == f"caption-{slot}"
            page.keyboard.insert_text(text)
        if n < TEN - 1:
            # Whoever writes five sentences has looked at a picture for longer than this.
            expect(page.locator(".footbar-end")).to_contain_text(str(min(3, TEN - 1 - n)))
        asked.clear()
        name = label(page)
        page.keyboard.press("Control+Enter")
        keys += 1
        typed[name] = texts
        if n < TEN - 1:
            page.wait_for_function(
                "(name) => document.querySelector('[data-testid=task]')?.dataset.item !== name", arg=name
            )
            assert asked == []
    frames = page.evaluate("window.frames_after")
    assert [frame["asked"] for frame in frames] == [[]] * (TEN - 1)
    assert [frame["complete"] for frame in frames] == [True] * (TEN - 1)
    assert [frame["item"] for frame in frames] == list(typed)[1:]
    expect(page.get_by_test_id("finished")).to_be_visible()
    page.keyboard.press("Enter")
    keys += 1
    page.wait_for_url(re.compile(r"/packages/\d+/check$"))
    assert keys <= 3 * TEN
    wait_for(page, lambda: all(item["revision_no"] == 1 for item in desk.items()), "all handed in")
    assert {item["label"]: item["content"]["captions"] for item in desk.items()} == typed
    assert desk.faults == []


def test_the_help_sheet_and_the_palette_know_the_desks_keys(desk: Desk) -> None:
    page = desk.open()
    page.keyboard.press("Control+k")
    options = page.get_by_role("option")
    expect(options.filter(has_text="提交")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("palette")).to_be_hidden()
    assert focus(page).startswith("caption-")
    page.get_by_test_id("leave").focus()
    page.keyboard.press("?")
    sheet = page.get_by_test_id("help-sheet")
    expect(sheet).to_be_visible()
    for name in ("提交", "稍后再做", "命令"):
        expect(sheet).to_contain_text(name)
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    # Any item is a click away, or a few keys.
    places = page.locator("[data-testid^=place-]")
    expect(places).to_have_count(TEN)
    labels = [item["label"] for item in desk.items()]
    places.nth(6).click()
    expect(page.get_by_test_id("task")).to_have_attribute("data-item", labels[6])
    page.keyboard.press("Alt+j")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("task")).to_have_attribute("data-item", labels[5])
    assert focus(page).startswith("caption-")


# Bytes that came over the wire for the page and what it loaded, pictures left out.
SENT = """() => performance.getEntriesByType("navigation").concat(performance.getEntriesByType("resource"))
  .filter((one) => !one.name.includes("/media/"))
  .reduce((sum, one) => sum + one.transferSize, 0)"""


def test_the_desk_is_its_own_page_and_other_pages_are_a_link_away(desk: Desk) -> None:
    page = desk.open()
    assert [one for one in loaded(page) if re.search(r"/assets/(index|PickOne)-", one)] == []
    assert json.loads(page.locator("#answers").text_content() or "{}")["work"]["package"]["id"] == desk.package
    assert page.evaluate(SENT) < 350_000
    page.get_by_test_id("leave").click()
    page.wait_for_url(f"**/b/{SLUG}/packages/{desk.package}")
    expect(page.get_by_test_id("person-menu")).to_be_visible()
    assert [one for one in loaded(page) if "/assets/index-" in one] != []
    page.goto(f"/b/{SLUG}/work")
    page.locator("[data-testid^=continue-]").first.click()
    expect(page.get_by_test_id("task")).to_be_visible()
    assert [one for one in loaded(page) if "/assets/desk-" in one] != []
    page.go_back()
    expect(page.get_by_test_id("person-menu")).to_be_visible()
    assert desk.faults == []


def loaded(page: Page) -> list[str]:
    """Addresses of the scripts that this document loaded."""
    found: list[str] = page.evaluate("performance.getEntriesByType('resource').map((one) => one.name)")
    return found
