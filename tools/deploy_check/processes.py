"""Processes of the check: started, logged, and always ended."""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.deploy_check.report import Failed

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Host:
    """Where something runs: its name, its address, and the words before a command that make it run there."""

    name: str = "localhost"
    address: str = "127.0.0.1"
    enter: tuple[str, ...] = ()


@dataclass(frozen=True)
class Running:
    """A process, the signal that ends it cleanly, and the command to run after it has ended."""

    name: str
    process: subprocess.Popen[bytes]
    ends_by: signal.Signals
    afterwards: tuple[str, ...]


class Processes:
    """The running processes by name; each writes its own log file in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.running: list[Running] = []

    def start(
        self,
        name: str,
        words: Sequence[str],
        environment: dict[str, str] | None = None,
        *,
        on: Host | None = None,
        ends_by: signal.Signals = signal.SIGTERM,
        afterwards: Sequence[str] = (),
    ) -> None:
        """Start a process in the background; its output goes to ``NAME.log``."""
        enter = on.enter if on else ()
        with (self.folder / f"{name}.log").open("ab") as log:
            process = subprocess.Popen(
                [*enter, *words],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment, cwd=ROOT, start_new_session=True,
            )  # fmt: skip
        self.running.append(Running(name, process, ends_by, (*enter, *afterwards) if afterwards else ()))

    def stop(self, name: str) -> None:
        """End the processes started under a name with their own signal, then kill their whole group."""
        for entry in [entry for entry in self.running if entry.name == name]:
            self.running.remove(entry)
            entry.process.send_signal(entry.ends_by)
            with contextlib.suppress(subprocess.TimeoutExpired):
                entry.process.wait(20)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(entry.process.pid, signal.SIGKILL)
            entry.process.wait()
            if entry.afterwards:
                subprocess.run(entry.afterwards, capture_output=True, check=False)

    def stop_all(self) -> None:
        """End everything, the last first."""
        for entry in reversed(self.running.copy()):
            self.stop(entry.name)

    def run(
        self,
        words: Sequence[str],
        environment: dict[str, str] | None = None,
        *,
        on: Host | None = None,
        at_end: str = "",
    ) -> str:
        """Run a command and return its output.

        Raises:
            Failed: Its exit status is not 0.
        """
        enter = on.enter if on else ()
        done = subprocess.run([*enter, *words], env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Failed(f"{at_end or shlex.join(words[:3])} failed:\n{(done.stdout + done.stderr)[-3000:]}")
        return done.stdout
