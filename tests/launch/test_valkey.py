"""The embedded broker answers on its socket alone and keeps messages over a kill."""

import signal
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
import redis

from config.launch import valkey


@pytest.fixture
def base(make_open_folder: Callable[[], Path]) -> Path:
    return make_open_folder() / "valkey"


def start(base: Path) -> "subprocess.Popen[bytes]":
    process = subprocess.Popen(valkey.foreground_command(base), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 20
    while not valkey.is_up(base):
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return process


def test_it_listens_on_the_socket_only_and_refuses_rather_than_forgets(base: Path) -> None:
    process = start(base)
    try:
        client = redis.Redis.from_url(valkey.cache_url(base))
        assert client.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}
        listening = [
            entry
            for entry in psutil.Process(process.pid).net_connections()
            if entry.status == psutil.CONN_LISTEN and entry.family != socket.AF_UNIX
        ]
        assert listening == []
        assert valkey.socket_path(base).stat().st_mode & 0o777 == 0o700
    finally:
        process.terminate()
        process.wait(10)
    assert not valkey.is_up(base)


def test_what_was_written_a_second_ago_outlives_a_kill(base: Path) -> None:
    process = start(base)
    redis.Redis.from_url(valkey.cache_url(base)).set("kept", "7")
    time.sleep(1.2)
    process.send_signal(signal.SIGKILL)
    process.wait(10)
    process = start(base)
    try:
        assert redis.Redis.from_url(valkey.cache_url(base)).get("kept") == b"7"
    finally:
        process.terminate()
        process.wait(10)


def test_the_broker_and_the_cache_use_databases_of_their_own(base: Path) -> None:
    path = valkey.socket_path(base)
    assert valkey.broker_url(base) == f"redis+socket://{path}?virtual_host=0"
    assert valkey.cache_url(base) == f"unix://{path}?db=1"
