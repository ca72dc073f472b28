"""The example for nginx, run by nginx: whom it counts as one sender."""

import shutil
import socket
import subprocess
import time
from pathlib import Path

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
    process = subprocess.Popen([NGINX, "-c", conf, "-p", tmp_path], stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 20
        while not address.exists():
            assert process.poll() is None, (tmp_path / "error.log").read_text()
            assert time.monotonic() < deadline, "nginx does not listen"
            time.sleep(0.05)
        for sender in SENDERS:
            ask(address, "POST", sender)
        ask(address, "GET", "192.0.2.7")
    finally:
        process.terminate()
        process.wait(20)
    # nginx writes bytes that are no characters as \xHH.
    lines = [line.partition(" ") for line in log.read_text().splitlines()]
    senders = [value.encode().decode("unicode_escape").encode("latin-1").hex().upper() for _, _, value in lines]
    assert senders == [*SENDERS.values(), ""]
