"""Processes that are started here, and ended again whatever happens."""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import signal
import subprocess
from pathlib import Path

from tools.deploy_check.report import Failed

ROOT = Path(__file__).resolve().parents[2]


class Processes:
    """What runs, each under a name with a log of its own in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.running: list[tuple[str, subprocess.Popen[bytes]]] = []

    def start(self, name: str, words: list[str], environment: dict[str, str] | None = None) -> subprocess.Popen[bytes]:
        """Start something that stays; its output goes to a file."""
        with (self.folder / f"{name}.log").open("ab") as log:
            process = subprocess.Popen(
                words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment, cwd=ROOT,
                start_new_session=True,
            )  # fmt: skip
        self.running.append((name, process))
        return process

    def stop(self, name: str) -> None:
        """End what was started under a name, in good order, then its whole group."""
        for entry in [entry for entry in self.running if entry[0] == name]:
            self.running.remove(entry)
            process = entry[1]
            process.send_signal(signal.SIGINT if name == "postgres" else signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(20)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            if name == "rabbitmq" and (epmd := shutil.which("epmd")):
                # Erlang's own directory of nodes, a daemon that the server has left behind.
                words = [epmd, "-port", str(self.ports["epmd"]), "-kill"]
                subprocess.run(words, capture_output=True, check=False)

    def stop_all(self) -> None:
        """End everything, the last first."""
        for name, _ in reversed(self.running.copy()):
            self.stop(name)

    def run(self, words: list[str], environment: dict[str, str] | None = None, *, at_end: str = "") -> str:
        """Run something to its end.

        Raises:
            Failed: It did not end well.
        """
        done = subprocess.run(words, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Failed(f"{at_end or shlex.join(words[:3])} failed:\n{(done.stdout + done.stderr)[-3000:]}")
        return done.stdout
