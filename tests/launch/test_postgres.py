"""The embedded PostgreSQL survives what real machines do to it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from config.launch import postgres
from config.launch.errors import LaunchError

ROOT = Path(__file__).resolve().parents[2]
START = "import sys; from pathlib import Path; from config.launch import postgres; postgres.ensure(Path(sys.argv[1]))"


@pytest.fixture
def base(make_open_folder: Callable[[], Path]) -> Iterator[Path]:
    folder = make_open_folder() / "postgres"
    yield folder
    postgres.stop(folder)


def kill_server(folder: Path) -> int:
    process = postgres.server_process(folder)
    assert process is not None
    os.kill(process.pid, signal.SIGKILL)
    while postgres.server_process(folder) is not None:
        time.sleep(0.01)
    return process.pid


def write_row(folder: Path) -> None:
    with psycopg.connect(postgres.url(folder), autocommit=True) as connection:
        connection.execute("create table kept (n int)")
        connection.execute("insert into kept values (7)")


def rows(folder: Path) -> list[tuple[int]]:
    with psycopg.connect(postgres.url(folder)) as connection:
        return connection.execute("select n from kept").fetchall()


def test_twelve_processes_at_once_get_one_server(base: Path) -> None:
    starts = [subprocess.Popen([sys.executable, "-c", START, str(base)], cwd=ROOT) for _ in range(12)]
    assert [start.wait(120) for start in starts] == [0] * 12
    log = (base / "server.log").read_text()
    assert log.count("database system is ready to accept connections") == 1
    with psycopg.connect(postgres.url(base)) as connection:
        assert connection.execute("show server_version_num").fetchone()[0] >= "150000"


def test_a_killed_server_comes_back_with_every_committed_row(base: Path) -> None:
    postgres.ensure(base)
    write_row(base)
    kill_server(base)
    postgres.ensure(base)
    assert rows(base) == [(7,)]


def test_a_process_number_worn_by_another_program_does_not_count_as_a_server(base: Path) -> None:
    postgres.ensure(base)
    write_row(base)
    postgres.stop(base)
    # As after a restart of the machine: the file is there, and its number belongs to a live stranger (this test).
    (base / "data" / "postmaster.pid").write_text(f"{os.getpid()}\n{base / 'data'}\n")
    assert postgres.server_process(base) is None
    postgres.ensure(base)
    assert rows(base) == [(7,)]


def test_an_interrupted_first_start_is_started_over(base: Path) -> None:
    half = base / "data.new"
    half.mkdir(parents=True)
    (half / "PG_VERSION").write_text("18\n")
    postgres.ensure(base)
    assert postgres.is_up(base)
    assert not half.exists()


def test_a_second_server_on_one_folder_is_refused(base: Path) -> None:
    postgres.ensure(base)
    with pytest.raises(LaunchError, match="already running"):
        postgres.foreground_command(base)


def test_stopping_twice_and_ensuring_a_database_twice_change_nothing(base: Path) -> None:
    postgres.ensure(base)
    postgres.ensure_database(base, "lantern")
    postgres.ensure_database(base, "lantern")
    with psycopg.connect(postgres.url(base)) as connection:
        found = connection.execute("select count(*) from pg_database where datname = 'lantern'").fetchone()
    assert found == (1,)
    postgres.stop(base)
    postgres.stop(base)
    assert not postgres.is_up(base)


def test_a_path_too_long_for_a_socket_gets_a_private_folder(make_open_folder: Callable[[], Path]) -> None:
    near = make_open_folder()
    folder = near / ("a-folder-with-a-long-name-" * 4) / "postgres"
    postgres.ensure(folder)
    try:
        host = Path(postgres.url(folder).split("host=")[1])
        assert not host.is_relative_to(near)
        assert host.stat().st_mode & 0o777 == 0o700
        with psycopg.connect(postgres.url(folder)) as connection:
            assert connection.execute("select 1").fetchone() == (1,)
    finally:
        postgres.stop(folder)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may become the user nobody")
def test_where_user_namespaces_are_forbidden_root_runs_the_server_as_nobody(
    base: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    which = postgres.shutil.which
    monkeypatch.setattr(postgres.shutil, "which", lambda name: None if name == "unshare" else which(name))
    postgres.unprivileged.cache_clear()
    try:
        if Path(sys.prefix).stat().st_mode & 0o001 == 0:
            pytest.skip("the virtual environment is closed to other users")
        assert postgres.unprivileged()[0] == "setpriv"
        postgres.ensure(base)
        process = postgres.server_process(base)
        assert process is not None
        assert process.uids().real != 0
        postgres.stop(base)
    finally:
        postgres.unprivileged.cache_clear()
