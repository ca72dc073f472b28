"""``python -m tests.bench.peers --driver FOLDER``: Label Studio, doccano and this application under one driver.

The driver (``docs/how-to/compare-with-other-tools.md`` says what it must offer) asks each tool for the same steps, one
tool after the other with its server alone: import, next and submit by 1, 8 and 32 annotators, lists. What is needed is
installed below ``--folder`` once and stays there: an environment for each tool and one for the driver. Databases and
servers are thrown away at the end. What comes out is one JSON file with every line of the driver and a table.
"""

import argparse
import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
from PIL import Image, ImageDraw

from config.launch import postgres
from curation.people.rules import DEMO_PASSWORD
from tests.bench import desk
from tests.bench.installation import NOT_INHERITED, OWNER, ROOT, Installation

# The driver's own defaults: where it looks for the other tools' database, and how their first account is called.
PEER_DATABASE_PORT = 55432
PEER_PASSWORD = "Passw0rd!x"
LABEL_STUDIO, DOCCANO = "http://127.0.0.1:8080", "http://127.0.0.1:8081"
ADAPTER = ROOT / "docs" / "how-to" / "peer_adapter.py"
TASKS = 10_000
PICTURES = 200
# doccano 1.8.4 does not start with what its own requirements allow today.
NEEDS: Mapping[str, tuple[str, ...]] = {
    "driver": ("httpx", "psycopg2-binary"),
    "label-studio": ("label-studio==1.23.2", "uwsgi", "psycopg2-binary"),
    "doccano": ("doccano==1.8.4", "gunicorn", "psycopg2-binary", "marshmallow<4", "setuptools<81", "numpy<2"),
}
UWSGI = """[uwsgi]
chdir = {code}
http = 127.0.0.1:8080
module = core.wsgi:application
master = true
single-interpreter = true
processes = 2
threads = 1
vacuum = true
die-on-term = true
buffer-size = 65535
http-timeout = 300
need-app = true
env = APP_WEBSERVER=uwsgi
ignore-sigpipe = true
ignore-write-errors = true
disable-write-exception = true
harakiri = 120
post-buffering = 4096
disable-logging = true
enable-threads = true
thunder-lock = true
lazy-apps = true
max-requests = 5000
"""


