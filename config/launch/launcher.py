"""Starts every part of the application on one machine and keeps them running until Ctrl-C.

The parts: PostgreSQL and Valkey (unless ``DATABASE_URL`` and ``CELERY_BROKER_URL`` name servers of your own), the web
server, the live channel, one worker each for everyday jobs, for pictures and for models, and the scheduler of sweeps.
One folder has all data, so that a second start continues where the first ended.
"""

import contextlib
import fcntl
import hashlib
import os
import secrets
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from config.launch import postgres, valkey
from config.launch.errors import LaunchError, StopRequestedError
from config.launch.supervision import Child, Supervisor

ROOT = Path(__file__).resolve().parents[2]
DATABASE = "lantern"
APPLICATION_ROLE = "lantern_app"
HOST = "127.0.0.1"
DEMO_MODEL_SERVER = "demo"  # its name in MODEL_SERVERS, which the demo's data offers a model of
WEB_PROCESSES = 2  # threads of one Python process share a core, so that these use two
WEB_THREADS = 12  # half of them may be receiving files (UPLOADS_AT_ONCE), slowly
# With less free space the disk would fill up while the database runs.
NEEDED_BYTES = 300_000_000


@dataclass(frozen=True)
class Options:
    """What the command line asks for.

    Attributes:
        data: folder of everything that is kept.
        port: port of the web server on this machine.
        demo_data: whether to fill an empty installation with the demo's benchmark and people.
        web: processes of the web server, and threads of each.
    """

    data: Path
    port: int = 8000
    demo_data: bool = True
    web: tuple[int, int] = (WEB_PROCESSES, WEB_THREADS)


