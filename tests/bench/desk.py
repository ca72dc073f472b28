"""The annotator's desk under load: next item, draft, submit, by so many people at once without a pause.

``python -m tests.bench`` makes the benchmark they work in and puts the figures together.
"""

import http.client
import json
import threading
import time
import urllib.parse
import uuid
from collections import Counter
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from typing import Any

import psycopg

from curation.people.rules import DEMO_PASSWORD
from fixtures import scenes
from tests.bench.pictures import Sender
from tests.sentences import five_captions

AT_ONCE = 100  # pictures in one request
IMPORTED_AT_ONCE = 1_000
KIND = "captions"
IDLE = 2.0  # seconds after which a kept connection is not trusted


class Refused(Exception):
    """An answer that is no success."""


class Browser:
    """One session over one kept connection, signed in unless no name is given."""

    def __init__(self, base: str, username: str = "") -> None:
        host = urllib.parse.urlsplit(base)
        self.base = base
        self.connection = http.client.HTTPConnection(host.hostname or "", host.port, timeout=120)
        self.cookies: dict[str, str] = {}
        self.used = time.monotonic()
        self.send("GET", "/_allauth/browser/v1/config")
        if username:
            self.send("POST", "/_allauth/browser/v1/auth/login", {"username": username, "password": DEMO_PASSWORD})

    def send(self, method: str, path: str, body: Any = None) -> Any:
        """Send a request and return its JSON.

        Raises:
            Refused: The answer is no success.
        """
        headers = {
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
            "X-CSRFToken": self.cookies.get("csrftoken", ""),
            "Content-Type": "application/json",
            "Referer": self.base,
        }
        if time.monotonic() - self.used > IDLE:
            self.connection.close()  # the server may have done so too; the next request opens it anew
        self.connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = self.connection.getresponse()
        text = answer.read()
        self.used = time.monotonic()
        for line in answer.headers.get_all("Set-Cookie", []):
            self.cookies |= {name: morsel.value for name, morsel in SimpleCookie(line).items()}
        if answer.status >= 400:
            raise Refused(f"{method} {path}: {answer.status} {text[:200].decode(errors='replace')}")
        return json.loads(text)


def key() -> str:
    """A fresh client key."""
    return str(uuid.uuid4())


@dataclass
class World:
    """A benchmark with people, pictures and items."""

    base: str
    slug: str
    owner: Browser
    annotators: list[Browser] = field(default_factory=list)

    @property
    def here(self) -> str:
        """Where its addresses begin."""
        return f"/api/v1/benchmarks/{self.slug}"

    def person(self, role: str, name: str) -> Browser:
        """Invite somebody, let them join and agree to what is asked."""
        username = f"{self.slug}-{name}"
        invited = self.owner.send(
            "POST", f"{self.here}/invitations", {"roles": [role], "note": "", "client_key": key()}
        )
        given = {"token": invited["token"], "username": username, "name": username, "password": DEMO_PASSWORD}
        Browser(self.base).send("POST", "/api/v1/invitations/accept", given)
        made = Browser(self.base, username)
        asked = made.send("GET", f"{self.here}/consent")
        agreed = {"text_sha256": asked["text_sha256"], "eligibility": [e["code"] for e in asked["eligibility"]]}
        made.send("POST", f"{self.here}/consent", agreed | {"client_key": key()})
        return made


def new_world(base: str, owner: str, pictures: int, annotators: int) -> World:
    """Make a benchmark with people and drawn pictures, which come in, are checked, accepted and marked as all are."""
    slug = "bench"
    world = World(base, slug, Browser(base, owner))
    title = dict.fromkeys(("zh-Hans", "zh-Hant", "en"), slug)
    body = {"slug": slug, "title": title, "preset": "demo", "client_key": key()}
    world.owner.send("POST", "/api/v1/benchmarks", body)
    world.person("contributor", "contributor")
    curator = world.person("curator", "curator")
    world.person("admin", "admin")
    _bring(world, curator, pictures)
    world.annotators = [world.person("annotator", f"annotator{n}") for n in range(annotators)]
    return world