@dataclass(frozen=True)
class Ground:
    """The folder everything lies in, what the driver is asked for, and the lines it has printed so far."""

    folder: Path
    work: Path
    users: tuple[int, ...]
    seconds: float
    told: list[dict[str, Any]]

    def environment(self, tool: str) -> Path:
        return self.folder / f"venv-{tool}"

    def program(self, tool: str, name: str) -> str:
        return str(self.environment(tool) / "bin" / name)

    def packages(self, tool: str) -> Path:
        (found,) = (self.environment(tool) / "lib").glob("python3.*/site-packages")
        return found

    def drive(self, system: str, step: str, *words: str, env: Mapping[str, str] = {}, **pids: int) -> dict[str, Any]:
        """Run one step of the driver, watching the given processes and their children, and keep what it prints."""
        watched = []
        for name, pid in pids.items():
            (self.work / f"{name}.pid").write_text(f"{pid}\n")
            watched.append(f"{name}={name}.pid")
        command = [self.program("driver", "python"), "driver/bench.py", system, step, *words, "--pids", *watched]
        done = subprocess.run(
            command, cwd=self.work, env=_bare(**env), stdout=subprocess.PIPE, text=True, check=True, timeout=1200
        )
        lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        for line in lines:
            self.told.append(line)
            print(json.dumps(line), flush=True)
        return lines[-1]

    def measure(self, system: str, project: int, env: Mapping[str, str], **pids: int) -> None:
        """Let every crowd annotate, then ask for lists. Each crowd of doccano's begins on a stretch of its own."""
        start = 0
        for users in self.users:
            words = ("--project", str(project), "--users", str(users), "--seconds", str(self.seconds))
            self.drive(system, "loop", *words, env={**env, "DOCCANO_START": str(start)}, **pids)
            start += 150 * users
        self.drive(system, "list", "--project", str(project), "--n", str(TASKS // 2), env=env, **pids)


def _bare(**more: str) -> dict[str, str]:
    """The environment without what this application's own processes read."""
    ours = {*NOT_INHERITED, "SECRET_KEY"}
    kept = {name: value for name, value in os.environ.items() if name not in ours}
    return {**kept, "PYTHONWARNINGS": "ignore", **more}


def _install(ground: Ground) -> None:
    uv = str(Path(sys.executable).with_name("uv"))
    for tool, needs in NEEDS.items():
        done = ground.environment(tool) / "installed.txt"
        if done.exists() and done.read_text() == "\n".join(needs):
            continue
        print(f"installing {tool}", flush=True)
        subprocess.run([uv, "venv", "-q", "--clear", "--python", sys.executable, ground.environment(tool)], check=True)
        python = ground.program(tool, "python")
        subprocess.run([uv, "pip", "install", "-q", "--python", python, *needs], check=True)
        done.write_text("\n".join(needs))


def _prepare(ground: Ground, driver: Path) -> None:
    """Lay out the driver's working folder: itself with our adapter, and the pictures that doccano is sent."""
    shutil.copytree(driver, ground.work / "driver", ignore=shutil.ignore_patterns("__pycache__", "results"))
    shutil.copy(ADAPTER, ground.work / "driver" / "app.py")
    (ground.work / "www").mkdir()
    dice = random.Random(1)
    for at in range(PICTURES):
        picture = Image.new("RGB", (320, 240), (dice.randrange(256), dice.randrange(256), dice.randrange(256)))
        for _ in range(12):
            x, y = dice.randrange(280), dice.randrange(200)
            ImageDraw.Draw(picture).rectangle((x, y, x + 40, y + 40), fill=(x % 256, y, dice.randrange(256)))
        picture.save(ground.work / "www" / f"img{at:04d}.jpg", quality=80)


@contextlib.contextmanager
def _running(command: list[str], said: Path, **given: Any) -> Iterator[int]:
    """Run a server in a process group of its own and end the whole group afterwards."""
    with said.open("wb") as out:
        process = subprocess.Popen(command, stdout=out, stderr=out, start_new_session=True, **given)
    try:
        yield process.pid
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _wait(address: str, said: Path) -> None:
    deadline = time.monotonic() + 120
    while True:
        try:
            with urllib.request.urlopen(address, timeout=30):
                return
        except (urllib.error.URLError, OSError):
            if time.monotonic() > deadline:
                raise SystemExit(f"{address} does not answer:\n{said.read_text(errors='replace')[-3000:]}") from None
            time.sleep(0.2)


@contextlib.contextmanager
def _database(ground: Ground) -> Iterator[int]:
    """A PostgreSQL with this application's settings, where the driver looks for the peers'."""
    base = ground.work / "postgres"
    words = [*postgres.foreground_command(base)]
    words += ["-c", f"port={PEER_DATABASE_PORT}", "-c", "listen_addresses=127.0.0.1", "-c", "max_connections=200"]
    with _running(words, ground.work / "postgres.log", cwd="/") as pid:
        address = f"postgresql://postgres@127.0.0.1:{PEER_DATABASE_PORT}/postgres"
        deadline = time.monotonic() + 60
        while True:
            try:
                with psycopg.connect(address, autocommit=True) as connection:
                    for name in ("labelstudio", "doccano"):
                        connection.execute(f"create database {name}")  # names of ours
                break
            except psycopg.OperationalError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.2)
        yield pid


def _label_studio(ground: Ground, database: int) -> None:
    """uWSGI with two processes, as its makers ship it; telemetry and look-ups of new versions off."""
    code = ground.packages("label-studio") / "label_studio"
    env = _bare(
        DJANGO_SETTINGS_MODULE="core.settings.label_studio",
        DJANGO_DB="default",
        POSTGRE_NAME="labelstudio",
        POSTGRE_USER="postgres",
        POSTGRE_PASSWORD="x",
        POSTGRE_HOST="127.0.0.1",
        POSTGRE_PORT=str(PEER_DATABASE_PORT),
        LABEL_STUDIO_BASE_DATA_DIR=str(ground.work / "label-studio"),
        SENTRY_DSN="",
        FRONTEND_SENTRY_DSN="",
        COLLECT_ANALYTICS="false",
        LATEST_VERSION_CHECK="false",
    )
    said = ground.work / "label-studio.log"
    with said.open("wb") as out:
        words = [ground.program("label-studio", "python"), "manage.py", "migrate", "-v", "0"]
        subprocess.run(words, cwd=code, env=env, stdout=out, stderr=out, check=True)
    (ground.work / "uwsgi.ini").write_text(UWSGI.format(code=code))
    command = [ground.program("label-studio", "uwsgi"), "--virtualenv", str(ground.environment("label-studio"))]
    with _running([*command, str(ground.work / "uwsgi.ini")], said, env=env, cwd=ground.work) as web:
        _wait(f"{LABEL_STUDIO}/user/login/", said)
        project = ground.drive("ls", "import", "--n", str(TASKS), server=web, pg=database)["pid"]
        ground.measure("ls", project, {}, server=web, pg=database)


def _doccano(ground: Ground, database: int) -> None:
    """gunicorn with two processes and its Celery worker, which imports; each annotator has a slice of the list."""
    home = ground.work / "doccano"
    home.mkdir()
    env = _bare(
        DATABASE_URL=f"postgres://postgres:x@127.0.0.1:{PEER_DATABASE_PORT}/doccano?sslmode=disable",
        DOCCANO_HOME=str(home),
        MEDIA_ROOT=str(home / "media"),
        DEBUG="False",
        DJANGO_SETTINGS_MODULE="config.settings.production",
        STANDALONE="True",
    )
    doccano, said = ground.program("doccano", "doccano"), ground.work / "doccano.log"
    with said.open("wb") as out:
        for words in (
            [doccano, "init"],
            [doccano, "createuser", "--username", "admin", "--password", PEER_PASSWORD, "--email", "a@example.org"],
        ):
            subprocess.run(words, cwd=ground.work, env=env, stdout=out, stderr=out, check=True)
    code = ground.packages("doccano") / "backend"
    serve = [ground.program("doccano", "gunicorn"), "--bind", "127.0.0.1:8081", "--workers", "2", "--timeout", "300"]
    with (
        _running([doccano, "task", "--concurrency", "1"], ground.work / "doccano-task.log", env=env, cwd=ground.work),
        _running([*serve, "config.wsgi"], said, env=env, cwd=code) as web,
    ):
        _wait(DOCCANO, said)
        project = ground.drive("doccano", "import", "--n", str(TASKS), server=web, pg=database)["pid"]
        ground.measure("doccano", project, {"DOCCANO_MODE": "partition"}, server=web, pg=database)


def _ours(ground: Ground) -> None:
    with Installation() as here:
        world = desk.new_world(here.base, OWNER, PICTURES, max(ground.users))
        imported = desk.import_items(world, PICTURES, range(TASKS // PICTURES))
        ground.told.append({"system": "app", "step": "import", "n": TASKS, "seconds": imported["seconds"]})
        desk.build(world, 100)
        env = {
            "BENCH_URL": here.base,
            "BENCH_SLUG": world.slug,
            "BENCH_PASSWORD": DEMO_PASSWORD,
            "BENCH_DATABASE": here.database,
        }
        running = here.processes()
        parents = {name: _parent(processes) for name, processes in running.items() if name != "other"}
        ground.measure("app", 0, env, server=parents["web"], pg=parents["database"])


def _parent(processes: list[Any]) -> int:
    """The process that the others descend from."""
    ids = {process.pid for process in processes}
    return int(next(process.pid for process in processes if process.ppid() not in ids))


def table(told: list[dict[str, Any]]) -> str:
    """Next and submit of every tool, as Markdown."""
    columns = ("tool", "annotators", "submissions/s", "next p50 / p95 ms", "submit p50 / p95 ms")
    columns += ("processor ms: web + database", "given to two", "lost", "errors")
    lines = [f"| {' | '.join(columns)} |", "| --- " * len(columns) + "|"]
    for line in told:
        if line["step"] != "loop":
            continue
        each = {name: round(s * 1000 / max(1, line["submitted"]), 1) for name, s in line["cpu_s"].items()}
        ends = [f"{line[name]['p50']} / {line[name]['p95']}" for name in ("next_ms", "submit_ms")]
        lines.append(
            f"| {line['system']} | {line['users']} | {line['throughput_per_s']} | {ends[0]} | {ends[1]} "
            f"| {each['server']} + {each['pg']} | {line['tasks_handed_to_2plus_users']} | {line['lost']} "
            f"| {sum(line['errors'].values())} |"
        )
    return "\n".join(lines)


def main() -> None:
    """Install, measure each tool alone, print the table and write the figures down."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--driver", type=Path, required=True, help="the driver's folder, with bench.py and core.py")
    parser.add_argument("--folder", type=Path, default=Path("var/peers"), help="where the tools are installed")
    parser.add_argument("--users", type=int, nargs="+", default=[1, 8, 32], help="annotators at once (1 8 32)")
    parser.add_argument("--seconds", type=float, default=20, help="of each measurement (20)")
    parser.add_argument("--tools", nargs="+", default=["ls", "doccano", "app"], choices=["ls", "doccano", "app"])
    parser.add_argument("--out", type=Path, default=Path("peers.json"), help="where the figures go")
    given = parser.parse_args()
    if not (given.driver / "bench.py").exists():
        raise SystemExit(f"{given.driver} holds no bench.py: --driver names the driver's folder.")
    work = Path(tempfile.mkdtemp(prefix="lantern-peers-"))
    work.chmod(0o711)  # Where user namespaces are forbidden, PostgreSQL runs as another user than root.
    # What was started ends with this command, however it is ended.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    ground = Ground(given.folder.resolve(), work, tuple(given.users), given.seconds, [])
    try:
        _install(ground)
        _prepare(ground, given.driver.resolve())
        if {"ls", "doccano"} & set(given.tools):
            with _database(ground) as database:
                if "ls" in given.tools:
                    _label_studio(ground, database)
                if "doccano" in given.tools:
                    _doccano(ground, database)
        if "app" in given.tools:
            _ours(ground)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    given.out.write_text(json.dumps(ground.told, indent=1) + "\n")
    print(table(ground.told))


if __name__ == "__main__":
    main()
