"""How fast the desk is: next item, draft, submit, over HTTP against a running installation.

``python -m tests.bench.desk http://localhost:8000`` signs in as the demo's people, makes a benchmark of its own with
annotators and drawn pictures in packages, and lets 1 and then 8 annotators write without a pause. A refusal is printed
and ends the run with 1. It leaves that benchmark behind, so run it against an installation that may be thrown away.
"""

import argparse
import http.cookiejar
import io
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
from tests.sentences import five_captions


class Browser:
    """One signed-in session."""

    def __init__(self, base: str, username: str, password: str) -> None:
        self.base = base
        self.cookies = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))
        self.send("GET", "/_allauth/browser/v1/config")
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


def form(fields: dict[str, str], file: bytes) -> tuple[bytes, str]:
    """A multipart body with one picture."""
    edge = uuid.uuid4().hex
    out = io.BytesIO()
    for name, value in fields.items():
        out.write(f'--{edge}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode())
    out.write(f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="p.jpg"\r\n\r\n'.encode())
    out.write(file + f"\r\n--{edge}--\r\n".encode())
    return out.getvalue(), f"multipart/form-data; boundary={edge}"


def prepare(base: str, annotators: int, each: int) -> list[Browser]:
    """Make a benchmark whose annotators each find a package of ``each`` items."""
    owner = Browser(base, "owner", DEMO_PASSWORD)
    slug = f"bench-{uuid.uuid4().hex[:8]}"
    title = dict.fromkeys(("zh-Hans", "zh-Hant", "en"), slug)
    owner.send("POST", "/api/v1/benchmarks", {"slug": slug, "title": title, "preset": "demo", "client_key": key()})

    def person(role: str, n: int = 0) -> Browser:
        username = f"{slug}-{role}{n}"
        given = {
            "username": username,
            "name": username,
            "roles": [role],
            "password": DEMO_PASSWORD,
            "client_key": key(),
        }
        owner.send("POST", f"/api/v1/benchmarks/{slug}/people", given)
        return Browser(base, username, DEMO_PASSWORD)

    contributor, curator, admin = person("contributor"), person("curator"), person("admin")
    for seed in range(annotators * each):
        body, kind = form(
            {"source": "own", "licence": "own-work", "client_key": key()},
            scenes.encode(scenes.scene(seed)),
        )
        image = contributor.send("POST", f"/api/v1/benchmarks/{slug}/images", data=body, kind=kind)
        curator.send("POST", f"/api/v1/images/{image['id']}/judge", {"outcome": "accepted", "client_key": key()})
        curator.send("POST", f"/api/v1/images/{image['id']}/clear-personal-information", {"client_key": key()})
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
