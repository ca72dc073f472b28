"""Keeps a set of programs running: restarts those that end, gives up on one that keeps ending, stops all in order.

The programs are children of this process in sessions of their own, so that Ctrl-C reaches the supervisor alone and it
decides the order in which they end. If the supervisor itself is killed, Linux ends them too (``prctl``).
"""

import contextlib
import ctypes
import functools
import os
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from config.launch.errors import LaunchError, StopRequestedError

# Five deaths of one program within a minute mean that starting it again will not help.
DEATHS = 5
WINDOW_SECONDS = 60.0
# Pause before a restart: at once after the first death, doubling with each further one inside the window.
FIRST_PAUSE_SECONDS = 0.5
LONGEST_PAUSE_SECONDS = 8.0
LOG_BYTES = 5_000_000  # a longer log is moved to .log.1 when its program starts
PR_SET_PDEATHSIG = 1  # from <linux/prctl.h>


@functools.cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _die_with_parent(ending: signal.Signals) -> None:
    """Ask Linux to send ``ending`` to this process when its parent is gone. Runs in the child, before the program."""
    _libc().prctl(PR_SET_PDEATHSIG, int(ending), 0, 0, 0)


def pause_before_restart(deaths_in_window: int) -> float:
    """Return the seconds to wait before the next start, after so many deaths within the window."""
    return min(FIRST_PAUSE_SECONDS * 2.0 ** max(0, deaths_in_window - 1), LONGEST_PAUSE_SECONDS)


@dataclass
class Child:
    """A program that should always run.

    Attributes:
        name: what people call it; its log is ``<name>.log``.
        command: returns the words of the command; called at each start, so that it may prepare files first.
        ready: says whether it does its work yet; a program without it counts as ready once started.
        ending: the signal that asks it to finish in good order.
        patience: seconds it gets to finish before it is killed.
        serves: whether other children need it, so that it must outlive them.
        environment: variables on top of this process's own.
    """

    name: str
    command: Callable[[], list[str]]
    ready: Callable[[], bool] | None = None
    ending: signal.Signals = signal.SIGTERM
    patience: float = 10.0
    serves: bool = False
    environment: Mapping[str, str] = field(default_factory=dict)
    process: subprocess.Popen[bytes] | None = None
    deaths: deque[float] = field(default_factory=deque)
    restart_at: float | None = None


class Supervisor:
    """Starts, watches and stops children; one thread, no signals handled here.

    Args:
        logs: folder of the children's logs.
        say: takes one sentence for the person at the terminal.
        stop_requested: returns whether to stop; every wait checks it.
    """

    def __init__(
        self, logs: Path, say: Callable[[str], None], stop_requested: Callable[[], bool] = lambda: False
    ) -> None:
        self.logs = logs
        self.say = say
        self.stop_requested = stop_requested
        self.children: list[Child] = []
        logs.mkdir(parents=True, exist_ok=True, mode=0o700)
        if sys.platform == "linux":
            _libc()  # Loaded here, so that the child only calls it between fork and exec.

    def log_path(self, child: Child) -> Path:
        """Return the file that takes what a child prints."""
        return self.logs / f"{child.name.replace(' ', '-')}.log"

    def _open_log(self, child: Child) -> IO[bytes]:
        path = self.log_path(child)
        with contextlib.suppress(FileNotFoundError):
            if path.stat().st_size > LOG_BYTES:
                path.replace(path.with_suffix(".log.1"))
        return path.open("ab")

    def add(self, child: Child) -> None:
        """Start a child and keep it running from now on."""
        self.children.append(child)
        self._start(child)

    def _start(self, child: Child) -> None:
        child.restart_at = None
        command = child.command()
        with self._open_log(child) as log:
            log.write(f"--- {time.strftime('%Y-%m-%d %H:%M:%S')} {' '.join(command)}\n".encode())
            log.flush()
            child.process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={**os.environ, **child.environment},
                start_new_session=True,
                preexec_fn=functools.partial(_die_with_parent, child.ending) if sys.platform == "linux" else None,  # noqa: PLW1509 (one thread)
            )

    def wait_ready(self, child: Child, seconds: float) -> None:
        """Wait until a child does its work, watching all processes.

        Raises:
            LaunchError: if it is not ready in time, or some child keeps dying.
        """
        deadline = time.monotonic() + seconds
        while not (child.ready is None or child.ready()):
            self.watch()
            if time.monotonic() > deadline:
                raise LaunchError(f"The {child.name} was not ready after {seconds:.0f} s: {self._where_to_look(child)}")
            time.sleep(0.05)

    def watch(self) -> None:
        """Look once at every child: note deaths, restart what has waited long enough.

        Raises:
            LaunchError: if a child died for the fifth time within a minute.
            StopRequestedError: on a request to stop.
        """
        if self.stop_requested():
            raise StopRequestedError
        now = time.monotonic()
        for child in self.children:
            if child.restart_at is not None:
                if now >= child.restart_at:
                    self._restart(child)
            elif child.process is not None and child.process.poll() is not None:
                self._note_death(child, f"ended with code {child.process.returncode}")

    def _restart(self, child: Child) -> None:
        try:
            self._start(child)
        except (LaunchError, OSError) as failure:
            with self._open_log(child) as log:
                log.write(f"{failure}\n".encode())
            self._note_death(child, "could not be started")

    def _note_death(self, child: Child, how: str) -> None:
        self._end_group(child)
        now = time.monotonic()
        child.deaths.append(now)
        while child.deaths[0] < now - WINDOW_SECONDS:
            child.deaths.popleft()
        if len(child.deaths) >= DEATHS:
            raise LaunchError(
                f"The {child.name} died {DEATHS} times within a minute, so everything is stopped: "
                f"{self._where_to_look(child)}"
            )
        pause = pause_before_restart(len(child.deaths))
        child.restart_at = now + pause
        self.say(f"the {child.name} {how}; starting it again in {pause:.1f} s")

    def _where_to_look(self, child: Child) -> str:
        path = self.log_path(child)
        last = ""
        with contextlib.suppress(OSError):
            lines = [line for line in path.read_text(errors="replace").splitlines() if line.strip()]
            last = f"\n    {lines[-1][:300]}" if lines else ""
        return f"the end of {path} says why.{last}"

    def run(self) -> None:
        """Watch until a request to stop."""
        while True:
            self.watch()
            time.sleep(0.25)

    def stop(self) -> None:
        """Ask all to finish and kill what does not; servers go last, because the others still talk to them."""
        users = [child for child in self.children if not child.serves]
        for child in users:
            self._ask(child)
        for child in users:
            self._wait(child)
        for child in reversed([child for child in self.children if child.serves]):
            self._ask(child)
            self._wait(child)

    @staticmethod
    def _end_group(child: Child) -> None:
        """Kill what a dead child left running: a web server's processes would go on holding the port."""
        if child.process is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(child.process.pid, signal.SIGKILL)

    @staticmethod
    def _ask(child: Child) -> None:
        if child.process is not None and child.process.poll() is None:
            child.process.send_signal(child.ending)

    def _wait(self, child: Child) -> None:
        if child.process is None:
            return
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.process.wait(child.patience)
        self._end_group(child)
        child.process.wait()
