"""How smoothly boxes are drawn and moved on a large picture: frame times in a headless browser without a graphics card.

``python -m tests.bench.regions`` opens the built desk (``frontend/dist``) with an item of 60 boxes on a picture of
5184 × 3888 pixels. No server runs: the browser's requests are answered here. It draws a box, moves one, zooms and pans,
and prints one JSON object: for each the milliseconds between two frames, with one event of the pointer in each. Needs
the browser of ``tests/e2e``; nobody else should be at work on the machine.
"""

from __future__ import annotations

import io
import itertools
import json
import mimetypes
import os
import statistics
from pathlib import Path
from typing import Any, Final

import numpy as np
from PIL import Image
from playwright.sync_api import BrowserContext, Page, Route, sync_playwright

from tests.e2e.conftest import start_chromium

DIST: Final = Path(__file__).resolve().parents[2] / "frontend" / "dist"
BASE: Final = "http://bench.localhost"
WIDTH, HEIGHT = 5184, 3888
BOXES, MOVES = 60, 90
# One event in each frame, from one place to another, and the times of these frames.
PLAY = """async ({ from, to, steps, turn }) => {
  const stage = document.querySelector("[data-testid=stage] svg");
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const times = [await frame()];
  for (let step = 1; step <= steps; step += 1) {
    const along = (axis) => from[axis] + ((to[axis] - from[axis]) * step) / steps;
    const shared = { clientX: along(0), clientY: along(1), bubbles: true, cancelable: true };
    stage.dispatchEvent(
      turn === 0
        ? new PointerEvent("pointermove", { ...shared, pointerId: 1, pointerType: "mouse", buttons: 1 })
        : new WheelEvent("wheel", { ...shared, deltaY: step <= steps / 2 ? -turn : turn }),
    );
    times.push(await frame());
  }
  return times;
}"""


def named(name: str) -> dict[str, str]:
    return dict.fromkeys(("zh-Hans", "zh-Hant", "en"), name)


CATEGORIES = [
    {"code": f"category-{n}", "name": named(f"Category {n}"), "definition": None, "search": [f"category {n}"]}
    for n in range(92)
]
BOX = {
    "type": "record",
    "answer": False,
    "fields": {
        "category": {"type": "code", "list": "categories", "choices": CATEGORIES, "optional": False, "answer": False},
        "box": {"type": "numbers", "count": 4, "decimals": 2, "answer": False},
    },
}
RULES = {
    "kind": "boxes",
    "content": {
        "type": "record",
        "answer": False,
        "fields": {"boxes": {"type": "keyed", "of": BOX, "answer": True}},
    },
    "side_minimum": 8,
    "duplicate_percent": 90,
    "double_percent": 5,
    "human_checks": [],
    "review_reasons": [],
    "skip_reasons": [],
}


