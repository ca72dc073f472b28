"""Expressions in a real browser: written about boxes, looked for by clicks, returned, found, and decided about."""

import uuid
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.conftest import Site
from tests.e2e.pair_benchmark import set_up
from tests.e2e.test_desk import log_in, post, wait_for

SLUG = "grounding"
# Two accepted pictures of pandas in subset A, with accepted boxes that the senior drew.
SET_UP = set_up(
    SLUG,
    "ground",
    annotators=("writer", "first", "second"),
    english=("first", "senior"),
    subset="A",
    pictures=2,
    then="""
from tests.annotation.pairs import accepted_boxes
for image in pictures:
    accepted_boxes(here, image)
""",
)
TEXTS = ["最左边的熊猫", "抱着碗的熊猫", "最右边的熊猫"]
MIDDLES = dict(zip(TEXTS, ((60, 60), (250, 80), (450, 60)), strict=True))
TELEPHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.fixture(scope="module")
def benchmark(site: Site) -> str:
    site.manage("shell", stdin=SET_UP)
    return SLUG


def open_page(context: BrowserContext, address: str) -> Page:
    page = context.new_page()
    page.goto(f"/b/{SLUG}{address}")
    return page


def place_on(page: Page, x: float, y: float) -> tuple[float, float]:
    """Where a point of the picture is in the window."""
    at = page.evaluate(
        "([x, y]) => { const svg = document.querySelector('.stage-svg');"
        " const at = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM()); return [at.x, at.y]; }",
        [x, y],
    )
    return at[0], at[1]


def text_to_find(page: Page, position: int) -> str:
    expect(page.get_by_test_id("click-item")).to_have_attribute("data-position", str(position))
    page.wait_for_timeout(450)  # nobody answers faster: a press then is the rest of a double click
    return page.get_by_test_id("text-to-find").inner_text()


def state_of(context: BrowserContext, item: str) -> str:
    board = context.request.get(f"/api/v1/benchmarks/{SLUG}/team-board?kind=grounding").json()
    [state] = [row["state"] for picture in board["results"] for row in picture["items"] if row["label"] == item]
    return str(state)


def write(page: Page, texts: list[str]) -> str:
    """Write expressions by keys alone; return the item's label."""
    for n, text in enumerate(texts):
        field = page.get_by_test_id(f"expression-k{n}")
        expect(field).to_be_focused()
        page.keyboard.press("Control+a")
        page.keyboard.type(text)
        page.keyboard.press("ArrowDown")
    label = page.get_by_test_id("task").get_attribute("data-item") or ""
    page.keyboard.press("Control+Enter")
    expect(page.get_by_test_id("team-done")).to_be_visible()
    wait_for(page, lambda: state_of(page.context, label) == "made", "it is submitted")
    return label


def test_expressions_are_written_missed_corrected_and_found(
    site: Site, benchmark: str, context_in: Callable[..., BrowserContext], shot: Callable[..., None]
) -> None:
    wide: dict[str, Any] = {"base_url": site.url, "viewport": {"width": 1366, "height": 768}}
    writer = context_in("zh-Hans", **wide)
    log_in(writer, "ground-writer")
    board = open_page(writer, "/write?kind=grounding")
    shot(board, "grounding-board")
    board.get_by_test_id("create-img-0001").click()
    expect(board.get_by_test_id("grounding-editor")).to_be_visible()
    shot(board, "grounding-editor")
    # A press on the third object goes to its field.
    board.mouse.click(*place_on(board, 450, 60))
    expect(board.get_by_test_id("expression-k2")).to_be_focused()
    board.get_by_test_id("expression-k0").focus()
    item = write(board, ["左边的熊猫", *TEXTS[1:]])
    MIDDLES["左边的熊猫"] = MIDDLES[TEXTS[0]]

    first = context_in("en", base_url=site.url, **TELEPHONE)
    log_in(first, "ground-first")
    page = open_page(first, "")
    expect(page.get_by_test_id("todo-pair_click")).to_contain_text("1 picture waits")
    page = open_page(first, "/write/click")
    shot(page, "click-start-telephone")
    page.get_by_test_id("start").tap()
    for position in (1, 2, 3):
        text = text_to_find(page, position)
        if position == 1:
            shot(page, "click-telephone")
            heights = [page.get_by_test_id(f"answer-{one}").bounding_box() for one in ("point", "not-found", "several")]
            assert all(box is not None and box["height"] >= 44 for box in heights)
        if text == TEXTS[1]:
            page.get_by_test_id("answer-not-found").tap()
            continue
        page.touchscreen.tap(*place_on(page, *MIDDLES[text]))
        expect(page.get_by_test_id("crosshair")).to_be_visible()
        if position == 3:
            shot(page, "click-crosshair-telephone")
        page.get_by_test_id("answer-point").tap()
    expect(page.get_by_test_id("click-done")).to_be_visible()
    assert state_of(writer, item) == "returned"

    board.goto(f"/b/{SLUG}/write?kind=grounding&show=returned")
    board.get_by_test_id(f"item-{item}").get_by_role("link").click()
    expect(board.get_by_test_id("click-rounds")).to_contain_text("没有找到")
    expect(board.get_by_test_id("click-mark")).to_have_count(2)
    shot(board, "grounding-returned")
    write(board, TEXTS)

    second = context_in("zh-Hans", **wide)
    log_in(second, "ground-second")
    page = open_page(second, "/write/click")
    expect(page.get_by_test_id("start")).to_be_visible()
    page.keyboard.press("Enter")
    for position in (1, 2, 3):
        text = text_to_find(page, position)
        x, y = MIDDLES[text]
        if position == 1:
            shot(page, "click")
            move_crosshair(page, x, y)
            shot(page, "click-crosshair")
            page.keyboard.press("Enter")
        else:
            page.mouse.click(*place_on(page, x, y))
    expect(page.get_by_test_id("click-done")).to_be_visible()
    shot(page, "click-done")
    assert state_of(writer, item) == "accepted"


