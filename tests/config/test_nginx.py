"""The example for nginx, run by nginx: whom it counts as one sender, and which answers it keeps."""

import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

EXAMPLE = Path(__file__).resolve().parents[2] / "docs" / "deploy" / "nginx.conf"
FOLDERS = "".join(f"{name}_temp_path {name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
NGINX = shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/bin")
SENDERS = {
    "192.0.2.7": "C0000207",
    "2001:db8:1:2::1": "20010DB800010002",
    "2001:db8:1:2:ffff::9": "20010DB800010002",
    "2001:db8:a0a:a0a::1": "20010DB80A0A0A0A",
    "::ffff:192.0.2.7": "00000000000000000000FFFFC0000207",
}


def ask(address: Path, method: str, sender: str) -> None:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(address))
        connection.sendall(f"{method} / HTTP/1.0\r\nX-Sender: {sender}\r\n\r\n".encode())
        assert connection.recv(100).startswith(b"HTTP/1.1 204")


@contextmanager
def running(conf: Path, address: Path) -> Iterator[None]:
    """nginx with a configuration, until the block ends."""
    process = subprocess.Popen([NGINX, "-c", conf, "-p", conf.parent], stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 20
        while not address.exists():
            assert process.poll() is None, (conf.parent / "error.log").read_text()
            assert time.monotonic() < deadline, "nginx does not listen"
            time.sleep(0.05)
        yield
    finally:
        process.terminate()
        process.wait(20)


@pytest.mark.skipif(NGINX is None, reason="nginx is not installed")
def test_an_ipv6_network_of_64_bits_is_one_sender(tmp_path):
    example = EXAMPLE.read_text()
    maps = example[example.index("map $binary_remote_addr") : example.index("limit_conn_zone")]
    conf, log, address = tmp_path / "nginx.conf", tmp_path / "senders.log", tmp_path / "nginx.sock"
    conf.write_text(
        "daemon off; master_process off; pid nginx.pid; error_log error.log; events {} http {"
        f"{maps} {FOLDERS} log_format senders '$request_method $lantern_sender'; access_log {log} senders;"
        f"server {{ listen unix:{address}; set_real_ip_from unix:; real_ip_header X-Sender; return 204; }} }}"
    )
    with running(conf, address):
        for sender in SENDERS:
            ask(address, "POST", sender)
        ask(address, "GET", "192.0.2.7")
    # nginx writes bytes that are no characters as \xHH.
    lines = [line.partition(" ") for line in log.read_text().splitlines()]
    senders = [value.encode().decode("unicode_escape").encode("latin-1").hex().upper() for _, _, value in lines]
    assert senders == [*SENDERS.values(), ""]


class Application(BaseHTTPRequestHandler):
    """Answers as the public pages do, and notes what it was asked."""

    seen: list[str] = []

    def do_GET(self) -> None:
        page = "/en/" in self.path
        self.seen.append(f"{self.path} {self.headers.get('Range', '')}".strip())
        self.send_response(200)
        self.send_header("Cache-Control", "public, max-age=60" if page else "no-cache")
        self.send_header("ETag", '"1"')
        self.send_header("Content-Length", "1")
        self.end_headers()
        self.wfile.write(b"x")

    def log_message(self, *args: object) -> None:
        pass


@pytest.mark.skipif(NGINX is None, reason="nginx is not installed")
def test_public_pages_are_kept_and_files_are_not(tmp_path):
    example = EXAMPLE.read_text()
    cache = re.search(r"proxy_cache_path [^;]+;", example)[0].replace("/var/lib/nginx/lantern", "pages")
    location = re.search(r"    location ~ \^/p/\[.*?\n    }\n", example, re.DOTALL)[0]
    application = ThreadingHTTPServer(("127.0.0.1", 0), Application)
    Thread(target=application.serve_forever, daemon=True).start()
    conf, address = tmp_path / "nginx.conf", tmp_path / "nginx.sock"
    conf.write_text(
        "daemon off; master_process off; pid nginx.pid; error_log error.log; events {} http {"
        f"{FOLDERS} {cache} access_log off; upstream lantern {{ server 127.0.0.1:{application.server_port}; }}"
        f"server {{ listen unix:{address}; {location} location / {{ proxy_pass http://lantern; }} }} }}"
    )

    def get(path: str, *headers: str) -> str:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(address))
            lines = [f"GET {path} HTTP/1.0", "Host: lantern.example.org", *headers]
            connection.sendall("\r\n".join([*lines, "", ""]).encode())
            return connection.makefile("rb").read().decode().partition("\r\n")[0].split()[1]

    try:
        with running(conf, address):
            page, file = "/p/cvlue/en/captions-v1/samples", "/p/cvlue/captions-v1/files/a.jsonl"
            answers = [get(page), get(page), get(page, 'If-None-Match: "1"'), get(f"{page}?page=2")]
            assert answers == ["200", "200", "304", "200"]
            for _ in range(2):
                get(file, "Range: bytes=5-")
    finally:
        application.shutdown()
    assert Application.seen == [page, f"{page}?page=2", f"{file} bytes=5-", f"{file} bytes=5-"]
