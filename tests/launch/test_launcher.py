"""The whole application under its launcher: refusals in one sentence, restarts, a second start with the same data."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil
import psycopg
import pytest

from config.launch import postgres, valkey
from config.launch.launcher import Launcher, Options

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 120


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def launch(data: Path, port: int, log: Path) -> psutil.Popen:
    clean = {
        name: value
        for name, value in os.environ.items()
        if name not in {"DATABASE_URL", "CELERY_BROKER_URL", "CACHE_URL", "SECRET_KEY", "MEDIA_ROOT", "LANTERN_DATA"}
    }
    with log.open("ab") as out:
        return psutil.Popen(
            [sys.executable, "-m", "config.launch", "--data", str(data), "--port", str(port), "--no-demo-data"],
            cwd=ROOT,
            env=clean,
            stdout=out,
            stderr=out,
        )


def until(condition: Callable[[], bool], seconds: float = START_SECONDS) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited too long"
        time.sleep(0.05)


def answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


@dataclass
class Running:
    process: psutil.Popen
    data: Path
    port: int
    log: Path

    def children(self, *words: str) -> list[psutil.Process]:
        """The launcher's own children whose command line holds all the words."""
        found = []
        for child in self.process.children():
            with contextlib.suppress(psutil.Error):  # Gone or a zombie in the meantime.
                line = child.cmdline()
                if all(word in line for word in words):
                    found.append(child)
        return found

    def start(self) -> None:
        self.log.write_text("")
        self.process = launch(self.data, self.port, self.log)
        until(lambda: "Ctrl-C stops everything" in self.log.read_text() or self.process.poll() is not None)
        assert self.process.poll() is None, self.log.read_text()

    def end(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return int(self.process.wait(60))


@pytest.fixture(scope="module")
def running(make_open_folder: Callable[[], Path]) -> Iterator[Running]:
    folder = make_open_folder()
    log, data, port = folder / "out", folder / "data", free_port()
    log.touch()
    site = Running(launch(data, port, log), data, port, log)
    try:
        until(lambda: "Ctrl-C stops everything" in log.read_text() or site.process.poll() is not None)
        assert site.process.poll() is None, log.read_text()
        yield site
    finally:
        if site.process.poll() is None:
            site.end()
        postgres.stop(data / "postgres")


def test_every_part_is_up_and_the_data_is_private(running: Running) -> None:
    assert answers(running.port)
    until(
        lambda: (
            bool(running.children("default"))
            and bool(running.children("gpu,served"))
            and bool(running.children("beat"))
        )
    )
    assert (running.data / "secret-key").stat().st_mode & 0o777 == 0o600
    assert len((running.data / "secret-key").read_text()) >= 50
    assert (running.data / "env").stat().st_mode & 0o777 == 0o600
    told = (running.data / "env").read_text()
    assert all(f"export {name}=" in told for name in ("SECRET_KEY", "DATABASE_URL", "CELERY_BROKER_URL", "CACHE_URL"))
    # Others may at most pass through, and only where the database runs as another user.
    assert running.data.stat().st_mode & 0o066 == 0
    assert valkey.is_up(running.data / "valkey")


def test_the_application_connects_as_a_role_that_owns_nothing(running: Running) -> None:
    [web] = running.children("config.wsgi:application")
    environment = web.environ()
    assert environment["DATABASE_URL"] == postgres.url(running.data / "postgres", "lantern", "lantern_app")
    assert "DATABASE_OWNER_URL" not in environment
    with psycopg.connect(environment["DATABASE_URL"]) as connection:
        owned = connection.execute("select count(*) from pg_tables where tableowner = current_user").fetchone()
        powers = connection.execute(
            "select rolsuper, rolcreatedb from pg_roles where rolname = current_user"
        ).fetchone()
    assert owned == (0,)
    assert powers == (False, False)


def test_a_second_launcher_on_the_same_data_exits(running: Running, tmp_path: Path) -> None:
    second = launch(running.data, free_port(), tmp_path / "out")
    assert second.wait(60) == 1
    assert (tmp_path / "out").read_text().strip() == (
        f"Lantern already runs on {running.data}: "
        "use that one, stop it with Ctrl-C, or name another folder with --data."
    )
    assert answers(running.port)


def test_a_port_in_use_is_refused_before_anything_starts(running: Running, tmp_path: Path) -> None:
    other = launch(tmp_path / "data", running.port, tmp_path / "out")
    assert other.wait(60) == 1
    assert (tmp_path / "out").read_text().strip() == (
        f"Port {running.port} is in use by another program: "
        f"stop that, or choose another port with `make demo PORT={running.port + 2}`."
    )
    assert not (tmp_path / "data" / "postgres").exists()


@pytest.mark.parametrize("words", [["config.wsgi:application"], ["config.live:application"], ["gpu,served"], ["beat"]])
def test_a_killed_part_comes_back(running: Running, words: list[str]) -> None:
    until(lambda: len(running.children(*words)) == 1)
    [victim] = running.children(*words)
    offspring = victim.children(recursive=True)
    victim.kill()
    until(lambda: [child.pid for child in running.children(*words) if child.pid != victim.pid] != [])
    until(lambda: answers(running.port))
    until(lambda: not any(process.is_running() for process in offspring), 10)
    until(lambda: hears(running.children("config.live:application")[0].environ()["LIVE_ORIGIN"]))
    assert running.process.poll() is None


def test_the_live_channel_is_on_the_next_free_port_and_known_to_the_pages(running: Running) -> None:
    """Its own processes are restarted with the others: ``test_a_killed_part_comes_back``."""
    [web], [live] = running.children("config.wsgi:application"), running.children("config.live:application")
    line = live.cmdline()
    origin = f"http://localhost:{line[line.index('--port') + 1]}"
    assert (web.environ()["LIVE_ORIGIN"], live.environ()["LIVE_ORIGIN"]) == (origin, origin)
    assert live.environ()["LIVE_PAGE_ORIGIN"] == f"http://localhost:{running.port}"
    until(lambda: hears(origin))


def hears(origin: str) -> bool:
    """Whether the live channel is up and receives the database's notifications."""
    try:
        with urllib.request.urlopen(f"{origin}/events/health", timeout=5) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def test_where_the_next_port_is_in_use_the_live_channel_takes_another() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        chosen = Launcher(Options(data=Path("x"), port=port - 1)).choose_live_port()
        assert chosen not in {port, port - 1}
    assert Launcher(Options(data=Path("x"), port=port - 1)).choose_live_port() == port
    assert Launcher(Options(data=Path("x"), port=65535)).choose_live_port() > 1023


def test_a_killed_database_comes_back_with_its_rows(running: Running) -> None:
    base = running.data / "postgres"
    with psycopg.connect(postgres.url(base, "lantern"), autocommit=True) as connection:
        connection.execute("create table if not exists kept (n int)")
        connection.execute("insert into kept values (7)")
    process = postgres.server_process(base)
    assert process is not None
    process.kill()
    until(lambda: postgres.server_process(base) not in {None, process} and postgres.is_up(base))
    with psycopg.connect(postgres.url(base, "lantern")) as connection:
        assert connection.execute("select n from kept").fetchall() == [(7,)]


def test_after_a_killed_launcher_nothing_runs_on_and_the_next_start_keeps_the_data(running: Running) -> None:
    base = running.data / "postgres"
    key = (running.data / "secret-key").read_text()
    children = running.process.children()
    running.process.kill()
    running.process.wait()
    if sys.platform == "linux":
        until(lambda: all(not c.is_running() or c.status() == psutil.STATUS_ZOMBIE for c in children), 30)
        assert not answers(running.port)
        assert postgres.server_process(base) is None
    running.start()
    assert answers(running.port)
    assert (running.data / "secret-key").read_text() == key
    with psycopg.connect(postgres.url(base, "lantern")) as connection:
        assert connection.execute("select n from kept").fetchall() == [(7,)]


def test_ctrl_c_stops_everything_in_good_order(running: Running) -> None:
    children = running.process.children()
    assert running.end() == 0
    assert all(not child.is_running() or child.status() == psutil.STATUS_ZOMBIE for child in children)
    assert postgres.server_process(running.data / "postgres") is None
    assert running.log.read_text().strip().endswith("everything is stopped; the data stays")
    assert "database system is shut down" in (running.data / "logs" / "postgresql.log").read_text()


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    done = subprocess.run(
        [sys.executable, "-m", "config.launch", "--data", str(blocked / "data"), "--port", str(free_port())],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.strip() == (
        f"{blocked / 'data'} cannot be written (Not a directory): name another folder with --data or LANTERN_DATA."
    )