def _bring(world: World, curator: Browser, count: int) -> None:
    sender = Sender(world.base, f"{world.slug}-contributor", None, world.slug)
    here = world.here
    ids = [sender.upload(f"{seed}.jpg", scenes.encode(scenes.scene(seed))) for seed in range(count)]
    while sender.call("GET", f"{here}/uploads?page_size=1")["waiting"]:
        time.sleep(0.5)
    category = sender.call("GET", here)["categories"][0]["slug"]
    details = {"source": "own", "licence": "own-work", "category": category}
    for at in range(0, count, AT_ONCE):
        some = ids[at : at + AT_ONCE]
        sender.call("POST", f"{here}/uploads/describe", {"ids": some, "details": details})
        taken = sender.call("POST", f"{here}/uploads/take", {"ids": some, "client_key": key()})["results"]
        images = [row["image"]["id"] for row in taken]
        verdicts = [{"image": i, "no": 0, "outcome": "accepted", "client_key": key()} for i in images]
        curator.send("POST", f"{here}/images/judge", {"verdicts": verdicts})
        marks = [{"image": i, "no": 0, "client_key": key()} for i in images]
        curator.send("POST", f"{here}/images/clear-personal-information", {"images": marks})


def import_items(world: World, pictures: int, slots: range) -> dict[str, Any]:
    """Make an item for every picture and slot, so many a request; the figures of it."""
    admin = Browser(world.base, f"{world.slug}-admin")
    rows = [{"image": number, "slot": slot} for number in range(1, pictures + 1) for slot in slots]
    begun, times = time.perf_counter(), []
    for at in range(0, len(rows), IMPORTED_AT_ONCE):
        body = {"kind": KIND, "rows": rows[at : at + IMPORTED_AT_ONCE], "client_key": key()}
        body["rows"] = [{**row, "image": str(row["image"])} for row in rows[at : at + IMPORTED_AT_ONCE]]
        times.append(_timed(admin, "POST", f"{world.here}/items/import", body)[1])
    return {"items": len(rows), "seconds": round(time.perf_counter() - begun, 2), "request_ms": summary(times)}


def build(world: World, size: int) -> dict[str, Any]:
    """Put every item into packages."""
    admin = Browser(world.base, f"{world.slug}-admin")
    body = {"kind": KIND, "size": size, "seed": 7, "client_key": key()}
    told, seconds = _timed(admin, "POST", f"{world.here}/packages/build", body)
    return {"packages": len(told["made"]), "items": told["items"], "seconds": round(seconds, 2)}


def _timed(browser: Browser, method: str, path: str, body: Any = None) -> tuple[Any, float]:
    begun = time.perf_counter()
    return browser.send(method, path, body), time.perf_counter() - begun


def summary(seconds: list[float]) -> dict[str, float]:
    """Median, 95th and 99th percentile and longest, in milliseconds."""
    ordered = sorted(seconds)
    if not ordered:
        return {"n": 0}
    at = {"p50": 0.5, "p95": 0.95, "p99": 0.99, "max": 1.0}
    told = {name: round(ordered[round((len(ordered) - 1) * share)] * 1000, 1) for name, share in at.items()}
    return {**told, "n": len(ordered)}


