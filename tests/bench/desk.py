"""How fast the desk is: next item, draft, submit, over HTTP against a running installation.

``python -m tests.bench.desk http://localhost:8000`` signs in as the demo's people, makes a benchmark of its own with
annotators and drawn pictures in packages, and lets 1 and then 8 annotators write without a pause. A refusal is printed
and ends the run with 1. It leaves that benchmark behind, so run it against an installation that may be thrown away.
"""

import argparse
import http.cookiejar
import json
import statistics
import sys
import threading
import time
import urllib.error
import urllib.request
import uuid
from typing import Any

from curation.people.rules import DEMO_PASSWORD
from fixtures import scenes
from tests.bench.pictures import Sender
from tests.sentences import five_captions


class Browser:
    """One session, signed in unless no name is given."""

    def __init__(self, base: str, username: str, password: str) -> None:
        self.base = base
        self.cookies = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))
        self.send("GET", "/_allauth/browser/v1/config")
        if not username:
            return
        self.send("POST", "/_allauth/browser/v1/auth/login", {"username": username, "password": password})

    def send(
        self, method: str, path: str, body: dict[str, Any] | None = None, data: bytes = b"", kind: str = ""
    ) -> Any:
        """Send a request and return its JSON; a refusal raises."""
        token = next((c.value for c in self.cookies if c.name == "csrftoken"), "")
        headers = {"X-CSRFToken": token or "", "Content-Type": kind or "application/json", "Referer": self.base}
        sent = data or (json.dumps(body).encode() if body is not None else None)
        request = urllib.request.Request(self.base + path, sent, headers, method=method)
        with self.opener.open(request, timeout=60) as answer:
            return json.load(answer)


def bring(base: str, slug: str, contributor: Browser, curator: Browser, count: int) -> None:
    """Bring drawn pictures in, accept them and mark them."""
    here = f"/api/v1/benchmarks/{slug}"
    sender = Sender(base, "", contributor.cookies, slug)
    ids = [sender.upload(f"{seed}.jpg", scenes.encode(scenes.scene(seed))) for seed in range(count)]
    while sender.call("GET", f"{here}/uploads?page_size=1")["waiting"]:
        time.sleep(0.5)
    category = sender.call("GET", here)["categories"][0]["slug"]
    details = {"source": "own", "licence": "own-work", "category": category}
    sender.call("POST", f"{here}/uploads/describe", {"ids": ids, "details": details})
    taken = sender.call("POST", f"{here}/uploads/take", {"ids": ids, "client_key": key()})["results"]
    images = [row["image"]["id"] for row in taken]
    verdicts = [{"image": i, "no": 0, "outcome": "accepted", "client_key": key()} for i in images]
    curator.send("POST", f"{here}/images/judge", {"verdicts": verdicts})
    marks = [{"image": i, "client_key": key()} for i in images]
    curator.send("POST", f"{here}/images/clear-personal-information", {"images": marks})


def prepare(base: str, annotators: int, each: int) -> list[Browser]:
    """Make a benchmark whose annotators each find a package of ``each`` items."""
    owner = Browser(base, "owner", DEMO_PASSWORD)
    slug = f"bench-{uuid.uuid4().hex[:8]}"
    title = dict.fromkeys(("zh-Hans", "zh-Hant", "en"), slug)
    owner.send("POST", "/api/v1/benchmarks", {"slug": slug, "title": title, "preset": "demo", "client_key": key()})

    here = f"/api/v1/benchmarks/{slug}"

    def person(role: str, n: int = 0) -> Browser:
        username = f"{slug}-{role}{n}"
        invited = owner.send("POST", f"{here}/invitations", {"roles": [role], "note": "", "client_key": key()})
        given = {"token": invited["token"], "username": username, "name": username, "password": DEMO_PASSWORD}
        Browser(base, "", "").send("POST", "/api/v1/invitations/accept", given)
        made = Browser(base, username, DEMO_PASSWORD)
        asked = made.send("GET", f"{here}/consent")
        agreed = {"text_sha256": asked["text_sha256"], "eligibility": [e["code"] for e in asked["eligibility"]]}
        made.send("POST", f"{here}/consent", agreed | {"client_key": key()})
        return made

    contributor, curator, admin = person("contributor"), person("curator"), person("admin")
    bring(base, slug, contributor, curator, annotators * each)
    build = {"kind": "captions", "size": each, "client_key": key()}
    admin.send("POST", f"/api/v1/benchmarks/{slug}/packages/build", build)
    browsers = [person("annotator", n) for n in range(annotators)]
    for browser in browsers:
        claimed = browser.send("POST", f"/api/v1/benchmarks/{slug}/packages/claim", {"kind": "captions"})
        browser.package = claimed["id"]  # type: ignore[attr-defined]
    return browsers


def key() -> str:
    """A fresh client key."""
    return str(uuid.uuid4())


def write(browser: Browser, rounds: int, times: dict[str, list[float]], errors: list[str]) -> None:
    """Write every item of the package, ``rounds`` times over; the first refusal ends it and is noted."""
    try:
        _write(browser, rounds, times)
    except (OSError, ValueError) as error:  # an HTTP refusal is an OSError too
        errors.append(f"{type(error).__name__}: {error}")


def _write(browser: Browser, rounds: int, times: dict[str, list[float]]) -> None:
    package = browser.package  # type: ignore[attr-defined]
    found = browser.send("GET", f"/api/v1/packages/{package}")["items"]
    numbers = {i["id"]: i["revision_no"] for i in found}
    for n in range(rounds):
        for item, base_no in numbers.items():
            content = five_captions(item * 10 + n)
            calls = (
                ("next", "GET", f"/api/v1/packages/{package}/next", None),
                ("draft", "PUT", f"/api/v1/items/{item}/draft", {"base_no": base_no, "seq": n + 1, "content": content}),
                (
                    "submit",
                    "POST",
                    f"/api/v1/items/{item}/submit",
                    {"base_no": base_no, "content": content, "client_key": key()},
                ),
            )
            for name, method, path, body in calls:
                begun = time.perf_counter()
                answer = browser.send(method, path, body)
                times[name].append(time.perf_counter() - begun)
            numbers[item] = answer["revision_no"]


def main() -> None:
    """Prepare, run, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("base", nargs="?", default="http://localhost:8000")
    parser.add_argument("--rounds", type=int, default=20)
    given = parser.parse_args()
    browsers = prepare(given.base.rstrip("/"), 8, 5)
    for count in (1, 8):
        times: dict[str, list[float]] = {"next": [], "draft": [], "submit": []}
        errors: list[str] = []
        threads = [threading.Thread(target=write, args=(b, given.rounds, times, errors)) for b in browsers[:count]]
        begun = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        seconds = time.perf_counter() - begun
        print(f"{count} annotator(s): {len(times['submit']) / seconds:.1f} submits/s, {len(errors)} error(s)")
        for error in sorted(set(errors)):
            print(f"  {error}")
        if errors:  # whoever was refused stopped writing, so the times would be those of fewer annotators
            sys.exit(1)
        for name, found in times.items():
            cut = statistics.quantiles(found, n=100)
            p50, p95, p99 = (cut[at] * 1000 for at in (49, 94, 98))
            print(f"  {name:6} p50 {p50:6.1f}  p95 {p95:6.1f}  p99 {p99:6.1f} ms  n={len(found)}")


if __name__ == "__main__":
    main()