def content() -> dict[str, Any]:
    """Sixty boxes in rows over the whole picture, of twelve categories."""
    side = WIDTH / 10
    return {
        "boxes": [
            {
                "key": f"k{n}",
                "category": f"category-{n % 12}",
                "box": [n % 10 * side + 40, n // 10 * side + 80, side - 120, side - 140],
            }
            for n in range(BOXES)
        ]
    }


def answers() -> dict[str, Any]:
    """What the server writes into the desk's page: who is there, and the item."""
    session = {
        "person": {"id": 1, "username": "annotator", "name": "Annotator", "language": "en"},
        "is_owner": False,
        "benchmarks": [
            {
                "slug": "bench",
                "title": named("Bench"),
                "roles": [],
                "operations": ["work_next", "item_submit"],
                "kinds": ["boxes"],
                "teams": [],
            }
        ],
        "build": "1",
    }
    image = {
        "id": 1,
        "label": "img-000001",
        "view_url": "/bench/view.jpg",
        "clean_url": "/bench/clean.jpg",
        "thumb_url": "/bench/view.jpg",
        "width": WIDTH,
        "height": HEIGHT,
        "redaction_no": 0,
        "category": {"slug": "category-0", "name": named("Category 0")},
    }
    item = {
        "id": 1,
        "number": 1,
        "label": "box-000001",
        "position": 1,
        "state": "todo",
        "revision_no": 0,
        "image": image,
        "content": content(),
        "draft": {"base_no": 0, "seq": 1, "content": content()},
        "findings": [],
        "reasons": {},
        "language": None,
        "is_restored": False,
        "is_corrected": False,
        "returned": None,
        "skipped": None,
        "comments": 0,
        "checked": False,
    }
    package = {
        "id": 1,
        "number": 1,
        "label": "box-pkg-0001",
        "kind": "boxes",
        "state": "working",
        "round": 0,
        "revision": 1,
        "size": 1,
        "written": 0,
        "checked": 0,
        "reviewer": None,
        "assignee": {"id": 1, "name": "Annotator"},
        "state_changed_at": "2026-11-01T00:00:00Z",
        "available_actions": ["work_next", "item_submit"],
    }
    return {"session": session, "work": {"package": package, "rules": RULES, "guideline": None, "items": [item]}}


def picture(width: int, height: int) -> bytes:
    """A picture with texture, in colours that change everywhere."""
    random = np.random.default_rng(1)
    colours = Image.fromarray(random.integers(0, 256, (40, 60, 3), dtype=np.uint8)).resize((width, height))
    noise = random.integers(-12, 13, (height, width, 1), dtype=np.int16)
    out = io.BytesIO()
    shown = np.clip(np.asarray(colours, dtype=np.int16) + noise, 0, 255).astype(np.uint8)
    Image.fromarray(shown).save(out, "JPEG", quality=85)
    return out.getvalue()


def serve(context: BrowserContext) -> None:
    """Answer the browser from the built front end and from what is made here."""
    pictures = {"view.jpg": picture(1600, 1200), "clean.jpg": picture(WIDTH, HEIGHT)}
    inlined = json.dumps(answers()).replace("<", "\\u003c")
    desk = (DIST / "desk.html").read_text()
    desk = desk.replace("<!-- answers -->", f'<script type="application/json" id="answers">{inlined}</script>')

    def answer(route: Route) -> None:
        path = route.request.url.removeprefix(BASE).split("?")[0]
        file = DIST / path.lstrip("/")
        if path.startswith("/bench/"):
            route.fulfill(body=pictures[Path(path).name], content_type="image/jpeg")
        elif path.startswith("/b/"):
            route.fulfill(body=desk, content_type="text/html; charset=utf-8")
        elif file.is_file():
            route.fulfill(body=file.read_bytes(), content_type=mimetypes.guess_type(file.name)[0] or "text/plain")
        elif path.endswith("/draft"):
            route.fulfill(json={"seq": 1, "base_no": 0, "findings": [], "saved_at": "2026-11-01T00:00:00Z"})
        else:
            route.fulfill(json={}, status=404)

    context.route("**/*", answer)


Place = tuple[float, float]


def frames(page: Page, start: Place, end: Place, turn: int = 0) -> dict[str, float]:
    """Milliseconds between frames while the pointer moves, or the wheel turns there and back."""
    times: list[float] = page.evaluate(PLAY, {"from": start, "to": end, "steps": MOVES, "turn": turn})
    gaps = sorted(after - before for before, after in itertools.pairwise(times))
    return {
        "median_ms": round(statistics.median(gaps), 1),
        "p95_ms": round(gaps[int(len(gaps) * 0.95)], 1),
        "largest_ms": round(gaps[-1], 1),
    }


def drag(page: Page, start: Place, end: Place) -> dict[str, float]:
    """The same with a button held down."""
    page.mouse.move(*start)
    page.mouse.down()
    measured = frames(page, start, end)
    page.mouse.move(*end)
    page.mouse.up()
    return measured


def measure(page: Page) -> dict[str, dict[str, float]]:
    """Draw, move, zoom and pan."""
    stage = page.get_by_test_id("stage").bounding_box()
    assert stage is not None
    left, top = stage["x"] + stage["width"] / 2, stage["y"] + stage["height"] / 2
    figures = {"draw": drag(page, (left - 200, top - 150), (left + 200, top + 150))}
    page.get_by_test_id("label-box").wait_for()
    page.keyboard.press("Escape")
    page.keyboard.press("Delete")
    place = page.get_by_test_id("region").first.locator(".region-edge").bounding_box()
    assert place is not None
    middle = place["x"] + place["width"] / 2, place["y"] + place["height"] / 2
    page.mouse.click(*middle)
    figures["move"] = drag(page, middle, (middle[0] + 300, middle[1] + 220))
    figures["zoom"] = frames(page, (left, top), (left, top), turn=40)
    page.wait_for_timeout(500)
    for _ in range(3):
        page.get_by_role("button", name="Zoom in").click()
    page.locator('image[href="/bench/clean.jpg"]').wait_for(state="attached")
    page.wait_for_timeout(1_000)
    before = page.locator(".stage-svg").get_attribute("viewBox")
    page.keyboard.down("Space")
    figures["pan"] = drag(page, (left, top), (left + 250, top + 200))
    page.keyboard.up("Space")
    assert page.locator(".stage-svg").get_attribute("viewBox") != before
    assert page.get_by_test_id("region").count() == BOXES
    return figures


def main() -> None:
    """Measure once and print the figures."""
    with sync_playwright() as playwright:
        browser = start_chromium(playwright)
        context = browser.new_context(base_url=BASE, locale="en-GB", viewport={"width": 1366, "height": 768})
        serve(context)
        page = context.new_page()
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto("/b/bench/work/1")
        page.locator("[data-testid=region]").nth(BOXES - 1).wait_for(state="attached")
        page.wait_for_timeout(2_000)
        load = round(os.getloadavg()[0], 1)
        print(json.dumps({"boxes": BOXES, "pixels": WIDTH * HEIGHT, "load": load, **measure(page)}, indent=2))
        browser.close()
    assert faults == []


if __name__ == "__main__":
    main()
