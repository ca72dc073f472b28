"""Two days of a team, by keys alone and in simplified Chinese: from the guidelines to a package that passed.

Nobody touches a mouse: everything is typed or pressed, and after each press the focus is where the next one works.
``SCREENSHOTS=folder`` takes every state (empty, findings, offline, conflict, returned, passed …) on a small and on a
large screen, light and dark.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.conftest import Site
from tests.e2e.test_desk import PASSWORD, log_in, post
from tests.sentences import five_captions

SLUG = "days"
TEN = 10
SIZES = ((1366, 768), (1920, 1080))
# Drawn scenes, so that the states can be looked at; people with names as they are.
SET_UP = f"""
import io, uuid
from pathlib import Path
from curation.images import services as images
from curation.taxonomy.services import create_benchmark
from fixtures import scenes
from tests.people import person
owner = person("days-owner", None, "owner")
titles = {{"zh-Hans": "两天", "zh-Hant": "兩天", "en": "Two days"}}
# Nothing is searched for, so that no region is proposed in the moment in which the pictures are ticked.
text = Path("fixtures/protocols/demo.yaml").read_text().replace("propose: [faces, text]", "propose: []")
benchmark = create_benchmark(actor=owner, slug="{SLUG}", title=titles, text=text, client_key=uuid.uuid4())
names = {{"admin": "陈曦", "curator": "周宁", "senior": "王芳", "annotator": "李雷", "contributor": "吴𠮷"}}
people = {{role: person(f"days-{{role}}", benchmark, role) for role in names}}
for role, name in names.items():
    people[role].name = name
    people[role].save(update_fields=["name"])
category = benchmark.categories.first().slug
made = [
    images.upload_image(
        actor=people["contributor"], benchmark_slug="{SLUG}", file=io.BytesIO(scenes.encode(scenes.scene(seed))),
        source="own", licence="own-work", category=category, client_key=uuid.uuid4(),
    ).image_id
    for seed in scenes.distinct_seeds({2 * TEN})
]
verdicts = [images.Verdict(image_id=i, no=0, outcome="accepted", client_key=uuid.uuid4()) for i in made]
for done in (
    *images.judge_images(actor=people["curator"], benchmark_slug="{SLUG}", verdicts=verdicts),
    *images.clear_images(actor=people["curator"], benchmark_slug="{SLUG}", marks=[(i, uuid.uuid4()) for i in made]),
):
    if done.error is not None:
        raise done.error
