"""How fast pictures come in, and what others notice of it, against a running installation.

``python -m tests.bench.pictures http://localhost:8000 --count 1000 --launcher PID`` signs in as the demo's contributor,
sends so many different photographs of 3 MB in parts as the browser does, waits for their checks, takes them, and prints
pictures per second and what the processes below ``PID`` needed. ``--large 40`` sends so many archives of 60 MB at once
and measures meanwhile how long another person's pages take. What it brought in stays: run it against an installation
that may be thrown away.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import http.cookiejar
import io
import json
import random
import statistics
import threading
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import psutil
from PIL import Image

from curation.people.rules import DEMO_PASSWORD

SLUG = "lantern-demo"
B = f"/api/v1/benchmarks/{SLUG}"
PART_BYTES = 5_000_000
AGAIN = {409, 423, 429, 460}


class Sender:
    """One signed-in session that can speak tus."""

    def __init__(
        self, base: str, username: str, cookies: http.cookiejar.CookieJar | None = None, slug: str = SLUG
    ) -> None:
        self.base, self.benchmark = base, f"/api/v1/benchmarks/{slug}"
        self.cookies = http.cookiejar.CookieJar() if cookies is None else cookies
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))
        self.waits = 0
        if cookies is not None:
            return
        self.call("GET", "/_allauth/browser/v1/config")
        self.call("POST", "/_allauth/browser/v1/auth/login", {"username": username, "password": DEMO_PASSWORD})

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        data: bytes | None = None,
        headers: dict[str, str] | None = None,
    ) -> Any:
        """Send a request; returns the answer's JSON, or its headers where it has no body."""
        token = next((c.value for c in self.cookies if c.name == "csrftoken"), "")
        told = {"X-CSRFToken": token or "", "Content-Type": "application/json", "Referer": self.base} | (headers or {})
        sent = data if data is not None else json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(self.base + path, sent, told, method=method)
        with self.opener.open(request, timeout=120) as answer:
            text = answer.read()
            return json.loads(text) if text else answer.headers

    def patient(self, *args: Any, **kwargs: Any) -> Any:
        """As :meth:`call`, asking again where the server says that it is busy, as browsers do."""
        while True:
            try:
                return self.call(*args, **kwargs)
            except urllib.error.HTTPError as error:
                if error.code not in AGAIN:
                    raise
            except (urllib.error.URLError, ConnectionError):
                pass  # refused before the part was sent, and the connection closed under it
            self.waits += 1
            time.sleep(0.5 + random.random())

    def upload(self, name: str, data: bytes) -> str:
        """Send a file in parts; returns the upload's id."""
        told = {"filename": name, "client_key": str(uuid.uuid4())}
        metadata = ",".join(f"{k} {base64.b64encode(v.encode()).decode()}" for k, v in told.items())
        tus = {"Tus-Resumable": "1.0.0", "Content-Type": "application/offset+octet-stream"}
        created = {"Upload-Length": str(len(data)), "Upload-Metadata": metadata}
        at = self.patient("POST", f"{self.benchmark}/uploads", data=b"", headers=tus | created)["Location"]
        for offset in range(0, len(data), PART_BYTES):
            part = data[offset : offset + PART_BYTES]
            digest = base64.b64encode(hashlib.sha256(part).digest()).decode()
            headers = tus | {"Upload-Offset": str(offset), "Upload-Checksum": f"sha256 {digest}"}
            self.patient("PATCH", at, data=part, headers=headers)
        return str(at).rsplit("/", 1)[1]


