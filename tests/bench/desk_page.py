"""How much the desk's page sends to a browser that has never been here, and when the first key counts.

``python -m tests.bench.desk_page http://localhost:8000`` signs in as the demo's annotator, opens the desk of the
package they hold nine times, each time in a browser with nothing kept, and prints one JSON object:

- ``sent_kb``: thousands of bytes the server sent before and while the desk opened, headers included, pictures left out;
- ``first_key_ms``: from the start of the navigation until a pressed key has put its letter into the first empty field;
- ``picture_ms``: until the open item's picture is decoded;
- ``ready_ms``: the later of the two, run by run; medians of all runs, with the runs themselves beside them.

A letter is pressed as soon as a field has the focus; the page itself notes when it arrives and when the picture can be
painted. What was typed is taken out again. Needs the browser of ``tests/e2e``, and an installation of the demo with
nobody else at work on the machine.
"""

from __future__ import annotations

import argparse
import json
import statistics
import urllib.parse
from typing import Any

from playwright.sync_api import Browser, Page, Response, sync_playwright

from curation.people.rules import DEMO_PASSWORD
from tests.e2e.conftest import start_chromium

SLUG = "lantern-demo"
KINDS_OF_PICTURE = ("image/webp", "image/jpeg", "image/png")
PATIENCE_MS = 20_000
# Runs before anything of the page does. ``performance.now()`` counts from the start of the navigation.
WATCH = """
window.seen = {};
addEventListener("input", (event) => {
  if (event.target instanceof HTMLTextAreaElement) window.seen.first_key_ms ??= performance.now();
}, true);
const look = () => {
  const shown = document.querySelector("[data-testid=stage] image")?.getAttribute("href");
  if (!shown) { requestAnimationFrame(look); return; }
  const picture = new Image();
  picture.src = shown;
  picture.decode().then(() => { window.seen.picture_ms = performance.now(); });
};
requestAnimationFrame(look);
"""


def cold(browser: Browser, base: str, cookies: list[Any], address: str) -> dict[str, float]:
    """Open the desk in a browser that keeps nothing but the session."""
    context = browser.new_context(base_url=base, locale="zh-CN", viewport={"width": 1366, "height": 768})
    context.add_cookies(cookies)
    context.add_init_script(WATCH)
    page = context.new_page()
    page.goto(address, wait_until="commit")
    page.wait_for_function("() => document.activeElement instanceof HTMLTextAreaElement", timeout=PATIENCE_MS)
    page.keyboard.press("x")
    page.wait_for_function("() => Object.keys(window.seen).length === 2", timeout=PATIENCE_MS)
    seen: dict[str, float] = page.evaluate("window.seen")
    take_back(page)
    context.close()
    return {**seen, "ready_ms": max(seen.values())}


def weigh(browser: Browser, base: str, cookies: list[Any], address: str) -> float:
    """Open the desk once more only to count what is sent, in thousands of bytes: listening to it takes time."""
    context = browser.new_context(base_url=base, locale="zh-CN", viewport={"width": 1366, "height": 768})
    context.add_cookies(cookies)
    page = context.new_page()
    wire = context.new_cdp_session(page)
    wire.send("Network.enable")
    kinds: dict[str, str] = {}
    sent: dict[str, float] = {}
    wire.on("Network.responseReceived", lambda e: kinds.update({e["requestId"]: e["response"]["mimeType"]}))
    wire.on("Network.loadingFinished", lambda e: sent.update({e["requestId"]: e["encodedDataLength"]}))
    page.goto(address, wait_until="networkidle")
    context.close()
    return sum(size for request, size in sent.items() if kinds.get(request) not in KINDS_OF_PICTURE) / 1_000


def take_back(page: Page) -> None:
    """Empty the field again, and wait until the draft says so."""
    slot = int(page.evaluate("document.activeElement.id.replace('caption-', '')"))

    def is_without(answer: Response) -> bool:
        sent = answer.request.post_data_json if answer.url.endswith("/draft") and answer.ok else None
        return sent is not None and sent["content"]["captions"][slot - 1] == ""

    with page.expect_response(is_without):
        page.keyboard.press("Control+a")
        page.keyboard.press("Delete")


def measure(base: str, runs: int) -> dict[str, Any]:
    """Sign in once, open the desk so many times."""
    with sync_playwright() as playwright:
        browser = start_chromium(playwright)
        context = browser.new_context(base_url=base)
        context.request.get("/_allauth/browser/v1/config")
        token = next(cookie["value"] for cookie in context.cookies() if cookie["name"] == "csrftoken")
        context.request.post(
            "/_allauth/browser/v1/auth/login",
            data={"username": "annotator", "password": DEMO_PASSWORD},
            headers={"X-CSRFToken": token},
        )
        waiting = context.request.get(f"/api/v1/benchmarks/{SLUG}/waiting").json()
        address = f"/b/{SLUG}/work/{waiting['working'][0]['id']}"
        cookies = context.cookies()
        sent_kb = round(weigh(browser, base, cookies, address), 1)
        found = [cold(browser, base, cookies, address) for _ in range(runs)]
        browser.close()
    medians = {name: round(statistics.median(run[name] for run in found), 1) for name in found[0]}
    return {
        **medians,
        "sent_kb": sent_kb,
        "runs": [{name: round(value, 1) for name, value in run.items()} for run in found],
    }


def main() -> None:
    """Measure what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("base", help="where the installation answers, for example http://localhost:8000")
    parser.add_argument("--runs", type=int, default=9)
    options = parser.parse_args()
    base = urllib.parse.urlunsplit(urllib.parse.urlsplit(options.base)._replace(path="", query="", fragment=""))
    print(json.dumps(measure(base, options.runs), indent=1))


if __name__ == "__main__":
    main()
