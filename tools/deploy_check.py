"""``make deploy-check``: the files of ``docs/deploy`` tried out with servers of this machine's own.

Takes PostgreSQL, Redis, RabbitMQ and nginx as the distribution packs them, starts each on loopback in a folder that is
thrown away, fills in the example configuration, starts the application's parts with the very commands of the units, and
looks at it from outside as a browser would. What a missing program keeps from being checked is named, and the command
ends with 1: only a run that checked everything ends with 0.
"""

from __future__ import annotations

import contextlib
import grp
import http.cookiejar
import json
import os
import re
import secrets
import shlex
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from email.message import Message
from pathlib import Path

import psycopg
from psycopg import sql

from config.launch import postgres
from curation.people.rules import DEMO_PASSWORD

ROOT = Path(__file__).resolve().parents[1]
FILES = ROOT / "docs" / "deploy"
SITE = "lantern.example.org"
PATIENCE = 90.0
DEBIAN = {
    "postgres": "postgresql",
    "redis-server": "redis-server",
    "rabbitmq-server": "rabbitmq-server",
    "nginx": "nginx",
    "openssl": "openssl",
    "logrotate": "logrotate",
    "systemd-analyze": "systemd",
}


class Failed(Exception):
    """A check that did not hold."""


def program(name: str) -> str | None:
    """Where one of the machine's programs is; the versions that packages put aside count too."""
    places = [*sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), reverse=True)]
    # Debian's own start script of RabbitMQ insists on becoming the user rabbitmq.
    places += [Path("/usr/lib/rabbitmq/bin") / name, Path("/usr/sbin") / name]
    found = next((str(place) for place in places if place.exists()), None)
    return found or shutil.which(name)


