"""An installation that lives as long as a measurement: production's processes on a folder that is thrown away."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from types import TracebackType
from typing import Self

import psutil

from config.launch import postgres
from config.launch.launcher import DATABASE, WEB_PROCESSES, WEB_THREADS
from curation.people.rules import DEMO_PASSWORD

ROOT = Path(__file__).resolve().parents[2]
OWNER = "bench-owner"
PATIENCE = 180.0
# What the environment of the tests says of their own servers and folders.
NOT_INHERITED = {
    "DATABASE_URL",
    "DATABASE_OWNER_URL",
    "CELERY_BROKER_URL",
    "CACHE_URL",
    "MEDIA_ROOT",
    "LANTERN_DATA",
    "PASSWORD_HASHER",
}


class Installation:
    """PostgreSQL, Valkey, the web server's processes and the workers, without demo data; started by the launcher."""

    def __init__(self, web: tuple[int, int] = (WEB_PROCESSES, WEB_THREADS)) -> None:
        self.web = web
        self.folder = Path(tempfile.mkdtemp(prefix="lantern-bench-"))
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.base = f"http://localhost:{self.port}"
        self.database = postgres.url(self.folder / "postgres", DATABASE)
        self.launcher: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        kept = {name: value for name, value in os.environ.items() if name not in NOT_INHERITED}
        # Forty people sign in from one address within seconds, by links that were made a moment ago.
        self.environment = kept | {"LOG_INS_PER_MINUTE": "10000", "LINK_TRIES_PER_MINUTE": "10000"}
        self.environment |= {"LANTERN_DATA": str(self.folder), "SECRET_KEY": "only-for-a-measurement-" + "x" * 30}
        words = [sys.executable, "-m", "config.launch", "--no-demo-data", "--port", str(self.port)]
        words += ["--web", *map(str, self.web)]
        with (self.folder / "launcher.out").open("wb") as out:
            self.launcher = subprocess.Popen(words, cwd=ROOT, env=self.environment, stdout=out, stderr=out)
        try:
            self._wait()
            self._make_owner()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def _wait(self) -> None:
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                with urllib.request.urlopen(f"{self.base}/healthz", timeout=5):
                    return
            except (urllib.error.URLError, OSError):
                assert self.launcher is not None
                if self.launcher.poll() is not None or time.monotonic() > deadline:
                    said = (self.folder / "launcher.out").read_text(errors="replace")
                    raise SystemExit(f"The installation did not start:\n{said}") from None
                time.sleep(0.1)

    def _make_owner(self) -> None:
        given = self.environment | {
            "DATABASE_URL": self.database,
            "OWNER_PASSWORD": DEMO_PASSWORD,
            "CELERY_BROKER_URL": "memory://",
        }
        words = [sys.executable, str(ROOT / "manage.py"), "create_owner", OWNER]
        subprocess.run(words, cwd=ROOT, env=given, check=True, stdout=subprocess.DEVNULL)

    def processes(self) -> dict[str, list[psutil.Process]]:
        """The live processes by what they do: ``web``, ``database``, ``other``."""
        assert self.launcher is not None
        found: dict[str, list[psutil.Process]] = {"web": [], "database": [], "other": []}
        for process in psutil.Process(self.launcher.pid).children(recursive=True):
            try:
                line = " ".join(process.cmdline())
            except psutil.Error:
                continue
            kind = "web" if "config.wsgi" in line else "database" if "postgres" in line else "other"
            found[kind].append(process)
        return found

    def seconds_worked(self) -> dict[str, float]:
        """Processor seconds so far, by what was done; those of database connections that ended are lost."""
        told = {}
        for name, processes in self.processes().items():
            told[name] = 0.0
            for process in processes:
                try:
                    used = process.cpu_times()
                except psutil.Error:
                    continue
                told[name] += used.user + used.system
        return told

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.launcher is not None:
            self.launcher.send_signal(signal.SIGTERM)
            self.launcher.wait(60)
        shutil.rmtree(self.folder, ignore_errors=True)
