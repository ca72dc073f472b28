"""How long a hundred pictures with faces take: searching by the workers, then covering by keys in a browser.

``python -m tests.bench.covering [--pictures 100]`` starts an installation of its own, uploads pictures of 960 × 640
pixels with one to four drawn faces each, and waits until the workers have searched them. Then it presses the keys of a
person who agrees with every region, ``a`` and ``c``, as fast as the page shows the next picture, and prints one JSON
object:

- ``search_seconds``: from the last upload until all are searched, and how many that is for one picture;
- ``next_ms``: from the key that covers a picture until the next one with its regions can be painted;
- ``minutes``: what a hundred pictures take a person who looks at each for so many seconds before the keys;
- ``covered_seconds``: from the last key until the server has covered all of them, and destroyed the old files.

Needs the browser of ``tests/e2e``; nobody else should be at work on the machine.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any, Final

import psycopg
from playwright.sync_api import Page, expect, sync_playwright

from config.launch import valkey
from tests.bench.installation import ROOT, Installation
from tests.e2e.conftest import start_chromium
from tests.e2e.test_desk import log_in

SLUG: Final = "bench-covering"
LOOKS: Final = (1, 3, 5)  # seconds at each picture
SET_UP: Final = f"""
import io, sys, uuid
import numpy as np
from PIL import Image
from curation.images import services as images
from curation.people.models import Person
from curation.taxonomy.services import create_benchmark
from tests.faces import drawn_face, with_faces
from tests.people import person
benchmark = create_benchmark(
    actor=Person.objects.get(username="bench-owner"), slug="{SLUG}", preset="demo", client_key=uuid.uuid4(),
    title=dict.fromkeys(("zh-Hans", "zh-Hant", "en"), "Covering"),
)
people = {{role: person(f"covering-{{role}}", benchmark, role) for role in ("curator", "contributor")}}
category = benchmark.categories.first().slug
places = [(20, 20), (500, 40), (80, 360), (560, 340)]
for number in range(PICTURES):
    rng = np.random.default_rng(number)
    faces = [(left, top, drawn_face(int(rng.integers(32, 96)))) for left, top in places[: 1 + number % 4]]
    noise = rng.integers(-5, 6, (640, 960, 3))
    pixels = np.clip(with_faces(960, 640, faces) + noise, 0, 255).astype(np.uint8)
    # Each picture differs from all others by more than noise, or it would be taken for a copy.
    pixels[240:340] = np.repeat(rng.integers(0, 256, (1, 12, 3)), 80, axis=1)
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "PNG")
    images.upload_image(
        actor=people["contributor"], benchmark_slug="{SLUG}", file=io.BytesIO(out.getvalue()), source="own",
        licence="own-work", category=category, client_key=uuid.uuid4(),
    )
"""
# Both detectors have looked.
SEARCHED: Final = """
select count(*) from (select from curation_regionproposal group by image_id having count(*) = 2) as pictures
"""
COVERED: Final = "select count(*) from curation_image where pii_clear_by_id is not null"
# Waits until another picture than before is decoded and its regions are drawn, and says which.
SHOWN: Final = """async (before) => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  for (;;) {
    const page = document.querySelector("[data-testid=cover]");
    if (page && page.dataset.image !== before && document.querySelector("[data-testid=region]")) {
      const picture = new Image();
      picture.src = document.querySelector("[data-testid=stage] image").getAttribute("href");
      await picture.decode();
      return page.dataset.image;
    }
    await frame();
  }
}"""


def ready(state: Callable[[], int], goal: int, patience: float = 1_800) -> float:
    """Wait until a number reaches its goal; return the seconds."""
    started = time.monotonic()
    while state() < goal:
        assert time.monotonic() - started < patience
        time.sleep(0.5)
    return time.monotonic() - started


def shown(page: Page, before: str) -> str:
    return str(page.evaluate(SHOWN, before))


def walk(page: Page, pictures: int) -> list[float]:
    """Cover all pictures by keys; return the milliseconds until the next one was shown."""
    page.goto(f"/b/{SLUG}/pictures/cover")
    times, current = [], shown(page, "")
    for number in range(pictures):
        page.keyboard.press("a")
        expect(page.get_by_test_id("cover-save")).to_be_enabled()
        started = time.perf_counter()
        page.keyboard.press("c")
        if number == 0:  # what is final is said once
            page.get_by_test_id("cover-agree").click()
            started = time.perf_counter()
        if number == pictures - 1:
            page.get_by_test_id("empty").wait_for()
        else:
            current = shown(page, current)
            times.append((time.perf_counter() - started) * 1_000)
    page.keyboard.press("g")
    page.keyboard.press("h")  # leaving the page sends what could be undone until then
    return times


def counter(database: str, statement: str) -> Callable[[], int]:
    def count() -> int:
        with psycopg.connect(database) as connection:
            row = connection.execute(statement.encode()).fetchone()
        assert row is not None
        return int(row[0])

    return count


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=int, default=100)
    pictures = parser.parse_args().pictures
    with Installation() as here, sync_playwright() as playwright:
        servers = {"DATABASE_URL": here.database, "CELERY_BROKER_URL": valkey.broker_url(here.folder / "valkey")}
        words = [sys.executable, "manage.py", "shell"]
        given = SET_UP.replace("PICTURES", str(pictures))
        subprocess.run(words, cwd=ROOT, env=here.environment | servers, input=given, text=True, check=True)
        context = start_chromium(playwright).new_context(base_url=here.base, viewport={"width": 1366, "height": 768})
        log_in(context, "covering-curator")
        searched = ready(counter(here.database, SEARCHED), pictures)
        times = walk(context.new_page(), pictures)
        covered = ready(counter(here.database, COVERED), pictures)
    middle = statistics.median(times)
    figures: dict[str, Any] = {
        "pictures": pictures,
        "search_seconds": [round(searched, 1), round(searched / pictures, 2)],
        "next_ms": {"median": round(middle), "p95": round(statistics.quantiles(times, n=20)[-1])},
        "minutes": {f"{look} s": round(100 * (look + middle / 1_000) / 60, 1) for look in LOOKS},
        "covered_seconds": round(covered, 1),
    }
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