"""


@dataclass
class Desk:
    """One person at a keyboard."""

    role: str
    page: Page
    shot: Callable[..., None]
    faults: list[str]

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def type(self, text: str) -> None:
        self.page.keyboard.insert_text(text)

    def sees(self, test_id: str) -> None:
        expect(self.page.get_by_test_id(test_id).first).to_be_visible()

    def at(self, pattern: str) -> None:
        self.page.wait_for_url(re.compile(pattern))

    def focus(self) -> str:
        return str(self.page.evaluate("document.activeElement?.id ?? ''"))

    def panel(self, name: str) -> None:
        """The panel is open and has the focus."""
        expect(self.page.locator(f"[data-testid=panel-{name}] :focus")).to_be_visible()

    def item(self) -> str:
        found = self.page.get_by_test_id("task").get_attribute("data-item")
        assert found is not None
        return found

    def write(self, texts: list[str], first: int = 1) -> None:
        """Type from the field that has the focus on, one field after the other."""
        for slot, text in enumerate(texts, first):
            if slot > first:
                self.press("Enter")
            assert self.focus() == f"caption-{slot}"
            self.press("Control+a")
            self.type(text)

    def hand_in(self) -> None:
        before = self.item()
        self.press("Control+Enter")
        if self.page.get_by_test_id("task").count():
            expect(self.page.get_by_test_id("task").or_(self.page.get_by_test_id("finished"))).to_be_visible()
            self.page.wait_for_function(
                "(name) => document.querySelector('[data-testid=task]')?.dataset.item !== name", arg=before
            )

    def saved(self, state: str = "saved") -> None:
        expect(self.page.get_by_test_id("save-state")).to_have_attribute("data-state", state)

    def take(self, name: str) -> None:
        """A picture of what they see, on both screens, by day and by night."""
        for scheme in ("light", "dark"):
            for width, height in SIZES:
                self.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
                self.page.set_viewport_size({"width": width, "height": height})
                self.shot(self.page, f"days-{name}-{width}-{scheme}")
        self.page.emulate_media(color_scheme="light")
        self.page.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})


@dataclass
class Team:
    site: Site
    open_context: Callable[..., BrowserContext]
    shot: Callable[..., None]
    admin: BrowserContext

    def __post_init__(self) -> None:
        self.desks: dict[str, Desk] = {}

    def __getitem__(self, role: str) -> Desk:
        """Somebody's desk; the first time they sign in by keyboard."""
        if role not in self.desks:
            context = self.open_context(
                "zh-Hans", base_url=self.site.url, viewport={"width": SIZES[0][0], "height": SIZES[0][1]}
            )
            page = context.new_page()
            faults: list[str] = []
            page.on("pageerror", lambda error: faults.append(f"{role}: {error}"))
            page.goto("/")
            expect(page.get_by_test_id("username")).to_be_focused()
            page.keyboard.type(f"days-{role}")
            page.keyboard.press("Tab")
            page.keyboard.type(PASSWORD)
            page.keyboard.press("Enter")
            expect(page.get_by_test_id("person-menu")).to_be_visible()
            self.desks[role] = Desk(role, page, self.shot, faults)
        return self.desks[role]

    def publish_guidelines(self, base_version: int, text: str, note: str) -> None:
        body = {"base_version": base_version, "text": {"zh-Hans": text}, "note": note, "client_key": str(uuid.uuid4())}
        post(self.admin, f"/api/v1/benchmarks/{SLUG}/guidelines/captions", body)

    def packages(self) -> dict[str, dict[str, Any]]:
        found = self.admin.request.get(f"/api/v1/benchmarks/{SLUG}/packages").json()["results"]
        return {package["label"]: package for package in found}


@pytest.fixture
def team(site: Site, context_in: Callable[..., BrowserContext], shot: Callable[..., None]) -> Team:
    site.manage("shell", stdin=SET_UP)
    admin = context_in(base_url=site.url)
    log_in(admin, "days-admin")
    build = {"kind": "captions", "size": TEN, "seed": 1, "client_key": str(uuid.uuid4())}
    post(admin, f"/api/v1/benchmarks/{SLUG}/packages/build", build)
    return Team(site, context_in, shot, admin)


def test_two_days_by_keys_alone(team: Team) -> None:
    team.publish_guidelines(0, "# 怎样写\n\n- 写出**所有**重要的东西\n- 不写人名", "第一版")
    first_morning(team["annotator"])
    first_afternoon(team["senior"])
    assert state_of(team, 1) == "returned"

    team.publish_guidelines(1, "# 怎样写\n\n- 写出**所有**重要的东西\n- 不写人名\n- 颜色要写对", "加了颜色一条")
    second_morning(team["annotator"])
    review_again(team["senior"])
    assert state_of(team, 1) == "inspecting"
    inspect(team["curator"])
    assert state_of(team, 1) == "passed"
    second_afternoon(team["annotator"])
    assert state_of(team, 2) == "handed_over"
    look_over(team["admin"])
    assert [fault for desk in team.desks.values() for fault in desk.faults] == []


def state_of(team: Team, number: int) -> str:
    return str(team.packages()[f"cap-pkg-{number:04d}"]["state"])