def photographs(count: int, megabytes: float) -> Iterator[bytes]:
    """Different JPEG files of about that size, 4000 x 3000, made quickly: colour fields with noise."""
    chance = np.random.default_rng(int(time.time()))
    noise = chance.integers(-40, 41, (3_000, 4_000, 1), dtype=np.int16)
    quality = 85
    for n in range(count):
        field = Image.fromarray(chance.integers(0, 256, (6, 8, 3), dtype=np.uint8)).resize((4_000, 3_000), 2)
        grain = np.roll(noise, (n * 37, n * 91), (0, 1)) * (1 if n % 2 else -1)
        pixels = np.clip(np.asarray(field, dtype=np.int16) + grain // 8, 0, 255).astype(np.uint8)
        out = io.BytesIO()
        Image.fromarray(pixels).save(out, "JPEG", quality=quality)
        if out.tell() < megabytes * 900_000 and quality < 96:
            quality += 1
        elif out.tell() > megabytes * 1_100_000 and quality > 50:
            quality -= 2
        yield out.getvalue()


class Memory(threading.Thread):
    """Watches the resident memory of a launcher's children, each kind's largest sum."""

    def __init__(self, launcher: int | None) -> None:
        super().__init__(daemon=True)
        self.launcher, self.most, self.over = launcher, {"web": 0, "worker": 0}, threading.Event()

    def run(self) -> None:
        """Look twice a second."""
        while self.launcher and not self.over.wait(0.5):
            now = {"web": 0, "worker": 0}
            for process in psutil.Process(self.launcher).children(recursive=True):
                try:
                    line = " ".join(process.cmdline())
                    held = process.memory_info().rss
                except psutil.Error:
                    continue
                if "config.wsgi" in line:
                    now["web"] += held
                elif "default@" in line:
                    now["worker"] += held
            self.most = {kind: max(most, now[kind]) for kind, most in self.most.items()}

    def told(self) -> str:
        """What was seen."""
        self.over.set()
        return ", ".join(f"{kind} {most / 1e6:.0f} MB" for kind, most in self.most.items())


def bring(base: str, count: int, megabytes: float, at_once: int, launcher: int | None) -> None:
    """Pictures come in: sent, checked, described, taken."""
    memory = Memory(launcher)
    memory.start()
    first = Sender(base, "contributor")
    senders = [Sender(base, "contributor", first.cookies) for _ in range(at_once)]
    free, ids, sizes, sending = list(senders), [], [], 0.0
    lock = threading.Lock()
    room = threading.BoundedSemaphore(at_once * 2)

    def send(n: int, data: bytes) -> None:
        with lock:
            sender = free.pop()
        try:
            found = sender.upload(f"bench-{n}.jpg", data)
        finally:
            with lock:
                free.append(sender)
            room.release()
        with lock:
            ids.append(found)
            sizes.append(len(data))

    begun = time.perf_counter()
    with ThreadPoolExecutor(at_once) as pool:
        for n, data in enumerate(photographs(count, megabytes)):
            room.acquire()
            pool.submit(send, n, data)
    sending = time.perf_counter() - begun
    print(f"{len(ids)} pictures of {statistics.mean(sizes) / 1e6:.1f} MB sent by {at_once} at once in {sending:.1f} s")
    sender = senders[0]
    while (waiting := sender.call("GET", f"{B}/uploads?page_size=1")["waiting"]) > 0:
        time.sleep(1 if waiting > 10 else 0.2)
    checked = time.perf_counter() - begun
    print(f"all checked after {checked:.1f} s: {len(ids) / checked:.2f} pictures/s")
    category = sender.call("GET", f"/api/v1/benchmarks/{SLUG}")["categories"][0]["slug"]
    details = {"source": "own", "licence": "own-work", "category": category}
    taking, taken = time.perf_counter(), 0
    for start in range(0, len(ids), 200):
        some = ids[start : start + 200]
        sender.call("POST", f"{B}/uploads/describe", {"ids": some, "details": details})
        answer = sender.call("POST", f"{B}/uploads/take", {"ids": some, "client_key": str(uuid.uuid4())})
        taken += sum(row["image"] is not None for row in answer["results"])
        for row in answer["results"]:
            if row["error"]:
                print(f"  {row['error']}")
    done = time.perf_counter()
    print(f"{taken} taken in {done - taking:.1f} s; in all {taken / (done - begun):.2f} pictures/s")
    print(f"largest resident memory: {memory.told()}")


def beside(base: str, count: int, launcher: int | None) -> None:
    """Another person's pages, alone and while archives of 60 MB come in."""
    memory = Memory(launcher)
    memory.start()
    curator = Sender(base, "curator")
    calls = ("/api/v1/session", f"{B}/images", f"{B}/images/counts")

    def visit(seconds: float, until: threading.Event | None = None) -> list[float]:
        times = []
        end = time.perf_counter() + seconds
        while time.perf_counter() < end and not (until and until.is_set()):
            for path in calls:
                begun = time.perf_counter()
                curator.call("GET", path)
                times.append(time.perf_counter() - begun)
            time.sleep(0.05)
        return times

    def told(name: str, times: list[float]) -> None:
        cut = statistics.quantiles(times, n=100)
        p50, p95, most = cut[49] * 1000, cut[94] * 1000, max(times) * 1000
        print(f"  {name:24} p50 {p50:6.1f}  p95 {p95:6.1f}  longest {most:7.1f} ms  n={len(times)}")

    told("alone", visit(10))
    data = random.randbytes(60_000_000)
    first = Sender(base, "contributor")  # one session for all: signing in is throttled
    senders = [Sender(base, "contributor", first.cookies) for _ in range(count)]
    over = threading.Event()
    threads = [threading.Thread(target=sender.upload, args=("large.zip", data)) for sender in senders]
    begun = time.perf_counter()
    for thread in threads:
        thread.start()

    def end() -> None:
        for thread in threads:
            thread.join()
        over.set()

    threading.Thread(target=end).start()
    times = visit(600, over)
    seconds = time.perf_counter() - begun
    told(f"during {count} x 60 MB", times)
    waits = sum(sender.waits for sender in senders)
    print(f"  {count * 60 / seconds:.0f} MB/s in {seconds:.1f} s, {waits} times asked to wait")
    print(f"  largest resident memory: {memory.told()}")


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("base", nargs="?", default="http://localhost:8000")
    parser.add_argument("--count", type=int, default=1_000, help="pictures to bring in; 0: none")
    parser.add_argument("--megabytes", type=float, default=3.0)
    parser.add_argument("--at-once", type=int, default=4)
    parser.add_argument("--large", type=int, default=0, help="archives of 60 MB to send at once")
    parser.add_argument("--launcher", type=int, default=None, help="process id whose children's memory is watched")
    given = parser.parse_args()
    base = given.base.rstrip("/")
    if given.count:
        bring(base, given.count, given.megabytes, given.at_once, given.launcher)
    if given.large:
        beside(base, given.large, given.launcher)


if __name__ == "__main__":
    main()
