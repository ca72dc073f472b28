"""Boxes in a real browser: drawn, named and submitted with keys alone, and with fingers alone, up to accepted items."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, CDPSession, Page, expect

from tests.e2e.conftest import Site
from tests.e2e.test_desk import log_in, post, wait_for

SLUG = "boxing"
# Four accepted pictures of pandas in subset A, of which two people draw the boxes in a package each.
SET_UP = f"""
import io, uuid
from annotation.packages import services as packages
from curation.images import services as images
from curation.images.models import Image
from curation.taxonomy.services import create_benchmark
from tests.people import person
from tests.pictures import jpeg
owner = person("boxing-owner", None, "owner")
benchmark = create_benchmark(
    actor=owner, slug="{SLUG}", title=dict.fromkeys(("zh-Hans", "zh-Hant", "en"), "{SLUG}"), preset="demo",
    client_key=uuid.uuid4(),
)
roles = ("admin", "curator", "contributor", "senior", "annotator")
people = {{role: person(f"boxing-{{role}}", benchmark, role) for role in roles}}
person("boxing-second", benchmark, "annotator")
made = [
    images.upload_image(
        actor=people["contributor"], benchmark_slug="{SLUG}", file=io.BytesIO(jpeg(seed)), source="own",
        licence="own-work", category="panda", client_key=uuid.uuid4(),
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
Image.objects.filter(pk__in=made).update(subset="A")
packages.build_packages(
    actor=people["admin"], benchmark_slug="{SLUG}", kind="boxes", size=2, seed=1, complete_only=False,
    client_key=uuid.uuid4(),
)
"""
# A senior accepts what was submitted, and a curator finds the drawn items right.
ACCEPT = """
from annotation.packages.models import Package
from annotation.quality import services as quality
from curation.people.models import Person
from tests.annotation.track import command, drawn, inspect, items_of, review
senior, curator = (Person.objects.get(username=f"boxing-{role}") for role in ("senior", "curator"))
package = command(quality.start_review, senior, Package.objects.get(pk=PACKAGE))
for item in items_of(package):
    review(senior, item)
command(quality.complete_review, senior, package)
for item_id in drawn(package):
    inspect(curator, item_id)
command(quality.complete_inspection, curator, package)
"""
RESTS_MS = 150
TELEPHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.fixture(scope="module")
def benchmark(site: Site) -> str:
    site.manage("shell", stdin=SET_UP)
    return SLUG


def claim(context: BrowserContext, username: str) -> int:
    log_in(context, username)
    package: int = post(context, f"/api/v1/benchmarks/{SLUG}/packages/claim", {"kind": "boxes"})["id"]
    return package


def items(context: BrowserContext, package: int) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = context.request.get(f"/api/v1/packages/{package}").json()["items"]
    return rows


def open_desk(context: BrowserContext, package: int) -> tuple[Page, list[str]]:
    page, faults = context.new_page(), list[str]()
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(f"/b/{SLUG}/work/{package}")
    expect(page.get_by_test_id("boxes-editor")).to_be_visible()
    return page, faults


def names(page: Page) -> list[str | None]:
    """What a screen reader says of each box."""
    return [one.get_attribute("aria-label") for one in page.get_by_test_id("region").all()]


def place_of(name: str | None) -> str:
    """A box's name without its size."""
    return (name or "").rpartition("，")[0]


def next_item(page: Page, submit: Callable[[], None]) -> None:
    name = page.get_by_test_id("task").get_attribute("data-item")
    submit()
    page.wait_for_function("(name) => document.querySelector('[data-testid=task]')?.dataset.item !== name", arg=name)


def accepted(site: Site, context: BrowserContext, package: int) -> list[dict[str, Any]]:
    """The items once others have checked them, which the tests of review and inspection do in the browser."""
    site.manage("shell", stdin=ACCEPT.replace("PACKAGE", str(package)))
    return [row for row in items(context, package) if row["state"] == "accepted"]


def test_boxes_by_keys_alone_up_to_accepted_items(
    site: Site, benchmark: str, context_in: Callable[..., BrowserContext], shot: Callable[..., None]
) -> None:
    context = context_in("zh-Hans", base_url=site.url, viewport={"width": 1366, "height": 768})
    package = claim(context, "boxing-annotator")
    count = len(items(context, package))
    page, faults = open_desk(context, package)
    press = page.keyboard.press
    for n in range(count):
        press("n")
        expect(page.get_by_role("combobox")).to_be_focused()
        page.keyboard.type("dxm")  # the first letters of 大熊猫 in pinyin
        press("Enter")
        # 256 and 176: a fifth of 480 pixels, in the middle of 640 × 480.
        assert names(page) == ["大熊猫，第 1 个，共 1 个，位于 272, 192，96 × 96 像素"]
        for keys in ("Shift+ArrowLeft", "ArrowUp", "Alt+ArrowRight", "Alt+Shift+ArrowDown"):
            press(keys)
        press("Control+d")
        for _ in range(8):
            press("Shift+ArrowRight")
        expect(page.get_by_test_id("region").last).to_be_focused()
        press("Control+z")  # the whole way back at once, and forth again
        press("Control+Shift+z")
        assert names(page) == [
            "大熊猫，第 1 个，共 2 个，位于 262, 191，97 × 106 像素",
            "大熊猫，第 2 个，共 2 个，位于 354, 203，97 × 106 像素",
        ]
        if n == 0:
            shot(page, "boxes-desk")
        next_item(page, lambda: press("Control+Enter"))
    expect(page.get_by_test_id("finished")).to_be_visible()
    wait_for(page, lambda: all(row["revision_no"] == 1 for row in items(context, package)), "all submitted")
    press("Enter")
    page.wait_for_url(re.compile(r"/packages/\d+/check$"))
    expect(page.get_by_test_id("region")).not_to_have_count(0)
    shot(page, "boxes-check")
    for _ in range(count):
        press("x")
    wait_for(page, lambda: all(row["checked"] for row in items(context, package)), "all ticked")
    press("Control+Enter")
    wait_for(
        page,
        lambda: context.request.get(f"/api/v1/packages/{package}").json()["state"] == "handed_over",
        "the package is submitted",
    )
    rows = accepted(site, context, package)
    assert len(rows) == count
    drawn = [[(box["category"], box["box"]) for box in row["content"]["boxes"]] for row in rows]
    assert drawn == [[("panda", [262, 191, 97, 106]), ("panda", [354, 203, 97, 106])]] * count
    page.goto(f"/b/{SLUG}/items/{rows[0]['id']}")
    expect(page.get_by_test_id("region")).to_have_count(2)
    shot(page, "boxes-item")
    assert faults == []


class Fingers:
    """Fingers on a page, by the browser's own protocol: Playwright has only taps."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._wire: CDPSession = page.context.new_cdp_session(page)

    def _send(self, event: str, *points: tuple[float, float]) -> None:
        touches = [{"x": x, "y": y, "id": n} for n, (x, y) in enumerate(points)]
        self._wire.send("Input.dispatchTouchEvent", {"type": event, "touchPoints": touches})

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Draw with one finger."""
        self._send("touchStart", start)
        for step in range(1, 6):
            self._send("touchMove", tuple(a + (b - a) * step / 5 for a, b in zip(start, end, strict=True)))  # type: ignore[arg-type]
        # A finger that rests before it leaves flings nothing: the browser would take the next tap as the end of that.
        self._page.wait_for_timeout(RESTS_MS)
        self._send("touchEnd")

    def pinch(self, middle: tuple[float, float], apart: float, to: float) -> None:
        """Move two fingers apart."""
        x, y = middle
        self._send("touchStart", (x - apart / 2, y))
        self._send("touchStart", (x - apart / 2, y), (x + apart / 2, y))
        for step in range(1, 6):
            now = apart + (to - apart) * step / 5
            self._send("touchMove", (x - now / 2, y), (x + now / 2, y))
        self._send("touchEnd")


def choose(page: Page) -> None:
    """Take the category of pandas for the box that was just drawn."""
    page.get_by_role("option", name="大熊猫").tap()
    expect(page.get_by_test_id("label-box")).to_have_count(0)


def near_the_middle(page: Page) -> tuple[float, float]:
    """A place of the window, up and left of the picture's middle, wherever the page was scrolled to."""
    stage = page.get_by_test_id("stage")
    stage.scroll_into_view_if_needed()
    box = stage.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2 - 100, box["y"] + box["height"] / 2 - 60


def test_boxes_by_touch_alone_up_to_accepted_items(
    site: Site, benchmark: str, context_in: Callable[..., BrowserContext], shot: Callable[..., None]
) -> None:
    context = context_in("zh-Hans", base_url=site.url, **TELEPHONE)
    package = claim(context, "boxing-second")
    count = len(items(context, package))
    page, faults = open_desk(context, package)
    fingers = Fingers(page)
    for n in range(count):
        left, top = near_the_middle(page)
        fingers.drag((left, top), (left + 60, top + 60))
        choose(page)
        expect(page.get_by_test_id("region")).to_have_count(1)
        fingers.drag((left + 90, top + 10), (left + 150, top + 80))
        expect(page.get_by_test_id("region")).to_have_count(2)
        shot(page, "boxes-labels-telephone")
        choose(page)
        # A tap selects; its corner is pulled from 20 pixels away; undone and done again by buttons.
        page.touchscreen.tap(left + 120, top + 45)
        before = place_of(names(page)[1])
        box = page.get_by_test_id("region").last.locator(".region-edge").bounding_box()
        assert box is not None
        corner = (box["x"] + box["width"] + 14, box["y"] + box["height"] + 14)
        fingers.drag(corner, (corner[0] + 20, corner[1] + 20))
        larger = page.get_by_test_id("region").last.locator(".region-edge").bounding_box()
        assert larger is not None
        assert (round(larger["width"] - box["width"]), round(larger["height"] - box["height"])) == (20, 20)
        assert place_of(names(page)[1]) == before
        page.get_by_test_id("do-regions.remove").tap()
        expect(page.get_by_test_id("region")).to_have_count(1)
        page.get_by_test_id("do-regions.undo").tap()
        expect(page.get_by_test_id("region")).to_have_count(2)
        if n == 0:
            scale = page.get_by_test_id("stage-scale").inner_text()
            left, top = near_the_middle(page)
            fingers.pinch((left + 100, top + 60), 60, 180)
            expect(page.get_by_test_id("stage-scale")).not_to_have_text(scale)
            expect(page.get_by_test_id("region")).to_have_count(2)
            shot(page, "boxes-telephone")
        next_item(page, lambda: page.get_by_test_id("submit").tap())
    expect(page.get_by_test_id("finished")).to_be_visible()
    wait_for(page, lambda: all(row["revision_no"] == 1 for row in items(context, package)), "all submitted")
    page.goto(f"/b/{SLUG}/packages/{package}/check")
    for row in items(context, package):
        page.get_by_test_id(f"tick-{row['label']}").tap()
    wait_for(page, lambda: all(row["checked"] for row in items(context, package)), "all ticked")
    page.get_by_test_id("submit-package").tap()
    wait_for(
        page,
        lambda: context.request.get(f"/api/v1/packages/{package}").json()["state"] == "handed_over",
        "the package is submitted",
    )
    assert len(accepted(site, context, package)) == count
    assert faults == []
