"""What dies is started again, what keeps dying ends everything with a sentence, and nothing outlives the stop."""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from config.launch import supervision
from config.launch.errors import LaunchError, StopRequestedError
from config.launch.supervision import Child, Supervisor, pause_before_restart

SLEEPER = [sys.executable, "-c", "import time; time.sleep(600)"]


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def supervisor(tmp_path: Path, said: list[str]) -> Iterator[Supervisor]:
    made = Supervisor(tmp_path / "logs", said.append)
    yield made
    made.stop()


def watch_until(supervisor: Supervisor, condition: Callable[[], bool], seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        supervisor.watch()
        time.sleep(0.01)


@pytest.mark.parametrize(("deaths", "seconds"), [(1, 0.5), (2, 1.0), (3, 2.0), (4, 4.0), (9, 8.0)])
def test_the_pause_doubles_with_each_death_up_to_eight_seconds(deaths: int, seconds: float) -> None:
    assert pause_before_restart(deaths) == seconds


def test_a_killed_child_is_started_again(supervisor: Supervisor, said: list[str]) -> None:
    child = Child("sleeper", command=lambda: SLEEPER)
    supervisor.add(child)
    assert child.process is not None
    first = child.process.pid
    os.kill(first, signal.SIGKILL)
    watch_until(supervisor, lambda: child.process is not None and child.process.pid != first)
    assert child.process.poll() is None
    assert said == ["the sleeper ended with code -9; starting it again in 0.5 s"]


def test_five_deaths_within_a_minute_end_everything_with_a_sentence_naming_the_log(
    supervisor: Supervisor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(supervision, "FIRST_PAUSE_SECONDS", 0.01)
    other = Child("sleeper", command=lambda: SLEEPER)
    supervisor.add(other)
    failing = Child("gpu worker", command=lambda: [sys.executable, "-c", "raise SystemExit('no model folder')"])
    supervisor.add(failing)
    with pytest.raises(LaunchError) as refusal:
        watch_until(supervisor, lambda: False)
    log = tmp_path / "logs" / "gpu-worker.log"
    assert str(refusal.value) == (
        f"The gpu worker died 5 times within a minute, so everything is stopped: the end of {log} says why."
        "\n    no model folder"
    )
    assert log.read_text().count("no model folder\n") == 5
    supervisor.stop()
    assert other.process is not None
    assert other.process.poll() is not None


def test_deaths_more_than_a_minute_apart_are_forgotten(supervisor: Supervisor) -> None:
    child = Child("sleeper", command=lambda: SLEEPER)
    supervisor.add(child)
    child.deaths.extend([time.monotonic() - 61.0] * 4)
    assert child.process is not None
    child.process.kill()
    watch_until(supervisor, lambda: child.restart_at is not None)
    assert len(child.deaths) == 1


def test_a_child_that_cannot_be_prepared_is_tried_again_and_counted(supervisor: Supervisor) -> None:
    def refuse() -> list[str]:
        raise LaunchError("another server runs there")

    child = Child("server", command=lambda: SLEEPER)
    supervisor.add(child)
    child.command = refuse
    assert child.process is not None
    child.process.kill()
    watch_until(supervisor, lambda: len(child.deaths) == 2)
    assert "another server runs there\n" in supervisor.log_path(child).read_text()


def test_one_that_ignores_the_signal_is_killed_with_its_own_children(supervisor: Supervisor, tmp_path: Path) -> None:
    note = tmp_path / "grandchild"
    program = (
        "import pathlib, signal, subprocess, sys, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "inner = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        f"pathlib.Path({str(note)!r}).write_text(str(inner.pid))\n"
        "time.sleep(600)\n"
    )
    child = Child("stubborn", command=lambda: [sys.executable, "-c", program], patience=0.3)
    supervisor.add(child)
    watch_until(supervisor, lambda: note.exists() and note.read_text() != "")
    inner = psutil.Process(int(note.read_text()))
    supervisor.stop()
    assert child.process is not None
    assert child.process.returncode == -9
    deadline = time.monotonic() + 5
    while inner.is_running() and inner.status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_servers_end_after_those_who_use_them(supervisor: Supervisor, tmp_path: Path) -> None:
    order = tmp_path / "order"

    def notes(name: str) -> list[str]:
        program = (
            "import pathlib, signal, sys, time\n"
            f"log = pathlib.Path({str(order)!r})\n"
            "def end(*_):\n"
            f"    log.open('a').write({name!r} + ' ')\n"
            "    sys.exit(0)\n"
            "signal.signal(signal.SIGTERM, end)\n"
            f"pathlib.Path({str(tmp_path / name)!r}).touch()\n"
            "time.sleep(600)\n"
        )
        return [sys.executable, "-c", program]

    for name, serves in (("database", True), ("broker", True), ("web", False)):
        child = Child(
            name, command=lambda n=name: notes(n), ready=lambda n=name: (tmp_path / n).exists(), serves=serves
        )
        supervisor.add(child)
        supervisor.wait_ready(child, 20)
    supervisor.stop()
    assert order.read_text().split() == ["web", "broker", "database"]


def test_a_wait_ends_on_a_request_to_stop(tmp_path: Path) -> None:
    supervisor = Supervisor(tmp_path / "logs", lambda sentence: None, stop_requested=lambda: True)
    child = Child("sleeper", command=lambda: SLEEPER, ready=lambda: False)
    supervisor.add(child)
    with pytest.raises(StopRequestedError):
        supervisor.wait_ready(child, 20)
    supervisor.stop()


def test_one_that_is_never_ready_is_named(supervisor: Supervisor) -> None:
    child = Child("web server", command=lambda: SLEEPER, ready=lambda: False)
    supervisor.add(child)
    with pytest.raises(
        LaunchError, match=r"The web server was not ready after 0 s: the end of .*web-server.log says why"
    ):
        supervisor.wait_ready(child, 0.1)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends children with a killed parent")
def test_children_end_with_a_killed_supervisor(tmp_path: Path) -> None:
    program = (
        "import pathlib, sys, time\n"
        "from config.launch.supervision import Child, Supervisor\n"
        "folder = pathlib.Path(sys.argv[1])\n"
        "supervisor = Supervisor(folder / 'logs', print)\n"
        "child = Child('sleeper', command=lambda: [sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "supervisor.add(child)\n"
        "(folder / 'pid').write_text(str(child.process.pid))\n"
        "time.sleep(600)\n"
    )
    outer = psutil.Popen([sys.executable, "-c", program, str(tmp_path)], cwd=Path(__file__).resolve().parents[2])
    deadline = time.monotonic() + 20
    while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text():
        assert time.monotonic() < deadline
        time.sleep(0.02)
    inner = psutil.Process(int((tmp_path / "pid").read_text()))
    outer.kill()
    outer.wait()
    while inner.is_running() and inner.status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() < deadline
        time.sleep(0.02)