def first_morning(me: Desk) -> None:
    """Guidelines, ten items, one left out, one with a remark, one while the network is away; self-check; hand-over."""
    me.sees("todos")
    me.take("home-annotator")
    me.press("Enter")
    me.at(r"/work$")
    me.sees("claim-captions")
    me.press("Enter")
    me.at(r"/work/\d+")
    me.sees("guideline-unconfirmed")
    me.take("guidelines")
    me.press("Alt+a")
    expect(me.page.get_by_test_id("rules")).to_be_hidden()
    expect(me.page.get_by_test_id("caption-1")).to_be_focused()
    me.take("empty")

    for n in range(TEN):
        texts = five_captions(n)["captions"]
        if n == 0:
            me.write([texts[0], f"{texts[0][:-2]}呀", "太短"])
            expect(me.page.locator("[data-testid^=finding-]").first).to_be_visible()
            me.take("findings")
            me.press("ArrowUp", "ArrowUp")
            me.write(texts)
            me.saved()
            me.take("full")
        elif n == 7:
            me.press("Alt+s")
            me.panel("skip")
            me.press("1")
            me.take("skip")
            before = me.item()
            me.press("Control+Enter")
            expect(me.page.get_by_test_id("task")).not_to_have_attribute("data-item", before)
            continue
        elif n == 8:
            me.write(texts)
            me.press("Alt+c")
            me.panel("comments")
            me.type("这张图里的 𠮷 字看得清吗？@")
            me.press("Enter")
            me.press("Control+Enter")
            expect(me.page.get_by_test_id("comments")).to_contain_text("看得清吗")
            me.take("comments")
            me.press("Escape")
            expect(me.page.get_by_test_id("panel-comments")).to_be_hidden()
        else:
            me.write(texts)
        if n == 9:
            me.page.context.set_offline(True)
            me.hand_in()
            me.saved("offline")
            me.take("offline")
            me.page.context.set_offline(False)
            me.saved()
        else:
            me.hand_in()
    me.sees("finished")
    me.take("finished")
    self_check(me, "self-check")


def self_check(me: Desk, name: str) -> None:
    """Every item once more, then the whole package goes."""
    me.press("Enter")
    me.at(r"/check$")
    me.sees("ticked")
    ticked = me.page.get_by_test_id("ticked")
    while True:
        done, of = map(int, re.findall(r"\d+", ticked.inner_text())[:2])
        if done == of:
            break
        me.press("x")
        expect(ticked).to_contain_text(re.compile(rf"\b{done + 1} / {of}\b"))
    me.take(name)
    me.press("Control+Enter")
    me.at(r"/packages/\d+$")


def first_afternoon(me: Desk) -> None:
    """The senior accepts, corrects, agrees with what was left out, sends one back."""
    me.sees("todos")
    me.take("home-senior")
    open_review(me)
    cards = me.page.locator("[data-testid^=card-]")
    expect(cards).to_have_count(TEN)
    me.take("review")
    for n in range(TEN):
        if n == 2:
            me.press("r")
            me.sees("reason-form")
            me.press("1")
            me.take("review-reason")
            me.press("Control+Enter")
        elif n == 4:
            me.press("e")
            me.sees("correct-form")
            me.press("Control+a")
            me.type(five_captions(50)["captions"][0])
            me.press("Control+Enter")
            expect(me.page.get_by_test_id("correct-form")).to_be_hidden()
        else:
            me.press("a")
        expect(me.page.get_by_test_id("decided")).to_contain_text(str(n + 1))
        if n == 5:
            me.press("z")
            expect(me.page.get_by_test_id("decided")).to_contain_text("5")
            me.press("a")
            expect(me.page.get_by_test_id("decided")).to_contain_text("6")
    me.take("review-done")
    me.press("Control+Enter")
    me.at(r"/packages/\d+$")


def go_on_with_the_package(me: Desk) -> None:
    """From what waits at home to the package, and on with what comes next there."""
    me.press("Enter")
    me.at(r"/packages/\d+$")
    expect(me.page.locator("[data-testid^=step-]")).to_be_visible()
    me.press("Enter")


def open_review(me: Desk) -> None:
    go_on_with_the_package(me)
    me.at(r"/review$")
    me.sees("decided")


def second_morning(me: Desk) -> None:
    """The bell says what came back; new guidelines are read first; one item is mended."""
    me.press("g", "n")
    me.at(r"/notices$")
    me.take("notices")
    me.press("g", "h")
    me.sees("todo-returned")
    me.take("home-returned")
    go_on_with_the_package(me)
    me.at(r"/work/\d+")
    me.sees("guideline-unconfirmed")
    me.take("guidelines-new")
    me.press("Alt+a")
    expect(me.page.get_by_test_id("rules")).to_be_hidden()
    me.sees("returned")
    me.take("returned")
    me.write(five_captions(60)["captions"], first=int(me.focus()[-1]))
    me.hand_in()
    me.sees("finished")
    me.saved()
    self_check(me, "self-check-again")


