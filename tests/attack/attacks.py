"""The attacks of ``make attack``, and the figures that they end with."""

from __future__ import annotations

import base64
import http.client
import io
import json
import select
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
SLOW_PARTS = 12
SLOTS = 3  # of one person in one web process
SLOW_SECONDS = 20


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
                    kind = "pictures" if "pictures@" in words else "web" if "config.wsgi" in words else "worker"
                    held = [p.memory_info().rss for p in (process, *process.children(recursive=True))]
                except psutil.Error:
                    continue
                if kind != "worker" or "default@" in words:
                    self.most[kind] = max(self.most[kind], *held)


class Attack:
    """One run: ``broken`` names the figures beyond their bounds and the answers that were not the expected ones."""

    def __init__(self, installation: Installation) -> None:
        self.installation = installation
        self.broken: list[str] = []

    def note(self, name: str, value: float, bound: float, unit: str, least: float = 0) -> None:
        """Compare a figure with its bounds; below ``least`` nothing was measured."""
        say(f"{name}: {value:.1f} {unit} (at most {bound:g})")
        if not least <= value <= bound:
            self.broken.append(name)

    def expect(self, name: str, found: object, expected: object) -> None:
        """Compare what the server answered with what it must answer."""
        say(f"{name}: {'as expected' if found == expected else f'{found}, not {expected}'}")
        if found != expected:
            self.broken.append(name)

    def sender(self, username: str) -> Sender:
        """Log somebody in."""
        return Sender(self.installation.base, username, None, SLUG)

    def result(self, who: Sender, upload: str) -> str:
        """The state of one's upload, and the code of its error."""
        rows = who.patient("GET", f"{HERE}/uploads?page_size=100")["results"]
        row = next(row for row in rows if row["id"] == upload)
        return f"{row['state']} {row['error']['code']}" if row["error"] else str(row["state"])

    def checked(self, who: Sender, upload: str, seconds: float = 60) -> tuple[float, str]:
        """How many seconds an upload waits until it is checked, at most ``seconds``; and its result."""
        began = time.monotonic()
        while (result := self.result(who, upload)) in ("receiving", "checking"):
            if time.monotonic() - began > seconds:
                break
            time.sleep(0.1)
        return time.monotonic() - began, result

    def bystanders_picture(self, who: Sender, number: int, beside: str) -> None:
        """Another person's picture is accepted, and soon."""
        waited, result = self.checked(who, who.upload(f"{number}.jpg", pictures.jpeg(number)))
        self.note(f"another person's picture waits beside {beside}", waited, 5, "s")
        self.expect(f"another person's picture beside {beside}", result, "ready")

    def many_scans(self) -> None:
        """Two JPEG files whose last scan is repeated; meanwhile another person's picture waits."""
        files = [pictures.jpeg_of_scans(1_500, side, side) for side in (3_000, 2_999)]
        attacker, bystander = self.sender("curator-1"), self.sender("curator-2")
        self.checked(bystander, bystander.upload("first.jpg", pictures.jpeg(1)))  # the worker is warm
        sent = [attacker.upload(f"{n}.jpg", data) for n, data in enumerate(files)]
        self.bystanders_picture(bystander, 2, "two files of many scans")
        results = [self.checked(attacker, upload)[1] for upload in sent]
        self.expect("two files of many scans", results, ["refused image_too_many_scans"] * 2)

    def large_pictures(self) -> None:
        """Pictures near every limit: accepted or refused, within the memory of one process."""
        attacker, bystander = self.sender("curator-1"), self.sender("curator-2")
        flat = np.full((7_000, 7_000, 3), 200, np.uint8)
        deep = np.full((6_000, 6_000), 40_000, np.uint16)
        sent = [
            attacker.upload("flat.webp", pictures.encode(flat[:5_000], "WEBP", lossless=True, method=0)),
            attacker.upload("deep.png", pictures.encode(deep, "PNG", compress_level=1)),
            attacker.upload("scans.jpg", pictures.jpeg_of_scans(12, 7_000, 7_000)),
        ]
        self.bystanders_picture(bystander, 3, "three large ones")
        results = [self.checked(attacker, upload)[1] for upload in sent]
        self.expect("three large pictures", results, ["refused image_too_few_bytes", "ready", "ready"])

    def million_entries(self) -> None:
        """A ZIP whose directory has a million entries is refused by its end; 51 MB."""
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
        upload = attacker.upload("million.zip", data)
        waited, result = self.checked(attacker, upload)
        name = f"an archive of a million entries ({len(data) / 1e6:.0f} MB)"
        self.note(f"{name} is decided after", waited, 60, "s")
        self.expect(name, result, "refused archive_directory_too_large")

    def slow_parts(self) -> None:
        """One person's twelve parts at a byte each second; another's picture is uploaded meanwhile."""
        attacker, bystander = self.sender("curator-1"), self.sender("curator-2")
        tus = {"Tus-Resumable": "1.0.0", "Content-Type": "application/offset+octet-stream"}
        name = base64.b64encode(b"slow.jpg").decode()
        open_connections: list[socket.socket] = []
        for n in range(SLOW_PARTS):
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
        refused = _answers(open_connections, SLOW_PARTS - 2 * SLOTS, 10)
        self.expect("parts beyond a person's slots", set(refused), {(429, "uploads_busy")})
        # Each of the two web processes has slots of its own.
        self.note("parts that hold a slot", SLOW_PARTS - len(refused), 2 * SLOTS, "", least=SLOTS)
        over = threading.Event()
        threading.Thread(target=_send_slowly, args=(open_connections, over), daemon=True).start()
        began = time.monotonic()
        self.bystanders_picture(bystander, 4, "twelve slow parts")
        took = time.monotonic() - began
        over.set()
        for made in open_connections:
            made.close()
        self.note("it is uploaded and checked after", took, 15, "s")

    def wrong_passwords(self) -> None:
        """Wrong passwords from one address; the right one from another opens the account."""
        found = [self._log_in("annotator-1", f"wrong-{n}", "127.0.0.1") for n in range(WRONG_PASSWORDS)]
        wrong, waits = (400, "username_password_mismatch"), (400, "too_many_login_attempts")
        self.expect("wrong passwords", found, [wrong] * 5 + [waits] * (WRONG_PASSWORDS - 5))
        same = self._log_in("annotator-1", DEMO_PASSWORD, "127.0.0.1")
        self.expect("the right password from the same address", same, waits)
        right = self._log_in("annotator-1", DEMO_PASSWORD, "127.0.0.2")
        self.expect("the right password from another address", right, (200, ""))

    def _log_in(self, username: str, password: str, address: str) -> tuple[int, str]:
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
        answered = made.getresponse()
        errors = json.loads(answered.read()).get("errors", [])
        made.close()
        return answered.status, errors[0]["code"] if errors else ""

    def strangers_forms(self) -> None:
        """Endless forms of somebody without an account, with the anti-forgery cookie; nobody reads them."""
        bystander = self.sender("curator-2")
        found = []
        for page in ("/", "/_allauth/browser/v1/auth/login", f"{HERE}/imports"):
            for length in ("Content-Length: 2000000000", "Content-Length: 2400000", "Transfer-Encoding: chunked"):
                made = socket.create_connection(("127.0.0.1", self.installation.port), timeout=20)
                head = f"POST {page} HTTP/1.1\r\nHost: localhost:{self.installation.port}\r\n{length}\r\n"
                head += f"Cookie: csrftoken={'a' * 32}\r\nContent-Type: multipart/form-data; boundary=x\r\n\r\n"
                made.sendall(head.encode())
                found.append(_answers([made], 1, 10))
        asked = time.monotonic()
        bystander.patient("GET", HERE)
        self.note("another person's page after nine endless forms", time.monotonic() - asked, 5, "s")
        csrf, large, unknown = (403, "csrf_failed"), (413, "body_too_large"), (401, "not_signed_in")
        pages, imports = [[large], [csrf], [csrf]], [[(413, "import_too_large")], [unknown], [unknown]]
        self.expect("a stranger's forms", found, pages + pages + imports)

    def strange_texts(self) -> None:
        """Two megabytes of each kind of text in a form's field; meanwhile another person asks for a page."""
        attacker, bystander = self.sender("curator-1"), self.sender("curator-2")
        slowest = most = 0.0
        answers: dict[str, tuple[int, str]] = {}
        for kind, part in STRANGE.items():
            text = part * (2_000_000 // len(part.encode()))
            sent = threading.Thread(target=_send_text, args=(attacker, text, kind, answers))
            began = time.monotonic()
            sent.start()
            while sent.is_alive():
                asked = time.monotonic()
                bystander.patient("GET", HERE)
                slowest = max(slowest, time.monotonic() - asked)
            most = max(most, time.monotonic() - began)
        blanks = {"blanks": (200, "")}  # stripped at the end
        self.expect("texts of two megabytes", answers, dict.fromkeys(STRANGE, (400, "invalid_input")) | blanks)
        self.note("a text of two megabytes is answered after", most, 20, "s")
        self.note("another person's page meanwhile", slowest, 5, "s")


def _send_text(attacker: Sender, text: str, kind: str, answers: dict[str, tuple[int, str]]) -> None:
    details = {"ids": ["00000000-0000-4000-8000-00000000000f"], "details": {"author": f"a{text}"}}
    try:
        attacker.call("POST", f"{HERE}/uploads/describe", data=json.dumps(details, ensure_ascii=False).encode())
        answers[kind] = (200, "")
    except urllib.error.HTTPError as error:
        answers[kind] = (error.code, json.loads(error.read())["code"])


def _answers(connections: list[socket.socket], count: int, seconds: float) -> list[tuple[int, str]]:
    """Statuses and codes of connections that are answered, once they are ``count`` or the time is over."""
    deadline = time.monotonic() + seconds
    ready: list[socket.socket] = []
    while len(ready) < count and time.monotonic() < deadline:
        ready, _, _ = select.select(connections, [], [], 0)
        time.sleep(0.1)
    time.sleep(0.5)  # the rest, if there are more
    ready, _, _ = select.select(connections, [], [], 0)
    found = []
    for connection in ready:
        answered = http.client.HTTPResponse(connection)
        answered.begin()
        found.append((answered.status, str(json.loads(answered.read())["code"])))
        connections.remove(connection)
        connection.close()
    return found


def _send_slowly(connections: list[socket.socket], over: threading.Event) -> None:
    until = time.monotonic() + SLOW_SECONDS
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
            attack.many_scans,
            attack.large_pictures,
            attack.million_entries,
            attack.slow_parts,
            attack.wrong_passwords,
            attack.strangers_forms,
            attack.strange_texts,
        ):
            if time.monotonic() - began < LONGEST:
                step()
        peaks.over.set()
        peaks.join()
        attack.note(
            "most memory of a process of the pictures worker", peaks.most["pictures"] / 1e6, 700, "MB", least=50
        )
        attack.note("most memory of a web process", peaks.most["web"] / 1e6, 700, "MB", least=50)
        attack.note("most memory of a process of the everyday worker", peaks.most["worker"] / 1e6, 700, "MB", least=50)
    lasted = time.monotonic() - began
    say(f"\n{lasted:.0f} s of at most {LONGEST:.0f}; not as it must be: {', '.join(attack.broken) or 'nothing'}")
    return 0 if not attack.broken and lasted < LONGEST else 1