def move_crosshair(page: Page, x: float, y: float) -> None:
    """Move the crosshair from the middle of the picture to a point, by keys."""
    to_x, to_y = place_on(page, x, y)
    from_x, from_y = place_on(page, 320, 240)
    for distance, keys in ((to_x - from_x, ("ArrowLeft", "ArrowRight")), (to_y - from_y, ("ArrowUp", "ArrowDown"))):
        steps = round(abs(distance) / 4)  # pixels of the screen
        key = keys[distance > 0]
        for _ in range(steps // 10):
            page.keyboard.press(f"Shift+{key}")
        for _ in range(steps % 10):
            page.keyboard.press(key)


def fail(context: BrowserContext) -> None:
    """Find nothing in the next item: the first text beside all objects."""
    held: dict[str, Any] | None
    held = post(context, f"/api/v1/benchmarks/{SLUG}/clicking/claim", {"kind": "grounding"})["item"]
    while held is not None:
        token = next(cookie["value"] for cookie in context.cookies() if cookie["name"] == "csrftoken")
        body = {"position": held["position"], "answer": "not_found", "client_key": str(uuid.uuid4())}
        if held["position"] == 1:
            body |= {"answer": "point", "x": 300, "y": 260}
        answer = context.request.post(f"/api/v1/items/{held['id']}/click", data=body, headers={"X-CSRFToken": token})
        assert answer.status == 204, answer.text()
        held = context.request.get(f"/api/v1/benchmarks/{SLUG}/clicking?kind=grounding").json()["item"]


def test_a_senior_decides_about_what_two_people_did_not_find(
    site: Site, benchmark: str, context_in: Callable[..., BrowserContext], shot: Callable[..., None]
) -> None:
    wide: dict[str, Any] = {"base_url": site.url, "viewport": {"width": 1366, "height": 768}}
    writer, first, second = (context_in("en", **wide) for _ in range(3))
    for context, name in ((writer, "writer"), (first, "first"), (second, "second")):
        log_in(context, f"ground-{name}")
    page = open_page(writer, "/write?kind=grounding")
    page.get_by_test_id("create-img-0002").click()
    item = write(page, TEXTS)
    fail(first)
    page.goto(f"/b/{SLUG}/write?kind=grounding&show=returned")
    page.get_by_test_id(f"item-{item}").get_by_role("link").click()
    shot(page, "grounding-returned-en")
    page.set_viewport_size(TELEPHONE["viewport"])
    shot(page, "grounding-returned-telephone", full_page=True)
    page.set_viewport_size(wide["viewport"])
    write(page, TEXTS)
    fail(second)

    senior = context_in("en", **wide)
    log_in(senior, "ground-senior")
    page = open_page(senior, "/write?kind=grounding")
    expect(page.get_by_test_id("validate")).to_contain_text("Decide 1")
    page.get_by_test_id("validate").click()
    expect(page.get_by_test_id("click-rounds")).to_contain_text("Not found")
    expect(page.get_by_test_id("click-mark")).to_have_count(2)
    shot(page, "decide")
    page.set_viewport_size(TELEPHONE["viewport"])
    shot(page, "decide-telephone", full_page=True)
    page.set_viewport_size(wide["viewport"])
    page.keyboard.press("e")
    expect(page.get_by_test_id("expression-k0")).to_be_focused()
    shot(page, "decide-correct")
    page.keyboard.press("End")
    page.keyboard.type("子")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Nothing to decide")).to_be_visible()
    assert state_of(senior, item) == "made"