def review_again(me: Desk) -> None:
    me.press("g", "h")
    me.sees("todos")
    open_review(me)
    history_leaves_the_picture_in_view(me)
    me.press("a")
    me.press("Control+Enter")
    me.at(r"/packages/\d+$")


def history_leaves_the_picture_in_view(me: Desk) -> None:
    """An item's earlier texts make its card longer; the picture is whole on the screen before and after."""
    card = me.page.locator("[data-testid^=card-][aria-current=true]")
    for is_open in (False, True):
        if is_open:
            card.locator("[data-testid^=history-]").click()
            me.sees("history")
        box = card.locator("img").first.bounding_box()
        assert box is not None
        assert (box["y"] >= 0, box["y"] + box["height"] <= 768) == (True, True), (is_open, box)
    me.press("Escape")
    expect(me.page.get_by_test_id("history")).to_be_hidden()


def inspect(me: Desk) -> None:
    """Three drawn items and the corrected one; the interval after."""
    me.sees("todos")
    me.take("home-curator")
    go_on_with_the_package(me)
    me.at(r"/inspection$")
    me.sees("draw")
    me.take("inspection")
    cards = me.page.locator("[data-testid^=card-]").count()
    for _ in range(cards):
        me.press("a")
    me.press("Control+Enter")
    me.sees("result")
    me.take("passed")


def second_afternoon(me: Desk) -> None:
    """Good news, another package, and two tabs that meet."""
    me.press("g", "n")
    me.take("notices-passed")
    me.press("g", "h")
    me.sees("todos")
    me.press("Enter")
    me.at(r"/work$")
    me.sees("claim-captions")
    me.press("Enter")
    me.at(r"/work/\d+")
    expect(me.page.get_by_test_id("caption-1")).to_be_focused()
    texts = five_captions(70)["captions"]
    me.write(texts)
    me.hand_in()
    me.saved()
    conflict(me)
    for n in range(1, TEN):
        me.write(five_captions(70 + n)["captions"])
        me.hand_in()
    me.sees("finished")
    me.saved()
    self_check(me, "self-check-second")


def conflict(me: Desk) -> None:
    """The same item open twice: the later tab sees both texts and what they came from."""
    shown = me.item()
    me.press("PageUp")
    expect(me.page.locator(f"[data-testid=task]:not([data-item='{shown}'])")).to_be_visible()
    expect(me.page.get_by_test_id("caption-1")).to_have_value(re.compile("."))
    address = re.sub(r"\?.*", "", me.page.url)
    label = me.item()
    items = me.page.context.request.get(f"/api/v1/packages/{address.rsplit('/', 1)[1]}").json()["items"]
    [item] = [one["id"] for one in items if one["label"] == label]
    other = Desk(me.role, me.page.context.new_page(), me.shot, me.faults)
    other.page.goto(f"{address}?item={item}")
    expect(other.page.get_by_test_id("caption-1")).to_have_value(re.compile("."))
    other.page.get_by_test_id("caption-1").focus()
    other.press("Control+a")
    other.type(five_captions(82)["captions"][0])
    me.page.bring_to_front()
    me.page.get_by_test_id("caption-1").focus()
    me.press("Control+a")
    me.type(five_captions(81)["captions"][0])
    me.hand_in()
    me.saved()
    other.page.bring_to_front()
    other.press("Control+Enter")
    other.saved("conflict")
    if not other.page.get_by_test_id("conflict").is_visible():
        other.page.get_by_test_id("save-state").focus()
        other.press("Enter")
    other.sees("conflict")
    other.take("conflict")
    other.press("m")
    other.press("Control+Enter")
    other.saved()
    other.page.close()
    me.page.bring_to_front()


def look_over(me: Desk) -> None:
    """The admin's board, the statistics, the lists that the numbers open."""
    me.sees("board")
    me.take("home-admin")
    for key, name in (("p", "packages"), ("t", "items"), ("q", "quality")):
        me.press("g", key)
        expect(me.page.locator("main h1")).to_be_visible()
        me.page.wait_for_load_state("networkidle")
        me.take(name)