def free_port() -> int:
    """A port of loopback that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def until(holds: Callable[[], bool], what: str, seconds: float = PATIENCE) -> None:
    """Wait for something.

    Raises:
        Failed: It did not come.
    """
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            raise Failed(f"{what}: not within {seconds:.0f} s")
        time.sleep(0.1)


def listens(port: int) -> bool:
    """Whether somebody takes connections."""
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Stage:
    """The installation: its folder, its ports, its processes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ports = {name: free_port() for name in ("postgres", "redis", "rabbitmq", "web", "http", "https", "epmd")}
        self.secrets = {name: secrets.token_urlsafe(24) for name in ("app", "owner", "redis", "rabbitmq", "metrics")}
        self.running: list[tuple[str, subprocess.Popen[bytes]]] = []
        self.missing: list[str] = []
        self.environment: dict[str, str] = {}

    def say(self, sentence: str) -> None:
        """One line for each thing that held."""
        print(f"  ok  {sentence}", flush=True)

    # --- Processes ---

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

    def run(self, words: list[str], environment: dict[str, str] | None = None, *, at_end: str = "") -> str:
        """Run something to its end.

        Raises:
            Failed: It did not end well.
        """
        done = subprocess.run(words, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Failed(f"{at_end or shlex.join(words[:3])} failed:\n{(done.stdout + done.stderr)[-3000:]}")
        return done.stdout

    def manage(self, *words: str, **more: str) -> str:
        """One of the application's commands, as the owner of the database."""
        owner = self.filled("owner.env")
        return self.run([sys.executable, "manage.py", *words], self.environment | owner | more)

    # --- The files of docs/deploy ---

    def fill(self, text: str) -> str:
        """Put this folder, these ports and these secrets where the example has its own."""
        ours, here = self.secrets, {name: f"127.0.0.1:{port}" for name, port in self.ports.items()}
        swaps = {
            "lantern_app:CHANGE-ME@127.0.0.1:5432": f"lantern_app:{ours['app']}@{here['postgres']}",
            "lantern:CHANGE-ME@127.0.0.1:5432": f"lantern:{ours['owner']}@{here['postgres']}",
            ":CHANGE-ME@127.0.0.1:6379": f":{ours['redis']}@{here['redis']}",
            "lantern:CHANGE-ME@127.0.0.1:5672": f"lantern:{ours['rabbitmq']}@{here['rabbitmq']}",
            "METRICS_TOKEN=CHANGE-ME": f"METRICS_TOKEN={self.secrets['metrics']}",
            "SECRET_KEY=CHANGE-ME": f"SECRET_KEY={secrets.token_urlsafe(48)}",
            "/var/lib/lantern/models": f"{self.folder}/data/models,{ROOT}/fixtures/models",
            "/var/lib/lantern": f"{self.folder}/data",
            "/run/lantern": f"{self.folder}/run",
            "/var/log/lantern": f"{self.folder}/logs",
            "/var/backups/lantern": f"{self.folder}/backups",
            "/etc/lantern": f"{self.folder}",
            "/etc/ssl/lantern": f"{self.folder}/tls",
            "/srv/lantern": str(ROOT),
            "--port 8000": f"--port {self.ports['web']}",
            "server 127.0.0.1:8000": f"server 127.0.0.1:{self.ports['web']}",
            "listen 80;": f"listen 127.0.0.1:{self.ports['http']};",
            "listen 443 ssl": f"listen 127.0.0.1:{self.ports['https']} ssl",
        }
        for example, value in swaps.items():
            text = text.replace(example, value)
        return text

    def filled(self, name: str) -> dict[str, str]:
        """A file of variables, filled in."""
        lines = self.fill((FILES / name).read_text()).splitlines()
        return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))

    def unit_command(self, name: str) -> tuple[list[str], dict[str, str]]:
        """What a unit starts, and the variables that it sets itself."""
        text = self.fill((FILES / name).read_text())
        [command] = re.findall(r"^ExecStart=(.+)$", text, re.MULTILINE)
        extra = dict(line.split("=", 1) for line in re.findall(r"^Environment=(.+)$", text, re.MULTILINE))
        return shlex.split(re.sub("%(.)", lambda found: "%" if found[1] == "%" else "check", command)), extra

    def start_unit(self, name: str, **more: str) -> None:
        """Start what a unit starts."""
        words, extra = self.unit_command(name)
        self.start(name, words, self.environment | extra | more)

    # --- Servers ---

    def start_postgres(self, folder_of_programs: Path) -> None:
        """PostgreSQL with passwords, the two roles and the database, as the page says to make them."""
        lower = list(postgres.unprivileged())
        base = self.folder / "postgres"
        base.mkdir()
        if lower[:1] == ["setpriv"]:
            shutil.chown(base, "nobody")
        first = base / "password"
        first.write_text("only-here")
        if lower[:1] == ["setpriv"]:
            shutil.chown(first, "nobody")
        initdb = [
            str(folder_of_programs / "initdb"),
            "-D",
            str(base / "data"),
            "-U",
            "postgres",
            "--auth=scram-sha-256",
        ]
        self.run([*lower, *initdb, f"--pwfile={first}", "--locale=C.UTF-8", "-E", "UTF8"])
        server = [str(folder_of_programs / "postgres"), "-D", str(base / "data"), "-p", str(self.ports["postgres"])]
        settings = ("listen_addresses=127.0.0.1", f"unix_socket_directories={base}", "random_page_cost=1.1")
        self.start("postgres", [*lower, *server, *(word for s in settings for word in ("-c", s))])
        address = f"postgresql://postgres:only-here@127.0.0.1:{self.ports['postgres']}/postgres"

        def up() -> bool:
            try:
                psycopg.connect(address, connect_timeout=2).close()
            except psycopg.Error:
                return False
            return True

        until(up, "PostgreSQL")
        with psycopg.connect(address, autocommit=True) as connection:
            for role, name in (("lantern", "owner"), ("lantern_app", "app")):
                statement = sql.SQL("create role {} login password {}")
                connection.execute(statement.format(sql.Identifier(role), sql.Literal(self.secrets[name])))
            for name in ("lantern", "lantern_restored"):
                connection.execute(sql.SQL("create database {} owner lantern").format(sql.Identifier(name)))
            version = connection.execute("show server_version").fetchone()
        self.say(f"PostgreSQL {version[0] if version else ''} with passwords, owner and application role")

    def start_redis(self, server: str) -> None:
        """Redis with a password."""
        words = [
            server,
            "--port",
            str(self.ports["redis"]),
            "--bind",
            "127.0.0.1",
            "--save",
            "",
            "--dir",
            str(self.folder),
        ]
        self.start("redis", [*words, "--requirepass", self.secrets["redis"], "--maxmemory-policy", "noeviction"])
        until(lambda: listens(self.ports["redis"]), "Redis")
        self.say("Redis with a password")

    def start_rabbitmq(self, server: str) -> None:
        """RabbitMQ with a user and a virtual host of its own."""
        base = self.folder / "rabbitmq"
        base.mkdir()
        (base / "rabbitmq.conf").write_text(
            f"listeners.tcp.1 = 127.0.0.1:{self.ports['rabbitmq']}\ndefault_vhost = lantern\ndefault_user = lantern\n"
            f"default_pass = {self.secrets['rabbitmq']}\ndistribution.listener.interface = 127.0.0.1\n"
        )
        (base / "plugins").write_text("[].\n")
        environment = os.environ | {
            "HOME": str(base),
            "RABBITMQ_NODENAME": f"lantern{os.getpid()}@localhost",
            "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1",
            "RABBITMQ_NODE_PORT": str(self.ports["rabbitmq"]),
            "RABBITMQ_DIST_PORT": str(free_port()),
            "ERL_EPMD_PORT": str(self.ports["epmd"]),
            "ERL_EPMD_ADDRESS": "127.0.0.1",
            "RABBITMQ_MNESIA_BASE": str(base / "mnesia"),
            "RABBITMQ_LOG_BASE": str(base / "log"),
            "RABBITMQ_CONFIG_FILE": str(base / "rabbitmq.conf"),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(base / "plugins"),
            "RABBITMQ_PID_FILE": str(base / "pid"),
        }
        self.start("rabbitmq", [server], environment)
        until(lambda: listens(self.ports["rabbitmq"]), "RabbitMQ")
        self.say("RabbitMQ with a user and a virtual host")

    def start_nginx(self, server: str, openssl: str) -> None:
        """The nginx of the page with a certificate of an hour, its workers as a user who may only read."""
        tls = self.folder / "tls"
        tls.mkdir()
        self.run(
            [
                *(openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", f"/CN={SITE}"),
                *("-addext", f"subjectAltName=DNS:{SITE}"),
                *("-keyout", str(tls / "privkey.pem"), "-out", str(tls / "fullchain.pem")),
            ]
        )
        (self.folder / "site.conf").write_text(self.fill((FILES / "nginx.conf").read_text()))
        user = f"user nobody {own_group()};" if os.geteuid() == 0 else ""
        temporary = "".join(
            f"{name}_temp_path {self.folder}/nginx-{name};"
            for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        (self.folder / "nginx.conf").write_text(
            f"{user} pid {self.folder}/nginx.pid; error_log {self.folder}/nginx-error.log; daemon off;\n"
            f"events {{}}\nhttp {{ {temporary} include {self.folder}/site.conf; }}\n"
        )
        words = [server, "-c", str(self.folder / "nginx.conf"), "-p", str(self.folder)]
        self.run([*words, "-t"], at_end="nginx -t")
        self.start("nginx", words)
        until(lambda: listens(self.ports["https"]), "nginx")
        self.say("nginx takes docs/deploy/nginx.conf as it is")


def own_group() -> str:
    """The group that the application's files have here; nginx' workers are put into it, as the page says."""
    return grp.getgrgid(os.getegid()).gr_name


class Browser:
    """Asks the site by its name, over TLS, trusting the certificate that was made for it."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.cookies = http.cookiejar.CookieJar()
        context = ssl.create_default_context(cafile=str(stage.folder / "tls" / "fullchain.pem"))
        port = stage.ports["https"]

        self.opener = urllib.request.build_opener(
            urllib.request.HTTPSHandler(context=context),
            urllib.request.HTTPCookieProcessor(self.cookies),
            _NoRedirect(),
        )
        self.base = f"https://{SITE}:{port}"

    def ask(
        self, path: str, body: object = None, *, base: str = "", **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body of an answer."""
        data = None if body is None else json.dumps(body).encode()
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        if data is not None:
            token = next((c.value or "" for c in self.cookies if c.name == "csrftoken"), "")
            given |= {"Content-Type": "application/json", "X-CSRFToken": token, "Referer": f"https://{SITE}/"}
        request = urllib.request.Request((base or self.base) + path, data, given)  # noqa: S310  (http or https, from here)
        with named_site():
            try:
                with self.opener.open(request, timeout=30) as answer:
                    return answer.status, _titled(answer.headers), answer.read()
            except urllib.error.HTTPError as refusal:
                return refusal.code, _titled(refusal.headers), refusal.read()


def _titled(headers: Message) -> dict[str, str]:
    return {name.title(): value for name, value in headers.items()}


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args: object, **kwargs: object) -> None:
        """Answers are looked at as they come."""


@contextlib.contextmanager
def named_site() -> Iterator[None]:
    """Let the site's name mean loopback while something is asked."""
    real = socket.getaddrinfo

    def found(host: object, *args: object, **kwargs: object) -> object:
        return real("127.0.0.1" if host == SITE else host, *args, **kwargs)  # type: ignore[arg-type]

    socket.getaddrinfo = found  # type: ignore[assignment]
    try:
        yield
    finally:
        socket.getaddrinfo = real


def want(holds: bool, sentence: str, seen: object = "") -> None:
    """Hold something to be true.

    Raises:
        Failed: It is not.
    """
    if not holds:
        raise Failed(f"{sentence}: {seen!r}")


def check_files(stage: Stage, found: dict[str, str | None]) -> None:
    """What can be said of the files without starting anything."""
    units = stage.folder / "units"
    units.mkdir()
    for path in sorted([*FILES.glob("*.service"), *FILES.glob("*.timer")]):
        (units / path.name).write_text(stage.fill(path.read_text()))
    if analyze := found["systemd-analyze"]:
        text = subprocess.run(
            [analyze, "verify", "--man=no", *(str(p) for p in sorted(units.iterdir()))],
            capture_output=True, text=True, check=False,
        ).stderr  # fmt: skip
        ours = [line for line in text.splitlines() if "lantern" in line and "not found" not in line]
        want(not ours, "systemd takes the units", ours)
        stage.say(f"systemd takes the {len(list(units.iterdir()))} units")
    if rotate := found["logrotate"]:
        (stage.folder / "logrotate").write_text(stage.fill((FILES / "logrotate").read_text()))
        (stage.folder / "logrotate").chmod(0o644)
        (stage.folder / "logs").mkdir(exist_ok=True)
        (stage.folder / "logs" / "web.log").write_text('{"level": "info"}\n')
        stage.run(
            [rotate, "--force", "--state", str(stage.folder / "logrotate.state"), str(stage.folder / "logrotate")]
        )
        want((stage.folder / "logs" / "web.log").read_text() == "", "logrotate empties a log")
        stage.say("logrotate takes docs/deploy/logrotate and turns a log over")


def check_refusal(stage: Stage) -> None:
    """The example as it stands must not start."""
    example = dict(
        line.split("=", 1) for line in (FILES / "lantern.env").read_text().splitlines() if line and line[0] != "#"
    )
    done = subprocess.run(
        [sys.executable, "-c", "import config.wsgi"],
        env=os.environ | example, cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    want(
        done.returncode != 0 and "lantern.E001" in done.stderr,
        "the example's placeholders are refused",
        done.stderr[-500:],
    )
    stage.say("the example's placeholders are refused (lantern.E001, lantern.E004)")


def check_site(stage: Stage) -> None:
    """The site from outside, as a browser sees it."""
    browser = Browser(stage)
    with named_site():
        status, headers, _ = browser.ask("/somewhere?x=1", base=f"http://{SITE}:{stage.ports['http']}")
    want(
        (status, headers.get("Location")) == (301, f"https://{SITE}/somewhere?x=1"),
        "plain HTTP is sent to TLS",
        headers,
    )
    status, headers, body = browser.ask("/readyz")
    want(status == 200 and all(v == "ok" for v in json.loads(body)["parts"].values()), "ready", body)
    want("max-age" in headers.get("Strict-Transport-Security", ""), "HSTS", headers)
    want(browser.ask("/metrics", Authorization=f"Bearer {stage.secrets['metrics']}")[0] == 404, "figures stay inside")
    direct = urllib.request.Request(
        f"http://127.0.0.1:{stage.ports['web']}/metrics",
        headers={"Authorization": f"Bearer {stage.secrets['metrics']}", "Host": SITE},
    )
    with urllib.request.urlopen(direct, timeout=30) as answer:  # noqa: S310  (http, on loopback)
        want(b"lantern_requests_total" in answer.read(), "figures with the token")
    stage.say("TLS, HSTS, redirect, /readyz; /metrics only inside and with its token")
    browser.ask("/_allauth/browser/v1/config")
    log_in = "/_allauth/browser/v1/auth/login"
    wrong = browser.ask(log_in, {"username": "admin", "password": "wrong-wrong-wrong"})[0]
    right = browser.ask(log_in, {"username": "admin", "password": DEMO_PASSWORD})[0]
    want((wrong, right) == (400, 200), "signing in behind the proxy", (wrong, right))
    session = next(c for c in browser.cookies if c.name == "sessionid")
    want(session.secure and session.has_nonstandard_attr("HttpOnly"), "the session's cookie is secure", session)
    foreign = browser.ask("/api/v1/session", None, Host="evil.example.org")[0]
    want(foreign == 400, "another host name is refused", foreign)
    stage.say("signing in, secure cookies, the anti-forgery token behind the proxy, strange host names refused")
    status, _, body = browser.ask("/api/v1/session")
    slug = json.loads(body)["benchmarks"][0]["slug"]
    _, _, body = browser.ask(f"/api/v1/benchmarks/{slug}/images?page_size=1")
    address = json.loads(body)["results"][0]["view_url"]
    status, headers, picture = browser.ask(address)
    want(status == 200 and len(picture) > 1000, "a picture comes", (status, headers))
    want("X-Accel-Redirect" not in headers and "Accept-Ranges" in headers, "nginx itself sends the picture", headers)
    kept = {
        "Cache-Control": "private, max-age=31536000, immutable",
        "X-Content-Type-Options": "nosniff",
        "Content-Security-Policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
        "Cross-Origin-Resource-Policy": "same-origin",
    }
    want(kept.items() <= headers.items(), "a picture's headers stay", headers)
    want(Browser(stage).ask(address)[0] == 401, "a stranger gets no picture")
    want(browser.ask("/protected-media/renditions/")[0] == 404, "the files' own address is closed")
    stage.say(f"a picture of {len(picture):,} bytes sent by nginx after the application's check; none to strangers")


def check_work(stage: Stage, broker: str) -> None:
    """The worker of the unit answers what is sent through the broker."""
    stage.environment["CELERY_BROKER_URL"] = broker
    stage.start_unit("lantern-worker.service")
    name = broker.partition(":")[0]
    ask = (
        "import time\n"
        "from config.celery import app\n"
        "until, heard = time.monotonic() + 60, None\n"
        "while not heard and time.monotonic() < until:\n"
        "    heard = app.control.ping(timeout=2)\n"
        "print(heard)\n"
    )
    said = stage.manage("shell", "--no-imports", "-c", ask)
    want("default@" in said, f"a worker answers over {name}", said)
    stage.say(f"a worker answers over {name}")
    stage.stop("lantern-worker.service")


def check_backup(stage: Stage) -> None:
    """The nightly command, its check, and a restore into another database."""
    words, _ = stage.unit_command("lantern-backup.service")
    owner = stage.filled("owner.env")
    stage.run(words, stage.environment | owner)
    [backup] = (stage.folder / "backups").glob("2*Z")
    said = stage.manage("check_backup", str(backup)).strip()
    restored = {
        "DATABASE_OWNER_URL": owner["DATABASE_OWNER_URL"].rpartition("/")[0] + "/lantern_restored",
        "MEDIA_ROOT": str(stage.folder / "restored"),
    }
    stage.manage("restore", str(backup), **restored)
    stage.say(f"backup and restore into a second database ({said})")


def carry_out(stage: Stage, found: dict[str, str | None]) -> None:
    """All checks that the machine's programs allow."""
    check_files(stage, found)
    stage.environment = {
        name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG", "LC_ALL", "VIRTUAL_ENV")
    } | stage.filled("lantern.env")
    check_refusal(stage)
    server = found["postgres"]
    if server is None or found["redis-server"] is None:
        return
    stage.start_postgres(Path(server).parent)
    stage.start_redis(found["redis-server"])
    stage.manage("setup_database")
    said = stage.manage("check", "--deploy", "--fail-level", "ERROR")
    want("lantern." not in said, "the settings' own check", said)
    stage.manage("demo_data", LANTERN_DEMO="true")
    stage.say("setup_database, check --deploy, data to look at")
    stage.start_unit("lantern-web.service")
    until(lambda: listens(stage.ports["web"]), "the web server")
    if found["nginx"] and found["openssl"]:
        stage.start_nginx(found["nginx"], found["openssl"])
        check_site(stage)
    check_work(stage, stage.environment["CELERY_BROKER_URL"])
    if rabbit := found["rabbitmq-server"]:
        redis = stage.environment["CELERY_BROKER_URL"]
        stage.start_rabbitmq(rabbit)
        example = re.findall(r"amqp://\S+", stage.fill((FILES / "lantern.env").read_text()))
        check_work(stage, example[0])
        stage.environment["CELERY_BROKER_URL"] = redis
    check_backup(stage)


def main() -> int:
    """Check everything that can be checked here; 0 only when that was all."""
    found = {name: program(name) for name in DEBIAN}
    missing = sorted({DEBIAN[name] for name, path in found.items() if path is None})
    folder = Path(tempfile.mkdtemp(prefix="lantern-deploy-"))
    folder.chmod(0o711)
    os.umask(0o027)
    stage = Stage(folder)
    for name in ("data", "data/media", "data/models", "run"):
        (folder / name).mkdir(mode=0o750, exist_ok=True)
    (folder / "data").chmod(0o751)
    failed = ""
    try:
        carry_out(stage, found)
    except Failed as failure:
        failed = str(failure)
    finally:
        for name, _ in reversed(stage.running.copy()):
            stage.stop(name)
        if failed:
            print(f"\nFAILED  {failed}\nlogs: {folder}", file=sys.stderr)
        else:
            shutil.rmtree(folder, ignore_errors=True)
    print("\nNot tried here: stores of the S3 kind (files lie in a folder); systemd itself (it started none of this).")
    if missing:
        print(f"NOT CHECKED for want of programs: apt-get install {' '.join(missing)}", file=sys.stderr)
    return 1 if failed or missing else 0


if __name__ == "__main__":
    sys.exit(main())
