"""The page on deployment names every variable, every code and every file that there is."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from config.channel.application import PING_EVERY

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "deploy.md").read_text()


def test_the_table_lists_every_variable_of_the_settings():
    read = set(re.findall(r'env\.\w+\(\s*"([A-Z_]+)"', (ROOT / "config" / "settings.py").read_text()))
    told = {
        name for row in re.findall(r"^\| (`[^|]+)\|", PAGE, re.MULTILINE) for name in re.findall(r"`([A-Z_]+)`", row)
    }
    assert read - told == set()


def test_the_examples_set_only_variables_of_the_table():
    told = set(re.findall(r"`([A-Z_]+)`", PAGE))
    for name in ("lantern.env", "owner.env"):
        lines = (ROOT / "docs" / "deploy" / name).read_text().splitlines()
        assert {line.split("=")[0] for line in lines if line and line[0] != "#"} - told <= {"HF_HUB_OFFLINE"}


def test_every_code_that_stops_a_start_is_explained():
    codes = set(re.findall(r'id="(lantern\.\w+)"', (ROOT / "config" / "checks.py").read_text()))
    assert codes == set(re.findall(r"^\| `(lantern\.\w+)` \|", PAGE, re.MULTILINE))


def test_the_proxy_takes_what_the_application_takes_and_little_more():
    conf = (ROOT / "docs" / "deploy" / "nginx.conf").read_text()
    server, *locations = re.split(r"    location ", conf)
    sizes = {"": size_in(server)} | {part.split(" {")[0]: size_in(part) for part in locations if "max_body" in part}
    fields = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    bounds = {
        "": fields,
        "~ ^/api/v1/uploads/[0-9a-f-]+$": settings.UPLOAD_LIMIT_BYTES,
        "~ ^/api/v1/benchmarks/[^/]+/imports$": settings.IMPORT_LIMIT_BYTES + fields,
        "~ ^/api/v1/releases/[0-9]+/submissions$": settings.SUBMISSION_LIMIT_BYTES + fields,
        "~ ^/api/v1/benchmarks/[^/]+/sets$": settings.SET_LIMIT_BYTES + fields,
    }
    assert sizes.keys() == bounds.keys()
    assert all(bound <= sizes[address] <= 1.2 * bound for address, bound in bounds.items())
    assert sorted(int(n) for n in re.findall(r'"maximum": (\d+)', conf)) == sorted(
        [
            fields,
            sizes["~ ^/api/v1/uploads/[0-9a-f-]+$"],
            settings.IMPORT_LIMIT_BYTES,
            settings.SUBMISSION_LIMIT_BYTES,
            settings.SET_LIMIT_BYTES,
        ]
    )


def test_what_takes_long_goes_to_processes_of_its_own():
    conf = (ROOT / "docs" / "deploy" / "nginx.conf").read_text()
    ports = dict(re.findall(r"upstream (\w+) \{\s+server 127\.0\.0\.1:(\d+);", conf))
    passed = re.findall(r"    location (?:[~=] )?(\S+) \{(?:(?!\n    \}).)*?proxy_pass http://(\w+);", conf, re.DOTALL)
    assert {address: ports[upstream] for address, upstream in passed} == {
        "/": "8000",
        "/events/": "8002",
        "^/api/v1/uploads/[0-9a-f-]+$": "8001",
        "^/api/v1/benchmarks/[^/]+/imports$": "8001",
        "^/api/v1/releases/[0-9]+/submissions$": "8001",
        "^/api/v1/benchmarks/[^/]+/sets$": "8001",
        "^/p/[^/]+/(zh-Hans|zh-Hant|en)/": "8000",
        r"^/api/v1/(.+\.csv|runs/[0-9]+/predictions|benchmarks/[^/]+/bulk)$": "8001",
        r"^/(api/v1/releases/[0-9]+|p/[^/]+/[^/]+)/archive\.zip$": "8001",
        "/readyz": "8000",
    }


def test_the_two_web_servers_differ_in_name_port_threads_and_folders_only():
    web, uploads = ((ROOT / "docs" / "deploy" / f"lantern-{name}.service").read_text() for name in ("web", "uploads"))
    swaps = {
        "lantern-web.service": "lantern-uploads.service",
        "web server\n": "web server of uploads and large downloads\n",
        "RuntimeDirectory=lantern\n": "RuntimeDirectory=lantern-uploads\n",
        "/run/lantern/metrics": "/run/lantern-uploads/metrics",
        "--port 8000 --workers 3 --blocking-threads 1": "--port 8001 --workers 1 --blocking-threads 12",
        "web.log": "uploads.log",
    }
    for one, other in swaps.items():
        assert one in web
        web = web.replace(one, other)
    assert web == uploads
    assert settings.UPLOADS_AT_ONCE * 2 == 12  # half of the threads stay free


def test_events_are_passed_on_at_once_and_nothing_else_of_the_live_channel_is():
    conf = (ROOT / "docs" / "deploy" / "nginx.conf").read_text()
    [stream, rest] = re.findall(r"    location (?:= )?/events/ \{(.*?)\n    \}", conf, re.DOTALL)
    lines = {"proxy_buffering off;", "gzip off;", "proxy_read_timeout 60s;", "proxy_pass http://lantern_live;"}
    assert {line.strip() for line in stream.strip().splitlines()} == lines
    assert PING_EVERY * 3 < 60
    assert rest.strip() == "return 404;"


def test_the_live_channel_is_a_web_server_of_one_process():
    web, live = ((ROOT / "docs" / "deploy" / f"lantern-{name}.service").read_text() for name in ("web", "live"))
    swaps = {
        "lantern-web.service": "lantern-live.service",
        "web server\n": "live channel\n",
        "postgresql.service redis-server.service rabbitmq-server.service": "postgresql.service",
        "RuntimeDirectory=lantern\nEnvironment=PROMETHEUS_MULTIPROC_DIR=/run/lantern/metrics\nTimeoutStopSec=30": (
            "TimeoutStopSec=10"
        ),
        "MemoryMax=2G": "MemoryMax=512M",
        "--interface wsgi config.wsgi:application": "--interface asgi config.live:application --no-ws",
        "--port 8000 --workers 3 --blocking-threads 1": "--port 8002 --workers 1",
        "--workers-kill-timeout 10": "--workers-kill-timeout 2",
        "web.log": "live.log",
    }
    for one, other in swaps.items():
        assert one in web
        web = web.replace(one, other)
    assert web == live


def size_in(part: str) -> int:
    number, unit = re.search(r"client_max_body_size (\d+)([km]);", part).groups()
    return int(number) * {"k": 1 << 10, "m": 1 << 20}[unit]


@pytest.mark.parametrize(("total", "expected"), [("1", 1), ("2", 1), ("6", 3), ("20", 10)])
def test_half_of_the_upload_slots_are_one_persons(total, expected):
    words = [sys.executable, "-c", "from config import settings; print(settings.UPLOADS_AT_ONCE_PER_PERSON)"]
    environment = {"SECRET_KEY": "x", "UPLOADS_AT_ONCE": total, "PATH": ""}
    assert (
        subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, check=True).stdout == b"%d\n" % expected
    )


def test_every_file_is_spoken_of():
    units = {path.name for path in (ROOT / "docs" / "deploy").iterdir()}
    assert {name for name in units if name not in PAGE and name.split(".")[0] not in PAGE} == set()