class Launcher:
    """One run of the application."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.data = options.data.resolve()
        self.started = time.monotonic()
        self.stop_requested = False
        self._lock: TextIO | None = None
        self._inherited = dict(os.environ)
        self._may_lack_demo_data = True
        self.live_port = options.port + 1

    # --- Messages ---

    def say(self, sentence: str) -> None:
        """Print one line with the seconds since the start."""
        print(f"[{time.monotonic() - self.started:5.1f} s] {sentence}", flush=True)

    # --- Before anything starts ---

    def prepare(self) -> None:
        """Check that the folder is writable and not in use, the port is free, and the disk has room."""
        try:
            # Where PostgreSQL runs as the user ``nobody``, that user must be able to enter its folder below this one.
            self.data.mkdir(parents=True, exist_ok=True, mode=0o711 if postgres.runs_as_nobody() else 0o700)
            lock = (self.data / "launcher.lock").open("a")
        except OSError as failure:
            raise LaunchError(
                f"{self.data} cannot be written ({failure.strerror}): name another folder with --data or LANTERN_DATA."
            ) from failure
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as failure:
            lock.close()
            raise LaunchError(
                f"Lantern already runs on {self.data}: "
                "use that one, stop it with Ctrl-C, or name another folder with --data."
            ) from failure
        self._lock = lock
        room = os.statvfs(self.data)
        if room.f_bavail * room.f_frsize < NEEDED_BYTES:
            raise LaunchError(
                f"The disk that holds {self.data} is nearly full: make room ({NEEDED_BYTES // 1_000_000} MB at least), "
                "or name a folder on another disk with --data."
            )
        self._check_port()
        self.live_port = self.choose_live_port()

    def _check_port(self) -> None:
        """Bind the port once, the way the web server will, so that the answer comes before anything is started."""
        with socket.socket(socket.AF_INET) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((HOST, self.options.port))
                probe.listen()
            except PermissionError as failure:
                raise LaunchError(
                    f"Port {self.options.port} is for the system: "
                    "choose one above 1023, for example `make demo PORT=8000`."
                ) from failure
            except OSError as failure:
                raise LaunchError(
                    f"Port {self.options.port} is in use by another program: "
                    f"stop that, or choose another port with `make demo PORT={self.options.port + 2}`."
                ) from failure

    def choose_live_port(self) -> int:
        """Return the port of the live channel: the next one, or any free one where that is in use.

        Nobody types this one: pages get it with the session (``LIVE_ORIGIN``).
        """
        for port in (self.options.port + 1, 0):
            with socket.socket(socket.AF_INET) as probe, contextlib.suppress(OSError, OverflowError):
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind((HOST, port))
                return int(probe.getsockname()[1])
        raise LaunchError(f"No port is free on {HOST}.")

    def _secret_key(self) -> str:
        """Return the key that signs sessions, made once for this data folder and readable by its owner alone."""
        path = self.data / "secret-key"
        if not path.exists():
            fresh = path.with_suffix(".new")
            fresh.unlink(missing_ok=True)
            with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as handle:
                handle.write(secrets.token_urlsafe(48))
                handle.flush()
                os.fsync(handle.fileno())
            fresh.rename(path)
        return path.read_text().strip()

    def _set_environment(self) -> None:
        """Set the environment that every child needs; variables that are already set keep their values."""
        page = ROOT / "frontend" / "dist" / "index.html"
        build = hashlib.sha256(page.read_bytes()).hexdigest()[:12] if page.exists() else "none"
        defaults = {
            "LANTERN_DATA": str(self.data),
            # The demo's log-ins are public, so they are offered only if demo data was requested.
            "LANTERN_DEMO": "true" if self.options.demo_data else "false",
            "LANTERN_BUILD": build,
            "LIVE_ORIGIN": f"http://localhost:{self.live_port}",
            "LIVE_PAGE_ORIGIN": f"http://localhost:{self.options.port}",
            "SECRET_KEY": self._secret_key(),
            "DJANGO_SETTINGS_MODULE": "config.settings",
            # The web processes add up their metrics here; the next run starts with an empty folder.
            "PROMETHEUS_MULTIPROC_DIR": str(self.data / "metrics"),
            "PYTHONPATH": str(ROOT),
            # Two worker processes and two cores: numerical libraries with a thread per core would compete for them.
            "OMP_NUM_THREADS": str(max(1, (os.cpu_count() or 2) // 2)),
            # Keeps the hub's library from reporting usage: a hub is contacted only when an owner fetches a system.
            "HF_HUB_DISABLE_TELEMETRY": "1",
        }
        os.environ["LANTERN_DATA"] = str(self.data)
        shutil.rmtree(self.data / "metrics", ignore_errors=True)
        for name, value in defaults.items():
            os.environ.setdefault(name, value)

    def _keep_environment(self) -> None:
        """Write the environment of the parts to a file, so that a shell can load it: ``. var/env``."""
        added = {name: value for name, value in os.environ.items() if self._inherited.get(name) != value}
        path = self.data / "env"
        path.touch(0o600)
        path.write_text("".join(f"export {name}={shlex.quote(value)}\n" for name, value in sorted(added.items())))

    # --- The parts ---

    def _start_database(self, supervisor: Supervisor) -> dict[str, str]:
        """Start PostgreSQL and make the database; return what the owner's commands need beside the environment."""
        if "DATABASE_URL" in os.environ:
            self.say("PostgreSQL: the one that DATABASE_URL names")
            owner = os.environ.pop("DATABASE_OWNER_URL", os.environ["DATABASE_URL"])
            return {"DATABASE_OWNER_URL": owner}
        base = self.data / "postgres"
        postgres.stop(base)  # A server that outlived a killed launcher; its rows are safe.
        fresh = not (base / "data").exists()
        self._may_lack_demo_data = fresh
        server = Child(
            name="postgresql",
            command=lambda: postgres.foreground_command(base),
            ready=lambda: postgres.is_up(base),
            ending=signal.SIGINT,  # "Fast" shutdown: cuts connections, keeps all that was committed.
            patience=30,
            serves=True,
        )
        supervisor.add(server)
        supervisor.wait_ready(server, 90)
        postgres.ensure_database(base, DATABASE)
        os.environ["DATABASE_URL"] = postgres.url(base, DATABASE, APPLICATION_ROLE)
        self.say("PostgreSQL is up" + (", its files are new" if fresh else ""))
        return {"DATABASE_OWNER_URL": postgres.url(base, DATABASE)}

    def _start_broker(self, supervisor: Supervisor) -> None:
        if "CELERY_BROKER_URL" in os.environ:
            self.say("broker: the one that CELERY_BROKER_URL names")
            return
        base = self.data / "valkey"
        server = Child(
            name="valkey",
            command=lambda: valkey.foreground_command(base),
            ready=lambda: valkey.is_up(base),
            serves=True,
        )
        supervisor.add(server)
        supervisor.wait_ready(server, 30)
        os.environ["CELERY_BROKER_URL"] = valkey.broker_url(base)
        os.environ.setdefault("CACHE_URL", valkey.cache_url(base))
        self.say("Valkey is up")

    def _start_demo_model(self, supervisor: Supervisor) -> None:
        """Start the server of the demo's scripted model, and name it beside those that the environment names."""
        with socket.socket() as probe:  # a port that nothing listens on at the moment
            probe.bind((HOST, 0))
            port = int(probe.getsockname()[1])
        child = Child(
            name="demo model",
            command=lambda: [sys.executable, "-m", "fixtures.scripted_model", str(port)],
            serves=True,
        )
        supervisor.add(child)
        servers = [entry for entry in os.environ.get("MODEL_SERVERS", "").split(",") if entry]
        os.environ["MODEL_SERVERS"] = ",".join([*servers, f"{DEMO_MODEL_SERVER}=http://{HOST}:{port}"])

    def _manage(self, supervisor: Supervisor, *words: str, extra: dict[str, str] | None = None) -> str:
        """Run one of the project's commands to its end, watching the servers; return what it printed."""
        log = supervisor.logs / f"{words[0]}.log"
        out = supervisor.logs / f"{words[0]}.out"
        with log.open("ab") as errors, out.open("wb") as output:
            process = subprocess.Popen(
                [sys.executable, str(ROOT / "manage.py"), *words],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=errors,
                env={**os.environ, **(extra or {})},
                cwd=ROOT,
                start_new_session=True,
            )
            try:
                while process.poll() is None:
                    time.sleep(0.05)
                    supervisor.watch()
            finally:
                if process.poll() is None:
                    # Ends its child processes too: those that draw the demo's pictures would run for minutes.
                    os.killpg(process.pid, signal.SIGTERM)
                    process.wait()
        if process.returncode:
            last = "\n".join(log.read_text(errors="replace").splitlines()[-12:])
            raise LaunchError(f"`manage.py {words[0]}` failed; {log} holds all of it:\n{last}")
        return out.read_text().strip()

    def _demo_data(self, supervisor: Supervisor) -> str:
        """Fill an empty installation with demo data; return the log-ins.

        What the command printed is kept, so that the next start need not ask again. A database that is new, or that
        another server holds, may lack what was kept, and is always asked.
        """
        path = self.data / "demo-log-ins"
        if self._may_lack_demo_data or not path.exists():
            fresh = path.with_suffix(".new")
            fresh.write_text(self._manage(supervisor, "demo_data"))
            fresh.rename(path)
            self.say("demo data is in place")
        return path.read_text()

    def _start_application(self, supervisor: Supervisor) -> None:
        """Start the web server, the live channel, the three workers and the scheduler."""
        python = sys.executable
        celery = [python, "-m", "celery", "-A", "config"]
        processes, threads = self.options.web
        quiet = ["--loglevel", "INFO", "--without-gossip", "--without-mingle"]
        web = Child(
            name="web server",
            command=lambda: [
                *(python, "-m", "granian", "--interface", "wsgi", "config.wsgi:application"),
                *("--host", HOST, "--port", str(self.options.port)),
                *("--workers", str(processes), "--blocking-threads", str(threads)),
                *("--respawn-failed-workers", "--workers-kill-timeout", "3", "--log-level", "warning"),
            ],
            ready=self._answers,
        )
        live = Child(
            name="live channel",
            command=lambda: [
                *(python, "-m", "granian", "--interface", "asgi", "config.live:application", "--no-ws"),
                *("--host", HOST, "--port", str(self.live_port), "--workers", "1"),
                *("--respawn-failed-workers", "--workers-kill-timeout", "2", "--log-level", "warning"),
            ],
        )
        everyday = Child(
            name="default worker",
            command=lambda: [*celery, "worker", "-Q", "default", "-c", "2", "-n", "default@%h", *quiet],
        )
        # Decoding happens in child processes of these; one person's files occupy two of the three at most.
        pictures = Child(
            name="pictures worker",
            command=lambda: [*celery, "worker", "-Q", "pictures", "-c", "3", "-n", "pictures@%h", *quiet],
        )
        # One model in memory at a time: this worker is one process with one task, and it alone imports torch. On one
        # machine it asks model servers too, where any are set up.
        models = Child(
            name="gpu worker",
            command=lambda: [*celery, "worker", "-Q", "gpu,served", "-P", "solo", "-c", "1", "-n", "gpu@%h", *quiet],
        )
        clock = Child(
            name="beat",
            command=lambda: [
                *(*celery, "beat", "--loglevel", "WARNING"),
                *("--schedule", str(self.data / "beat-schedule"), "--pidfile", ""),
            ],
        )
        # The web server starts first: on two cores it is ready in half the time when the others start after it.
        supervisor.add(web)
        supervisor.wait_ready(web, 90)
        self.say("web server is up")
        for child in (live, everyday, pictures, models, clock):
            supervisor.add(child)

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"http://{HOST}:{self.options.port}/healthz", timeout=5) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, OSError):
            return False

    # --- The whole ---

    def _start_all(self, supervisor: Supervisor) -> None:
        owner = self._start_database(supervisor)
        self._start_broker(supervisor)
        if self.options.demo_data:
            self._start_demo_model(supervisor)
        self._keep_environment()
        self._manage(supervisor, "setup_database", extra=owner)
        self.say("database is set up")
        logins = self._demo_data(supervisor) if self.options.demo_data else ""
        self._start_application(supervisor)
        print(f"\nLantern (花灯) is at http://localhost:{self.options.port}/", flush=True)
        if logins:
            print(f"\n{logins}", flush=True)
        print(f"\nData: {self.data}   Logs: {supervisor.logs}   Ctrl-C stops everything.\n", flush=True)

    def run(self) -> None:
        """Start everything, watch until a signal comes, stop everything."""
        self.prepare()
        self._set_environment()
        os.chdir(ROOT)
        # A second Ctrl-C only repeats the request, so that no server keeps running.
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._on_signal)
        supervisor = Supervisor(self.data / "logs", self.say, lambda: self.stop_requested)
        try:
            self._start_all(supervisor)
            supervisor.run()
        except StopRequestedError:
            pass
        finally:
            self.say("stopping")
            supervisor.stop()
            self.say("everything is stopped; the data stays")
            if self._lock is not None:
                self._lock.close()

    def _on_signal(self, number: int, frame: object) -> None:
        """Record the request to stop; every wait checks it, so that no start of a program is interrupted."""
        self.stop_requested = True


def launch(options: Options, fail: Callable[[str], None]) -> int:
    """Run the application; return the exit code, and pass an error's sentence to ``fail``."""
    try:
        Launcher(options).run()
    except LaunchError as refusal:
        fail(str(refusal))
        return 1
    return 0
