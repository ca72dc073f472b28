"""The attacks of ``make attack``, and the figures that they end with."""

from __future__ import annotations

import base64
import http.client
import io
import json
import socket
import sys
import threading
import time
import urllib.error
import zipfile

import numpy as np
import psutil

from curation.people.rules import DEMO_PASSWORD
from tests import pictures
from tests.bench.installation import Installation
from tests.bench.pictures import Sender
from tests.rehearsal.ledger import SMALL
from tests.rehearsal.play import SLUG, Rehearsal

LONGEST = 300.0  # seconds in all
HERE = f"/api/v1/benchmarks/{SLUG}"
STRANGE = {
    "marks in the wrong order": "\u0301\u0316",
    "flags": "🇨🇳",
    "rare characters": "𠮷",
    "U+FDFA": "\ufdfa",
    "joined emoji": "👩‍👩‍👧‍👦",
    "blanks": " ",
    "nested Markdown": "> *[`",
}
WRONG_PASSWORDS = 22
DRIBBLERS = 12
DRIBBLE_SECONDS = 20


def say(line: str) -> None:
    """One line at once, also into a file."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


class Peaks(threading.Thread):
    """The largest resident memory of any single process: of the pictures worker with its children, of the others."""

    def __init__(self, launcher: int) -> None:
        super().__init__(daemon=True)
        self.launcher, self.most, self.over = launcher, {"pictures": 0, "web": 0, "worker": 0}, threading.Event()

    def run(self) -> None:
        """Look ten times a second."""
        while not self.over.wait(0.1):
            for process in psutil.Process(self.launcher).children():
                try:
                    words = " ".join(process.cmdline())
                    kind = "pictures" if "pictures@" in words else "web" if "granian" in words else "worker"
                    held = [p.memory_info().rss for p in (process, *process.children(recursive=True))]
                except psutil.Error:
                    continue
                if kind != "worker" or "default@" in words:
                    self.most[kind] = max(self.most[kind], *held)


class Attack:
    """One run: ``figures`` are rows of name, measured value, bound and unit."""

    def __init__(self, installation: Installation) -> None:
        self.installation = installation
        self.figures: list[tuple[str, float, float, str]] = []

    def note(self, name: str, value: float, bound: float, unit: str) -> None:
        """Record a figure and its upper bound."""
        self.figures.append((name, value, bound, unit))
        say(f"{name}: {value:.1f} {unit} (at most {bound:g})")

    def sender(self, username: str) -> Sender:
        """Log somebody in."""
        return Sender(self.installation.base, username, None, SLUG)

    def state(self, who: Sender, upload: str) -> str:
        """The state of one's upload."""
        rows = who.patient("GET", f"{HERE}/uploads?page_size=100")["results"]
        return next((str(row["state"]) for row in rows if row["id"] == upload), "")

    def until_checked(self, who: Sender, upload: str, seconds: float) -> float:
        """Seconds until an upload is checked, or ``seconds``."""
        began = time.monotonic()
        while time.monotonic() - began < seconds and self.state(who, upload) not in ("ready", "refused"):
            time.sleep(0.1)
        return time.monotonic() - began

    def scan_bombs(self) -> None:
        """Two JPEG files whose last scan is repeated; meanwhile another person's picture waits."""
        bombs = [pictures.scan_bomb(1_500, side, side) for side in (3_000, 2_999)]
        attacker, bystander = self.sender("curator-1"), self.sender("curator-2")
        self.until_checked(bystander, bystander.upload("first.jpg", pictures.jpeg(1)), 60)  # the worker is warm
        for n, bomb in enumerate(bombs):
            attacker.upload(f"{n}.jpg", bomb)
        waited = self.until_checked(bystander, bystander.upload("second.jpg", pictures.jpeg(2)), 60)
        self.note("another person's picture waits beside two scan bombs", waited, 5, "s")

    def large_pictures(self) -> None:
        """Pictures near every bound: accepted or refused, in one process's bounded memory."""
        attacker, bystander = self.sender("curator-1"), self.sender("curator-2")
        flat = np.full((7_000, 7_000, 3), 200, np.uint8)
        deep = np.full((6_000, 6_000), 40_000, np.uint16)
        sent = [
            attacker.upload("flat.webp", pictures.encode(flat[:5_000], "WEBP", lossless=True, method=0)),
            attacker.upload("deep.png", pictures.encode(deep, "PNG", compress_level=1)),
            attacker.upload("scans.jpg", pictures.scan_bomb(12, 7_000, 7_000)),
        ]
        waited = self.until_checked(bystander, bystander.upload("third.jpg", pictures.jpeg(3)), 60)
        self.note("another person's picture waits beside three large ones", waited, 5, "s")
        for upload in sent:
            self.until_checked(attacker, upload, 60)
        states = [self.state(attacker, upload) for upload in sent]
        say(f"large pictures: {', '.join(states)}")
        self.note("large pictures that were not decided", sum(s not in ("ready", "refused") for s in states), 0, "")

    def million_entries(self) -> None:
        """A ZIP whose directory has a million entries is refused by its end; 57 MB."""
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as archive:
            archive.writestr("a.png", b"")
        one = out.getvalue()
        at = one.index(b"PK\x01\x02")
        entry, end = one[at : one.index(b"PK\x05\x06")], one[one.index(b"PK\x05\x06") :]
        count = 1_000_000
        directory = entry * count
        sizes = min(count, 0xFFFF).to_bytes(2, "little") * 2 + len(directory).to_bytes(4, "little")
        data = one[:at] + directory + end[:8] + sizes + end[16:]
        attacker = self.sender("curator-1")
        began = time.monotonic()
        try:
            upload = attacker.upload("million.zip", data)
        except urllib.error.HTTPError as error:
            self.note(f"an archive of a million entries is refused at its upload ({error.code})", 0, 60, "s")
            return
        self.until_checked(attacker, upload, 60)
        self.note("an archive of a million entries is decided after", time.monotonic() - began, 60, "s")

    def dribbling(self) -> None:
        """One person's twelve parts at a byte each second; another's picture is uploaded meanwhile."""
        attacker, bystander = self.sender("curator-1"), self.sender("curator-2")
        tus = {"Tus-Resumable": "1.0.0", "Content-Type": "application/offset+octet-stream"}
        name = base64.b64encode(b"slow.jpg").decode()
        open_connections: list[socket.socket] = []
        for n in range(DRIBBLERS):
            key = base64.b64encode(f"00000000-0000-4000-8000-{n:012d}".encode()).decode()
            created = {"Upload-Length": "100000", "Upload-Metadata": f"filename {name},client_key {key}"}
            address = f"{HERE}/uploads"
            at = attacker.patient("POST", address, data=b"", headers=tus | created)["Location"]
            path = at.removeprefix(self.installation.base)
            cookies = "; ".join(f"{c.name}={c.value}" for c in attacker.cookies)
            token = next(c.value for c in attacker.cookies if c.name == "csrftoken")
            head = (
                f"PATCH {path} HTTP/1.1\r\nHost: localhost:{self.installation.port}\r\nCookie: {cookies}\r\n"
                f"X-CSRFToken: {token}\r\nReferer: {self.installation.base}\r\nTus-Resumable: 1.0.0\r\n"
                "Content-Type: application/offset+octet-stream\r\nUpload-Offset: 0\r\nContent-Length: 100000\r\n\r\n"
            )
            made = socket.create_connection(("127.0.0.1", self.installation.port), timeout=20)
            made.sendall(head.encode())
            open_connections.append(made)
        over = threading.Event()
        threading.Thread(target=_dribble, args=(open_connections, over), daemon=True).start()
        began = time.monotonic()
        upload = bystander.upload("fourth.jpg", pictures.jpeg(4))
        took = time.monotonic() - began
        over.set()
        for made in open_connections:
            made.close()
        self.note("another person uploads a picture beside twelve dribbling parts", took, 10, "s")
        self.note("and it is checked after", self.until_checked(bystander, upload, 60), 5, "s")

    def wrong_passwords(self) -> None:
        """Wrong passwords from one address; the right one from another opens the account."""
        statuses = [self._log_in("annotator-1", f"wrong-{n}", "127.0.0.1") for n in range(WRONG_PASSWORDS)]
        say(f"wrong passwords: {statuses}")
        self.note("wrong passwords that were taken", statuses.count(200), 0, "")
        same = self._log_in("annotator-1", DEMO_PASSWORD, "127.0.0.1")
        self.note("the right password after them from the same address is taken", int(same == 200), 0, "")
        right = self._log_in("annotator-1", DEMO_PASSWORD, "127.0.0.2")
        self.note("the right password from another address is refused", int(right != 200), 0, "")

    def _log_in(self, username: str, password: str, address: str) -> int:
        made = http.client.HTTPConnection("127.0.0.1", self.installation.port, 20, source_address=(address, 0))
        host = {"Host": f"localhost:{self.installation.port}"}
        made.request("GET", "/_allauth/browser/v1/config", headers=host)
        answer = made.getresponse()
        answer.read()
        cookies = "; ".join(line.split(";")[0] for line in answer.headers.get_all("Set-Cookie", []))
        token = cookies.partition("csrftoken=")[2].partition(";")[0]
        headers = host | {"Cookie": cookies, "X-CSRFToken": token, "Referer": self.installation.base}
        body = json.dumps({"username": username, "password": password})
        path = "/_allauth/browser/v1/auth/login"
        made.request("POST", path, body, headers | {"Content-Type": "application/json"})
        status = made.getresponse().status
        made.close()
        return status

    def strange_texts(self) -> None:
        """Two megabytes of each kind of text in a form's field; meanwhile another person asks for a page."""
        attacker, bystander = self.sender("curator-1"), self.sender("curator-2")
        slowest = most = 0.0
        for part in STRANGE.values():
            text = part * (2_000_000 // len(part.encode()))
            sent = threading.Thread(target=_send_text, args=(attacker, text))
            began = time.monotonic()
            sent.start()
            while sent.is_alive():
                asked = time.monotonic()
                bystander.patient("GET", HERE)
                slowest = max(slowest, time.monotonic() - asked)
            most = max(most, time.monotonic() - began)
        self.note("a text of two megabytes is answered after", most, 20, "s")
        self.note("another person's page meanwhile", slowest, 5, "s")


def _send_text(attacker: Sender, text: str) -> None:
    details = {"ids": ["00000000-0000-4000-8000-00000000000f"], "details": {"author": f"a{text}"}}
    try:
        attacker.call("POST", f"{HERE}/uploads/describe", data=json.dumps(details, ensure_ascii=False).encode())
    except urllib.error.HTTPError as error:
        say(f"{text[:1]!r} {len(text)} times: {error.code} {error.read()[:80]!r}")


def _dribble(connections: list[socket.socket], over: threading.Event) -> None:
    until = time.monotonic() + DRIBBLE_SECONDS
    while time.monotonic() < until and not over.wait(1):
        for made in connections:
            try:
                made.sendall(b"x")
            except OSError:
                continue  # the server ended it


def run() -> int:
    """Attack, and compare the figures with their bounds; 1 if one is beyond its own."""
    began = time.monotonic()
    with Installation() as here:
        assert here.launcher is not None
        Rehearsal(here, SMALL, say).found()
        peaks = Peaks(here.launcher.pid)
        peaks.start()
        attack = Attack(here)
        for step in (
            attack.scan_bombs,
            attack.large_pictures,
            attack.million_entries,
            attack.dribbling,
            attack.wrong_passwords,
            attack.strange_texts,
        ):
            if time.monotonic() - began < LONGEST:
                step()
        peaks.over.set()
        peaks.join()
        attack.note("most memory of a process of the pictures worker", peaks.most["pictures"] / 1e6, 700, "MB")
        attack.note("most memory of a web process", peaks.most["web"] / 1e6, 700, "MB")
        attack.note("most memory of a process of the everyday worker", peaks.most["worker"] / 1e6, 700, "MB")
    lasted = time.monotonic() - began
    broken = [name for name, value, bound, _ in attack.figures if value > bound]
    say(f"\n{lasted:.0f} s of at most {LONGEST:.0f}; beyond its bound: {', '.join(broken) or 'nothing'}")
    return 0 if not broken and lasted < LONGEST else 1