def lists(world: World, clients: int, calls: int) -> dict[str, Any]:
    """Fetch pages of the two lists, each client so many after the other, following the cursor."""
    addresses = {
        "packages": f"{world.here}/packages?page_size=30",
        "items": f"{world.here}/items?page_size=30",
        "items_by_state": f"{world.here}/items?page_size=30&state=todo",
    }
    browsers = [Browser(world.base, f"{world.slug}-admin") for _ in range(clients)]
    found = {}
    for name, address in addresses.items():
        times: list[float] = []

        def turn(browser: Browser, address: str = address, times: list[float] = times) -> None:
            cursor = ""
            for _ in range(calls // clients):
                told, seconds = _timed(browser, "GET", address + cursor)
                times.append(seconds)
                cursor = f"&cursor={urllib.parse.quote(told['next'])}" if told["next"] else ""

        _together([threading.Thread(target=turn, args=(b,)) for b in browsers])
        found[name] = summary(times)
    return {"clients": clients, "page_size": 30, "ms": found}


def _together(threads: list[threading.Thread]) -> None:
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


class Writer(threading.Thread):
    """One annotator: next, draft, submit, without a pause; what is written is handed over, the next claimed."""

    def __init__(self, world: World, browser: Browser, until: float, *, drafts: bool) -> None:
        super().__init__()
        self.world, self.browser, self.until, self.drafts = world, browser, until, drafts
        self.times: dict[str, list[float]] = {"next": [], "draft": [], "submit": []}
        self.acknowledged: Counter[tuple[int, int]] = Counter()
        self.handed: Counter[int] = Counter()
        self.errors: list[str] = []

    def run(self) -> None:
        """Write until the time is over; the first refusal ends it and is noted."""
        try:
            package = self._claim()
            while time.perf_counter() < self.until:
                told = self._call("next", "GET", f"/api/v1/packages/{package}/next")
                if not told["items"]:
                    self._submit_package(told["package"])
                    package = self._claim()
                    continue
                self._write(told["items"][0])
        except (OSError, ValueError, http.client.HTTPException, Refused) as error:
            self.errors.append(f"{type(error).__name__}: {error}")

    def _call(self, name: str, method: str, path: str, body: Any = None) -> Any:
        told, seconds = _timed(self.browser, method, path, body)
        self.times[name].append(seconds)
        return told

    def _claim(self) -> int:
        return int(self.browser.send("POST", f"{self.world.here}/packages/claim", {"kind": KIND})["id"])

    def _write(self, item: dict[str, Any]) -> None:
        at, content = f"/api/v1/items/{item['id']}", five_captions(item["number"])
        body = {"base_no": item["revision_no"], "content": content, "active_ms": 30_000}
        self.handed[item["id"]] += 1
        if self.drafts:
            self._call("draft", "PUT", f"{at}/draft", body | {"seq": 1})
        told = self._call("submit", "POST", f"{at}/submit", body | {"client_key": key()})
        self.acknowledged[item["id"], told["revision_no"]] += 1

    def _submit_package(self, package: dict[str, Any]) -> None:
        at = f"/api/v1/packages/{package['id']}"
        ticks = [{"id": i["id"], "revision_no": i["revision_no"]} for i in self.browser.send("GET", at)["items"]]
        revision = {"revision": package["revision"]}
        self.browser.send("POST", f"{at}/self-check", revision | {"items": ticks, "client_key": key()})
        self.browser.send("POST", f"{at}/hand-over", revision | {"client_key": key()})


def write(world: World, database: str, annotators: int, seconds: float, *, drafts: bool = True) -> dict[str, Any]:
    """Let so many annotators work at once; figures, with doubles and losses as the database counts them."""
    before = _stored(database)
    begun = time.perf_counter()
    browsers = world.annotators[:annotators]
    writers = [Writer(world, browser, begun + seconds, drafts=drafts) for browser in browsers]
    _together(list(writers))
    lasted = time.perf_counter() - begun
    stored = _stored(database) - before
    acknowledged = sum((w.acknowledged for w in writers), Counter())
    handed = sum((Counter(set(w.handed)) for w in writers), Counter())
    submits = sum(acknowledged.values())
    times = {name: [t for w in writers for t in w.times[name]] for name in ("next", "draft", "submit")}
    return {
        "annotators": annotators,
        "drafts": drafts,
        "seconds": round(lasted, 2),
        "submits": submits,
        "submits_per_s": round(submits / lasted, 1),
        "ms": {name: summary(found) for name, found in times.items()},
        "errors": sorted({e for w in writers for e in w.errors}),
        "items_handed_to_several": sum(1 for n in handed.values() if n > 1),
        "revisions_stored_twice": sum(1 for n in Counter(item for item, _ in stored).values() if n > 1),
        "acknowledged_but_not_stored": sum((acknowledged - stored).values()),
        "stored_but_not_acknowledged": sum((stored - acknowledged).values()),
    }


def _stored(database: str) -> Counter[tuple[int, int]]:
    with psycopg.connect(database) as connection:
        rows = connection.execute("select item_id, no from annotation_itemrevision").fetchall()
    return Counter((int(item), int(no)) for item, no in rows)
